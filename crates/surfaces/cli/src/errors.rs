//! Errors about arguments.

use contract::{ErrorBody, ErrorCode};

/// What a flag for a port expects.
pub(crate) const A_PORT: &str = "a number from 0 to 65535";

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
    invalid_value(value, name, &alternatives(expected))
}

/// Message about a value of the wrong form.
pub(crate) fn invalid_value(value: &str, name: &str, expected: &str) -> String {
    let value = escape::truncate_input(value);
    format!("invalid value {value:?} for {name} (expected {expected})")
}

/// Words as a choice: `a, b or c`.
pub(crate) fn alternatives(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
