//! Points of each signal. All ranking constants are here.

use crate::subject::{ContextKind, Source};

/// All words are on the element.
pub(crate) const WORDS: f32 = 60.0;
/// A name has only words of the description.
pub(crate) const NAME: f32 = 22.0;
/// Words are in the same order.
pub(crate) const ORDER: f32 = 5.0;
/// A name equals the described name.
pub(crate) const EXACT_NAME: f32 = 8.0;
/// A name equals the whole description.
pub(crate) const EXACT_WHOLE: f32 = 26.0;
/// A name has the whole description in it, in its order.
pub(crate) const PART_OF_NAME: f32 = 12.0;
/// A name equals the quoted text, in the same case: `No`, not `no`.
pub(crate) const SAME_LETTERS: f32 = 8.0;
/// A name is written in capitals in the description.
pub(crate) const CAPITALS: f32 = 12.0;
/// Described kind.
pub(crate) const KIND: f32 = 9.0;
/// A kind that the word may mean.
pub(crate) const KIND_LOOSELY: f32 = -3.0;
/// Another kind.
pub(crate) const OTHER_KIND: f32 = -14.0;
/// The description means a field, and it is none.
pub(crate) const NO_FIELD: f32 = -22.0;
/// Its name begins with an action that the description does not have: `Add`.
pub(crate) const UNASKED_ACTION: f32 = -4.0;
/// It is named after the action: `Select` for selecting.
pub(crate) const DOES: f32 = 6.0;
/// It is already in the container that things are put into.
pub(crate) const ALREADY_THERE: f32 = -10.0;
/// Search field for a search.
pub(crate) const SEARCHES: f32 = 8.0;
/// Its name is the action, and it navigates: the folder "Trash" for `trash them`.
pub(crate) const NAVIGATES: f32 = -3.0;
/// It takes the action.
pub(crate) const TAKES: f32 = 4.0;
/// It does not take the action.
pub(crate) const DOES_NOT_TAKE: f32 = -4.0;
/// Menu entry where a button is described.
pub(crate) const NO_BUTTON: f32 = -8.0;
/// It cannot be opened.
pub(crate) const NEVER_OPENED: f32 = -8.0;
/// It shows an icon.
pub(crate) const PICTURE: f32 = 8.0;
/// It is interactive.
pub(crate) const ACTS: f32 = 4.0;
/// Container that the description does not ask for.
pub(crate) const CONTAINER: f32 = -9.0;
/// Static text.
pub(crate) const READ: f32 = -8.0;
/// It does not perform the action.
pub(crate) const OTHER_ACTION: f32 = -10.0;
/// Clickable element of unknown kind.
pub(crate) const MERELY_CLICKABLE: f32 = -1.5;
/// It submits a form, where another has the same name.
pub(crate) const SUBMITS: f32 = 0.6;
/// Hidden.
pub(crate) const UNSEEN: f32 = -20.0;
/// Hidden static text.
pub(crate) const UNSEEN_TEXT: f32 = -45.0;
/// No size, as a control whose icon is not loaded.
pub(crate) const EMPTY: f32 = -7.0;
/// Words where an icon is described.
pub(crate) const NO_PICTURE: f32 = -5.0;
/// In the viewport.
pub(crate) const IN_VIEW: f32 = 0.8;
/// It has another name, and only the words around it fit.
pub(crate) const OTHER_NAME: f32 = -3.0;
/// Shown when the pointer is over it.
pub(crate) const ON_HOVER: f32 = -1.0;
/// In the top dialog.
pub(crate) const ON_TOP: f32 = 4.0;
/// Behind a dialog.
pub(crate) const BEHIND: f32 = -8.0;
/// It matches and is closest to the reference. Worth more than any name.
pub(crate) const NEAR: f32 = 80.0;
/// Disabled.
pub(crate) const DISABLED: f32 = -1.0;
/// No word of the name is on it.
pub(crate) const ONLY_AROUND: f32 = -12.0;
/// It is only the reference.
pub(crate) const IS_REFERENCE: f32 = -16.0;
/// It lies where the description says, and only its kind and place are described.
pub(crate) const PLACED: f32 = 40.0;
/// Described one of several.
pub(crate) const ORDINAL: f32 = 14.0;
/// Most points behind the best to be counted.
pub(crate) const ORDINAL_REACH: f32 = 9.0;

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

/// Factor for a word in another inner row.
pub(crate) const IN_ANOTHER_ROW: f32 = 0.45;
/// Factor for a word in the text of a row, if other rows have it in their title.
pub(crate) const ONLY_MENTIONED: f32 = 0.6;

/// Factor for static text in a row: the control is meant.
pub(crate) const ROW_OF_TEXT: f32 = 0.5;

/// Factor for each further context of the same kind.
pub(crate) const FURTHER: f32 = 0.85;
