//! The embedded simulated phone: apps as data files, real layout, windows, input and navigation in virtual time.
//!
//! [`Phone`] is the device, a synchronous state machine; [`SimDriver`] drives it in the runtime's time. Its apps are
//! YAML files; `assets/apps/README.md` documents their format.

mod app;
mod bundled;
mod catalog;
mod clock;
mod driver;
pub mod fault;
pub mod import;
mod input;
pub mod journal;
mod kernel_input;
mod layout;
mod motion;
pub mod pace;
mod phone;
mod preview;
mod recording;
mod seed;
mod units;
mod widget;
mod window;
mod words;

pub use app::{AppError, PageSummary, Problem, Summary, app_reference, app_schema, check};
pub use catalog::{AppSource, LARGEST as LARGEST_APP, app_files, check_source};
pub use draw::Image;
pub use driver::{SimDriver, SimOptions, Start, ThemeChoice, TimeChoice};
pub use fault::{Fault, FaultKind, SETUP as FAULTS};
pub use input::Keycode;
pub use journal::{Journal, JournalEntry, Keep};
pub use kernel_input::Finger;
pub use motion::AnimationChoice;
pub use pace::PaceChoice;
pub use phone::{
    FocusedWindow, Grant, PackageInfo, Permission, PermissionAnswer, Phone, Rotation, SystemWindow,
    UnknownLanguage, is_language,
};
pub use preview::{BuiltInApp, Preview, PreviewError, built_in_apps, is_built_in};
pub use seed::Dice;
pub use words::Words;
