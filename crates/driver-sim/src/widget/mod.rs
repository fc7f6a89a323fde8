//! The widgets: what an app file can put on a screen.
//!
//! Each widget has a file that says how it is read, how large it is, which node it becomes, what a press does to it
//! and how it is painted. A [`Spec`] is a widget as the file describes it; an [`Element`] is one that stands on the
//! screen now, its texts and conditions worked out.

mod button;
mod element;
mod field;
mod group;
mod icon;
mod item;
mod key;
mod range;
mod read;
mod scroller;
mod text;
mod toggle;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::app::{Effects, Expr, Frame, Template};

pub(crate) use button::{Button, ButtonLook};
pub(crate) use element::{Brush, Element, Key, Look, Press, inside};
pub(crate) use field::{EditorAction, Field, TextKind};
pub(crate) use group::{Axis, Collapse, Group};
pub(crate) use icon::{Icon, IconLook};
pub(crate) use key::{KeyCap, KeyCode};
pub(crate) use range::Range;
pub(crate) use read::read_all;
pub(crate) use scroller::{Scroller, Source};
pub(crate) use text::{Lettering, Text};
pub(crate) use toggle::Toggle;

/// A widget as the app file describes it.
#[derive(Debug)]
pub(crate) struct Spec {
    /// Tells it from the other widgets of its app.
    pub(crate) slot: u32,
    pub(crate) kind: Kind,
    pub(crate) id: Arc<str>,
    /// Overrides the class that its kind has.
    pub(crate) class: Option<Arc<str>>,
    /// The text that its node has besides what it shows: a group that is read as one.
    pub(crate) says: Template,
    /// The content description.
    pub(crate) label: Template,
    pub(crate) visible: Option<Expr>,
    pub(crate) enabled: Option<Expr>,
    pub(crate) selected: Option<Expr>,
    /// Overrides whether it takes taps.
    pub(crate) clickable: Option<bool>,
    /// Seen, but no node.
    pub(crate) decorative: bool,
    /// Touches end here, even if it takes none.
    pub(crate) solid: bool,
    /// In a large header: whether it stands in the open or in the closed one.
    pub(crate) collapsed: Option<bool>,
    /// Counted from the opening of its screen, when it appears and when it vanishes.
    pub(crate) from: Option<Duration>,
    pub(crate) until: Option<Duration>,
    pub(crate) on_click: Effects,
    pub(crate) on_long_click: Effects,
    pub(crate) frame: Frame,
    pub(crate) children: Vec<Arc<Spec>>,
    /// The class of its nodes, one text for all of them.
    pub(crate) named: OnceLock<Arc<str>>,
}

/// What a widget is.
#[derive(Debug)]
pub(crate) enum Kind {
    Text(Text),
    Button(Button),
    Icon(Icon),
    Field(Field),
    Toggle(Toggle),
    Range(Range),
    Group(Group),
    Scroller(Scroller),
    Key(KeyCap),
}

impl Spec {
    /// A widget of this kind without anything special.
    pub(crate) fn new(slot: u32, kind: Kind) -> Self {
        Self {
            slot,
            kind,
            id: Arc::from(""),
            class: None,
            says: Template::default(),
            label: Template::default(),
            visible: None,
            enabled: None,
            selected: None,
            clickable: None,
            decorative: false,
            solid: false,
            collapsed: None,
            from: None,
            until: None,
            on_click: crate::app::no_effects(),
            on_long_click: crate::app::no_effects(),
            frame: Frame::default(),
            children: Vec::new(),
            named: OnceLock::new(),
        }
    }

    /// `class` as a text that all nodes of this widget share.
    pub(crate) fn shared_class(&self, class: &str) -> Arc<str> {
        let shared = self.named.get_or_init(|| Arc::from(class));
        if &**shared == class {
            Arc::clone(shared)
        } else {
            Arc::from(class)
        }
    }

    /// Whether it is there at this age of its screen.
    pub(crate) fn is_there_at(&self, age: Duration) -> bool {
        self.from.is_none_or(|from| from <= age) && self.until.is_none_or(|until| age < until)
    }
}
