//! What widgets are evaluated from: the app and its variables, the state of a window, the lists of the phone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use sim_format::app::App;
use sim_format::expr::{Record, Value, Vars};
use sim_format::widget::Key;

use crate::cursor::Cursor;
use crate::motion::Play;
use crate::ruler::Ruler;

/// What a window keeps besides the state of its app.
#[derive(Clone, Debug, Default)]
pub struct Local {
    /// What is written in fields that are bound to no variable.
    pub texts: BTreeMap<Key, Arc<str>>,
    /// How far each scroller is scrolled, in pixels.
    pub scroll: BTreeMap<Key, f32>,
    /// Which nodes of a tree that is shown as it is were switched on or off.
    pub switched: BTreeMap<Key, bool>,
    /// How many pixels of the large header are scrolled away.
    pub collapse: f32,
    /// What was folded away or hidden and was opened: rows that unfold, passwords that can be read.
    pub open: BTreeSet<Key>,
    pub focus: Option<Key>,
    /// What is selected in the field that has the focus.
    pub cursor: Cursor,
    /// Whether keys have moved the focus, so that it shows as a ring.
    pub ring: bool,
    /// The field whose cursor is still to be scrolled into sight.
    pub follow: Option<Key>,
    /// Whether the screen's drawer is open.
    pub drawer: bool,
    /// Whether the focused widget is still to be scrolled into sight.
    pub reveal: bool,
    /// Counts the changes of `texts` and `open`.
    pub version: u64,
    /// What moves in it.
    pub play: Play,
}

/// Lists that the phone itself provides, by name.
#[derive(Clone, Debug, Default)]
pub struct System {
    pub apps: Arc<Vec<Record>>,
    pub recents: Arc<Vec<Record>>,
    pub notifications: Arc<Vec<Record>>,
    /// Counts the changes.
    pub version: u64,
}

/// The room that the system's bars and the keyboard take at the edges of a window, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Insets {
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

/// What widgets are worked out from.
#[derive(Debug)]
pub struct Env<'a> {
    pub app: &'a App,
    pub vars: &'a Vars,
    pub local: &'a Local,
    pub system: &'a System,
    pub ruler: &'a mut Ruler,
    /// What the system bars and the keyboard take at the top and the bottom.
    pub insets: Insets,
    /// How many pixels of the large header can be scrolled away.
    pub collapse_range: f32,
    /// How long the screen is there.
    pub age: Duration,
    /// How many of the screen's moments have passed.
    pub passed: usize,
}

impl Env<'_> {
    /// The records of a data set, list variable or list of the phone.
    pub fn records(&self, name: &str) -> Arc<Vec<Record>> {
        records(self.app, self.vars, self.system, name)
    }
}

/// The records of a data set or list variable of an app, or of a list of the phone.
pub fn records(app: &App, vars: &Vars, system: &System, name: &str) -> Arc<Vec<Record>> {
    match name {
        "@apps" => Arc::clone(&system.apps),
        "@notifications" => Arc::clone(&system.notifications),
        "@recents" => Arc::clone(&system.recents),
        _ => match (vars.get(name), app.data.get(name)) {
            (Some(Value::List(list)), _) => Arc::clone(list),
            (_, Some(data)) => Arc::clone(data),
            _ => Arc::default(),
        },
    }
}
