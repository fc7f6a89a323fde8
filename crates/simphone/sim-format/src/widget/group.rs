//! `row`, `column`, `card`, `box` and `space`: what holds other widgets.

use std::sync::Arc;

use crate::reader::Reader;
use crate::style::{ColorRole, Dim};

use super::read::Body;
use super::{Pages, Skin};

/// Holds other widgets.
#[derive(Clone, Debug, Default)]
pub struct Group {
    pub axis: Axis,
    pub class: &'static str,
    /// Whether it is a card.
    pub card: bool,
    /// Whether it becomes a node; spacers do not.
    pub node: bool,
    /// A thin line instead of content.
    pub line: bool,
    /// Whether the large header of its screen, whose height follows the scrolling.
    pub collapses: Option<Collapse>,
    /// Starts a new line where there is no more room.
    pub wraps: bool,
    pub skin: Skin,
    /// Where it keeps clear of the system bars and the keyboard.
    pub inset: Inset,
    /// Whether it is one view that answers for what stands in it.
    pub canvas: bool,
    /// An explicit height for a spacer.
    pub space: Dim,
    /// The pages of a pager, of which it shows one.
    pub pages: Option<Arc<Pages>>,
}

/// In which direction things follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axis {
    #[default]
    Vertical,
    Horizontal,
    /// On top of each other.
    Depth,
}

/// The words for the directions in which rows and entries follow each other.
pub(super) const AXES: [(&str, Axis); 2] = [
    ("vertical", Axis::Vertical),
    ("horizontal", Axis::Horizontal),
];

/// At which edges a group keeps clear of the system bars and the keyboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inset {
    #[default]
    None,
    /// At the lower edge alone: it starts somewhere on the screen.
    Bottom,
    Both,
}

/// The two heights of a large header in pixels of the reference density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collapse {
    pub open: Dim,
    pub closed: Dim,
}

impl Group {
    pub fn new(axis: Axis) -> Self {
        Self {
            axis,
            class: match axis {
                Axis::Vertical | Axis::Horizontal => "android.widget.LinearLayout",
                Axis::Depth => "android.widget.FrameLayout",
            },
            node: true,
            ..Self::default()
        }
    }

    /// With another class.
    pub const fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    /// Clear of the system's bars and the keyboard.
    pub const fn inset(mut self, inset: Inset) -> Self {
        self.inset = inset;
        self
    }

    /// With this ground.
    pub const fn skin(mut self, skin: Skin) -> Self {
        self.skin = skin;
        self
    }

    pub(crate) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        match body.name {
            "row" => Self {
                wraps: body.fields.flag(reader, "wrap").unwrap_or(false),
                ..Self::new(Axis::Horizontal)
            },
            "card" => Self {
                card: true,
                class: "android.widget.FrameLayout",
                ..Self::new(Axis::Vertical)
            },
            "box" => Self::new(Axis::Depth),
            "space" => {
                let line = body.fields.flag(reader, "line").unwrap_or(false);
                let size = body.main_or("size");
                Self {
                    node: false,
                    line,
                    space: size.map_or(Dim::Auto, |at| {
                        reader.number(&at).map_or(Dim::Auto, Dim::Dp)
                    }),
                    ..Self::new(Axis::Depth)
                }
            }
            _ => Self::new(Axis::Vertical),
        }
    }

    /// The ground that it has unless the file says otherwise.
    pub const fn ground(&self) -> Option<ColorRole> {
        if self.card {
            Some(ColorRole::Surface)
        } else {
            None
        }
    }
}
