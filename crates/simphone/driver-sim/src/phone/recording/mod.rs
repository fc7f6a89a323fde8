//! Recordings: what happens on the phone, as the lines of a session file.
//!
//! The phone makes the lines; the driver writes them. Snapshots of clicks and keys show the screen as it was before
//! them. What password fields hold, or held, appears masked.

mod session;

use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::phone::Phone;
use crate::phone::clock::EPOCH_MS;
use sim_format::widget::{Axis, Key};

pub(crate) use session::Session;

/// The package that session files name as the one that recorded them.
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
    /// Starts to collect; the first line is the header.
    pub(crate) fn start_recorder(&mut self, session: &str) {
        let header = json!({
            "type": "recording_header",
            "schemaVersion": 1,
            "sessionId": session,
            "startedAt": self.epoch_ms(),
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

    /// The lines since the last call, and how many events there were so far.
    pub(crate) fn recorded(&mut self) -> (Vec<String>, u64) {
        self.recorder
            .as_mut()
            .map_or_else(Default::default, |recorder| {
                (std::mem::take(&mut recorder.lines), recorder.events)
            })
    }

    /// Milliseconds since 1970 on the phone's clock.
    pub(crate) fn epoch_ms(&self) -> u64 {
        EPOCH_MS + u64::try_from(self.clock.now().as_millis()).unwrap_or(u64::MAX - EPOCH_MS)
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
        let ts = self.epoch_ms();
        if let Some(recorder) = &mut self.recorder {
            recorder.add(ts, event);
        }
    }

    /// A widget is about to be clicked.
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
        let words = |words: &str| {
            let words = words.trim();
            if words.is_empty() {
                Json::Null
            } else {
                json!(secrets.mask(words))
            }
        };
        let event = json!({
            "snapshot": snapshot,
            "packageName": &*shown.package,
            "resourceId": words(&node.id),
            "text": words(&node.text),
            "contentDesc": words(&node.label),
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

    /// Another window has become the active one.
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

    /// Content is scrolled to `offset` of `reach` pixels.
    pub(crate) fn record_scroll(
        &mut self,
        package: &Arc<str>,
        axis: Axis,
        offset: f32,
        reach: f32,
    ) {
        let (offset, reach) = (offset.round() as i64, reach.round() as i64);
        let ((x, y), (most_x, most_y)) = match axis {
            Axis::Horizontal => ((offset, 0), (reach, 0)),
            Axis::Vertical | Axis::Depth => ((0, offset), (0, reach)),
        };
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

    /// A field holds another text; `shown` is what can be read of it.
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

    /// The back key is about to act.
    pub(crate) fn record_back(&mut self) {
        if self.recorder.is_some() {
            let event = json!({ "snapshot": self.snapshot(), "key": "back", "type": "press_key" });
            self.record(event);
        }
    }
}
