//! Derives the lines of a session file from the events of the agent, the keys of the phone and the screens before them.
//!
//! Texts of one field and scrolls of one container that follow each other are one line. What is not known is a gap.

use agent_protocol::{AppEvent, AppEventKind, EventSource, NodeFlags};
use driver::Key;
use serde_json::{Map, Value, json};
use uitree::Rect;

use super::keys::{LONG, SYSTEM_UI, key_name, key_of_button};
use super::screens::{FrontWindow, ScreenBefore, place};
use super::touch::Touch;
use crate::phone::keys;

/// How long after a key the other source may report the same press, in milliseconds.
const SAME_PRESS: f64 = 1_000.0;
/// The window of an on-screen keyboard, as its event names it.
const KEYBOARD: &str = "android.inputmethodservice.SoftInputWindow";

/// The number of recorded events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventCounts {
    /// All events in the file, including gaps.
    pub events: u64,
    /// Gaps.
    pub gaps: u64,
}

/// Turns events into lines.
#[derive(Debug)]
pub(super) struct EventWriter {
    epoch_ms: u64,
    tally: EventCounts,
    lines: Vec<Value>,
    /// The last text or scroll, which a later one of the same node replaces.
    pending: Option<Pending>,
    /// Package, class and title of the window in front.
    window: Option<(String, String, String)>,
    /// Package and class of the windows so far.
    windows: Vec<(String, String)>,
    /// Whether there was input since the window in front came.
    has_input: bool,
    /// The last key.
    key: Option<(f64, Key, KeySource)>,
}

/// What reports a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeySource {
    /// A client of the agent, whose keys the phone does not report.
    Client,
    /// The events of the navigation bar.
    Bar,
    /// The touch screen and the buttons of the phone.
    Hardware,
}

#[derive(Debug)]
struct Pending {
    at: f64,
    kind: AppEventKind,
    node: Identity,
    line: Value,
    before: Option<ScreenBefore>,
}

/// The identity of a node: package, resource id, window and place.
type Identity = (String, String, Option<(i32, i32, i32)>);

impl EventWriter {
    pub(super) fn new(epoch_ms: u64) -> Self {
        Self {
            epoch_ms,
            tally: EventCounts::default(),
            lines: Vec::new(),
            pending: None,
            window: None,
            windows: Vec::new(),
            has_input: false,
            key: None,
        }
    }

    /// Takes the lines since the last call.
    pub(super) fn lines(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.lines)
    }

    pub(super) const fn tally(&self) -> EventCounts {
        self.tally
    }

    /// Adds an event, and a gap for those that were lost before it. `at` is in milliseconds since the session began.
    pub(super) fn event(
        &mut self,
        at: f64,
        lost: u64,
        event: &AppEvent,
        before: Option<&ScreenBefore>,
    ) {
        if lost > 0 {
            self.gap(at, &format!("{lost} events of the phone were lost"));
        }
        match event.kind {
            AppEventKind::Clicked | AppEventKind::LongClicked => self.click(at, event, before),
            AppEventKind::TextChanged => self.text(at, event, before),
            AppEventKind::Scrolled => self.scroll(at, event, before),
            AppEventKind::WindowChanged => self.window(at, event, before),
            AppEventKind::KeyPressed => {
                let code = event.texts.first().and_then(|code| code.parse().ok());
                if let Some(key) = code.and_then(keys::of_code) {
                    self.key(at, key, KeySource::Client, before);
                }
            }
            AppEventKind::Noticed => {}
        }
    }

    /// Adds a key, unless the other source has reported the same press.
    pub(super) fn key(
        &mut self,
        at: f64,
        key: Key,
        source: KeySource,
        before: Option<&ScreenBefore>,
    ) {
        self.settle();
        self.has_input = true;
        let reported = self.key.replace((at, key, source));
        if let Some((other_at, other, by)) = reported
            && other == key
            && by != source
            && ![by, source].contains(&KeySource::Client)
            && (at - other_at).abs() <= SAME_PRESS
        {
            // Both sources reported the same press.
            self.key = None;
            return;
        }
        let line = json!({ "snapshot": null, "key": key_name(key), "type": "press_key" });
        self.add_with(at, line, before);
    }

    /// Adds a touch that no app reported, as a click on what was at its place; a swipe is a gap.
    pub(super) fn touch(&mut self, touch: &Touch, before: Option<&ScreenBefore>) {
        self.settle();
        self.has_input = true;
        let from = touch.from;
        if let Some(to) = touch.to {
            // A swipe over content that scrolls, and is at its end.
            if !touch.target.scrolls {
                let swipe = format!("{} {} to {} {}", from.x, from.y, to.x, to.y);
                self.gap(
                    touch.down,
                    &format!("no app reported the swipe from {swipe}"),
                );
            }
            return;
        }
        if touch.target.may_be_secret {
            return self.gap(touch.down, "a touch on a key beside a password field");
        }
        let node = &touch.target.node;
        let mut line = json!({
            "snapshot": null,
            "packageName": node.package,
            "resourceId": first([&*node.resource_id]),
            "text": first([&*node.text]),
            "contentDesc": first([&*node.description]),
            "bounds": edges(node.bounds),
            "type": "click",
            "className": first([&*node.class]),
            "coordinate": { "x": from.x, "y": from.y },
        });
        if touch.up - touch.down >= LONG {
            put(&mut line, "clickType", json!("long_click"));
        }
        self.add_with(touch.down, line, before);
    }

    /// Adds the window that is in front when the recording begins.
    pub(super) fn first_window(&mut self, at: f64, front: &FrontWindow, class: Option<&str>) {
        let class = class.unwrap_or_default();
        self.windows.push((front.package.clone(), class.to_owned()));
        self.window = Some((front.package.clone(), class.to_owned(), front.title.clone()));
        self.add(
            at,
            json!({
                "snapshot": &*front.xml,
                "packageName": front.package,
                "className": first([class]),
                "title": first([front.title.as_str()]),
                "type": "window_change",
            }),
        );
    }

    /// Writes what may still have been replaced.
    pub(super) fn settle(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.add_with(pending.at, pending.line, pending.before.as_ref());
        }
    }

    pub(super) fn gap(&mut self, at: f64, reason: &str) {
        self.settle();
        self.tally.gaps += 1;
        self.add(
            at,
            json!({ "snapshot": null, "reason": reason, "type": "gap" }),
        );
    }

    fn click(&mut self, at: f64, event: &AppEvent, before: Option<&ScreenBefore>) {
        self.settle();
        let source = event.source.as_ref();
        let node = before.and_then(|before| before.node.as_ref());
        let id = match (source, node) {
            (Some(source), _) => &source.resource_id,
            (None, Some(node)) => &*node.resource_id,
            (None, None) => "",
        };
        if event.package == SYSTEM_UI
            && let Some(key) = key_of_button(id)
        {
            return self.key(at, key, KeySource::Bar, before);
        }
        self.has_input = true;
        // The content of a field does not identify it. A row without a text of its own is named by the first in it.
        let text = match source {
            Some(source) if editable(source) => Value::Null,
            _ => {
                let texts = event.texts.iter().map(String::as_str);
                first(
                    [source.map_or("", |source| &source.text)]
                        .into_iter()
                        .chain(texts),
                )
            }
        };
        let description = source.map_or("", |source| &source.description);
        let description = first([description, event.description.as_str()]);
        if source.is_none() && node.is_none() && text.is_null() && description.is_null() {
            return self.gap(at, "a click belongs to no node: it was gone at once");
        }
        let mut line = json!({
            "snapshot": null,
            "packageName": event.package,
            "resourceId": first([id]),
            "text": text,
            "contentDesc": description,
            "bounds": match node {
                Some(node) => edges(node.bounds),
                None => bounds(source),
            },
            "type": "click",
        });
        if event.kind == AppEventKind::LongClicked {
            put(&mut line, "clickType", json!("long_click"));
        }
        put_node(&mut line, event);
        self.add_with(at, line, before);
    }

    fn text(&mut self, at: f64, event: &AppEvent, before: Option<&ScreenBefore>) {
        if event
            .source
            .as_ref()
            .is_some_and(|source| !editable(source))
        {
            // A text that the app changes.
            return;
        }
        self.has_input = true;
        let node = before.and_then(|before| before.node.as_ref());
        // Also a field that shows its password now.
        let password = event.password || node.is_some_and(|node| node.password);
        let mut line = json!({
            "snapshot": null,
            "packageName": event.package,
            "resourceId": first([event.source.as_ref().map_or("", |source| &source.resource_id)]),
            "text": if password { String::new() } else { event_text(event) },
            "type": "text_change",
        });
        if password {
            put(&mut line, "password", json!(true));
        }
        put_node(&mut line, event);
        self.replace(at, event, line, before);
    }

    fn scroll(&mut self, at: f64, event: &AppEvent, before: Option<&ScreenBefore>) {
        self.has_input = true;
        let (x, y) = event.scroll_by;
        let direction = match (x.abs() > y.abs(), x > 0, y > 0) {
            (true, true, _) => "right",
            (true, false, _) => "left",
            (false, _, true) => "down",
            (false, _, false) => "up",
        };
        let mut line = json!({
            "snapshot": null,
            "packageName": event.package,
            "resourceId": first([event.source.as_ref().map_or("", |source| &source.resource_id)]),
            "scrollX": event.scroll.0,
            "scrollY": event.scroll.1,
            "maxScrollX": event.scroll_end.0,
            "maxScrollY": event.scroll_end.1,
            "type": "scroll",
        });
        if (x, y) != (0, 0) {
            put(&mut line, "direction", json!(direction));
        }
        put_node(&mut line, event);
        let turned = self
            .pending
            .as_ref()
            .is_some_and(|pending| pending.line.get("direction") != line.get("direction"));
        if turned {
            self.settle();
        }
        self.replace(at, event, line, before);
    }

    fn window(&mut self, at: f64, event: &AppEvent, before: Option<&ScreenBefore>) {
        if event.class == KEYBOARD || event.package.is_empty() {
            return;
        }
        let title = event_text(event);
        let window = (event.package.clone(), event.class.clone(), title.clone());
        if self.window.as_ref() == Some(&window) {
            return;
        }
        self.settle();
        let last = self.window.replace(window);
        let place = (event.package.clone(), event.class.clone());
        let same_app = last.is_some_and(|(package, ..)| package == event.package);
        let is_back = self.windows.contains(&place);
        if !std::mem::take(&mut self.has_input) && same_app && is_back {
            let why = format!(
                "{} is in front again without a recorded input: Back, a gesture, or the app itself",
                event.class
            );
            self.gap(at, &why);
        }
        if !is_back {
            self.windows.push(place);
        }
        self.add_with(
            at,
            json!({
                "snapshot": null,
                "packageName": event.package,
                "className": first([event.class.as_str()]),
                "title": first([title.as_str()]),
                "type": "window_change",
            }),
            before,
        );
    }

    /// Holds a line back, in place of an earlier one of the same node.
    fn replace(&mut self, at: f64, event: &AppEvent, line: Value, before: Option<&ScreenBefore>) {
        let source = event.source.as_ref();
        let node = (
            event.package.clone(),
            source.map_or(String::new(), |source| source.resource_id.clone()),
            source.map(|source| (source.window, source.bounds.left, source.bounds.top)),
        );
        let same = |pending: &Pending| pending.kind == event.kind && pending.node == node;
        if !self.pending.as_ref().is_some_and(same) {
            self.settle();
        }
        // The screen before the first of them.
        let first = self.pending.take().and_then(|pending| pending.before);
        self.pending = Some(Pending {
            at,
            kind: event.kind,
            node,
            line,
            before: first.or_else(|| before.cloned()),
        });
    }

    /// Adds an event with the screen before it.
    fn add_with(&mut self, at: f64, mut event: Value, before: Option<&ScreenBefore>) {
        if let Some(before) = before {
            put(&mut event, "snapshot", json!(&*before.xml));
            put(&mut event, "treeAgeMs", json!(before.age.round() as u64));
        }
        self.add(at, event);
    }

    /// Adds an event as the next line, with its time and its number.
    fn add(&mut self, at: f64, event: Value) {
        let mut line = Map::new();
        let ts = self.epoch_ms.saturating_add_signed(at.round() as i64);
        line.insert("ts".to_owned(), json!(ts));
        line.insert("seq".to_owned(), json!(self.tally.events));
        if let Value::Object(mut fields) = event {
            line.append(&mut fields);
        }
        self.tally.events += 1;
        self.lines.push(Value::Object(line));
    }
}

/// Whether a node is a field.
fn editable(source: &EventSource) -> bool {
    let fields = NodeFlags::EDITABLE | NodeFlags::PASSWORD;
    source.flags.intersects(fields)
}

fn event_text(event: &AppEvent) -> String {
    event.texts.join(" ").trim().to_owned()
}

/// The first text that is not empty, or null.
fn first<'a>(texts: impl IntoIterator<Item = &'a str>) -> Value {
    let found = texts.into_iter().find(|text| !text.trim().is_empty());
    found.map_or(Value::Null, Value::from)
}

fn put(line: &mut Value, key: &str, value: Value) {
    if let Value::Object(fields) = line {
        fields.insert(key.to_owned(), value);
    }
}

/// Class and window of the node, if it was there.
fn put_node(line: &mut Value, event: &AppEvent) {
    if let Some(source) = &event.source {
        put(line, "windowId", json!(source.window));
        put(
            line,
            "className",
            first([source.class.as_str(), &event.class]),
        );
    }
}

fn bounds(source: Option<&EventSource>) -> Value {
    edges(source.map(place).unwrap_or_default())
}

fn edges(bounds: Rect) -> Value {
    json!({
        "left": bounds.left,
        "top": bounds.top,
        "right": bounds.right,
        "bottom": bounds.bottom,
    })
}

#[cfg(test)]
mod tests;
