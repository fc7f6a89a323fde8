//! The result of a run.

use std::sync::Arc;

use contract::{ErrorBody, ResultEnvelope, Warning};
use uitree::UiTree;

/// The outcome of a run and its warnings.
#[derive(Debug)]
pub struct Report {
    /// The envelope of a completed run, or the error of one that was refused, timed out or was cancelled, with the results
    /// of the finished steps in its details.
    pub outcome: Result<ResultEnvelope, ErrorBody>,
    /// Warnings, which do not change the outcome.
    pub warnings: Vec<Warning>,
    /// The first screen of the run, if one was observed.
    pub first: Option<Arc<UiTree>>,
    /// The last screen of the run, which is the one after the last step if the plan asks for it.
    pub last: Option<Arc<UiTree>>,
}

impl Report {
    /// The report of a run that was refused or stopped.
    pub(crate) fn stopped(error: ErrorBody, warnings: Vec<Warning>) -> Self {
        Self {
            outcome: Err(error),
            warnings,
            first: None,
            last: None,
        }
    }
}
