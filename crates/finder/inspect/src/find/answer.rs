//! The answer to a request.

use std::fmt;

/// Ranked elements with a verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct FindResult {
    /// Candidates, the best first, up to the limit. Empty if nothing matches.
    pub ranked: Vec<Hit>,
    /// Confidence in the first candidate.
    pub verdict: Verdict,
}

/// A candidate for the described element.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Position in document order, for `Subject::at`, `Dom::get` and `UiTree::get`.
    pub place: usize,
    /// Probability in percent that this is the described element.
    pub score: u8,
    /// Reasons for and against it, the strongest first.
    pub reasons: Vec<Reason>,
}

/// A reason for or against a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// Points; negative if against it.
    pub points: f32,
    /// Short text: `name "Sign in"`, `under "Billing"`, `is hidden`.
    pub words: String,
}

/// Confidence in an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The first candidate is the described element.
    Certain,
    /// The first candidate is the best match, but part of the description is missing on it.
    Unsure {
        /// Words of the description that the candidate does not cover.
        missing: Vec<String>,
    },
    /// Several candidates match equally well. They come first in `ranked`.
    Ambiguous {
        /// Number of equal candidates, including those beyond the limit.
        count: usize,
        /// Words that tell each ranked candidate from the others.
        told_apart_by: Vec<Distinction>,
    },
    /// Nothing matches.
    NotFound {
        /// Closest candidates, the best first, up to the limit.
        nearest: Vec<Hit>,
    },
}

impl Verdict {
    /// Name of the verdict in output.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Unsure { .. } => "unsure",
            Self::Ambiguous { .. } => "ambiguous",
            Self::NotFound { .. } => "not_found",
        }
    }
}

/// Words that identify one of several equal candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinction {
    /// Position of the candidate.
    pub place: usize,
    /// Words to add to the description: `under "Billing"`, `in the footer`, `second`.
    pub words: String,
}

/// The request names a reference that is not on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceError {
    /// Words of the reference; empty if the request gave none.
    pub reference: String,
}

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reference.is_empty() {
            return f.write_str("the element that it should be near does not exist");
        }
        write!(
            f,
            "nothing on the screen is called {:?}, and the element should be near it",
            self.reference
        )
    }
}

impl std::error::Error for ReferenceError {}
