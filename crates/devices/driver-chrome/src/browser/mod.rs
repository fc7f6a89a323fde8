//! Browsers: which program, how one is started, how one that runs is talked to, and what is known of one of its tabs.

mod attached;
mod downloads;
mod launch;
#[cfg(unix)]
mod pipe;
mod program;
mod state;
mod tab;

pub use attached::{Browser, TabInfo};
pub(crate) use downloads::rename;
pub use downloads::{Downloads, deny_downloads};
#[cfg(unix)]
pub use launch::StartedWithPipe;
pub use launch::{Launch, LaunchError, Sandbox, Started, Window};
#[cfg(unix)]
pub use pipe::Pipe;
pub use program::{Places, Program, ProgramError};
pub use state::{Body, Document, Download, Loading, Response, Standing, TabState};
pub use tab::Tab;
