//! Which widget a node shows, for tools that compare answers with the phone.

use std::collections::HashMap;
use std::sync::Arc;

use driver::Revision;
use sim_format::effects::Effect;
use sim_format::expr::{Record, entry_number};
use sim_format::widget::{Key, Kind};
use sim_view::widget::Element;
use sim_view::window::{INPUT_METHOD, KEYBOARD_WINDOW, SYSTEM_UI};
use uitree::State;

use super::Phone;
use super::input::press::first_name_in;
use super::view::View;

/// A widget of an app for one record, the same each time its screen is opened.
#[derive(Clone, Debug)]
pub struct WidgetIdentity {
    /// The number of its window, which is never used again.
    pub window: u64,
    /// Its screen; `None` if the window has closed.
    pub screen: Option<OpenScreen>,
    /// Whether it only closes its screen, whatever the record is.
    closes: bool,
    /// The widget on the screen, and its row. Rows of list variables follow their entry.
    key: Key,
    /// Which of the nodes of the widget it is, from 0.
    part: usize,
    /// The record of its row, of a data set; `None` outside of rows, and in those of list variables.
    row: Option<String>,
    /// Whether its row is of a list variable.
    is_of_entry: bool,
    /// Its name. Some screens have another widget of the same name for another state, such as a chip that is selected, or a switch
    /// in the row that it adds to a list.
    name: Option<Arc<str>>,
}

/// A screen of an app that was opened for a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenScreen {
    app: Arc<str>,
    name: Arc<str>,
    /// The number of the record in a list variable, or else its fields; empty without one.
    record: String,
}

impl WidgetIdentity {
    /// Whether both are the same widget.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.key, &self.row, self.part) == (other.key, &other.row, other.part)
            && (self.row.is_none() || self.name == other.name)
            && self.is_of_same_screen(other)
    }

    /// Whether one takes the place of the other in another state of the screen.
    pub fn replaces(&self, other: &Self) -> bool {
        self.name.is_some()
            && self.name == other.name
            && !(self.is_of_entry && other.is_of_entry)
            && self.is_of_same_screen(other)
    }

    fn is_of_same_screen(&self, other: &Self) -> bool {
        let (Some(one), Some(two)) = (&self.screen, &other.screen) else {
            return false;
        };
        (&one.app, &one.name) == (&two.app, &two.name) && (self.closes || one.record == two.record)
    }
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
        let element = view.item(window, key).map(|(_, item)| item.element());
        if window == KEYBOARD_WINDOW {
            return keyboard_key(element, key, part);
        }
        let task = self.tasks.of_window(window);
        let open = task.and_then(|task| Some((task, task.find(window)?)));
        let screen = open.map(|(task, open)| {
            let record = open.scope.record.as_ref();
            // That of the notification shade is the time.
            let record = record.filter(|record| &*task.package != SYSTEM_UI && !record.is_empty());
            OpenScreen {
                app: Arc::clone(open.page.owner.as_ref().unwrap_or(&task.package)),
                name: Arc::clone(&open.page.name),
                record: record.map(describe).unwrap_or_default(),
            }
        });
        let record = element.and_then(|element| {
            let scope = &element.scope;
            scope.record.as_ref().filter(|_| scope.outer.is_some())
        });
        let is_of_entry = record.is_some_and(|record| entry_number(record).is_some());
        // Rows of a data set have the key of their place.
        let row = record.filter(|_| !is_of_entry).map(describe);
        let name = element.and_then(|element| {
            let mut name = element.name();
            if name.is_empty() && element.state.contains(State::CLICKABLE) {
                name = first_name_in(view, window, key).unwrap_or_default();
            }
            (!name.is_empty()).then_some(name)
        });
        let key = match (&row, element) {
            (Some(_), Some(element)) => Key(element.spec.slot.into()),
            _ => key,
        };
        let closes =
            element.is_some_and(|element| matches!(&*element.spec.on_click, [Effect::Pop]));
        WidgetIdentity {
            window,
            screen,
            closes,
            key,
            part,
            row,
            is_of_entry,
            name,
        }
    }
}

/// A key of the keyboard, which is at other places for other fields.
fn keyboard_key(element: Option<&Element>, key: Key, part: usize) -> WidgetIdentity {
    let cap = element.and_then(|element| match &element.spec.kind {
        Kind::Key(cap) => Some(format!("{:?} {} {}", cap.code, cap.cap, element.name())),
        _ => None,
    });
    let (code, key) = match cap {
        Some(code) => (code, Key(0)),
        None => (String::new(), key),
    };
    WidgetIdentity {
        window: KEYBOARD_WINDOW,
        screen: Some(OpenScreen {
            app: Arc::from(INPUT_METHOD),
            name: Arc::default(),
            record: code,
        }),
        closes: false,
        key,
        part,
        row: None,
        is_of_entry: false,
        name: None,
    }
}

fn describe(record: &Record) -> String {
    match entry_number(record) {
        Some(number) => format!("entry {number}"),
        None => format!("{record:?}"),
    }
}
