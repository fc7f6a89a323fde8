//! Progress events of a run.

use std::time::Duration;

use contract::{Action, StepResult};

/// A progress event.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A step starts.
    StepStarted {
        /// Its place in the plan, from 0.
        index: usize,
        /// How many steps the plan has.
        of: usize,
        /// The action.
        action: &'a Action,
    },
    /// A step has succeeded or failed.
    StepEnded {
        /// Its place in the plan, from 0.
        index: usize,
        /// How many steps the plan has.
        of: usize,
        /// The result.
        result: &'a StepResult,
        /// Its duration; `None` when the device runs the whole plan and does not report it.
        elapsed: Option<Duration>,
    },
}
