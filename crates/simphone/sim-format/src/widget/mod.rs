//! The widgets of app files.
//!
//! Each widget has a file that reads its keys and returns its class. A [`Spec`] is a widget as described by the file;
//! composite widgets expand to simple ones when they are read.

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
mod movement;
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
pub use movement::Movement;
pub(crate) use node::static_field;
pub use node::{StaticNode, Switches};
pub use pages::Pages;
pub use part::{Check, Part, PartAction};
pub use range::Range;
pub(crate) use read::read_all;
pub use scroller::{Scroller, Source};
pub use skin::Skin;
pub use text::{Text, TextLook};
pub use toggle::{Shape, Toggle};

#[derive(Debug, Default)]
pub struct Spec {
    /// A number that is unique in its app.
    pub slot: u32,
    pub kind: Kind,
    pub id: Arc<str>,
    pub class: Option<Arc<str>>,
    /// The text of its node, for a group that is read as one.
    pub says: Template,
    pub label: Template,
    pub visible: Option<Expr>,
    pub enabled: Option<Expr>,
    pub selected: Option<Expr>,
    pub clickable: Option<bool>,
    /// Whether it is visible but not a node.
    pub decorative: bool,
    /// Whether it consumes touches, even if it is not clickable.
    pub solid: bool,
    /// Makes it checkable, whatever its kind.
    pub check: Option<Check>,
    /// Its function in a larger widget of which it is a part.
    pub part: Option<Part>,
    pub dropdown: Option<Arc<Dropdown>>,
    /// Whether it is not clickable while it is selected, as tabs are.
    pub not_clickable_when_selected: bool,
    /// Its position, if it floats above its siblings.
    pub anchor: Option<Anchor>,
    pub flags: State,
    /// A test tag, which toolkits without resource ids report as id.
    pub tag: Option<Template>,
    /// In a large header: whether it belongs to the collapsed state or the expanded one.
    pub collapsed: Option<bool>,
    /// Whether it is present only while the screen's drawer is open.
    pub drawer: bool,
    /// When it appears and disappears, counted from the opening of its screen.
    pub from: Option<Duration>,
    pub until: Option<Duration>,
    pub on_click: Effects,
    pub on_long_click: Effects,
    pub movement: Option<Box<Movement>>,
    pub frame: Frame,
    pub children: Vec<Arc<Spec>>,
    /// The class of its nodes, shared by all of them.
    pub named: OnceLock<Arc<str>>,
}

#[derive(Clone, Debug)]
pub enum Anchor {
    /// At the lower end corner of its parent, as a floating action button.
    Corner,
    /// In percent of its parent: left, top, width, height. Without width or height it is as large as its content and
    /// centred at the position.
    At(Box<[Option<Expr>; 4]>),
}

macro_rules! kinds {
    ($($kind:ident($of:ident)),+) => {
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

impl Default for Kind {
    fn default() -> Self {
        Group::new(Axis::default()).into()
    }
}

impl Spec {
    /// Creates a widget of this kind with default properties.
    pub fn new(slot: u32, kind: impl Into<Kind>) -> Self {
        Self {
            slot,
            kind: kind.into(),
            ..Self::default()
        }
    }

    pub fn push(&mut self, inside: Spec) {
        self.children.push(Arc::new(inside));
    }

    /// Returns `class` as a text that all nodes of this widget share.
    pub fn shared_class(&self, class: &str) -> Arc<str> {
        let shared = self.named.get_or_init(|| Arc::from(class));
        if &**shared == class {
            Arc::clone(shared)
        } else {
            Arc::from(class)
        }
    }

    /// Whether it is visible or a node; spacers are neither.
    pub(crate) const fn is_widget(&self) -> bool {
        match &self.kind {
            Kind::Group(group) => group.node,
            _ => true,
        }
    }

    /// Returns the specs of the rows of a list, or of the content of a scroll view.
    pub(crate) fn row_specs(&self) -> Vec<&Arc<Spec>> {
        let Kind::Scroller(scroller) = &self.kind else {
            return Vec::new();
        };
        match &scroller.source {
            Source::Written(rows) => rows.iter().map(|(row, _)| row).collect(),
            Source::Records { row, empty, .. } => {
                let empty = empty.iter().map(|(empty, _)| empty);
                std::iter::once(row).chain(empty).collect()
            }
        }
    }

    pub fn is_present_at(&self, age: Duration) -> bool {
        self.from.is_none_or(|from| from <= age) && self.until.is_none_or(|until| age < until)
    }
}
