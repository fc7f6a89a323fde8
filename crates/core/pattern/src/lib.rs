//! ECMAScript regular expressions with a step budget.
//!
//! A pattern is a JavaScript regular expression without flags, except that it reads code points, as with the flag `u`:
//! `.` matches an emoji, and `\u{1F600}` is one character. Look-ahead, look-behind, named groups, back references,
//! lazy quantifiers and `(?i:...)` are supported.
//!
//! Matching backtracks, so some patterns need exponential time. Every instruction and every character costs a step of
//! a [`Budget`]; when it is spent, matching fails with [`BudgetSpent`]. The size of a program is proportional to its
//! pattern: repetitions are counted, not unrolled.
#![warn(missing_docs)]

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
    pub fn new(source: &str) -> Result<Self, SyntaxError> {
        let program = compile::compile(&parse::parse(source)?);
        Ok(Self {
            source: source.to_owned(),
            program,
        })
    }

    /// Source of the pattern.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// Whether the pattern matches the whole of `text`.
    ///
    /// # Errors
    ///
    /// [`BudgetSpent`] if `budget` is used up first.
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
