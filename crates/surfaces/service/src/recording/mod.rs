//! Recordings of phones: pulling, listing and reading them.

mod list;
mod parse;
mod pull;

pub use crate::recorder::{RecorderOptions, run_recorder};
pub use driver_android::{AgentForm, Limits};
pub use list::{State, StoredRecording, list};
pub use parse::{OutputFormat, ParseOutput, ParseRequest, parse};
pub use pull::{PullRequest, PullResult, pull};
