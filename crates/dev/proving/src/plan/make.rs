//! A case is made while it is played: what comes next depends on what the screen shows.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cpu_time::ThreadTime;

use super::{Faults, Planner, View};
use crate::case::Case;
use crate::judge::{Violation, judge};
use crate::tally::{Spent, Tally};
use crate::world::World;

/// How many things are done in a case at most.
const OPS: usize = 120;

/// A case that was made and played.
#[derive(Debug)]
pub struct GeneratedCase {
    /// The case; it ends where something was found wrong.
    pub case: Case,
    /// What was found wrong.
    pub violations: Vec<Violation>,
    /// What was counted.
    pub tally: Tally,
    /// Where the time of the processor went.
    pub spent: Spent,
}

/// Makes a case from a seed and plays it, until about so many steps have run or something is wrong.
///
/// # Errors
/// A sentence that says why the phone did not start.
pub fn make(
    seed: u64,
    app: Option<&str>,
    faults: &Faults,
    steps: usize,
) -> Result<GeneratedCase, String> {
    let mut planner = Planner::new(seed, app, faults);
    let clock = ThreadTime::now();
    let setup = planner.setup();
    let mut world = World::start(&setup)?;
    let mut made = GeneratedCase {
        case: Case {
            seed,
            setup,
            ops: Vec::new(),
        },
        violations: Vec::new(),
        tally: Tally::default(),
        spent: Spent::default(),
    };
    made.spent.starting = clock.elapsed();
    let tried = catch_unwind(AssertUnwindSafe(|| {
        go_on(&mut planner, &mut world, &mut made, steps);
    }));
    if let Err(panic) = tried {
        made.violations.push(Violation::panic(panic.as_ref()));
    }
    Ok(made)
}

fn go_on(planner: &mut Planner, world: &mut World, made: &mut GeneratedCase, steps: usize) {
    while made.tally.steps() < steps as u64 && made.case.ops.len() < OPS {
        let clock = ThreadTime::now();
        let screen = world.phone().screen();
        let seen = world.phone().peek();
        let op = planner.next(&View {
            tree: seen.as_ref().map(|seen| &*seen.tree),
            width: screen.width,
            height: screen.height,
        });
        made.case.ops.push(op.clone());
        made.spent.planning += clock.elapsed();
        let clock = ThreadTime::now();
        let trial = world.act(&op);
        made.spent.playing += clock.elapsed();
        let Some(trial) = trial else { continue };
        let clock = ThreadTime::now();
        let verdict = judge(&trial, world.journal());
        made.violations = verdict.violations;
        made.tally.add(&trial, &verdict.limits);
        made.spent.judging += clock.elapsed();
        if !made.violations.is_empty() {
            break;
        }
    }
    made.tally.add_journal(world.journal());
}
