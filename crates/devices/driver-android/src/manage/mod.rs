//! Manages a phone: packages, settings, the grants of the Operator app, and the runtime app.

mod grants;
mod install;
mod packages;
mod runtime_app;
mod settings;

pub use grants::{Grant, GrantOutcome, Grants, LISTENER, NOTIFICATIONS, grant};
pub use install::{InstallOutcome, install};
pub use packages::{PackageFilter, is_installed, packages};
pub use runtime_app::{apk_sha256, grant_runtime_app, restart_runtime_app};
pub use settings::{Settings, Table};
