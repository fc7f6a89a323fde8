//! Counts of right and wrong answers.

use inspect::find::{FindResult, Verdict};

use crate::saved::{Case, Expect};

/// How an answer compares with the right one.
#[derive(Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) first: bool,
    pub(crate) third: bool,
    pub(crate) certain: bool,
    /// Score of the first element.
    pub(crate) score: u8,
    pub(crate) expect: Expect,
}

impl Outcome {
    /// Compares `found` with the right answer of `case`.
    pub(crate) fn of(case: &Case, found: &FindResult) -> Self {
        let right = |at: usize| {
            let hit = found.ranked.get(at);
            hit.is_some_and(|hit| case.places.contains(&hit.place))
        };
        let (first, third) = match case.expect {
            Expect::Element => (right(0), right(0) || right(1) || right(2)),
            Expect::Several => {
                let several = matches!(found.verdict, Verdict::Ambiguous { .. }) && right(0);
                (several, several)
            }
            Expect::Nothing => {
                let nothing = matches!(found.verdict, Verdict::NotFound { .. });
                (nothing, nothing)
            }
        };
        Self {
            first,
            third,
            certain: found.verdict == Verdict::Certain,
            score: found.ranked.first().map_or(0, |hit| hit.score),
            expect: case.expect,
        }
    }
}

/// Outcomes of one suite.
#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) outcomes: Vec<Outcome>,
}

impl Figures {
    fn share(part: usize, whole: usize) -> f64 {
        100.0 * part as f64 / whole.max(1) as f64
    }

    fn count(&self, holds: impl Fn(&Outcome) -> bool) -> usize {
        self.outcomes.iter().filter(|one| holds(one)).count()
    }

    /// Rates in percent: of all, of the questions with one answer, of those without an answer.
    pub(crate) fn line(&self) -> String {
        let all = self.outcomes.len();
        let one = self.count(|one| one.expect == Expect::Element);
        let absent = self.count(|one| one.expect == Expect::Nothing);
        format!(
            "{all:>5}  top-1 {:>5.1}  top-3 {:>5.1}  misled {:>4.1}  undecided {:>5.1}  absent {absent:>4}  absent certain {:>4.1}",
            Self::share(self.count(|one| one.first), all),
            Self::share(self.count(|one| one.third), all),
            Self::share(self.count(|one| one.certain && !one.first), all),
            Self::share(
                self.count(|one| one.expect == Expect::Element && !one.certain),
                one
            ),
            Self::share(
                self.count(|one| one.expect == Expect::Nothing && one.certain),
                absent
            ),
        )
    }

    /// For scores in tens, how many answers had one and how many of these were right.
    pub(crate) fn calibration(&self) -> String {
        let mut text = String::new();
        for from in (0..100_u8).step_by(10) {
            let within = |one: &&Outcome| one.score >= from && one.score < from + 10;
            let said = || self.outcomes.iter().filter(within);
            let right = said().filter(|one| one.first).count();
            let count = said().count();
            if count > 0 {
                text.push_str(&format!(
                    "    said {from:>2} to {:>2}: {right:>4} of {count:>4} right, {:>5.1} %\n",
                    from + 9,
                    Self::share(right, count)
                ));
            }
        }
        text
    }
}
