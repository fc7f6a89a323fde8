//! A screen as discovery sees it: the elements that can be meant, and the words by which people mean them.
//!
//! Nothing here knows a platform except the two ways in, [`Subject::from_dom`] and [`Subject::from_tree`].

mod kind;
mod occurrence;
mod page;
mod phone;
mod sections;
pub(crate) mod text;

use std::sync::Arc;

use bitflags::bitflags;
use uitree::{Rect, Size};

pub use kind::{Kind, Kinds};
pub use page::shown_by;

/// Everything that can be meant on one screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subject {
    pub(crate) candidates: Vec<Candidate>,
    /// Every element of the document, by its place.
    pub(crate) nodes: Vec<TreeNode>,
    /// The size of what can be seen at once, in device pixels; empty when it is not known.
    pub(crate) screen: Size,
    /// How far the whole page reaches, from the top left corner of the screen as it is scrolled now.
    pub(crate) extent: Rect,
}

impl Subject {
    /// The elements that can be meant, in document order; those that no description means, too ([`State::STRUCTURAL`]).
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// The candidate at `place` of the document, when the element there can be meant.
    pub fn at(&self, place: usize) -> Option<&Candidate> {
        self.candidates
            .binary_search_by_key(&place, |candidate| candidate.place)
            .ok()
            .and_then(|index| self.candidates.get(index))
    }

    /// The size of what can be seen at once, in device pixels; empty when it is not known.
    pub const fn screen(&self) -> Size {
        self.screen
    }
}

/// What is known of every element, whether it can be meant or not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TreeNode {
    /// The place of the element that holds it.
    pub(crate) parent: Option<usize>,
    /// One past the place of the last element inside it.
    pub(crate) end: usize,
    /// Where it lies.
    pub(crate) bounds: Option<Rect>,
}

/// An element that can be meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its place in document order: what `Dom::get` and `UiTree::get` take.
    pub place: usize,
    /// What it is, on every platform alike.
    pub kind: Kind,
    /// Everything that people may call it, its kind included.
    pub kinds: Kinds,
    /// Its role as the platform calls it; empty when it has none.
    pub role: Arc<str>,
    /// Its tag, or the class of a phone's widget.
    pub tag: Arc<str>,
    /// Everything by which it can be called, the most telling source first.
    pub names: Vec<Name>,
    /// Its yes-or-no facts.
    pub state: State,
    /// Where it lies, in device pixels from the top left corner of the screen.
    pub bounds: Option<Rect>,
    /// The bounds of the visible words that label it, when they are not its own.
    pub label: Option<Rect>,
    /// Whether it can be seen, and why not.
    pub visibility: Visibility,
    /// What it lies in or under, the nearest first.
    pub context: Vec<Context>,
    /// Which one it is among those that are called the same and are of one kind.
    pub occurrence: Occurrence,
    /// What its author wrote, as it stands there.
    pub raw: RawAttributes,
}

/// Attributes of an element as they stand in the document; empty where it has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawAttributes {
    /// Its id; on a phone the whole resource id.
    pub id: Arc<str>,
    /// The attribute that tests go by; on a phone the resource id.
    pub test_id: Arc<str>,
    /// Its class attribute; on a phone the class of the widget.
    pub class: Arc<str>,
    /// The type of an input or a button, in lower case.
    pub input_type: Arc<str>,
    /// What an empty field shows.
    pub placeholder: Arc<str>,
    /// Where it leads, as the link says it.
    pub href: Arc<str>,
}

impl Candidate {
    /// The words by which it would be read out: the first of its names.
    pub fn name(&self) -> &str {
        self.names
            .first()
            .filter(|name| name.source.is_shown())
            .map_or("", |name| &name.text)
    }

    /// The first name of this source.
    pub fn named_by(&self, source: Source) -> Option<&str> {
        self.names
            .iter()
            .find(|name| name.source == source)
            .map(|name| &*name.text)
    }
}

/// One of the things that an element can be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Where it comes from.
    pub source: Source,
    /// The words, as the platform has them.
    pub text: Arc<str>,
}

/// Where a name comes from, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The accessible name, or a phone's content description.
    Accessible,
    /// The accessible name with the names of icons that its font draws in their place.
    Spelled,
    /// The words of its `<label>`, or of the text beside it on a phone.
    Label,
    /// What is written in it.
    Text,
    /// What stands in an empty field.
    Placeholder,
    /// The tooltip.
    Title,
    /// The words in place of a picture.
    Alt,
    /// What a control holds now.
    Value,
    /// The accessible description.
    Description,
    /// What can be chosen in it.
    Options,
    /// The attribute that tests go by.
    TestId,
    /// The element's id.
    Id,
    /// The name under which a form sends it.
    FormName,
    /// The type of an input.
    InputType,
    /// What it is there for, by its type or by what stands around it.
    Purpose,
    /// What its picture shows: the title of a drawing, the name of a symbol or of an image file.
    Icon,
    /// The color of it.
    Color,
    /// Where it leads.
    Href,
    /// Its classes.
    Class,
    /// Other attributes that authors put words in.
    Attribute,
}

impl Source {
    /// Whether people see or hear these words, as opposed to those that only authors see.
    pub const fn is_shown(self) -> bool {
        match self {
            Self::Accessible
            | Self::Label
            | Self::Text
            | Self::Placeholder
            | Self::Title
            | Self::Alt
            | Self::Value
            | Self::Description => true,
            Self::Spelled
            | Self::Options
            | Self::TestId
            | Self::Id
            | Self::FormName
            | Self::InputType
            | Self::Purpose
            | Self::Icon
            | Self::Color
            | Self::Href
            | Self::Class
            | Self::Attribute => false,
        }
    }

    /// The source in words, as reasons say it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accessible | Self::Spelled => "name",
            Self::Label => "label",
            Self::Text => "text",
            Self::Placeholder => "placeholder",
            Self::Title => "title",
            Self::Alt => "alt",
            Self::Value => "value",
            Self::Description => "description",
            Self::Options => "option",
            Self::TestId => "test id",
            Self::Id => "id",
            Self::FormName => "form name",
            Self::InputType => "input type",
            Self::Purpose => "purpose",
            Self::Icon => "icon",
            Self::Color => "color",
            Self::Href => "address",
            Self::Class => "class",
            Self::Attribute => "attribute",
        }
    }
}

bitflags! {
    /// The yes-or-no facts of a candidate.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct State: u16 {
        /// It takes clicks, taps or text.
        const INTERACTIVE = 1 << 0;
        /// Text can be entered into it.
        const EDITABLE = 1 << 1;
        /// It cannot be used now.
        const DISABLED = 1 << 2;
        /// It can be checked.
        const CHECKABLE = 1 << 3;
        /// It is checked or pressed.
        const CHECKED = 1 << 4;
        /// It is the chosen one.
        const SELECTED = 1 << 5;
        /// It is open.
        const EXPANDED = 1 << 6;
        /// It has the input focus.
        const FOCUSED = 1 << 7;
        /// It hides what is typed into it.
        const PASSWORD = 1 << 8;
        /// It lies in the dialog that is on top of everything else.
        const ON_TOP = 1 << 9;
        /// It lies behind a dialog that has to be answered first.
        const BEHIND = 1 << 10;
        /// It shows a picture and no words.
        const PICTURE = 1 << 11;
        /// It only holds or shapes others; only filters look at it, no description means it.
        const STRUCTURAL = 1 << 12;
        /// It can be opened and is closed.
        const COLLAPSED = 1 << 13;
    }
}

/// Whether an element can be seen, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// It lies in what the screen shows now.
    Shown,
    /// It is seen after scrolling.
    Scrolled,
    /// It has no size.
    Empty,
    /// It, or what holds it, is hidden.
    Hidden,
}

impl Visibility {
    /// Whether it can be seen, if need be after scrolling.
    pub const fn is_visible(self) -> bool {
        matches!(self, Self::Shown | Self::Scrolled)
    }

    /// Why it cannot be seen; empty when it can.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Shown | Self::Scrolled => "",
            Self::Empty => "has no size",
            Self::Hidden => "is hidden",
        }
    }
}

/// Something that an element lies in or under and that people mention to say which one they mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// What it is.
    pub kind: ContextKind,
    /// Its words; may be empty for a part of the page.
    pub text: Arc<str>,
    /// The place in the document of the element that gives the words.
    pub place: usize,
}

/// What an element lies in or under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContextKind {
    /// The heading of the section that it lies in.
    Heading,
    /// The last heading before it, where that one belongs to another section.
    Preceding,
    /// The words of the table row, list entry or card that holds it.
    Row,
    /// The header of its column.
    Column,
    /// The dialog, menu or popup that it lies in.
    Dialog,
    /// The form or the named group of controls that it belongs to.
    Group,
    /// What its author calls the thing that it lies in.
    Part,
    /// The top of the page.
    Header,
    /// The links through the site.
    Navigation,
    /// What the page is about.
    Main,
    /// What stands beside it.
    Aside,
    /// The bottom of the page.
    Footer,
}

/// Which one an element is among those that are called the same and are of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Occurrence {
    /// Which one, from 1, in document order.
    pub position: usize,
    /// How many there are.
    pub count: usize,
}

impl Default for Occurrence {
    fn default() -> Self {
        Self {
            position: 1,
            count: 1,
        }
    }
}
