//! One element of a screen.

use std::fmt;
use std::sync::Arc;

use crate::{Rect, Role, ScrollDirections, State};

/// Id of a node of one [`UiTree`](crate::UiTree): its position in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Position in document order, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Other platform attributes of a node, verbatim and in order.
pub type Attributes = Vec<(Arc<str>, Arc<str>)>;

/// Hash of the drawing of an icon; 0 if unknown. It is not written, and nodes that differ only in it are equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Drawing(pub u32);

impl Drawing {
    /// Whether both are known and differ.
    pub(crate) const fn is_other(self, other: Self) -> bool {
        self.0 != other.0 && self.0 != 0 && other.0 != 0
    }
}

impl PartialEq for Drawing {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Drawing {}

/// An element of a screen. Missing strings are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Parent; `None` for the root of a window.
    pub parent: Option<NodeId>,
    /// End of the subtree.
    pub(crate) end: NodeId,
    /// Depth below the root of the window, which is at 0.
    pub depth: u32,
    /// Child index of the platform. Real screens have gaps and duplicates.
    pub index: u32,
    /// Role.
    pub role: Role,
    /// Text.
    pub text: Arc<str>,
    /// Content description or accessible name.
    pub label: Arc<str>,
    /// Placeholder.
    pub hint: Arc<str>,
    /// Resource id or element id.
    pub id: Arc<str>,
    /// Android class or tag.
    pub class: Arc<str>,
    /// Package or host.
    pub owner: Arc<str>,
    /// Bounds in device pixels; `None` if unknown.
    pub bounds: Option<Rect>,
    /// State flags.
    pub state: State,
    /// Directions in which it can scroll further; empty if unknown.
    pub can_scroll: ScrollDirections,
    /// Drawing of its icon.
    pub drawing: Drawing,
    /// Other platform attributes. Actions ignore them.
    pub attributes: Attributes,
}

/// A value and its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueRange {
    /// Minimum.
    pub lowest: f64,
    /// Maximum.
    pub highest: f64,
    /// Value.
    pub value: f64,
}

impl ValueRange {
    /// The attributes of a node with this range.
    pub fn attributes(lowest: f32, highest: f32, value: f32) -> [(Arc<str>, Arc<str>); 3] {
        let attribute = |name: &str, value: f32| (name.into(), value.to_string().into());
        [
            attribute("range-min", lowest),
            attribute("range-max", highest),
            attribute("range-value", value),
        ]
    }
}

/// `30 of 100`, or `3 of 1 to 6`.
impl fmt::Display for ValueRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of ", self.value)?;
        if self.lowest != 0.0 {
            write!(f, "{} to ", self.lowest)?;
        }
        write!(f, "{}", self.highest)
    }
}

impl Node {
    /// Value of the other platform attribute `name`.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| &**key == name)
            .map(|(_, value)| &**value)
    }

    /// Whether every bit of `state` is set.
    pub const fn is(&self, state: State) -> bool {
        self.state.contains(state)
    }

    /// Whether the node is a control: it can be pressed, checked, edited, selected or moved as a slider.
    pub(crate) fn can_act(&self) -> bool {
        let actions = State::CLICKABLE | State::LONG_CLICKABLE | State::CHECKABLE | State::EDITABLE;
        let is_slider = self.role == Role::Slider && self.is(State::FOCUSABLE);
        self.state.intersects(actions) || self.is(State::SELECTED | State::FOCUSABLE) || is_slider
    }

    /// The value of a slider or progress bar, if known.
    pub fn range(&self) -> Option<ValueRange> {
        let number = |name| {
            let value: f64 = self.attribute(name)?.parse().ok()?;
            value.is_finite().then_some(value)
        };
        Some(ValueRange {
            lowest: number("range-min")?,
            highest: number("range-max")?,
            value: number("range-value")?,
        })
    }

    /// The states without flags: expanded, invalid, mixed, marked. `collapsed` is omitted for dropdowns.
    pub(crate) fn conditions(&self) -> [Option<&'static str>; 4] {
        let is = |name: &str, value: &str| self.attribute(name) == Some(value);
        let has_list = matches!(self.role, Role::Dropdown | Role::TextField);
        let expanded = match self.attribute("expanded") {
            Some("true") => Some("expanded"),
            Some("false") if !has_list => Some("collapsed"),
            _ => None,
        };
        [
            expanded,
            (is("invalid", "true") || is("content-invalid", "true")).then_some("invalid"),
            (is("checked-state", "mixed") || is("partially-checked", "true")).then_some("mixed"),
            is("badge", "true").then_some("marked"),
        ]
    }
}
