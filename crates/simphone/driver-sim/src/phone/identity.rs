//! Which widget a node shows, for tools that compare answers with the phone.

use std::collections::HashMap;
use std::sync::Arc;

use driver::Revision;
use sim_format::expr::{Record, entry_number};
use sim_format::widget::{Key, Kind};
use sim_view::window::SYSTEM_UI;

use super::Phone;
use super::view::View;

/// A widget of an app for one record, the same each time its screen is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WidgetIdentity {
    /// The package of its app.
    pub app: Arc<str>,
    /// The screen of the app; empty for windows of the system.
    pub screen: Arc<str>,
    /// The record that the screen was opened for: its number in a list variable, or else its fields; empty without one.
    pub record: String,
    /// The widget on the screen, and its row. Rows of list variables follow their entry.
    key: Key,
    /// Which of the nodes of the widget it is, from 0.
    part: usize,
}

impl Phone {
    /// The widget of each node of an observation; empty if the phone no longer has that observation.
    pub fn widget_identities(&self, revision: Revision) -> Vec<WidgetIdentity> {
        let false_tree = self.faults.false_tree.as_ref();
        let (view, keys) = match false_tree.filter(|tree| tree.revision == revision.0) {
            Some(tree) => (&tree.view, &tree.keys),
            None => {
                let current = self.frames.current();
                let current = current.filter(|view| view.revision == revision.0);
                match self.frames.observed(revision.0).or(current) {
                    Some(view) => (view, &view.keys),
                    None => return Vec::new(),
                }
            }
        };
        let mut parts: HashMap<(u64, Key), usize> = HashMap::new();
        keys.iter()
            .map(|place| {
                let next = parts.entry(*place).or_default();
                let part = *next;
                *next += 1;
                self.identity(view, *place, part)
            })
            .collect()
    }

    fn identity(&self, view: &View, (window, key): (u64, Key), part: usize) -> WidgetIdentity {
        let task = self.tasks.of_window(window);
        let open = task.and_then(|task| Some((task, task.find(window)?)));
        let Some((task, open)) = open else {
            let item = view.item(window, key);
            // The keys of a keyboard are at other places for other fields.
            let (record, key) = match item.map(|(_, item)| &item.element().spec.kind) {
                Some(Kind::Key(cap)) => (format!("{:?}", cap.code), Key(0)),
                _ => (String::new(), key),
            };
            return WidgetIdentity {
                app: Arc::from(format!("window {window}")),
                screen: Arc::default(),
                record,
                key,
                part,
            };
        };
        // That of the notification shade is the time.
        let record = open.scope.record.as_ref();
        let record = record.filter(|_| &*task.package != SYSTEM_UI);
        WidgetIdentity {
            app: Arc::clone(open.page.owner.as_ref().unwrap_or(&task.package)),
            screen: Arc::clone(&open.page.name),
            record: record.map(describe).unwrap_or_default(),
            key,
            part,
        }
    }
}

fn describe(record: &Record) -> String {
    match entry_number(record) {
        Some(number) => format!("entry {number}"),
        None => format!("{record:?}"),
    }
}
