//! One element of a page and its tree.

use std::sync::Arc;

use bitflags::bitflags;
use serde::{Deserialize, Serialize};
use uitree::Rect;

/// Id of an element of one [`Dom`](crate::Dom): its position in document order.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ElementId(pub(crate) u32);

impl ElementId {
    /// Position in document order, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Id of a scope of one [`Dom`](crate::Dom).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ScopeId(pub(crate) u32);

impl ScopeId {
    /// Position, from 0; 0 is the page's own document.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tree of elements that a CSS selector cannot leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ScopeKind {
    /// The document of the page or of a frame.
    Document,
    /// A shadow tree that scripts of the page can access.
    OpenShadow,
    /// A shadow tree that they cannot access.
    ClosedShadow,
}

/// A document or shadow tree of a page, except the shadow trees of native controls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// Its kind.
    pub kind: ScopeKind,
    /// The frame element or shadow host; `None` for the page itself.
    pub host: Option<ElementId>,
    /// The URL of a document; empty for shadow trees.
    pub url: Arc<str>,
    /// The title of a document; empty for shadow trees.
    pub title: Arc<str>,
}

bitflags! {
    /// Flags of an element.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct Facts: u32 {
        /// It has a box and is neither hidden, fully transparent nor clipped away. It may be outside of the
        /// viewport, where scrolling brings it in.
        const VISIBLE = 1 << 0;
        /// A script listens for clicks on it.
        const LISTENS = 1 << 1;
        /// The cursor over it is a pointer.
        const POINTER = 1 << 2;
        /// It can have the input focus.
        const FOCUSABLE = 1 << 3;
        /// It has the input focus.
        const FOCUSED = 1 << 4;
        /// It, or a fieldset around it, is disabled.
        const DISABLED = 1 << 5;
        /// Its value cannot be changed.
        const READ_ONLY = 1 << 6;
        /// It takes text.
        const EDITABLE = 1 << 7;
        /// It masks its text.
        const PASSWORD = 1 << 8;
        /// It can be checked.
        const CHECKABLE = 1 << 9;
        /// It is checked, or pressed.
        const CHECKED = 1 << 10;
        /// It is selected.
        const SELECTED = 1 << 11;
        /// It is expanded.
        const EXPANDED = 1 << 12;
        /// It is collapsed.
        const COLLAPSED = 1 << 13;
        /// Its content can be scrolled.
        const SCROLLS = 1 << 14;
        /// It is required.
        const REQUIRED = 1 << 15;
        /// Its value is invalid.
        const INVALID = 1 << 16;
        /// It is the current page or step among its siblings (`aria-current`).
        const CURRENT = 1 << 17;
        /// The accessibility tree omits it.
        const IGNORED = 1 << 18;
        /// It is inline: no line ends before or after it.
        const INLINE = 1 << 19;
        /// It has a box, but it or an ancestor is fully transparent. It still takes clicks.
        const TRANSPARENT = 1 << 20;
        /// It is inside a scroll container but does not scroll with it; see [`Element::scroller`].
        const DETACHED_FROM_SCROLL = 1 << 21;
        /// It is fixed to the viewport, takes clicks, and has a translucent fill: a backdrop over the page.
        const BACKDROP = 1 << 22;
        /// It is neither checked nor unchecked: only some of the items that it represents are checked.
        const MIXED = 1 << 23;
    }
}

/// The driver's reference to an element: the session, and the node in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Handle {
    /// The driver's session of the element; 0 is that of the page itself.
    pub session: u32,
    /// The browser's id of the element in that session (`backendNodeId`).
    pub node: i64,
}

/// A visible piece of an element's own text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The number of siblings before it.
    pub after: u32,
    /// It is at the root of the shadow tree that the element hosts, and `after` counts the elements there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_shadow: bool,
    /// The text, white space collapsed; a space at an end separates it from its neighbor.
    pub text: Arc<str>,
    /// Its bounds in device pixels, relative to the viewport of the page.
    #[serde(with = "corners")]
    pub bounds: Option<Rect>,
}

/// Attributes as in the document, in order; names in lower case.
pub type Attributes = Vec<(Arc<str>, Arc<str>)>;

/// One element. Missing strings are empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Element {
    /// Its parent, through shadow hosts and frames; `None` for the root of the page.
    pub parent: Option<ElementId>,
    pub(crate) end: ElementId,
    /// The tree that it belongs to.
    pub scope: ScopeId,
    /// Its position among the children of its parent in the same scope, from 1, as for `nth-child`.
    pub position: u32,
    /// Its tag in lower case.
    pub tag: Arc<str>,
    /// Its attributes, as the document has them.
    pub attributes: Attributes,
    /// Its own text, white space collapsed, without that of child elements.
    pub text: Arc<str>,
    /// The visible pieces of `text` with their positions among the child elements. `None` means all of it,
    /// before the first child.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Box<[Run]>>,
    /// The current value of a control; a password is the same number of bullets. For a select the text of the
    /// selected option.
    pub value: Arc<str>,
    /// Its role computed by the browser (ARIA names such as `button` or `textbox`).
    pub role: Arc<str>,
    /// Its accessible name computed by the browser.
    pub name: Arc<str>,
    /// Its accessible description.
    pub description: Arc<str>,
    /// Its border box in device pixels, relative to the viewport of the page; `None` if it has none.
    #[serde(with = "corners")]
    pub bounds: Option<Rect>,
    /// The part of `bounds` that an ancestor does not clip permanently; `None` if nothing clips it. Content
    /// that scrolling brings in is not clipped.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "corners")]
    pub cut: Option<Rect>,
    /// The nearest scroll container that it scrolls with. Not every scrolling ancestor: elements positioned by
    /// the viewport, or by an element further out, do not move with it. `None` if only the document scrolls
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scroller: Option<ElementId>,
    /// Its paint order, higher above; 0 if unknown.
    pub paint: u32,
    /// Its fill color as red, green and blue; `None` if it is not opaque.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<[u8; 3]>,
    /// Its flags.
    pub facts: Facts,
    /// The driver's reference to it.
    pub handle: Handle,
}

impl Element {
    /// The value of an attribute, as in the document.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| &**key == name)
            .map(|(_, value)| &**value)
    }

    /// Its `title` attribute; empty if missing.
    pub fn title(&self) -> &str {
        self.attribute("title").unwrap_or_default().trim()
    }

    /// Its `id` attribute; empty if missing. (A form control of that name shadows the property, but not the
    /// attribute.)
    pub fn id(&self) -> &str {
        self.attribute("id").unwrap_or_default()
    }

    /// Its classes, in document order.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.attribute("class")
            .unwrap_or_default()
            .split_ascii_whitespace()
    }

    /// Whether all of `facts` are set.
    pub const fn is(&self, facts: Facts) -> bool {
        self.facts.contains(facts)
    }
}

/// Bounds in a file: left, top, right and bottom.
mod corners {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use uitree::Rect;

    pub(super) fn serialize<S: Serializer>(
        bounds: &Option<Rect>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        bounds
            .map(|bounds| [bounds.left, bounds.top, bounds.right, bounds.bottom])
            .serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Rect>, D::Error> {
        let corners: Option<[i32; 4]> = Option::deserialize(from)?;
        Ok(corners.map(|[left, top, right, bottom]| Rect::new(left, top, right, bottom)))
    }
}
