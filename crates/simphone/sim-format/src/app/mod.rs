//! The model of an app, and the reader of whole app files.

mod check;
mod dialogs;
mod menu;
mod model;
mod page;
pub(crate) mod parse;
pub(crate) mod static_screen;
mod styles;

pub(crate) use check::check_in;
pub use check::{PageSummary, Summary, check};
pub use model::{App, Header, Orientation, Page, PageKind};
pub use page::LARGE;
pub(crate) use parse::is_package;
pub use parse::parse;
pub(crate) use parse::parse_in;
pub use static_screen::StaticScreen;

/// The maximum number of widgets in a window.
pub const MAX_WIDGETS: usize = 100_000;
