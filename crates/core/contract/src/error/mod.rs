//! Errors of the contract: the table of codes and the error object.

mod body;
mod code;
mod codes;

pub use body::{Details, ErrorBody};
pub use code::ErrorClass;
pub use codes::ErrorCode;
