//! Errors of what was asked for.

use contract::{ErrorBody, ErrorCode};

/// Error of a command line that is not understood.
pub(crate) fn usage(message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorCode::Usage, message)
}

/// Error of arguments that break a rule of the contract.
pub(crate) fn invalid(message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorCode::ExecutionValidationFailed, message)
}

/// Error of an argument that was not given.
pub(crate) fn missing(message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorCode::MissingArgument, message)
}
