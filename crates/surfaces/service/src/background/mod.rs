//! Background processes: copies of this program that outlive the command that started them.
//!
//! | process | started by | record | ends |
//! |---|---|---|---|
//! | recorder of a phone ([`crate::recorder`]) | `recording start` | `recorder-<device>.json` | by a stop order, at its limit, or on a signal |
//! | simulated phone ([`crate::sim::process`]) | the user (`sim start`) | `phones/<serial>.json` | by a stop order or on a signal |
//! | broker of a browser's pipe ([`crate::chrome`]) | `chrome start` | `browsers/<id>.json`, which describes the browser | with its browser |
//! | daemon that drives a browser's tabs ([`crate::chrome::daemon`]) | commands on pages | `browsers/<id>.daemon` | with its browser, or by a stop order |
//!
//! Commands find a process by its record in a private folder of the user and talk to it over a socket in the same folder.
//! Requests carry the secret from the record. No process is signalled on the strength of its pid alone.

mod control;
mod launcher;
mod process_record;
mod socket;

use std::time::Duration;

pub(crate) use control::{ControlSocket, StopError, StopRequest, is_stop_order};
pub use launcher::Launcher;
pub(crate) use launcher::reap;
pub(crate) use process_record::{
    BackgroundRecord, Liveness, ProcessRecord, RecordFile, live_records, open_folder,
};
pub(crate) use socket::{Listener, OwnedReadHalf, Stream};

/// How long another process of this machine may take to answer.
pub(crate) const REPLY_TIMEOUT: Duration = Duration::from_secs(5);
