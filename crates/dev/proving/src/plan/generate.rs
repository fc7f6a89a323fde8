//! Generates a case while it runs: each operation depends on the screen.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Faults, Planner, View};
use crate::case::Case;
use crate::fixture::Fixture;
use crate::judge::{Violation, judge};
use crate::tally::Tally;

/// Maximum number of operations in a case.
const MAX_OPS: usize = 120;

/// A generated case and the findings of its run.
#[derive(Debug)]
pub struct GeneratedCase {
    /// The case; it ends at the first violation.
    pub case: Case,
    pub violations: Vec<Violation>,
    pub tally: Tally,
}

/// Generates a case from a seed and runs it, until about `steps` steps have run or a rule is violated.
pub fn generate(seed: u64, faults: &Faults, steps: usize) -> Result<GeneratedCase, String> {
    let mut planner = Planner::new(seed, faults);
    let setup = planner.setup();
    let mut fixture = Fixture::start(&setup)?;
    let mut generated = GeneratedCase {
        case: Case {
            seed,
            setup,
            ops: Vec::new(),
        },
        violations: Vec::new(),
        tally: Tally::default(),
    };
    let result = catch_unwind(AssertUnwindSafe(|| {
        run_planned_ops(&mut planner, &mut fixture, &mut generated, steps);
    }));
    if let Err(panic) = result {
        generated.violations.push(Violation::panic(panic.as_ref()));
    }
    Ok(generated)
}

fn run_planned_ops(
    planner: &mut Planner,
    fixture: &mut Fixture,
    generated: &mut GeneratedCase,
    steps: usize,
) {
    while generated.tally.steps() < steps as u64 && generated.case.ops.len() < MAX_OPS {
        let screen = fixture.phone().screen();
        let seen = fixture.phone().peek();
        let refs = fixture.refs_on_screen();
        let op = planner.next_op(&View {
            tree: seen.as_ref().map(|seen| &*seen.tree),
            refs: &refs,
            last_ref: fixture.last_ref(),
            width: screen.width,
            height: screen.height,
        });
        generated.case.ops.push(op.clone());
        let Some(run) = fixture.execute(&op) else {
            continue;
        };
        let verdict = judge(&run, fixture.journal());
        generated.violations = verdict.violations;
        generated.tally.add(&run, &verdict.limits);
        if !generated.violations.is_empty() {
            break;
        }
    }
    generated.tally.add_journal(fixture.journal());
}
