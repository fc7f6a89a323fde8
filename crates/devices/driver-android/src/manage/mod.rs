//! What is done with a phone besides driving it: its packages, its settings, and what the Operator app needs of them.

mod grants;
mod install;
mod packages;
mod settings;

pub use grants::{Grant, Granted, Grants, LISTENER, NOTIFICATIONS, grant};
pub use install::{Installed, install};
pub use packages::{Which, is_installed, packages};
pub use settings::{Settings, Table};
