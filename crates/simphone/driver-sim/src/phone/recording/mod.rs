//! Recordings: events on the phone as lines of a session file.
//!
//! The phone makes the lines; the driver writes them. Snapshots of clicks and keys show the screen before them. Current
//! and past texts of password fields are masked.

mod session;

use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::phone::Phone;
use sim_format::widget::{Axis, Key};

pub(crate) use session::Session;

/// The recorder's package in session files.
const OPERATOR: &str = "com.clawperator.operator";

/// Collects the lines of a session until the driver writes them.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    events: u64,
    lines: Vec<String>,
}

impl Recorder {
    fn add(&mut self, ts: u64, mut event: Json) {
        if let Json::Object(fields) = &mut event {
            let mut ordered = serde_json::Map::new();
            ordered.insert("ts".to_owned(), json!(ts));
            ordered.insert("seq".to_owned(), json!(self.events));
            ordered.append(fields);
            self.lines.push(Json::Object(ordered).to_string());
            self.events += 1;
        }
    }
}

impl Phone {
    /// Starts the recording; the first line is the header.
    pub(crate) fn start_recorder(&mut self, session: &str) {
        let header = json!({
            "type": "recording_header",
            "schemaVersion": 1,
            "sessionId": session,
            "startedAt": self.wall_clock_ms(),
            "operatorPackage": OPERATOR,
        });
        self.recorder = Some(Recorder {
            events: 0,
            lines: vec![header.to_string()],
        });
    }

    pub(crate) fn stop_recorder(&mut self) {
        self.recorder = None;
    }

    /// The lines since the last call, and the total number of events.
    pub(crate) fn recorded(&mut self) -> (Vec<String>, u64) {
        let recorder = self.recorder.as_mut();
        let taken = recorder.map(|known| (std::mem::take(&mut known.lines), known.events));
        taken.unwrap_or_default()
    }

    fn snapshot(&mut self) -> Json {
        if self.awake {
            self.keep_passwords();
            let view = self.view();
            let secrets = &mut self.journal.secrets;
            secrets.see(&view.tree);
            let masked = secrets.mask_tree(&view.tree);
            Json::String(masked.as_ref().unwrap_or(&view.tree).to_hierarchy_xml())
        } else {
            Json::Null
        }
    }

    fn record(&mut self, event: Json) {
        let ts = self.wall_clock_ms();
        if let Some(recorder) = &mut self.recorder {
            recorder.add(ts, event);
        }
    }

    pub(crate) fn record_click(&mut self, window: u64, key: Key) {
        if self.recorder.is_none() {
            return;
        }
        let view = self.view();
        let Some((shown, item)) = view.item(window, key) else {
            return;
        };
        let node = item.element().node(&shown.package, false);
        let snapshot = self.snapshot();
        let secrets = &self.journal.secrets;
        let text = |text: &str| match text.trim() {
            "" => Json::Null,
            text => json!(secrets.mask(text)),
        };
        let event = json!({
            "snapshot": snapshot,
            "packageName": &*shown.package,
            "resourceId": text(&node.id),
            "text": text(&node.text),
            "contentDesc": text(&node.label),
            "bounds": {
                "left": item.bounds.left,
                "top": item.bounds.top,
                "right": item.bounds.right,
                "bottom": item.bounds.bottom,
            },
            "type": "click",
        });
        self.record(event);
    }

    pub(crate) fn record_window(&mut self) {
        if self.recorder.is_none() || !self.awake {
            return;
        }
        let view = self.view();
        let Some(shown) = view.windows.first() else {
            return;
        };
        let title = shown.title.trim();
        let event = json!({
            "snapshot": self.snapshot(),
            "packageName": &*shown.package,
            "className": &*shown.class,
            "title": if title.is_empty() { Json::Null } else { json!(self.journal.secrets.mask(title)) },
            "type": "window_change",
        });
        self.record(event);
    }

    /// Records that content was scrolled to `offset` of `reach` pixels.
    pub(crate) fn record_scroll(
        &mut self,
        package: &Arc<str>,
        axis: Axis,
        offset: f32,
        reach: f32,
    ) {
        let (offset, reach) = (offset.round() as i64, reach.round() as i64);
        let ((x, y), (most_x, most_y)) =
            axis.choose(((0, offset), (0, reach)), ((offset, 0), (reach, 0)));
        let event = json!({
            "snapshot": null,
            "packageName": &**package,
            "resourceId": null,
            "scrollX": x,
            "scrollY": y,
            "maxScrollX": most_x,
            "maxScrollY": most_y,
            "type": "scroll",
        });
        self.record(event);
    }

    /// Records a changed text of a field; `shown` is its visible text.
    pub(crate) fn record_text(&mut self, package: &Arc<str>, shown: &Arc<str>) {
        let event = json!({
            "snapshot": null,
            "packageName": &**package,
            "resourceId": null,
            "text": self.journal.secrets.mask(shown),
            "type": "text_change",
        });
        self.record(event);
    }

    pub(crate) fn record_back(&mut self) {
        if self.recorder.is_some() {
            let event = json!({ "snapshot": self.snapshot(), "key": "back", "type": "press_key" });
            self.record(event);
        }
    }
}
