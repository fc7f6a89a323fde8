//! An app as its file describes it, and the reader of whole files.

mod check;
mod dialogs;
mod extent;
mod menu;
mod model;
mod page;
pub(crate) mod parse;
pub(crate) mod static_screen;
mod styles;

pub(crate) use check::check_in;
pub use check::{PageSummary, Summary, check};
pub use extent::MAX_WIDGETS;
pub use model::{App, Header, Orientation, Page, PageKind};
pub use page::LARGE;
pub(crate) use parse::is_package;
pub use parse::parse;
pub(crate) use parse::parse_in;
pub use static_screen::StaticScreen;
