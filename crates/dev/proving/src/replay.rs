//! Runs saved or generated cases and reports what happened.

use serde_json::Value;

use crate::case::Case;
use crate::fixture::Fixture;
use crate::judge::{Violation, judge};
use crate::report::{CaseReport, OpRecord};

/// The outcome of running a case.
#[derive(Debug)]
pub struct Replay {
    /// Violations of the last run; the case ends at the first run with violations.
    pub violations: Vec<Violation>,
    /// The phone's journal, one line per entry.
    pub journal: Vec<String>,
    pub results: Vec<Value>,
    pub report: Vec<String>,
}

/// Runs a case.
pub fn replay(case: &Case) -> Replay {
    let mut replay = Replay {
        violations: Vec::new(),
        journal: Vec::new(),
        results: Vec::new(),
        report: Vec::new(),
    };
    let mut report = CaseReport::new(case);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        run_case(case, &mut replay, &mut report);
    }));
    if let Err(panic) = result {
        replay.violations.push(Violation::panic(panic.as_ref()));
        report.add_violations(&replay.violations);
    }
    replay.report = report.into_lines();
    replay
}

fn run_case(case: &Case, replay: &mut Replay, report: &mut CaseReport) {
    let mut fixture = match Fixture::start(&case.setup) {
        Ok(fixture) => fixture,
        Err(error) => {
            replay.violations.push(Violation::new("start", error));
            report.add_violations(&replay.violations);
            return;
        }
    };
    for op in &case.ops {
        let time = fixture.phone().now();
        let run = fixture.execute(op);
        if let Some(run) = &run {
            replay.violations = judge(run, fixture.journal()).violations;
            replay.results.push(run.result_json());
        }
        report.add(&OpRecord {
            op,
            time,
            run: run.as_ref(),
            journal: fixture.journal(),
            violations: &replay.violations,
        });
        if !replay.violations.is_empty() {
            break;
        }
    }
    replay.journal = fixture.journal().iter().map(ToString::to_string).collect();
}
