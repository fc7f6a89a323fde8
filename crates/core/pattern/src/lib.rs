//! Regular expressions in the syntax of ECMAScript, matched in a bounded number of steps.
//!
//! A pattern is a JavaScript regular expression without flags, except that it reads the text by code points, as JavaScript
//! does with the flag `u`: `.` matches an emoji, and `\u{1F600}` is one character. It supports everything else that such an
//! expression can hold: look-ahead, look-behind, named groups, back references, lazy quantifiers and `(?i:...)`.
//!
//! Matching is backtracking, so some patterns need exponential time. Every instruction and every character that is read
//! costs a step of a [`Budget`]; when it is spent, matching stops with [`BudgetSpent`]. A pattern compiles to a program whose
//! size is proportional to its length: repetitions are counted, not unrolled.

mod compile;
mod parse;
mod run;
mod set;

pub use parse::SyntaxError;
pub use run::{Budget, BudgetSpent};

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    source: String,
    program: compile::Program,
}

impl Pattern {
    /// Compiles `source`.
    ///
    /// # Errors
    ///
    /// When `source` is not a regular expression.
    pub fn new(source: &str) -> Result<Self, SyntaxError> {
        let program = compile::compile(&parse::parse(source)?);
        Ok(Self {
            source: source.to_owned(),
            program,
        })
    }

    /// The text from which the pattern was compiled.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// Whether the pattern matches the whole of `text`.
    ///
    /// # Errors
    ///
    /// When `budget` is spent before the answer is known.
    pub fn matches_whole(&self, text: &str, budget: &mut Budget) -> Result<bool, BudgetSpent> {
        run::matches_whole(&self.program, text, budget)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Pattern {}
