//! What is done with a phone besides driving it: its packages, its settings, and what the Operator app needs of them.

mod grants;
mod install;
mod packages;
mod settings;

pub use grants::{Grant, GrantOutcome, Grants, LISTENER, NOTIFICATIONS, grant};
pub use install::{InstallOutcome, install};
pub use packages::{PackageFilter, is_installed, packages};
pub use settings::{Settings, Table};
