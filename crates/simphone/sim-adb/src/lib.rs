//! The simulated phone behind an adb daemon on loopback, with shell, files and log.
//!
//! [`Daemon::bind`] creates a phone and listens; [`Daemon::run`] serves it until it is dropped. One process can serve several
//! phones. The phone's journal ([`AdbPhone::driver`]) records the input that arrived. [`WireFault`]s are faults of the
//! transport; faults of the screen are those of `driver_sim`.
//!
//! The phone behaves like Android 16. Its clock is the runtime's.

mod adb_phone;
mod agent;
mod agent_process;
mod agent_slot;
mod apk;
mod clock;
mod daemon;
mod fault;
mod files;
mod handshake;
mod input_devices;
mod log;
mod operator_names;
mod packages;
mod record;
mod service;
mod shell;

mod wire;

pub use adb_phone::{
    Access, AdbPhone, FEATURES, Installable, Operator, OperatorApp, Options, report, report_screen,
};
pub use agent_process::AgentProcess;
pub use apk::Apk;
pub use clock::Moment;
pub use daemon::{Daemon, StartError};
pub use fault::{
    AgentFault, CommandStage, Direction, WireFault, WireFaultError, WireFaultId, WireFaultSpec,
    WireFaults, WireParam, WireRow, wire_faults,
};
pub use files::{Errno, Files, Meta};
pub use log::{Entry, Log, PIECE, Priority};
pub use packages::is_system_app;
pub use record::{Record, Sink};
