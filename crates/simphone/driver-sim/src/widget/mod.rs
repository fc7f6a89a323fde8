//! The widgets: what an app file can put on a screen.
//!
//! Each widget has a file that says how it is read, how large it is, which node it becomes, what a press does to it
//! and how it is painted. A [`Spec`] is a widget as the file describes it; an [`Element`] is one that stands on the
//! screen now, its texts and conditions worked out.

mod button;
mod canvas;
mod choice;
mod composite;
mod drawn;
mod dropdown;
mod element;
mod expandable;
mod field;
mod field_frame;
mod field_text;
mod group;
mod icon;
mod item;
mod key;
mod make;
mod node;
mod pages;
mod part;
mod range;
mod read;
mod scroller;
mod skin;
mod small;
mod swipe;
mod text;
mod toggle;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use uitree::State;

use crate::app::{Effects, Expr, Frame, Template};
use crate::motion::Moves;

pub(crate) use button::{Button, ButtonLook};
pub(crate) use canvas::{Canvas, Lens, Scenery, Surface, View};
pub(crate) use dropdown::Dropdown;
pub(crate) use element::{Brush, Element, Key, Look, Press, inside};
pub(crate) use field::{EditorAction, Field, TextKind};
pub(crate) use field_text::{Caret, Edit, byte_of, character_at, scroll_fields};
pub(crate) use group::{Axis, Collapse, Group, Inset};
pub(crate) use icon::{Icon, IconLook};
pub(crate) use key::{KeyCap, KeyCode};
pub(crate) use node::{StaticNode, Switches, still_field};
pub(crate) use part::{Check, Part, PartAction};
pub(crate) use range::Range;
pub(crate) use read::read_all;
pub(crate) use scroller::{Pages, Scroller, Source};
pub(crate) use skin::Skin;
pub(crate) use text::{Lettering, Text};
pub(crate) use toggle::{Shape, Toggle};

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
    /// Is on or off by itself, whatever else it is.
    pub(crate) check: Option<Check>,
    /// What it does for the larger widget that it is a part of.
    pub(crate) part: Option<Part>,
    /// The entries from which the one is chosen that it shows.
    pub(crate) dropdown: Option<Arc<Dropdown>>,
    /// Takes no taps while it is the selected one, as tabs do.
    pub(crate) rests: bool,
    /// Lies above its neighbours instead of among them.
    pub(crate) anchor: Option<Anchor>,
    /// Flags that its node has whatever it is.
    pub(crate) flags: State,
    /// A name for tests that toolkits without resource ids show as one.
    pub(crate) tag: Option<Template>,
    /// In a large header: whether it stands in the open or in the closed one.
    pub(crate) collapsed: Option<bool>,
    /// Whether it stands there only while the screen's drawer is open.
    pub(crate) drawer: bool,
    /// Counted from the opening of its screen, when it appears and when it vanishes.
    pub(crate) from: Option<Duration>,
    pub(crate) until: Option<Duration>,
    pub(crate) on_click: Effects,
    pub(crate) on_long_click: Effects,
    /// How it moves.
    pub(crate) moves: Option<Box<Moves>>,
    pub(crate) frame: Frame,
    pub(crate) children: Vec<Arc<Spec>>,
    /// The class of its nodes, one text for all of them.
    pub(crate) named: OnceLock<Arc<str>>,
}

/// Where a floating widget is placed.
#[derive(Clone, Debug)]
pub(crate) enum Anchor {
    /// At the lower end of what holds it, as a floating button does.
    Corner,
    /// At a place of what holds it, in hundredths of its width and height: left, top, width, height. What has no width
    /// or height is as large as its content, with its middle at that place.
    At(Box<[Option<Expr>; 4]>),
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
    /// A node of a tree that is shown as it is.
    Node(StaticNode),
}

impl Spec {
    /// A widget of this kind without anything special.
    pub(crate) fn new(slot: u32, kind: Kind) -> Self {
        Self {
            slot,
            kind,
            id: Arc::default(),
            class: None,
            says: Template::default(),
            label: Template::default(),
            visible: None,
            enabled: None,
            selected: None,
            clickable: None,
            decorative: false,
            solid: false,
            check: None,
            part: None,
            dropdown: None,
            rests: false,
            anchor: None,
            flags: State::empty(),
            tag: None,
            collapsed: None,
            drawer: false,
            from: None,
            until: None,
            on_click: crate::app::no_effects(),
            on_long_click: crate::app::no_effects(),
            moves: None,
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

    /// Whether it is seen or a node: what only gives room is neither.
    pub(crate) const fn is_widget(&self) -> bool {
        match &self.kind {
            Kind::Group(group) => group.node,
            _ => true,
        }
    }

    /// What the rows of a list or the content of a scroll view are made from.
    pub(crate) fn row_specs(&self) -> Vec<&Arc<Spec>> {
        match &self.kind {
            Kind::Scroller(Scroller {
                source: Source::Written(rows),
                ..
            }) => rows.iter().map(|(row, _)| row).collect(),
            Kind::Scroller(Scroller {
                source: Source::Records { row, empty, .. },
                ..
            }) => {
                let empty = empty.iter().map(|(empty, _)| empty);
                std::iter::once(row).chain(empty).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether it is there at this age of its screen.
    pub(crate) fn is_there_at(&self, age: Duration) -> bool {
        self.from.is_none_or(|from| from <= age) && self.until.is_none_or(|until| age < until)
    }
}
