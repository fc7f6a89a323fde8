//! Errors about arguments.

use contract::{ErrorBody, ErrorCode};

use crate::truncate;

/// Error of an invalid command line.
pub(crate) fn usage(message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorCode::Usage, message)
}

/// Error of arguments that break a rule of the contract.
pub(crate) fn invalid(message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorCode::ExecutionValidationFailed, message)
}

/// Error of a missing argument.
pub(crate) fn missing(message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorCode::MissingArgument, message)
}

/// Message about a value that is not one of a few words: ``invalid value "x" for --via (expected auto, stock or operator)``.
pub(crate) fn not_one_of(value: &str, name: &str, expected: &[&str]) -> String {
    format!(
        "invalid value {:?} for {name} (expected {})",
        truncate::cut(value),
        alternatives(expected)
    )
}

/// Words as a choice: `a, b or c`.
pub(crate) fn alternatives(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
