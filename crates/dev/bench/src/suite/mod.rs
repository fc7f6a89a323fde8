//! The queries for a page, with their right answers.

pub mod named;
pub mod negative;
pub mod perturb;
pub mod words;

named! {
    /// The kinds of queries, in report order.
    pub enum Suite {
        /// A unique accessible name.
        Name = "name",
        /// `NAME ROLE`, if the combination is unique.
        NameRole = "name-role",
        /// A name without one of its words.
        Dropped = "dropped",
        /// A name with two words joined.
        Joined = "joined",
        /// A name with a plural instead of a singular, or the reverse.
        Inflected = "inflected",
        /// A name with two letters swapped.
        Swapped = "swapped",
        /// `NAME ROLE under HEADING`, if several elements have the name and the role.
        Under = "under",
        /// A name of several elements.
        Ambiguous = "ambiguous",
        /// A name from another page that shares no word with this one.
        Negative = "negative",
        /// [`Name`](Self::Name), with ids and test ids removed from the page.
        Masked = "masked",
        /// The instruction of an episode of MiniWoB++, judged by its reward.
        MiniWob = "miniwob",
        Instructions = "instructions",
        /// An expression for an element of a phone screen.
        Expressions = "expressions",
    }
}

/// The right answer. Elements are given by `backendNodeId`, which is stable within one load of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    Element(Vec<i64>),
    /// Several elements match equally well: these.
    Ambiguous(Vec<i64>),
    Nothing,
}

impl Expect {
    pub fn nodes(&self) -> &[i64] {
        match self {
            Self::Element(nodes) | Self::Ambiguous(nodes) => nodes,
            Self::Nothing => &[],
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub suite: Suite,
    /// Who asks: the file of instructions, or the folder of the page. Results of several authors are never mixed.
    pub author: String,
    /// Its page, by the name in reports.
    pub page: String,
    pub query: String,
    pub expect: Expect,
}
