//! Points of each signal. Limits that only one rule uses are in the file of that rule.

use crate::subject::{ContextKind, Source};

/// The element has all words of the description.
pub(crate) const WORDS: f32 = 60.0;
/// The description covers the whole name.
pub(crate) const NAME: f32 = 22.0;
/// The words of the name are in the order of the description.
pub(crate) const ORDER: f32 = 5.0;
/// A name equals the described name.
pub(crate) const EXACT_NAME: f32 = 8.0;
/// A name equals the whole description.
pub(crate) const EXACT_WHOLE: f32 = 26.0;
/// A name equals the quoted text, with the same case: `No`, not `no`.
pub(crate) const EXACT_CASE: f32 = 8.0;
/// The description writes the name with capitals.
pub(crate) const CAPITALS: f32 = 12.0;
/// The element is of the described kind.
pub(crate) const KIND: f32 = 9.0;
/// The element is of a kind that the word may mean.
pub(crate) const KIND_LOOSELY: f32 = -3.0;
/// The element is of another kind.
pub(crate) const OTHER_KIND: f32 = -14.0;
/// The description means a field, and the element is not a field.
pub(crate) const NOT_A_FIELD: f32 = -22.0;
/// The name begins with an action that the description does not have: `Add`.
pub(crate) const EXTRA_ACTION: f32 = -4.0;
/// The element is named after the action: `Select` for selecting.
pub(crate) const NAMED_AFTER_ACTION: f32 = 6.0;
/// The description is a search, and the element is a search field.
pub(crate) const SEARCH_FIELD: f32 = 8.0;
/// The name is the action, but the element navigates: the folder "Trash" for `trash them`.
pub(crate) const NAVIGATION: f32 = -3.0;
/// Elements of this kind take the action.
pub(crate) const TAKES_ACTION: f32 = 4.0;
/// Elements of this kind do not take the action.
pub(crate) const DOES_NOT_TAKE_ACTION: f32 = -4.0;
/// The action opens something, and the element cannot be opened.
pub(crate) const NOT_OPENABLE: f32 = -8.0;
/// The description means an icon, and the element shows one.
pub(crate) const ICON: f32 = 8.0;
/// The element is interactive.
pub(crate) const INTERACTIVE: f32 = 4.0;
/// The element is a container that the description does not mention.
pub(crate) const CONTAINER: f32 = -9.0;
/// The element is static text.
pub(crate) const STATIC: f32 = -8.0;
/// The element does not perform the action.
pub(crate) const OTHER_ACTION: f32 = -10.0;
/// The element is clickable and its kind is unknown.
pub(crate) const UNKNOWN_KIND: f32 = -1.5;
/// The element submits a form. This decides between equal names.
pub(crate) const SUBMIT_BUTTON: f32 = 0.6;
/// The element is hidden.
pub(crate) const HIDDEN: f32 = -20.0;
/// The element is hidden static text.
pub(crate) const HIDDEN_TEXT: f32 = -45.0;
/// The element has no size, such as a control whose icon is not loaded.
pub(crate) const NO_SIZE: f32 = -7.0;
/// The description means an icon, and the element shows words.
pub(crate) const NOT_AN_ICON: f32 = -5.0;
/// The element is in the viewport.
pub(crate) const IN_VIEW: f32 = 0.8;
/// The element has another name, and only its context has the words.
pub(crate) const OTHER_NAME: f32 = -3.0;
/// The element is shown only under the pointer.
pub(crate) const ON_HOVER: f32 = -1.0;
/// The element is in the top dialog.
pub(crate) const TOP_DIALOG: f32 = 4.0;
/// The element is behind a dialog.
pub(crate) const BEHIND_DIALOG: f32 = -8.0;
/// The element is closest to the reference of the request. This counts more than any name.
pub(crate) const NEAR: f32 = 80.0;
/// The element has no word of the described name.
pub(crate) const ONLY_CONTEXT: f32 = -12.0;
/// The element is the reference of the description, not the target.
pub(crate) const IS_REFERENCE: f32 = -16.0;
/// The element is at the described place, and the description gives only a kind and a place.
pub(crate) const PLACED: f32 = 40.0;
/// The element is the one that the ordinal selects.
pub(crate) const ORDINAL: f32 = 14.0;
/// Maximum number of points behind the best element for an element that an ordinal counts.
pub(crate) const MAX_ORDINAL_LEAD: f32 = 9.0;

/// Factor for a word in a name from this source.
pub(crate) const fn source(source: Source) -> f32 {
    match source {
        Source::Accessible | Source::Label | Source::Text => 1.0,
        Source::Spelled | Source::Placeholder => 0.95,
        Source::Title | Source::Alt => 0.92,
        Source::Value => 0.8,
        Source::Description => 0.7,
        Source::Purpose => 0.85,
        Source::TestId => 0.75,
        Source::Id | Source::FormName => 0.7,
        Source::Icon => 0.75,
        Source::Color => 0.8,
        Source::InputType => 0.65,
        Source::Options => 0.6,
        Source::Href => 0.5,
        Source::Class => 0.5,
        Source::Attribute => 0.5,
    }
}

/// Factor for a word in the nearest context of this kind.
pub(crate) const fn context(kind: ContextKind) -> f32 {
    match kind {
        ContextKind::Heading => 0.6,
        ContextKind::Preceding => 0.42,
        ContextKind::Row => 0.65,
        ContextKind::Column => 0.55,
        ContextKind::Dialog => 0.55,
        ContextKind::Group => 0.55,
        ContextKind::Part => 0.4,
        ContextKind::Header
        | ContextKind::Navigation
        | ContextKind::Main
        | ContextKind::Aside
        | ContextKind::Footer => 0.4,
    }
}

/// Factor for a word in an author name of an icon.
pub(crate) const fn source_of_picture(source: Source) -> f32 {
    match source {
        Source::Icon | Source::TestId | Source::Purpose => 0.95,
        Source::Id | Source::FormName => 0.88,
        Source::Class | Source::Attribute => 0.82,
        Source::Href => 0.85,
        _ => self::source(source),
    }
}

/// Factor for a word in the context of an element that performs the action.
pub(crate) const fn context_of_action(kind: ContextKind) -> f32 {
    match kind {
        ContextKind::Row | ContextKind::Group | ContextKind::Heading => 0.88,
        ContextKind::Dialog | ContextKind::Column => 0.8,
        ContextKind::Preceding => 0.6,
        _ => context(kind),
    }
}

/// Factor for each further context of the same kind.
pub(crate) const REPEATED_CONTEXT: f32 = 0.85;
/// Factor for a word in another inner row.
pub(crate) const IN_ANOTHER_ROW: f32 = 0.45;
