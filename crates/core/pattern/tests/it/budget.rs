//! Expensive patterns stop when their budget is used up.

use pattern::{Budget, BudgetSpent};

use crate::compile;

/// Patterns that need exponential or quadratic time, or more memory than there is, on a long text of `a`.
const EXPENSIVE: [&str; 14] = [
    "(?:a+)+",
    "(?:a*)*b",
    "(a|a)*",
    "(?:a|aa)+",
    "(a?){64}a{64}b",
    "(?:a{0,99}){99}b",
    "((((a*)*)*)*)*b",
    "(?:(?=.*!)a)*",
    "(?:a(?<=^a*))*b",
    "(a*)*\\1b",
    "(?:a*?)*?b",
    "(?:|){60}b",
    "(?:){999999999}",
    "(?i:(?:A+)+)",
];

#[test]
fn budget_stops_expensive_patterns() {
    // Many times the steps that a pattern without backtracking takes for this text.
    let text = "a".repeat(20_000) + "!";
    for pattern in EXPENSIVE {
        let answer = compile(pattern).matches_whole(&text, &mut Budget::new(300_000));
        assert_eq!(answer, Err(BudgetSpent), "{pattern}");
    }
}

#[test]
fn budget_is_shared_by_several_texts() {
    let mut budget = Budget::new(1_000);
    let pattern = compile("[a-z]*");
    let text = "a".repeat(400);
    assert_eq!(pattern.matches_whole(&text, &mut budget), Ok(true));
    assert_eq!(pattern.matches_whole(&text, &mut budget), Ok(true));
    assert_eq!(pattern.matches_whole(&text, &mut budget), Err(BudgetSpent));
}

#[test]
fn common_patterns_need_few_steps_on_long_text() {
    let text = "Order ORD-123456 was sent. ".repeat(40_000);
    for pattern in [
        "[\\s\\S]*ORD-\\d{6}[\\s\\S]*",
        "(?:Order (ORD-\\d+) was sent\\. ?)+",
        "(?=[\\s\\S]*sent)[^!]+",
    ] {
        let mut budget = Budget::new(20_000_000);
        assert_eq!(
            compile(pattern).matches_whole(&text, &mut budget),
            Ok(true),
            "{pattern}"
        );
    }
}

#[test]
fn repetitions_are_counted_and_not_unrolled() {
    let nested = "(?:".repeat(60) + "a{9999}" + &"){9999}".repeat(60);
    let answer = compile(&nested).matches_whole(&"a".repeat(9_999), &mut Budget::new(100_000));
    assert_eq!(answer, Ok(false));
}
