//! The widgets: what an app file can put on a screen.
//!
//! Each widget has a file that reads its keys and names its class. A [`Spec`] is a widget as the file describes it;
//! larger widgets are made of smaller ones when they are read.

mod button;
mod canvas;
mod choice;
pub(crate) mod component;
mod composite;
mod curve;
mod dropdown;
mod field;
mod field_frame;
mod group;
mod icon;
mod item;
mod key;
mod key_cap;
pub(crate) mod make;
mod node;
mod pages;
mod part;
mod range;
mod read;
mod scroller;
mod skin;
mod small;
mod text;
mod toggle;
mod travel;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use uitree::State;

use crate::effects::Effects;
use crate::expr::{Expr, Template};
use crate::style::Frame;

pub use button::{Button, ButtonLook};
pub use curve::Curve;
pub use dropdown::Dropdown;
pub use field::{EditorAction, Field, TextKind};
pub use field_frame::Decoration;
pub use group::{Axis, Collapse, Group, Inset};
pub use icon::{Icon, IconLook};
pub use key::Key;
pub use key_cap::{KeyCap, KeyCode};
pub(crate) use node::still_field;
pub use node::{StaticNode, Switches};
pub use pages::Pages;
pub use part::{Check, Part, PartAction};
pub use range::Range;
pub(crate) use read::read_all;
pub use scroller::{Scroller, Source};
pub use skin::Skin;
pub use text::{Text, TextLook};
pub use toggle::{Shape, Toggle};
pub use travel::Travel;

/// A widget as the app file describes it.
#[derive(Debug)]
pub struct Spec {
    /// Tells it from the other widgets of its app.
    pub slot: u32,
    pub kind: Kind,
    pub id: Arc<str>,
    /// Overrides the class that its kind has.
    pub class: Option<Arc<str>>,
    /// The text that its node has besides what it shows: a group that is read as one.
    pub says: Template,
    /// The content description.
    pub label: Template,
    pub visible: Option<Expr>,
    pub enabled: Option<Expr>,
    pub selected: Option<Expr>,
    /// Overrides whether it takes taps.
    pub clickable: Option<bool>,
    /// Seen, but no node.
    pub decorative: bool,
    /// Touches end here, even if it takes none.
    pub solid: bool,
    /// Is on or off by itself, whatever else it is.
    pub check: Option<Check>,
    /// What it does for the larger widget that it is a part of.
    pub part: Option<Part>,
    /// The entries from which the one is chosen that it shows.
    pub dropdown: Option<Arc<Dropdown>>,
    /// Takes no taps while it is the selected one, as tabs do.
    pub rests: bool,
    /// Lies above its neighbours instead of among them.
    pub anchor: Option<Anchor>,
    /// Flags that its node has whatever it is.
    pub flags: State,
    /// A name for tests that toolkits without resource ids show as one.
    pub tag: Option<Template>,
    /// In a large header: whether it is in the open or in the closed one.
    pub collapsed: Option<bool>,
    /// Whether it is there only while the screen's drawer is open.
    pub drawer: bool,
    /// Counted from the opening of its screen, when it appears and when it vanishes.
    pub from: Option<Duration>,
    pub until: Option<Duration>,
    pub on_click: Effects,
    pub on_long_click: Effects,
    /// The way that it goes by itself.
    pub travel: Option<Box<Travel>>,
    pub frame: Frame,
    pub children: Vec<Arc<Spec>>,
    /// The class of its nodes, one text for all of them.
    pub named: OnceLock<Arc<str>>,
}

/// Where a floating widget is placed.
#[derive(Clone, Debug)]
pub enum Anchor {
    /// At the lower end of what holds it, as a floating button does.
    Corner,
    /// At a place of what holds it, in hundredths of its width and height: left, top, width, height. What has no width
    /// or height is as large as its content, with its middle at that place.
    At(Box<[Option<Expr>; 4]>),
}

macro_rules! kinds {
    ($($kind:ident($of:ident)),+) => {
        /// What a widget is.
        #[derive(Debug)]
        pub enum Kind {
            $($kind($of)),+
        }

        $(impl From<$of> for Kind {
            fn from(of: $of) -> Self {
                Kind::$kind(of)
            }
        })+
    };
}

kinds!(
    Text(Text),
    Button(Button),
    Icon(Icon),
    Field(Field),
    Toggle(Toggle),
    Range(Range),
    Group(Group),
    Scroller(Scroller),
    Key(KeyCap),
    Node(StaticNode)
);

impl Spec {
    /// A widget of this kind without anything special.
    pub fn new(slot: u32, kind: impl Into<Kind>) -> Self {
        Self {
            slot,
            kind: kind.into(),
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
            on_click: Effects::default(),
            on_long_click: Effects::default(),
            travel: None,
            frame: Frame::default(),
            children: Vec::new(),
            named: OnceLock::new(),
        }
    }

    /// Puts another widget behind those inside.
    pub fn push(&mut self, inside: Spec) {
        self.children.push(Arc::new(inside));
    }

    /// `class` as a text that all nodes of this widget share.
    pub fn shared_class(&self, class: &str) -> Arc<str> {
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
    pub fn is_there_at(&self, age: Duration) -> bool {
        self.from.is_none_or(|from| from <= age) && self.until.is_none_or(|until| age < until)
    }
}
