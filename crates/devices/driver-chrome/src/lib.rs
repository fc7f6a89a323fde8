//! Web pages in Chrome: finding and starting browsers, pages as trees, input, navigation.

pub mod browser;
mod browser_actions;
mod detach;
mod dialog_actions;
mod download_tracker;
mod driver;
mod front_tab;
mod input;
mod mouse_targets;
mod navigate;
pub mod page;
mod screenshot;
mod tab_view;
mod unfinished;
mod window;

pub use crate::detach::{DialogTab, LeftoverDialog};
pub use crate::driver::{ChromeDriver, FileAccess, RESPONSE_TIMEOUT};
