//! What a run tells while it goes on.

use std::time::Duration;

use contract::{Action, StepResult};

/// One moment of a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A step begins.
    StepStarted {
        /// Its place in the plan, from 0.
        index: usize,
        /// How many steps the plan has.
        of: usize,
        /// What is to be done.
        action: &'a Action,
    },
    /// A step has ended, well or badly.
    StepEnded {
        /// Its place in the plan, from 0.
        index: usize,
        /// How many steps the plan has.
        of: usize,
        /// What came of it.
        result: &'a StepResult,
        /// How long it took; `None` where the device does the plan as a whole and does not say.
        elapsed: Option<Duration>,
    },
}
