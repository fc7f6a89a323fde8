//! Browsers: finding, starting and connecting to them, and the state of their tabs.

mod attach;
mod client;
mod cookies;
mod download_folder;
mod launch;
mod loading;
mod local_storage;
mod origin;
mod page_errors;
#[cfg(unix)]
mod pipe;
mod program;
mod sockets;
mod tab;
mod tab_state;
mod watch_sessions;

pub use client::{Browser, TabInfo, device_of};
pub use cookies::{cookie_origin, is_cookie_of};
pub use download_folder::{DownloadFolder, Downloads, deny_downloads};
#[cfg(unix)]
pub use launch::PipedBrowser;
pub use launch::{Launch, LaunchError, LaunchedBrowser, Sandbox, Window};
pub use local_storage::{LocalStorage, StoredItem, StoredItems};
pub use origin::Origin;
#[cfg(unix)]
pub use pipe::Pipe;
pub use program::{Program, ProgramError, ProgramSearch};
pub use tab::Tab;
pub use tab_state::{Document, Download, LoadState, Response, ResponseBody, TabState, TabStatus};
