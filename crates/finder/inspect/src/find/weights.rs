//! What each signal counts, in points. Everything that decides the order of elements stands here.

use crate::subject::{ContextKind, Source};

/// All words of the description found on the element.
pub(crate) const WORDS: f32 = 60.0;
/// A name of the element is made of nothing but words of the description.
pub(crate) const NAME: f32 = 22.0;
/// The words stand beside each other as they do in the description.
pub(crate) const ORDER: f32 = 5.0;
/// A name is the name in the description.
pub(crate) const EXACT_NAME: f32 = 8.0;
/// A name is the whole description.
pub(crate) const EXACT_WHOLE: f32 = 26.0;
/// A name is letter for letter what is quoted, which tells `No` from `no`.
pub(crate) const SAME_LETTERS: f32 = 8.0;
/// It is of the kind that the description names.
pub(crate) const KIND: f32 = 9.0;
/// It is of a kind that the description may mean, too.
pub(crate) const KIND_LOOSELY: f32 = -3.0;
/// It is of another kind.
pub(crate) const OTHER_KIND: f32 = -14.0;
/// A field is asked for, and it takes no text.
pub(crate) const NO_FIELD: f32 = -22.0;
/// Its name begins with something that is done, such as `Add`, which nobody asked for.
pub(crate) const UNASKED_ACTION: f32 = -4.0;
/// It is called by what is to be done: `Select` where something is to be selected.
pub(crate) const DOES: f32 = 6.0;
/// It lies where something is only to be put.
pub(crate) const ALREADY_THERE: f32 = -10.0;
/// It is the field of a search, and something is to be searched for.
pub(crate) const SEARCHES: f32 = 8.0;
/// It takes what is to be done.
pub(crate) const TAKES: f32 = 4.0;
/// It does not.
pub(crate) const DOES_NOT_TAKE: f32 = -4.0;
/// It is an entry of a menu, and a button is asked for.
pub(crate) const NO_BUTTON: f32 = -8.0;
/// It opens a menu, and something is to be done.
pub(crate) const ONLY_OPENS: f32 = -8.0;
/// Nobody opens it, and something is to be opened.
pub(crate) const NEVER_OPENED: f32 = -8.0;
/// It has another number than the one asked for: `5th generation` where the 4th is meant.
pub(crate) const OTHER_NUMBER: f32 = -9.0;
/// It shows a picture, as an icon does.
pub(crate) const PICTURE: f32 = 8.0;
/// It is there to be used.
pub(crate) const ACTS: f32 = 4.0;
/// It holds or shows something and is not asked for by its kind.
pub(crate) const HOLDS: f32 = -9.0;
/// It is only read.
pub(crate) const READ: f32 = -8.0;
/// It does not do what the description says is done.
pub(crate) const OTHER_ACTION: f32 = -10.0;
/// It takes clicks, and what it is nobody knows.
pub(crate) const MERELY_CLICKABLE: f32 = -1.5;
/// It cannot be seen.
pub(crate) const UNSEEN: f32 = -20.0;
/// It cannot be seen, and is only read.
pub(crate) const UNSEEN_TEXT: f32 = -45.0;
/// It has no size, as a control without words does whose picture is not loaded.
pub(crate) const EMPTY: f32 = -7.0;
/// It shows words where an icon is asked for.
pub(crate) const NO_PICTURE: f32 = -5.0;
/// It is seen without scrolling.
pub(crate) const IN_VIEW: f32 = 0.8;
/// It lies in the dialog on top.
pub(crate) const ON_TOP: f32 = 4.0;
/// It lies behind a dialog.
pub(crate) const BEHIND: f32 = -8.0;
/// It fits the description and lies as close as can be to the reference of the request: more than any name is worth.
pub(crate) const NEAR: f32 = 80.0;
/// It cannot be used now.
pub(crate) const DISABLED: f32 = -1.0;
/// None of the words that name the thing itself is on it.
pub(crate) const ONLY_AROUND: f32 = -12.0;
/// It is what the description only points from.
pub(crate) const IS_REFERENCE: f32 = -16.0;
/// It is the one of several that is asked for.
pub(crate) const ORDINAL: f32 = 14.0;
/// Elements within so many points of the best are those among which the asked one is counted.
pub(crate) const ORDINAL_REACH: f32 = 9.0;

/// How much a word counts that is found in a name from this source.
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

/// How much a word counts that is found only in what the element lies in, the nearest of its kind.
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

/// How much a word counts in what only authors see of an element that shows a picture and no words.
pub(crate) const fn source_of_picture(source: Source) -> f32 {
    match source {
        Source::Icon | Source::TestId | Source::Purpose => 0.95,
        Source::Id | Source::FormName => 0.88,
        Source::Class | Source::Attribute => 0.82,
        Source::Href => 0.85,
        _ => self::source(source),
    }
}

/// How much a word counts that is found around an element which does what the description says is done to it.
pub(crate) const fn context_of_action(kind: ContextKind) -> f32 {
    match kind {
        ContextKind::Row | ContextKind::Group | ContextKind::Heading => 0.88,
        ContextKind::Dialog | ContextKind::Column => 0.8,
        ContextKind::Preceding => 0.6,
        _ => context(kind),
    }
}

/// How much of that is left for a word in a row around the element that stands in another row there.
pub(crate) const IN_ANOTHER_ROW: f32 = 0.45;

/// How much of that is left for what is only read: the control in the row is meant.
pub(crate) const ROW_OF_TEXT: f32 = 0.5;

/// Each further one of the same kind counts so much of the one before it.
pub(crate) const FURTHER: f32 = 0.85;
