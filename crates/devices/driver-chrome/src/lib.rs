//! Web pages in Chrome: finding and starting browsers, pages as trees, input, navigation.

pub mod browser;
mod detach;
mod dialogs;
mod downloads;
mod driver;
mod forms;
mod front;
mod input;
mod mouse;
mod navigate;
pub mod page;
mod screenshot;
mod tabs;
mod unfinished;
mod view;
mod window;

pub use crate::detach::{DialogTab, LeftoverDialog};
pub use crate::driver::{ChromeDriver, FileAccess, RESPONSE_TIMEOUT};
