//! The journal as lines of JSON, one for each entry: `seq`, `ms`, `kind`, and the fields of the kind.

use std::time::Duration;

use serde_json::{Map, Value, json};
use uitree::{Point, Rect};

use super::kinds::Kind;
use super::log::Journal;
use super::{Happening, JournalEntry, Widget};
use crate::words::Words;

/// Whether the JSON form of a journal shows what was written into password fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passwords {
    /// It shows dots.
    #[default]
    Masked,
    /// It shows them.
    ClearText,
}

/// Builds the fields of one line.
struct Line<'a> {
    journal: &'a Journal,
    passwords: Passwords,
    fields: Map<String, Value>,
}

impl Journal {
    /// The entries that are kept as NDJSON, each line ending with a line feed.
    ///
    /// Every line has `seq` (the number of the entry, from 0), `ms` (virtual time since the phone's start) and `kind`;
    /// a widget is `{app, screen, id, name, row, window, bounds}` without those that it does not have, `bounds` being
    /// left, top, right and bottom in pixels. Kinds and fields are only ever added to.
    pub fn to_json(&self, passwords: Passwords) -> String {
        self.to_json_since(0, passwords)
    }

    /// The same of the entries from number `index` on, for whoever has written those before.
    pub fn to_json_since(&self, index: u64, passwords: Passwords) -> String {
        let mut lines = String::new();
        for (number, entry) in self.since(index) {
            lines.push_str(&self.line(number, entry, passwords).to_string());
            lines.push('\n');
        }
        lines
    }

    fn line(&self, number: u64, entry: &JournalEntry, passwords: Passwords) -> Value {
        let mut line = Line {
            journal: self,
            passwords,
            fields: Map::new(),
        };
        line.put("seq", number);
        line.put("ms", millis(entry.at));
        line.what(&entry.what);
        Value::Object(line.fields)
    }
}

impl Line<'_> {
    fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.fields.insert(name.to_owned(), value.into());
    }

    fn kind(&mut self, kind: Kind) {
        self.put("kind", kind.as_str());
    }

    fn shown(&self, text: &str) -> String {
        match self.passwords {
            Passwords::Masked => self.journal.secrets.mask(text).into_owned(),
            Passwords::ClearText => text.to_owned(),
        }
    }

    fn text(&mut self, name: &str, text: &str) {
        let shown = self.shown(text);
        self.put(name, shown);
    }

    /// A text that is a password.
    fn secret(&mut self, name: &str, text: &str) {
        match self.passwords {
            Passwords::Masked => self.put(name, dots(text)),
            Passwords::ClearText => self.put(name, text),
        }
    }

    fn widget(&mut self, widget: &Widget) {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        put("app", json!(&*widget.app));
        if !widget.screen.is_empty() {
            put("screen", json!(&*widget.screen));
        }
        if !widget.id.is_empty() {
            put("id", json!(&*widget.id));
        }
        if !widget.name.is_empty() {
            put("name", json!(self.shown(&widget.name)));
        }
        if let Some(row) = widget.row {
            put("row", json!(row));
        }
        put("window", json!(widget.window));
        if let Some(Rect {
            left,
            top,
            right,
            bottom,
        }) = widget.bounds
        {
            put("bounds", json!([left, top, right, bottom]));
        }
        self.put("widget", Value::Object(fields));
    }

    /// A place, unless it tells what was typed into a password field.
    fn place(&mut self, at: Point, secret: bool) {
        if secret && self.passwords == Passwords::Masked {
            self.put("masked", true);
        } else {
            self.put("at", json!([at.x, at.y]));
        }
    }

    fn page(&mut self, app: &str, screen: &str) {
        self.put("app", app);
        self.put("screen", screen);
    }

    fn what(&mut self, what: &Happening) {
        match what {
            Happening::TouchedDown { at, on, secret } => {
                self.kind(Kind::TouchDown);
                self.place(*at, *secret);
                if let Some(widget) = on
                    && !(*secret && self.passwords == Passwords::Masked)
                {
                    self.widget(widget);
                }
            }
            Happening::Configured { setting, from, to } => {
                self.kind(Kind::Configured);
                self.put("setting", setting.to_string());
                self.text("from", from);
                self.text("to", to);
            }
            Happening::NotConfigured {
                app,
                setting,
                value,
            } => {
                self.kind(Kind::NotConfigured);
                self.put("app", &**app);
                self.put("setting", setting.to_string());
                self.text("value", value);
            }
            Happening::TouchedUp { at, secret } => {
                self.kind(Kind::TouchUp);
                self.place(*at, *secret);
            }
            Happening::TouchCancelled => self.kind(Kind::TouchCancel),
            Happening::Focused(widget) => {
                self.kind(Kind::Focus);
                self.widget(widget);
            }
            Happening::Fault { name, details } => {
                self.kind(Kind::Fault);
                self.put("name", *name);
                self.text("details", details);
            }
            Happening::Missed(at) => {
                self.kind(Kind::Missed);
                self.place(*at, false);
            }
            Happening::Clicked { widget, by } => {
                self.kind(Kind::Click);
                self.put("by", by.to_string());
                self.widget(widget);
            }
            Happening::LongClicked { widget, by } => {
                self.kind(Kind::LongClick);
                self.put("by", by.to_string());
                self.widget(widget);
            }
            Happening::Swallowed(widget) => {
                self.kind(Kind::Swallowed);
                self.widget(widget);
            }
            Happening::Scrolled { widget, dx, dy } => {
                self.kind(Kind::Scroll);
                self.put("dx", *dx);
                self.put("dy", *dy);
                self.widget(widget);
            }
            Happening::TouchLost { widget, why } => {
                self.kind(Kind::TouchLost);
                self.put("why", why.to_string());
                self.widget(widget);
            }
            Happening::Flung { widget, velocity } => {
                self.kind(Kind::Fling);
                self.put("velocity", *velocity);
                self.widget(widget);
            }
            Happening::Rested {
                widget,
                dx,
                dy,
                why,
            } => {
                self.kind(Kind::Rest);
                self.put("dx", *dx);
                self.put("dy", *dy);
                self.put("why", why.to_string());
                self.widget(widget);
            }
            Happening::TextChanged {
                widget,
                text,
                password,
            } => {
                self.kind(Kind::Text);
                if *password {
                    self.secret("text", text);
                    self.put("password", true);
                } else {
                    self.text("text", text);
                }
                self.widget(widget);
            }
            Happening::Submitted(widget) => {
                self.kind(Kind::Submit);
                self.widget(widget);
            }
            Happening::KeyPressed(key) => {
                self.kind(Kind::Key);
                self.put("key", format!("{key:?}").to_lowercase());
            }
            Happening::HardwareKey(key) => {
                self.kind(Kind::Key);
                self.put("key", key.name());
            }
            Happening::Selected { widget, from, to } => {
                self.kind(Kind::Select);
                self.put("from", *from);
                self.put("to", *to);
                self.widget(widget);
            }
            Happening::Copied { app, text } => {
                self.app(Kind::Copy, app);
                self.text("text", text);
            }
            Happening::DoubleClicked(widget) => {
                self.kind(Kind::DoubleClick);
                self.widget(widget);
            }
            Happening::Changed {
                app,
                name,
                from,
                to,
            } => {
                self.kind(Kind::State);
                self.put("app", &**app);
                self.put("name", &**name);
                let own = (app.clone(), name.clone());
                if self.journal.secret_names.contains(&own) {
                    self.secret("from", from);
                    self.secret("to", to);
                } else {
                    self.text("from", from);
                    self.text("to", to);
                }
            }
            Happening::Opened { app, screen } => {
                self.kind(Kind::Open);
                self.page(app, screen);
            }
            Happening::Closed { app, screen } => {
                self.kind(Kind::Close);
                self.page(app, screen);
            }
            Happening::Started(app) => self.app(Kind::Start, app),
            Happening::Stopped(app) => self.app(Kind::Stop, app),
            Happening::LaunchFailed(app) => self.app(Kind::LaunchFailed, app),
            Happening::Front(app) => self.app(Kind::Front, app),
            Happening::EffectsStopped(app) => self.app(Kind::EffectsStopped, app),
            Happening::WidgetsCut { app, most } => {
                self.app(Kind::WidgetsCut, app);
                self.put("most", *most);
            }
            Happening::UriOpened { uri, app } => {
                self.kind(Kind::Uri);
                self.text("uri", uri);
                self.put("app", &**app);
            }
            Happening::Message(text) => {
                self.kind(Kind::Message);
                self.text("text", text);
            }
            Happening::Refreshed(widget) => {
                self.kind(Kind::Refresh);
                self.widget(widget);
            }
            Happening::Swiped { widget, to } => {
                self.kind(Kind::Swipe);
                self.widget(widget);
                self.text("to", to.as_str());
            }
            Happening::Volume(level) => {
                self.kind(Kind::Volume);
                self.put("level", *level);
            }
            Happening::Crashed(app) => self.app(Kind::Crash, app),
            Happening::ScreenTurned { screen, rotation } => {
                self.kind(Kind::ScreenTurned);
                self.put("width", screen.width);
                self.put("height", screen.height);
                self.put("rotation", rotation.quarter_turns());
            }
            Happening::FaultNotSet { name, why } => {
                self.kind(Kind::FaultNotSet);
                self.put("name", *name);
                self.put("why", &**why);
            }
            Happening::Notified { app, title } => {
                self.app(Kind::Notification, app);
                self.text("title", title);
            }
            Happening::Fetched { app, ok, took } => {
                self.app(Kind::Fetch, app);
                self.put("ok", *ok);
                self.put("tookMs", took.as_millis() as u64);
            }
            Happening::PermissionAsked { app, permission } => {
                self.app(Kind::PermissionAsked, app);
                self.put("permission", permission.word());
            }
            Happening::PermissionAnswered {
                app,
                permission,
                granted,
            } => {
                self.app(Kind::Permission, app);
                self.put("permission", permission.word());
                self.put("granted", *granted);
            }
            Happening::KeyboardShown => self.kind(Kind::KeyboardShown),
            Happening::KeyboardHidden => self.kind(Kind::KeyboardHidden),
            Happening::Power { on } => {
                self.kind(Kind::Power);
                self.put("on", *on);
            }
        }
    }

    fn app(&mut self, kind: Kind, app: &str) {
        self.kind(kind);
        self.put("app", app);
    }
}

/// A time in milliseconds: whole where it is, else with its microseconds.
fn millis(at: Duration) -> Value {
    let micros = at.as_micros();
    if micros.is_multiple_of(1000) {
        json!(u64::try_from(micros / 1000).unwrap_or(u64::MAX))
    } else {
        json!(micros as f64 / 1000.0)
    }
}

fn dots(text: &str) -> String {
    "•".repeat(text.chars().count())
}
