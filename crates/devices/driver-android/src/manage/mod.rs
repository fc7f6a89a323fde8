//! Manages a phone: packages, settings, and the grants of the Operator app.

mod grants;
mod install;
mod packages;
mod settings;

pub use grants::{Grant, GrantOutcome, Grants, LISTENER, NOTIFICATIONS, grant};
pub use install::{InstallOutcome, install};
pub use packages::{PackageFilter, is_installed, packages};
pub use settings::{Settings, Table};
