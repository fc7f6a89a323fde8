//! A screen as a list of candidates with their names.
//!
//! Only [`Subject::from_dom`] and [`Subject::from_tree`] know a platform.

#[macro_use]
mod kind;
mod page;
mod phone;
mod sections;
pub(crate) mod text;

use std::{ops::Range, sync::Arc};

use bitflags::bitflags;
use uitree::{Rect, Size};

pub use kind::{Kind, Kinds};
pub use page::drawing;

/// Candidates of one screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subject {
    pub(crate) candidates: Vec<Candidate>,
    /// All elements, in document order.
    pub(crate) nodes: Vec<TreeNode>,
    /// Size of the viewport in device pixels; empty if unknown.
    pub(crate) screen: Size,
    /// Bounds of the whole page, relative to the viewport.
    pub(crate) extent: Rect,
}

impl Subject {
    /// Candidates in document order, including structural ones ([`State::STRUCTURAL`]).
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Candidate at `place` in document order.
    pub fn at(&self, place: usize) -> Option<&Candidate> {
        self.candidates
            .binary_search_by_key(&place, |candidate| candidate.place)
            .ok()
            .and_then(|index| self.candidates.get(index))
    }

    /// Size of the viewport in device pixels; empty if unknown.
    pub const fn screen(&self) -> Size {
        self.screen
    }

    /// The places of an element and everything inside it.
    pub(crate) fn range(&self, place: usize) -> Range<usize> {
        place..self.nodes.get(place).map_or(place + 1, |part| part.end)
    }

    /// Whether the element at `outer` holds that at `inner`.
    pub(crate) fn holds(&self, outer: usize, inner: usize) -> bool {
        outer != inner && self.range(outer).contains(&inner)
    }

    /// Whether one of them holds the other.
    pub(crate) fn are_nested(&self, one: usize, other: usize) -> bool {
        self.holds(one, other) || self.holds(other, one)
    }

    /// Places of the elements around that at `place`, the nearest first.
    pub(crate) fn ancestors(&self, place: usize) -> impl Iterator<Item = usize> {
        let parent = |place: &usize| self.nodes.get(*place)?.parent;
        std::iter::successors(parent(&place), parent)
    }
}

/// Position of an element in the document.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TreeNode {
    /// Position of the parent.
    pub(crate) parent: Option<usize>,
    /// End of the subtree.
    pub(crate) end: usize,
    pub(crate) bounds: Option<Rect>,
    /// Bounds of its own text, if it holds other elements.
    pub(crate) text_bounds: Option<Rect>,
}

/// An element that a description may mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Position in document order, for `Dom::get` and `UiTree::get`.
    pub place: usize,
    /// Kind.
    pub kind: Kind,
    /// All kinds that users may call it, including its own.
    pub kinds: Kinds,
    /// Role on the platform; empty if none.
    pub role: Arc<str>,
    /// Tag, or widget class on a phone.
    pub tag: Arc<str>,
    /// All names, the most specific source first.
    pub names: Vec<Name>,
    /// State flags.
    pub state: State,
    /// Bounds in device pixels, relative to the viewport.
    pub bounds: Option<Rect>,
    /// Bounds of a label outside of it.
    pub label: Option<Rect>,
    /// Visibility.
    pub visibility: Visibility,
    /// Contexts, the nearest first.
    pub context: Vec<Context>,
    /// Attributes as written.
    pub raw: RawAttributes,
}

/// Attributes of an element as written; empty if missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawAttributes {
    /// Id; on a phone the whole resource id.
    pub id: Arc<str>,
    /// Test id; on a phone the resource id.
    pub test_id: Arc<str>,
    /// Class attribute; on a phone the widget class.
    pub class: Arc<str>,
    /// Type of an input or a button, in lower case.
    pub input_type: Arc<str>,
    /// Placeholder.
    pub placeholder: Arc<str>,
    /// Address of a link.
    pub href: Arc<str>,
}

impl Candidate {
    /// Its first name, if that is shown.
    pub fn name(&self) -> &str {
        self.names
            .first()
            .filter(|name| name.source.is_shown())
            .map_or("", |name| &name.text)
    }

    /// Its bounds, if a description may mean it and it can be seen.
    pub(crate) fn described_bounds(&self) -> Option<Rect> {
        let is_meant = self.visibility.is_visible()
            && (self.kind == Kind::Row || !self.state.contains(State::STRUCTURAL));
        self.bounds.filter(|bounds| is_meant && !bounds.is_empty())
    }
}

/// A name of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Source.
    pub source: Source,
    /// Text on the platform.
    pub text: Arc<str>,
}

impl Name {
    /// Visible text.
    pub(crate) fn shown(text: &Arc<str>) -> Self {
        Self {
            source: Source::Text,
            text: text::trimmed(text),
        }
    }
}

/// Collects names without duplicates.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) names: Vec<Name>,
}

impl Names {
    pub(crate) fn add(&mut self, source: Source, text: impl Into<Arc<str>>) {
        let text = text::trimmed(&text.into());
        let known =
            |name: &Name| name.text == text && (name.source.is_shown() || !source.is_shown());
        if !text.is_empty() && !self.names.iter().any(known) {
            self.names.push(Name { source, text });
        }
    }

    /// Adds the words of an identifier.
    pub(crate) fn add_words(&mut self, source: Source, identifier: &str) {
        const MAX_IDENTIFIER: usize = 240;
        let words = text::meaningful_words(text::cut(identifier, MAX_IDENTIFIER));
        self.add(source, words.join(" "));
    }

    /// The names, the most specific source first.
    pub(crate) fn sorted(mut self) -> Vec<Name> {
        self.names.sort_by_key(|name| name.source);
        self.names
    }
}

macro_rules! sources {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $is_shown:literal;)+) => {
        /// Source of a name, the most specific first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Source { $($(#[$doc])* $variant,)+ }

        impl Source {
            /// Whether users see or hear the name; otherwise only authors do.
            pub const fn is_shown(self) -> bool {
                match self { $(Source::$variant => $is_shown,)+ }
            }

            /// Name of the source in reasons.
            pub const fn as_str(self) -> &'static str {
                match self { $(Source::$variant => $name,)+ }
            }
        }
    };
}

// Each source with its name in reasons, and whether it is shown.
sources! {
    /// Accessible name, or content description on a phone.
    Accessible = "name", true;
    /// Accessible name with the ligatures of icon fonts.
    Spelled = "name", false;
    /// Text of its `<label>`, or text next to it on a phone.
    Label = "label", true;
    /// Text content.
    Text = "text", true;
    /// Placeholder.
    Placeholder = "placeholder", true;
    /// Tooltip.
    Title = "title", true;
    /// Alternative text.
    Alt = "alt", true;
    /// Current value.
    Value = "value", true;
    /// Accessible description.
    Description = "description", true;
    /// Options.
    Options = "option", false;
    /// Test id.
    TestId = "test id", false;
    /// Id.
    Id = "id", false;
    /// Form name.
    FormName = "form name", false;
    /// Input type.
    InputType = "input type", false;
    /// Purpose, inferred from its type and surroundings.
    Purpose = "purpose", false;
    /// Icon: the title of a drawing, or the name of a symbol or an image file.
    Icon = "icon", false;
    /// Color.
    Color = "color", false;
    /// Address.
    Href = "address", false;
    /// Classes.
    Class = "class", false;
    /// Other attributes with words.
    Attribute = "attribute", false;
}

bitflags! {
    /// State flags of a candidate.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct State: u16 {
        /// Takes clicks, taps or text.
        const INTERACTIVE = 1 << 0;
        /// Takes text.
        const EDITABLE = 1 << 1;
        /// Disabled.
        const DISABLED = 1 << 2;
        /// Can be checked.
        const CHECKABLE = 1 << 3;
        /// Checked or pressed.
        const CHECKED = 1 << 4;
        /// Selected.
        const SELECTED = 1 << 5;
        /// Expanded.
        const EXPANDED = 1 << 6;
        /// Has the focus.
        const FOCUSED = 1 << 7;
        /// Masks its text.
        const PASSWORD = 1 << 8;
        /// In the top dialog.
        const ON_TOP = 1 << 9;
        /// Behind a modal dialog.
        const BEHIND = 1 << 10;
        /// Shows an icon and no words.
        const PICTURE = 1 << 11;
        /// A container, a layout element, or text in a control. Filters match it; descriptions do not, except that they may
        /// ask for its text.
        const STRUCTURAL = 1 << 12;
        /// Collapsed.
        const COLLAPSED = 1 << 13;
        /// Its label may as well be that of the control beside it.
        const AMBIGUOUS_LABEL = 1 << 14;
    }
}

/// Visibility of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// In the viewport.
    Shown,
    /// Outside of the viewport.
    Scrolled,
    /// Transparent until the pointer is over it; it takes clicks.
    OnHover,
    /// Without a size.
    Empty,
    /// Hidden, or in a hidden element.
    Hidden,
}

impl Visibility {
    /// Whether it is visible, with scrolling.
    pub const fn is_visible(self) -> bool {
        matches!(self, Self::Shown | Self::Scrolled | Self::OnHover)
    }

    /// Reason why it is not visible; empty if it is.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Shown | Self::Scrolled => "",
            Self::OnHover => "is shown when the pointer is over it",
            Self::Empty => "has no size",
            Self::Hidden => "is hidden",
        }
    }
}

/// Something around an element that users mention to identify it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// Kind.
    pub kind: ContextKind,
    /// Text; may be empty for a landmark.
    pub text: Arc<str>,
    /// Position of the element with the text.
    pub place: usize,
}

impl Context {
    pub(crate) const fn new(kind: ContextKind, text: Arc<str>, place: usize) -> Self {
        Self { kind, text, place }
    }
}

/// Kind of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContextKind {
    /// Heading of its section.
    Heading,
    /// Last heading before it, from another section.
    Preceding,
    /// Text of its table row, list entry or card.
    Row,
    /// Header of its column.
    Column,
    /// Its dialog, menu or popup.
    Dialog,
    /// Its form or named group of controls.
    Group,
    /// Author name of an ancestor.
    Part,
    /// Header of the page.
    Header,
    /// Navigation.
    Navigation,
    /// Main content.
    Main,
    /// Sidebar.
    Aside,
    /// Footer.
    Footer,
}
