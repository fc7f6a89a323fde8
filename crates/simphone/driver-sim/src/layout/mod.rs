//! From widgets to places: what stands on a screen now, how large it is, where it is.
//!
//! [`lay_out`] turns the widgets of a screen into a [`Fragment`]; rows of lists are fragments of their own and are
//! kept as long as nothing changes that they show. [`Scene`] puts the fragments of a window onto the screen.

mod budget;
mod build;
mod fast_hash;
mod measure_cache;
mod place;
mod rows;
mod ruler;
mod scene;
mod style;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use crate::app::{App, Record, Vars};
use crate::motion::Play;
use crate::widget::{Edit, Element, Key};

pub(crate) use crate::app::{Names, Scope};
pub(crate) use budget::{Budget, WIDGETS as MOST_WIDGETS};
pub(crate) use build::build;
pub(crate) use measure_cache::lay_out_window;
pub(crate) use place::lay_out;
pub(crate) use rows::{Cache, Rows, with_margin};
pub(crate) use ruler::Ruler;
pub(crate) use scene::{Item, Scene, ScrollBox};

/// What a window keeps besides the state of its app.
#[derive(Clone, Debug, Default)]
pub(crate) struct Local {
    /// What is written in fields that are bound to no variable.
    pub(crate) texts: BTreeMap<Key, Arc<str>>,
    /// How far each scroller is scrolled, in pixels.
    pub(crate) scroll: BTreeMap<Key, f32>,
    /// Which nodes of a tree that is shown as it is were switched on or off.
    pub(crate) switched: BTreeMap<Key, bool>,
    /// How many pixels of the large header are scrolled away.
    pub(crate) collapse: f32,
    /// What was folded away or hidden and was opened: rows that unfold, passwords that can be read.
    pub(crate) open: BTreeSet<Key>,
    pub(crate) focus: Option<Key>,
    /// What is selected in the field that has the focus.
    pub(crate) edit: Edit,
    /// Whether keys have moved the focus, so that it shows as a ring.
    pub(crate) ring: bool,
    /// The field whose cursor is still to be scrolled into sight.
    pub(crate) follow: Option<Key>,
    /// Whether the screen's drawer is open.
    pub(crate) drawer: bool,
    /// Whether the focused widget is still to be scrolled into sight.
    pub(crate) reveal: bool,
    /// Counts the changes of `texts` and `open`.
    pub(crate) version: u64,
    /// What moves in it.
    pub(crate) play: Play,
}

/// Lists that the phone itself provides, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    pub(crate) apps: Arc<Vec<Record>>,
    pub(crate) recents: Arc<Vec<Record>>,
    pub(crate) notifications: Arc<Vec<Record>>,
    pub(crate) permissions: Arc<Vec<Record>>,
    /// Counts the changes.
    pub(crate) version: u64,
}

/// The room that the system's bars and the keyboard take at the edges of a window, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Insets {
    pub(crate) top: f32,
    pub(crate) right: f32,
    pub(crate) bottom: f32,
}

/// What widgets are worked out from.
#[derive(Debug)]
pub(crate) struct Env<'a> {
    pub(crate) app: &'a App,
    pub(crate) vars: &'a Vars,
    pub(crate) local: &'a Local,
    pub(crate) system: &'a System,
    pub(crate) ruler: &'a mut Ruler,
    pub(crate) cache: &'a mut Cache,
    /// What the system bars and the keyboard take at the top and the bottom.
    pub(crate) insets: Insets,
    /// How many pixels of the large header can be scrolled away.
    pub(crate) collapse_range: f32,
    /// How long the screen is there.
    pub(crate) age: Duration,
    /// How many of the screen's moments have passed.
    pub(crate) passed: usize,
}

impl Env<'_> {
    /// The records of a data set, list variable or list of the phone.
    pub(crate) fn records(&self, name: &str) -> Arc<Vec<Record>> {
        records(self.app, self.vars, self.system, name)
    }
}

/// The records of a data set or list variable of an app, or of a list of the phone.
pub(crate) fn records(app: &App, vars: &Vars, system: &System, name: &str) -> Arc<Vec<Record>> {
    match name {
        "@apps" => Arc::clone(&system.apps),
        "@permissions" => Arc::clone(&system.permissions),
        "@notifications" => Arc::clone(&system.notifications),
        "@recents" => Arc::clone(&system.recents),
        _ => match (vars.get(name), app.data.get(name)) {
            (Some(crate::app::Value::List(list)), _) => Arc::clone(list),
            (_, Some(data)) => Arc::clone(data),
            _ => Arc::default(),
        },
    }
}

/// A rectangle relative to its fragment; taffy has rounded its edges to whole pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

/// Widgets that were laid out together, in document order.
#[derive(Debug, Default)]
pub(crate) struct Fragment {
    pub(crate) elements: Vec<Element>,
    pub(crate) areas: Vec<Area>,
    /// The content of each scroller among the elements, and of a group whose children are laid out by themselves.
    pub(crate) contents: Vec<(usize, Arc<Rows>)>,
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// The width and height that it was laid out for.
    room: (Option<f32>, Option<f32>),
    /// What the layout engine asked and was told.
    asked: Vec<measure_cache::Measured>,
}

impl Fragment {
    /// Widgets whose places nobody has to work out.
    pub(crate) fn fixed(elements: Vec<Element>, areas: Vec<Area>) -> Self {
        Self {
            elements,
            areas,
            ..Self::default()
        }
    }
}
