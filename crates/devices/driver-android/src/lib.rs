//! Android phones over adb. [`StockDriver`] drives a phone on which nothing is installed, with what every phone has;
//! [`Operator`] hands whole plans to the Operator app.

pub mod manage;
mod names;
mod operator;
mod profile;
mod record;
mod screen;
mod shell;
mod stock;

pub use names::{NameError, check_component, check_package};
pub use operator::{
    Dispatched, Ended, Installed, Operator, OperatorState, Presence, Probe, SERVICE, SPOKEN, Said,
    Snapshot, Switch, TooLong, Version, operator_state, probe, sister,
};
pub use profile::Profile;
pub use record::{
    Finished, Hears, Limit, Limits, Moment, RECORDER, RecordError, Session, Tally, Write, record,
};
pub use screen::{Lock, ScreenState, wake};
pub use shell::Shell;
pub use stock::{Recorder, StockDriver};
