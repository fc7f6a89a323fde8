//! The environment in which widgets are evaluated: app, variables, window state, lists of the phone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use sim_format::app::App;
use sim_format::expr::{Record, Value, Vars};
use sim_format::widget::Key;

use crate::cursor::Cursor;
use crate::motion::WindowMotion;
use crate::ruler::Ruler;

/// The state of a window, apart from the variables of its app.
#[derive(Clone, Debug, Default)]
pub struct Local {
    /// Texts of fields that are bound to no variable.
    pub texts: BTreeMap<Key, Arc<str>>,
    /// The scroll offset of each scroller, in pixels.
    pub scroll: BTreeMap<Key, f32>,
    /// Nodes of a static screen that were switched on or off.
    pub switched: BTreeMap<Key, bool>,
    /// The pixels by which the large header is collapsed.
    pub collapse: f32,
    /// Password fields that show their text.
    pub open: BTreeSet<Key>,
    pub focus: Option<Key>,
    /// The cursor or selection of the focused field.
    pub cursor: Cursor,
    /// Whether the focus was moved by keys and is shown as a ring.
    pub ring: bool,
    /// The field whose cursor must be scrolled into view.
    pub follow: Option<Key>,
    /// Whether the screen's drawer is open.
    pub drawer: bool,
    /// Whether the focused widget must be scrolled into view.
    pub reveal: bool,
    /// The number of changes of `texts` and `open`.
    pub version: u64,
    pub motion: WindowMotion,
}

/// The lists that the phone provides to apps.
#[derive(Clone, Debug, Default)]
pub struct System {
    pub apps: Arc<Vec<Record>>,
    pub recents: Arc<Vec<Record>>,
    pub notifications: Arc<Vec<Record>>,
    pub version: u64,
}

/// The pixels at the edges of a window that the system bars and the keyboard cover.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Insets {
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

/// The environment in which widgets are evaluated.
#[derive(Debug)]
pub struct Env<'a> {
    pub app: &'a App,
    pub vars: &'a Vars,
    pub local: &'a Local,
    pub system: &'a System,
    pub ruler: &'a mut Ruler,
    /// The areas covered by the system bars and the keyboard.
    pub insets: Insets,
    /// The pixels by which the large header can collapse.
    pub collapse_range: f32,
    /// The time since the screen opened.
    pub age: Duration,
    /// The number of the page's moments that have passed.
    pub passed: usize,
}

impl Env<'_> {
    /// Returns the records of a data set, list variable or list of the phone.
    pub fn records(&self, name: &str) -> Arc<Vec<Record>> {
        records(self.app, self.vars, self.system, name)
    }
}

/// Returns the records of a data set or list variable of an app, or of a list of the phone.
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
