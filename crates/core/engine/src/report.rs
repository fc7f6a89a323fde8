//! The result of a run.

use contract::{ErrorBody, ResultEnvelope, Warning};

/// The outcome of a run and its warnings.
#[derive(Debug)]
pub struct Report {
    /// The envelope of a completed run, or the error of one that timed out or was cancelled, with the results
    /// of the finished steps in its details.
    pub outcome: Result<ResultEnvelope, ErrorBody>,
    /// Warnings, which do not change the outcome.
    pub warnings: Vec<Warning>,
}
