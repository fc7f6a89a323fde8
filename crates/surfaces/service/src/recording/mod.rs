//! Recordings of phones: pulling, listing and reading them.

mod list;
mod parse;
mod pull;

pub use crate::record_by::RecordBy;
pub use crate::recorder::{RecorderOptions, run_recorder};
pub use driver_android::Limits;
pub use list::{State, StoredRecording, list};
pub use parse::{OutputFormat, ParseOutput, ParseRequest, parse};
pub use pull::{PullRequest, PullResult, pull};
