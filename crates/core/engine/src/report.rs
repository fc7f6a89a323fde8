//! What a whole run comes to.

use contract::{ErrorBody, ResultEnvelope, Warning};

/// The outcome of a run and the remarks made on the way.
#[derive(Debug)]
pub struct Report {
    /// The envelope of a run that ended by itself, well or badly; or the error of one that was stopped by its
    /// deadline or cancelled, whose details carry the results of the steps that had ended.
    pub outcome: Result<ResultEnvelope, ErrorBody>,
    /// Remarks that change nothing.
    pub warnings: Vec<Warning>,
}
