//! Browsers: finding, starting and connecting to them, and the state of their tabs.

mod client;
mod cookies;
mod downloads;
mod errors;
mod launch;
mod loading;
mod local_storage;
mod origin;
#[cfg(unix)]
mod pipe;
mod program;
mod sockets;
mod state;
mod tab;
mod watch_sessions;

pub(crate) use client::device_of;
pub use client::{Browser, TabInfo};
pub use cookies::{cookie_origin, is_cookie_of};
pub use downloads::{DownloadFolder, Downloads, deny_downloads};
#[cfg(unix)]
pub use launch::PipedBrowser;
pub use launch::{Launch, LaunchError, LaunchedBrowser, Sandbox, Window};
pub use local_storage::{LocalStorage, StoredItem, StoredItems};
pub use origin::Origin;
#[cfg(unix)]
pub use pipe::Pipe;
pub use program::{Program, ProgramError, ProgramSearch};
pub use state::{Document, Download, LoadState, Response, ResponseBody, TabState, TabStatus};
pub use tab::Tab;
