//! Android phones over adb. [`StockDriver`] drives a phone on which nothing is installed, with what every phone has.

mod names;
mod profile;
mod shell;
mod stock;

pub use names::{NameError, check_component, check_package};
pub use profile::Profile;
pub use shell::Shell;
pub use stock::StockDriver;
