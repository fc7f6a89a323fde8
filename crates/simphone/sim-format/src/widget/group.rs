//! `row`, `column`, `card`, `box` and `space`: containers.

use std::sync::Arc;

use crate::reader::Reader;
use crate::style::{ColorRole, Dim};

use super::read::Body;
use super::{Pages, Skin};

#[derive(Clone, Debug, Default)]
pub struct Group {
    pub axis: Axis,
    pub class: &'static str,
    pub card: bool,
    /// Whether it is a node; spacers are not.
    pub node: bool,
    pub line: bool,
    pub collapses: Option<Collapse>,
    pub wraps: bool,
    pub skin: Skin,
    /// The edges at which it avoids the system bars and the keyboard.
    pub inset: Inset,
    /// Whether it is one view with virtual nodes.
    pub canvas: bool,
    pub space: Dim,
    pub pages: Option<Arc<Pages>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axis {
    #[default]
    Vertical,
    Horizontal,
    Depth,
}

impl Axis {
    /// The value for a vertical arrangement or for a horizontal one.
    pub fn choose<T>(self, vertical: T, horizontal: T) -> T {
        match self {
            Axis::Vertical | Axis::Depth => vertical,
            Axis::Horizontal => horizontal,
        }
    }
}

/// The words for the axes of rows and options.
pub(super) const AXES: [(&str, Axis); 2] = [
    ("vertical", Axis::Vertical),
    ("horizontal", Axis::Horizontal),
];

/// The edges at which a group avoids the system bars and the keyboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inset {
    #[default]
    None,
    /// The lower edge only.
    Bottom,
    Both,
}

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

    pub const fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    /// Sets the edges that avoid the system bars and the keyboard.
    pub const fn inset(mut self, inset: Inset) -> Self {
        self.inset = inset;
        self
    }

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

    pub const fn ground(&self) -> Option<ColorRole> {
        if self.card {
            Some(ColorRole::Surface)
        } else {
            None
        }
    }
}
