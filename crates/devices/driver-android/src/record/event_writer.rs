//! Derives the lines of a session file from the agent's events.
//!
//! Each event names its node, so that nothing is derived from a screen. Texts of one field and scrolls of one container that
//! follow each other are one line. What the agent could not tell is a gap.

use agent_protocol::{AppEvent, AppEventKind, EventSource, NodeFlags};
use serde_json::{Value, json};

use super::EventCounts;
use super::session_writer::numbered;

/// The package of the system bars.
const SYSTEM_UI: &str = "com.android.systemui";
/// The window of an on-screen keyboard, as its event names it.
const KEYBOARD: &str = "android.inputmethodservice.SoftInputWindow";

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
}

#[derive(Debug)]
struct Pending {
    at: f64,
    kind: AppEventKind,
    node: Identity,
    line: Value,
}

/// What tells nodes apart: package, resource id, window and place.
type Identity = (String, String, Option<(i32, i32, i32)>);

impl EventWriter {
    pub(super) fn new(epoch_ms: u64) -> Self {
        Self {
            epoch_ms,
            tally: EventCounts::default(),
            lines: Vec::new(),
            pending: None,
            window: None,
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
    pub(super) fn event(&mut self, at: f64, lost: u64, event: &AppEvent) {
        if lost > 0 {
            self.gap(at, &format!("{lost} events of the phone were lost"));
        }
        match event.kind {
            AppEventKind::Clicked | AppEventKind::LongClicked => self.click(at, event),
            AppEventKind::TextChanged => self.text(at, event),
            AppEventKind::Scrolled => self.scroll(at, event),
            AppEventKind::WindowChanged => self.window(at, event),
            AppEventKind::Noticed => {}
        }
    }

    /// Writes what may still have been replaced.
    pub(super) fn settle(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.add(pending.at, pending.line);
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

    fn click(&mut self, at: f64, event: &AppEvent) {
        self.settle();
        let source = event.source.as_ref();
        let id = source.map_or("", |source| &source.resource_id);
        if event.package == SYSTEM_UI
            && let Some(key) = key_of(id)
        {
            return self.add(
                at,
                json!({ "snapshot": null, "key": key, "type": "press_key" }),
            );
        }
        // What a field holds says nothing of which one it is. A row without a text of its own is named by the first in it.
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
        if source.is_none() && text.is_null() && description.is_null() {
            return self.gap(at, "a click belongs to no node: it was gone at once");
        }
        let mut line = json!({
            "snapshot": null,
            "packageName": event.package,
            "resourceId": first([id]),
            "text": text,
            "contentDesc": description,
            "bounds": bounds(source),
            "type": "click",
        });
        if event.kind == AppEventKind::LongClicked {
            put(&mut line, "clickType", json!("long_click"));
        }
        put_node(&mut line, event);
        self.add(at, line);
    }

    fn text(&mut self, at: f64, event: &AppEvent) {
        if event
            .source
            .as_ref()
            .is_some_and(|source| !editable(source))
        {
            // A text that the app changes.
            return;
        }
        let mut line = json!({
            "snapshot": null,
            "packageName": event.package,
            "resourceId": first([event.source.as_ref().map_or("", |source| &source.resource_id)]),
            "text": if event.password { String::new() } else { event_text(event) },
            "type": "text_change",
        });
        if event.password {
            put(&mut line, "password", json!(true));
        }
        put_node(&mut line, event);
        self.replace(at, event, line);
    }

    fn scroll(&mut self, at: f64, event: &AppEvent) {
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
        self.replace(at, event, line);
    }

    fn window(&mut self, at: f64, event: &AppEvent) {
        if event.class == KEYBOARD || event.package.is_empty() {
            return;
        }
        let title = event_text(event);
        let window = (event.package.clone(), event.class.clone(), title.clone());
        if self.window.as_ref() == Some(&window) {
            return;
        }
        self.settle();
        self.window = Some(window);
        self.add(
            at,
            json!({
                "snapshot": null,
                "packageName": event.package,
                "className": first([event.class.as_str()]),
                "title": first([title.as_str()]),
                "type": "window_change",
            }),
        );
    }

    /// Holds a line back, in place of an earlier one of the same node.
    fn replace(&mut self, at: f64, event: &AppEvent, line: Value) {
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
        self.pending = Some(Pending {
            at,
            kind: event.kind,
            node,
            line,
        });
    }

    fn add(&mut self, at: f64, event: Value) {
        let line = numbered(self.epoch_ms, at, &mut self.tally, event);
        self.lines.push(Value::Object(line));
    }
}

/// The key of a button of the navigation bar.
fn key_of(resource_id: &str) -> Option<&'static str> {
    match resource_id.rsplit_once('/').map_or("", |(_, id)| id) {
        "back" => Some("back"),
        "home" | "home_button" => Some("home"),
        "recent_apps" => Some("recents"),
        _ => None,
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
    let bounds = source.map(|source| source.bounds).unwrap_or_default();
    json!({
        "left": bounds.left,
        "top": bounds.top,
        "right": bounds.left.saturating_add(bounds.width),
        "bottom": bounds.top.saturating_add(bounds.height),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::Bounds;

    fn event(kind: AppEventKind, id: &str) -> AppEvent {
        AppEvent {
            number: 1,
            lost: 0,
            age_ms: 0,
            kind,
            package: "com.x".to_owned(),
            class: "android.widget.EditText".to_owned(),
            texts: vec!["a".to_owned()],
            description: String::new(),
            password: false,
            scroll: (-1, -1),
            scroll_end: (-1, -1),
            scroll_by: (0, 0),
            source: Some(EventSource {
                window: 3,
                class: "android.widget.EditText".to_owned(),
                resource_id: id.to_owned(),
                text: "a".to_owned(),
                description: String::new(),
                flags: NodeFlags::EDITABLE,
                bounds: Bounds {
                    left: 1,
                    top: 2,
                    width: 10,
                    height: 20,
                },
            }),
        }
    }

    fn written(events: &[(u64, AppEvent)]) -> (Vec<Value>, EventCounts) {
        let mut writer = EventWriter::new(1000);
        for (at, (lost, event)) in events.iter().enumerate() {
            writer.event(at as f64, *lost, event);
        }
        writer.settle();
        (writer.lines(), writer.tally())
    }

    #[test]
    fn clicks_name_their_node_and_lost_events_are_a_gap() {
        let (lines, tally) = written(&[
            (0, event(AppEventKind::Clicked, "com.x:id/a")),
            (2, event(AppEventKind::LongClicked, "com.x:id/b")),
        ]);
        assert_eq!((tally.events, tally.gaps), (3, 1));
        assert_eq!(
            lines[0],
            json!({
                "ts": 1000, "seq": 0, "snapshot": null, "packageName": "com.x", "resourceId": "com.x:id/a",
                "text": null, "contentDesc": null,
                "bounds": { "left": 1, "top": 2, "right": 11, "bottom": 22 },
                "type": "click", "windowId": 3, "className": "android.widget.EditText",
            })
        );
        let mut row = event(AppEventKind::Clicked, "com.x:id/row");
        row.texts = ["", "Wi-Fi", "On"].map(str::to_owned).to_vec();
        let source = row.source.as_mut().unwrap();
        (source.text, source.flags) = (String::new(), NodeFlags::CLICKABLE);
        let mut button = row.clone();
        button.source.as_mut().unwrap().text = "Save".to_owned();
        let named = written(&[(0, row), (0, button)]).0;
        assert_eq!(
            (&named[0]["text"], &named[1]["text"]),
            (&json!("Wi-Fi"), &json!("Save"))
        );
        assert_eq!(lines[1]["reason"], "2 events of the phone were lost");
        assert_eq!(lines[2]["clickType"], "long_click");
        assert_eq!(lines[2]["seq"], 2);
    }

    #[test]
    fn texts_of_one_field_and_scrolls_of_one_list_are_one_line() {
        let typed = |text: &str, id| AppEvent {
            texts: vec![text.to_owned()],
            ..event(AppEventKind::TextChanged, id)
        };
        let scrolled = |by| AppEvent {
            scroll_by: by,
            ..event(AppEventKind::Scrolled, "com.x:id/list")
        };
        let mut label = typed("12:01", "com.x:id/clock");
        label.source.as_mut().unwrap().flags = NodeFlags::ENABLED;
        let secret = AppEvent {
            password: true,
            ..typed("geheim", "com.x:id/pw")
        };
        let events = [
            typed("A", "com.x:id/name"),
            typed("Ada", "com.x:id/name"),
            label,
            secret,
            scrolled((0, 40)),
            scrolled((0, 900)),
            scrolled((0, -5)),
        ];
        let (lines, _) = written(&events.map(|event| (0, event)));
        let texts: Vec<&Value> = lines.iter().filter_map(|line| line.get("text")).collect();
        assert_eq!(texts, ["Ada", ""]);
        assert_eq!(lines[1]["password"], true);
        let ways: Vec<&Value> = lines
            .iter()
            .filter_map(|line| line.get("direction"))
            .collect();
        assert_eq!(ways, ["down", "up"]);
    }

    #[test]
    fn windows_and_buttons_of_the_bar_are_told_once() {
        let window = |class: &str| AppEvent {
            class: class.to_owned(),
            ..event(AppEventKind::WindowChanged, "")
        };
        let back = AppEvent {
            package: SYSTEM_UI.to_owned(),
            ..event(AppEventKind::Clicked, "com.android.systemui:id/back")
        };
        let gone = AppEvent {
            source: None,
            texts: Vec::new(),
            ..event(AppEventKind::Clicked, "")
        };
        let events = [window("Main"), window("Main"), window(KEYBOARD), back, gone];
        let (lines, tally) = written(&events.map(|event| (0, event)));
        let types: Vec<&Value> = lines.iter().map(|line| &line["type"]).collect();
        assert_eq!(types, ["window_change", "press_key", "gap"]);
        assert_eq!(tally.gaps, 1);
    }
}
