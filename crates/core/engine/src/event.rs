//! Progress events of a run.

use std::time::Duration;

use contract::{Action, StepResult};

/// A progress event.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A step starts.
    StepStarted {
        /// Its index in the plan.
        index: usize,
        /// The number of steps in the plan.
        of: usize,
        /// The action.
        action: &'a Action,
    },
    /// A step has succeeded or failed.
    StepEnded {
        /// Its index in the plan.
        index: usize,
        /// The number of steps in the plan.
        of: usize,
        /// The result.
        result: &'a StepResult,
        /// Its duration; `None` when the device runs the whole plan and does not report it.
        elapsed: Option<Duration>,
    },
}
