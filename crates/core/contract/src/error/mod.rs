//! Errors of the contract: the table of codes and the error object.

mod body;
mod class;
mod codes;

pub use body::{Details, ErrorBody};
pub use class::ErrorClass;
pub use codes::ErrorCode;
