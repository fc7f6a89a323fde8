//! The embedded simulated phone: apps as data files, real layout, windows, input and navigation in virtual time.
//!
//! [`Phone`] is the device, a synchronous state machine; [`SimDriver`] drives it in the runtime's time. `sim-format`
//! reads its apps from YAML files; `sim-view` lays out their screens.

mod driver;
pub mod journal;
mod kernel_input;
mod keycode;
pub mod pace;
mod phone;
mod preview;
mod seeded_rng;

pub use draw::Image;
pub use driver::{SimDriver, SimOptions};
pub use journal::{Journal, JournalEntry, Retention};
pub use kernel_input::Finger;
pub use keycode::Keycode;
pub use phone::faults::{FaultId, Faults};
pub use phone::{FocusedWindow, OpenScreen, PackageInfo, Phone, WidgetIdentity};
pub use preview::{BuiltInApp, Preview, PreviewError, built_in_apps, is_built_in};
pub use seeded_rng::SeededRng;
pub use sim_format::app::{PageSummary, Summary, check};
pub use sim_format::catalog::{AppSource, LARGEST as LARGEST_APP, app_files, check_source};
pub use sim_format::fault::{Fault, FaultKind, SETUP as FAULTS};
pub use sim_format::{
    AnimationChoice, AppError, Grant, PaceChoice, Permission, Problem, Rotation, Start,
    SystemWindow, ThemeChoice, TimeChoice, UnknownLanguage, Words, app_reference, is_language,
    words,
};
pub use sim_format::{fault, import};
