//! The queries for a page, with their right answers.

pub mod named;
pub mod negative;
pub mod perturb;
pub mod words;

/// The kinds of queries, in report order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suite {
    /// A unique accessible name.
    Name,
    /// `NAME ROLE`, if the combination is unique.
    NameRole,
    /// A name without one of its words.
    Dropped,
    /// A name with two words joined.
    Joined,
    /// A name with a plural instead of a singular, or the reverse.
    Inflected,
    /// A name with two letters swapped.
    Swapped,
    /// `NAME ROLE under HEADING`, if several elements have the name and the role.
    Under,
    /// A name of several elements.
    Ambiguous,
    /// A name from another page that shares no word with this one.
    Negative,
    /// [`Name`](Self::Name), with ids and test ids removed from the page.
    Masked,
    /// The instruction of an episode of MiniWoB++, judged by its reward.
    MiniWob,
    /// A hand-written instruction.
    Instructions,
    /// An expression for an element of a phone screen.
    Expressions,
}

impl Suite {
    /// Every suite.
    pub const ALL: [Self; 13] = [
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
        Self::Instructions,
        Self::Expressions,
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
            Self::Instructions => "instructions",
            Self::Expressions => "expressions",
        }
    }

    /// The suite with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.as_str() == name)
    }
}

/// The right answer. Elements are given by `backendNodeId`, which is stable within one load of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Any of these elements.
    Element(Vec<i64>),
    /// Several elements match equally well: these.
    Ambiguous(Vec<i64>),
    /// No element matches.
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

/// One query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its suite.
    pub suite: Suite,
    /// Who asks: the file of instructions, or the folder of the page. Results of several authors are never mixed.
    pub author: String,
    /// Its page, by the name in reports.
    pub page: String,
    /// The query.
    pub query: String,
    /// The right answer.
    pub expect: Expect,
}
