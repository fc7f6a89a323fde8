//! The simulated phone as a phone that adb can talk to: the daemon on loopback, its shell, its files, its log.
//!
//! [`Daemon::bind`] makes a phone and listens; [`Daemon::run`] serves it until it is dropped. Several phones can live in
//! one process. What the phone really got is in its journal ([`AdbPhone::driver`]), whatever was said over the wire; what
//! goes wrong on the wire are [`WireFault`]s, what goes wrong on the screen are the phone's own faults.
//!
//! The phone answers as an Android 16 does. It lives in the runtime's time.

mod adb_phone;
mod agent;
mod agent_slot;
mod apk;
mod clock;
mod daemon;
mod fault;
mod files;
mod handshake;
mod log;
mod operator_names;
mod packages;
mod record;
mod service;
mod shell;
mod touch;
mod wire;

pub use adb_phone::{
    Access, AdbPhone, FEATURES, Installable, Operator, OperatorApp, Options, report, report_screen,
};
pub use apk::Apk;
pub use clock::Moment;
pub use daemon::{Daemon, StartError};
pub use fault::{
    AgentFault, Direction, NoSuchFault, Stage, WireFault, WireFaultId, WireFaults, WireParam,
    WireRow, WireStrike, wire_faults,
};
pub use files::{Errno, Files, Meta};
pub use log::{Entry, Log, PIECE, Priority};
pub use packages::is_of_the_system;
pub use record::{Record, Sink};
