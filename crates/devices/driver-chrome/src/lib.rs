//! Web pages in Chrome: browsers started or found, pages as trees, real input, navigation.

pub mod browser;
mod driver;
mod input;
mod navigate;
pub mod page;
mod picture;
mod rest;
mod view;

pub use crate::driver::{ChromeDriver, Files, SILENT};
pub use crate::rest::{LeftDialog, OpenDialog};
