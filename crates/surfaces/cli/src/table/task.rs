//! The work of a command after parsing.

use contract::ErrorBody;

use crate::output::Answer;
use crate::table::Globals;

/// The work of a command; a closure that takes the global flags is one.
pub(crate) trait Task {
    /// Does it.
    fn run(self: Box<Self>, globals: &Globals) -> Result<Answer, ErrorBody>;

    /// The ids in the log; `None` for a task that is not logged.
    fn log_ids(&self) -> Option<LogIds> {
        Some(LogIds::default())
    }
}

impl<F: FnOnce(&Globals) -> Result<Answer, ErrorBody>> Task for F {
    fn run(self: Box<Self>, globals: &Globals) -> Result<Answer, ErrorBody> {
        self(globals)
    }
}

/// The ids of an execution in the log.
#[derive(Default)]
pub(crate) struct LogIds {
    pub(crate) command_id: Option<String>,
    pub(crate) task_id: Option<String>,
}

/// Prints a ready answer.
pub(crate) struct Print(pub(crate) Answer);

impl Task for Print {
    fn run(self: Box<Self>, _: &Globals) -> Result<Answer, ErrorBody> {
        Ok(self.0)
    }

    fn log_ids(&self) -> Option<LogIds> {
        None
    }
}
