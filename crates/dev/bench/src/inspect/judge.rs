//! Compares answers with the right ones.

use std::time::Duration;

use crate::suite::{Case, Expect};

named! {
    /// The verdict of an answer, by its name there.
    pub enum Verdict {
        /// The first element is the right one.
        Certain = "certain",
        /// The first element matches best, but not well enough.
        Unsure = "unsure",
        /// Several match equally well.
        Ambiguous = "ambiguous",
        /// Nothing matches.
        NotFound = "not_found",
    }
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub verdict: Verdict,
    /// The probability in percent that the first element is right; 0 without elements.
    pub score: u8,
    /// The elements, the best first, by backend node id.
    pub ranked: Vec<i64>,
    /// The elements that the first selector of the first element matches in the page, checked independently;
    /// `None` without a selector.
    pub hit: Option<Vec<i64>>,
    /// The answer as an agent reads it.
    pub text: String,
    /// The duration from the query to the text.
    pub took: Duration,
}

/// The quality of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The first element is right; or none or several were expected, and answered.
    pub first: bool,
    /// One of the first three elements is right.
    pub third: bool,
    /// It was certain of a wrong element: an agent would click it.
    pub misled: bool,
    /// There was one right element, but the answer was not certain.
    pub undecided: bool,
    /// Whether the first selector matches only the first element; `None` without a selector.
    pub unique: Option<bool>,
}

/// Compares `answer` with `case`.
pub fn judge(case: &Case, answer: &Answer) -> Outcome {
    let certain = answer.verdict == Verdict::Certain;
    let right = |node: &i64| case.expect.nodes().contains(node);
    let (first, third, undecided) = match &case.expect {
        Expect::Element(_) => {
            let found = answer.verdict != Verdict::NotFound;
            (
                found && answer.ranked.first().is_some_and(right),
                found && answer.ranked.iter().take(3).any(right),
                !certain,
            )
        }
        Expect::Ambiguous(_) => {
            let several = answer.verdict == Verdict::Ambiguous;
            let first = several && answer.ranked.first().is_some_and(right);
            (first, first, false)
        }
        Expect::Nothing => {
            let nothing = answer.verdict == Verdict::NotFound;
            (nothing, nothing, false)
        }
    };
    Outcome {
        first,
        third,
        misled: certain && !first,
        undecided,
        unique: match (&answer.hit, answer.ranked.first()) {
            (Some(hit), Some(node)) => Some(hit.as_slice() == [*node]),
            (Some(_), None) => Some(false),
            (None, _) => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Suite;

    fn of(expect: Expect, verdict: Verdict, ranked: &[i64]) -> [bool; 4] {
        let case = Case {
            suite: Suite::Name,
            author: String::new(),
            page: "p".to_owned(),
            query: "q".to_owned(),
            expect,
        };
        let answer = Answer {
            verdict,
            score: 0,
            ranked: ranked.to_vec(),
            hit: None,
            text: String::new(),
            took: Duration::ZERO,
        };
        let outcome = judge(&case, &answer);
        [
            outcome.first,
            outcome.third,
            outcome.misled,
            outcome.undecided,
        ]
    }

    #[test]
    fn right_element_must_be_first() {
        let one = || Expect::Element(vec![7, 8]);
        assert_eq!(
            of(one(), Verdict::Certain, &[8, 1]),
            [true, true, false, false]
        );
        assert_eq!(
            of(one(), Verdict::Certain, &[1, 2, 7]),
            [false, true, true, false]
        );
        assert_eq!(
            of(one(), Verdict::Unsure, &[1, 2, 3, 7]),
            [false, false, false, true]
        );
        assert_eq!(
            of(one(), Verdict::Ambiguous, &[7, 2]),
            [true, true, false, true]
        );
        assert_eq!(
            of(one(), Verdict::NotFound, &[7]),
            [false, false, false, true]
        );
    }

    #[test]
    fn not_found_and_ambiguous_can_be_right() {
        let several = || Expect::Ambiguous(vec![7, 8]);
        assert_eq!(
            of(several(), Verdict::Ambiguous, &[8, 7]),
            [true, true, false, false]
        );
        assert_eq!(
            of(several(), Verdict::Ambiguous, &[1]),
            [false, false, false, false]
        );
        assert_eq!(
            of(several(), Verdict::Certain, &[7]),
            [false, false, true, false]
        );
        assert_eq!(
            of(Expect::Nothing, Verdict::NotFound, &[]),
            [true, true, false, false]
        );
        assert_eq!(
            of(Expect::Nothing, Verdict::Unsure, &[1]),
            [false, false, false, false]
        );
        assert_eq!(
            of(Expect::Nothing, Verdict::Certain, &[1]),
            [false, false, true, false]
        );
    }

    #[test]
    fn selector_is_unique_if_it_matches_only_the_element() {
        let case = Case {
            suite: Suite::Name,
            author: String::new(),
            page: String::new(),
            query: String::new(),
            expect: Expect::Element(vec![1]),
        };
        let unique = |hit: Option<&[i64]>| {
            let answer = Answer {
                verdict: Verdict::Certain,
                score: 0,
                ranked: vec![1],
                hit: hit.map(<[i64]>::to_vec),
                text: String::new(),
                took: Duration::ZERO,
            };
            judge(&case, &answer).unique
        };
        assert_eq!(unique(Some(&[1])), Some(true));
        assert_eq!(unique(Some(&[1, 2])), Some(false));
        assert_eq!(unique(Some(&[2])), Some(false));
        assert_eq!(unique(Some(&[])), Some(false));
        assert_eq!(unique(None), None);
    }
}
