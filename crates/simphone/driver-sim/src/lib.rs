//! The embedded simulated phone: apps as data files, real layout, windows, input and navigation in virtual time.
//!
//! [`Phone`] is the device, a synchronous state machine; [`SimDriver`] drives it in the runtime's time. Its apps are
//! YAML files; `assets/apps/README.md` documents their format.

mod app;
mod bundled;
mod catalog;
mod choices;
mod driver;
pub mod fault;
pub mod import;
pub mod journal;
mod kernel_input;
mod keycode;
mod language;
mod layout;
mod motion;
pub mod pace;
mod phone;
mod preview;
mod prompt;
mod seed;
mod units;
mod widget;
mod window;
mod words;

pub use app::{AppError, PageSummary, Problem, Summary, app_reference, app_schema, check};
pub use catalog::{AppSource, LARGEST as LARGEST_APP, app_files, check_source};
pub use choices::{AnimationChoice, PaceChoice, Rotation, Start, ThemeChoice, TimeChoice};
pub use draw::Image;
pub use driver::{SimDriver, SimOptions};
pub use fault::{Fault, FaultKind, SETUP as FAULTS};
pub use journal::{Journal, JournalEntry, Keep};
pub use kernel_input::Finger;
pub use keycode::Keycode;
pub use language::{UnknownLanguage, is_language};
pub use phone::faults::{FaultId, Faults};
pub use phone::{FocusedWindow, PackageInfo, Phone};
pub use preview::{BuiltInApp, Preview, PreviewError, built_in_apps, is_built_in};
pub use prompt::{Grant, Permission, PermissionAnswer, SystemWindow};
pub use seed::Dice;
pub use words::Words;
