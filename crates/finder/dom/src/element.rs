//! One element of a page, and the tree it belongs to.

use std::sync::Arc;

use bitflags::bitflags;
use serde::{Deserialize, Serialize};
use uitree::Rect;

/// Names an element of one [`Dom`](crate::Dom): its place in document order.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ElementId(pub(crate) u32);

impl ElementId {
    /// The element's place in document order, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names a scope of one [`Dom`](crate::Dom).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ScopeId(pub(crate) u32);

impl ScopeId {
    /// The scope's place, from 0; 0 is the page's own document.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tree of elements that a CSS selector cannot leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ScopeKind {
    /// The document of the page or of a frame.
    Document,
    /// A shadow tree that scripts of the page can reach.
    OpenShadow,
    /// A shadow tree that they cannot.
    ClosedShadow,
}

/// One document or shadow tree of a page. Shadow trees of the browser's own controls are none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// What it is.
    pub kind: ScopeKind,
    /// The frame element or shadow host; `None` for the page itself.
    pub host: Option<ElementId>,
    /// The url of a document; empty for shadow trees.
    pub url: Arc<str>,
    /// The title of a document; empty for shadow trees.
    pub title: Arc<str>,
}

bitflags! {
    /// The yes-or-no facts of an element.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct Facts: u32 {
        /// It has a box, is neither hidden nor fully transparent, and is not cut away by what holds it; it may lie outside
        /// the viewport, where scrolling brings it in.
        const VISIBLE = 1 << 0;
        /// A script listens for its clicks.
        const LISTENS = 1 << 1;
        /// The mouse becomes a hand over it.
        const POINTER = 1 << 2;
        /// It can have the input focus.
        const FOCUSABLE = 1 << 3;
        /// It has the input focus.
        const FOCUSED = 1 << 4;
        /// It, or a fieldset around it, is disabled.
        const DISABLED = 1 << 5;
        /// It shows a value that cannot be changed.
        const READ_ONLY = 1 << 6;
        /// Text can be entered into it.
        const EDITABLE = 1 << 7;
        /// It hides what is typed into it.
        const PASSWORD = 1 << 8;
        /// It can be checked.
        const CHECKABLE = 1 << 9;
        /// It is checked, or pressed.
        const CHECKED = 1 << 10;
        /// It is the chosen one.
        const SELECTED = 1 << 11;
        /// It can be opened and is open.
        const EXPANDED = 1 << 12;
        /// It can be opened and is closed.
        const COLLAPSED = 1 << 13;
        /// Its content can be scrolled.
        const SCROLLS = 1 << 14;
        /// It has to be filled in.
        const REQUIRED = 1 << 15;
        /// What is in it is not valid.
        const INVALID = 1 << 16;
        /// It is the chosen page or step among its neighbours (`aria-current`).
        const CURRENT = 1 << 17;
        /// It is not for assistive technology: the accessibility tree leaves it out.
        const IGNORED = 1 << 18;
        /// It flows in a line of text, so that no line ends before or after it.
        const INLINE = 1 << 19;
        /// It has a box that nobody sees because it, or what holds it, is fully transparent. It takes clicks all the same.
        const TRANSPARENT = 1 << 20;
        /// It lies in something that scrolls and does not scroll with it; see [`Element::scroller`].
        const LIFTED = 1 << 21;
    }
}

/// How a driver knows an element again: which connection, which node there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Handle {
    /// Which of the driver's sessions holds the element; 0 is that of the page itself.
    pub session: u32,
    /// The browser's number of the element in that session (`backendNodeId`).
    pub node: i64,
}

/// A piece of an element's own text that can be seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// How many elements of the same parent stand before it.
    pub after: u32,
    /// It is written at the root of the shadow tree that the element hosts, and `after` counts the elements there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_shadow: bool,
    /// What is written, white space collapsed; a space at an end is one that parts it from its neighbour.
    pub text: Arc<str>,
    /// Where it is written, in device pixels of the viewport of the page.
    #[serde(with = "corners")]
    pub bounds: Option<Rect>,
}

/// Attributes as the document has them, in its order; names in lower case.
pub type Attributes = Vec<(Arc<str>, Arc<str>)>;

/// One element. Absent strings are empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Element {
    /// The element that holds this one, through shadow hosts and frames; `None` for the root of the page.
    pub parent: Option<ElementId>,
    pub(crate) end: ElementId,
    /// The tree it belongs to.
    pub scope: ScopeId,
    /// Its place among the elements that its parent holds in the same scope, from 1: what `nth-child` counts.
    pub position: u32,
    /// Its tag in lower case.
    pub tag: Arc<str>,
    /// Its attributes, as the document has them.
    pub attributes: Attributes,
    /// What is written directly in it, white space collapsed; what stands in elements inside it is theirs.
    pub text: Arc<str>,
    /// What of `text` can be seen, and where it stands among the elements inside. `None` is short for all of it, before the
    /// first of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Box<[Run]>>,
    /// The value of a control as it is now; a password is as many bullets. For a select the text of the chosen option.
    pub value: Arc<str>,
    /// Its role for assistive technology, as the browser computed it (ARIA's names, such as `button` or `textbox`).
    pub role: Arc<str>,
    /// Its accessible name, as the browser computed it.
    pub name: Arc<str>,
    /// Its accessible description.
    pub description: Arc<str>,
    /// Where its border box lies in the viewport of the page, in device pixels; `None` when it has none.
    #[serde(with = "corners")]
    pub bounds: Option<Rect>,
    /// What is left of `bounds` where something that holds it cuts it off for good; `None` when nothing does. What scrolling
    /// brings in is not cut off.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "corners")]
    pub cut: Option<Rect>,
    /// The nearest element that it scrolls with and that hides the rest of it: not every one that holds it, for what is
    /// placed by the viewport, or by an element further out, does not move. `None` where only the document scrolls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scroller: Option<ElementId>,
    /// Its place in the order in which the browser paints, higher ones above; 0 when unknown.
    pub paint: u32,
    /// The color that it is filled with, as red, green and blue; `None` when what lies behind it shows through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<[u8; 3]>,
    /// Its yes-or-no facts.
    pub facts: Facts,
    /// How the driver knows it again.
    pub handle: Handle,
}

impl Element {
    /// The value of an attribute, as the document has it.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| &**key == name)
            .map(|(_, value)| &**value)
    }

    /// What its attribute `title` says; empty where it has none.
    pub fn title(&self) -> &str {
        self.attribute("title").unwrap_or_default().trim()
    }

    /// The attribute `id`; empty when there is none. (A form control of that name shadows the property, not the attribute.)
    pub fn id(&self) -> &str {
        self.attribute("id").unwrap_or_default()
    }

    /// Its classes, in the document's order.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.attribute("class")
            .unwrap_or_default()
            .split_ascii_whitespace()
    }

    /// Whether every one of `facts` holds.
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
