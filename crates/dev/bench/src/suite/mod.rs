//! What is asked of a page and what the right answer is.

pub mod named;
pub mod negative;
pub mod perturb;
pub mod words;

/// The kinds of questions, in the order in which they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suite {
    /// An accessible name that only one element has.
    Name,
    /// `NAME ROLE`, where only one element has both.
    NameRole,
    /// A name without one of its words.
    Dropped,
    /// A name with two words joined.
    Joined,
    /// A name with a plural for a singular, or the other way round.
    Inflected,
    /// A name with two letters swapped.
    Swapped,
    /// `NAME ROLE under HEADING`, where several elements have the name and the role.
    Under,
    /// A name that several elements have.
    Ambiguous,
    /// A name of another page that shares no word with this one.
    Negative,
    /// [`Name`](Self::Name), after ids and test ids were taken from the page.
    Masked,
    /// The instruction of an episode of MiniWoB++, right when its own reward says so.
    MiniWob,
    /// An instruction that somebody wrote for an element.
    Told,
}

impl Suite {
    /// Every suite.
    pub const ALL: [Self; 12] = [
        Self::Name,
        Self::NameRole,
        Self::Dropped,
        Self::Joined,
        Self::Inflected,
        Self::Swapped,
        Self::Under,
        Self::Ambiguous,
        Self::Negative,
        Self::Masked,
        Self::MiniWob,
        Self::Told,
    ];

    /// Its name on the command line and in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::NameRole => "name-role",
            Self::Dropped => "dropped",
            Self::Joined => "joined",
            Self::Inflected => "inflected",
            Self::Swapped => "swapped",
            Self::Under => "under",
            Self::Ambiguous => "ambiguous",
            Self::Negative => "negative",
            Self::Masked => "masked",
            Self::MiniWob => "miniwob",
            Self::Told => "told",
        }
    }

    /// The suite of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.as_str() == name)
    }
}

/// The right answer. Elements are given by the browser's numbers (`backendNodeId`), which one load of a page keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Any of these elements.
    Element(Vec<i64>),
    /// That several fit: these.
    Ambiguous(Vec<i64>),
    /// That there is nothing.
    Nothing,
}

impl Expect {
    /// The elements of the answer.
    pub fn nodes(&self) -> &[i64] {
        match self {
            Self::Element(nodes) | Self::Ambiguous(nodes) => nodes,
            Self::Nothing => &[],
        }
    }
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Which suite it belongs to.
    pub suite: Suite,
    /// The page it is asked of, as reports name it.
    pub page: String,
    /// What is asked.
    pub query: String,
    /// The right answer.
    pub expect: Expect,
}
