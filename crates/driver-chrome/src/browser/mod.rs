//! Browsers: which program, how one is started, how one that runs is talked to, and what is known of one of its tabs.

mod attached;
mod downloads;
mod launch;
mod program;
mod state;
mod tab;

pub use attached::{Browser, TabInfo};
pub(crate) use downloads::rename;
pub use downloads::{Downloads, deny_downloads};
pub use launch::{Launch, LaunchError, Sandbox, Started, Window};
pub use program::{Places, Program, ProgramError};
pub use state::{Body, Document, Download, Loading, Response, Standing, TabState};
pub use tab::Tab;
