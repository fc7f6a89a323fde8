//! What is found.

use std::fmt;

/// The answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The elements that may be meant, the most likely first, at most as many as were asked for. Empty when nothing is
    /// found.
    pub ranked: Vec<Hit>,
    /// How sure it is that the first one is meant.
    pub verdict: Verdict,
}

/// An element that may be meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its place in document order: what `Subject::at`, `Dom::get` and `UiTree::get` take.
    pub place: usize,
    /// How well it fits what was asked, from 0 to 100: of elements with this score about so many in a hundred are meant.
    pub score: u8,
    /// What speaks for it and what against it, the weightiest first.
    pub reasons: Vec<Reason>,
}

/// Something that speaks for an element or against it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// How much, in points; negative against it.
    pub points: f32,
    /// What, in a few words: `name "Sign in"`, `under "Billing"`, `is hidden`.
    pub words: String,
}

/// How sure an answer is.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The first element is meant.
    Certain,
    /// The first element fits best, but not well enough to act on it unseen: part of what was asked is nowhere on it.
    Unsure {
        /// The words of the description that the element does not account for.
        missing: Vec<String>,
    },
    /// Several elements fit equally well. They are the first of `ranked`.
    Ambiguous {
        /// How many they are, those beyond the limit included.
        count: usize,
        /// How to say which one is meant, for each that is ranked.
        told_apart_by: Vec<Distinction>,
    },
    /// Nothing fits.
    NotFound {
        /// What comes nearest, at most as many as were asked for, the nearest first.
        nearest: Vec<Hit>,
    },
}

impl Verdict {
    /// The verdict in one word.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Unsure { .. } => "unsure",
            Self::Ambiguous { .. } => "ambiguous",
            Self::NotFound { .. } => "not_found",
        }
    }
}

/// How to say which one of several equal elements is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinction {
    /// The element.
    pub place: usize,
    /// What to add to the description: `under "Billing"`, `in the footer`, `second`.
    pub words: String,
}

/// The request names something nearby, and there is nothing of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceError {
    /// The words that name nothing; empty when the request gave no place at all.
    pub reference: String,
}

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reference.is_empty() {
            return f.write_str("what the element should be near to is not there");
        }
        write!(
            f,
            "nothing on the screen is called {:?}, and the element should be near to it",
            self.reference
        )
    }
}

impl std::error::Error for ReferenceError {}
