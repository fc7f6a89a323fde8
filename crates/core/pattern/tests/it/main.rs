//! Compares patterns with other engines, and checks their budgets.

mod budget;
mod compared;
mod matching;

use pattern::{Budget, Pattern};

/// More steps than any pattern of these tests needs, except those meant to exhaust the budget.
const ENOUGH: u32 = 1_000_000;

/// Whether `pattern` matches the whole of `text`.
fn matches(pattern: &str, text: &str) -> bool {
    compile(pattern)
        .matches_whole(text, &mut Budget::new(ENOUGH))
        .unwrap_or_else(|spent| panic!("{pattern} on {text:?}: {spent}"))
}

fn compile(pattern: &str) -> Pattern {
    Pattern::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"))
}
