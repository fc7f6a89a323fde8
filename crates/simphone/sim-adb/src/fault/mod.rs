//! Faults between the phone and its clients. Faults on its screen are those of the phone itself
//! (`driver_sim::Fault`); both can be had together.

mod table;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::record::Record;
pub use table::{NoSuchFault, WireParam, WireRow, rows as wire_faults};

/// The direction of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the phone.
    In,
    /// From the phone.
    Out,
}

/// Where in the life of a command the connection breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The command has been taken, and nothing of it done.
    Before,
    /// It is done, and nothing of its answer has been sent.
    Done,
}

/// Something that goes wrong on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireFault {
    /// The phone takes connections and answers nothing.
    Offline,
    /// It wants a proof from everybody and accepts none.
    Unauthorized,
    /// A connection breaks after so many bytes, counted from its beginning.
    CutAfter {
        /// Bytes.
        bytes: u64,
        /// Which bytes are counted.
        direction: Direction,
    },
    /// The connection breaks in the middle of a command whose line holds this.
    CutIn {
        /// What the line holds.
        command: String,
        /// Where.
        stage: Stage,
    },
    /// Every packet takes longer.
    Slow {
        /// By so much.
        delay: Duration,
    },
    /// The log has lines of no form and bytes of no text between its entries.
    LogGarbage,
    /// A dump loses its end.
    TruncatedDump,
    /// A dump fails and leaves the file of an earlier one as it is, and says that it wrote it.
    StaleDump,
    /// A dump says that the screen never came to rest.
    NoIdle,
    /// A dump says that there is no root.
    NullRoot,
    /// There is a second display with an app of its own.
    TwoDisplays,
    /// The shell may inject no input.
    DenyInput,
    /// Nothing more can be written.
    FullDisk,
    /// No shell is opened.
    NoShell,
    /// Something goes wrong with our agent.
    Agent(AgentFault),
}

/// Something that goes wrong with our agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentFault {
    /// Another program holds the UiAutomation, so that it does not start.
    SlotTaken,
    /// A part of the window in front cannot be read.
    HalfTree,
    /// The root of the window in front cannot be read.
    NoRoot,
    /// It tells of the screen before.
    StaleCache,
    /// Its process ends around an input.
    Killed(Stage),
    /// A frame is cut, and the connection ends.
    CutFrames,
    /// It speaks a later version.
    Version,
    /// It speaks an earlier version.
    OldVersion,
    /// The system does not run the app form's accessibility service.
    ServiceOff,
    /// The app refuses a text that the agent sets in a field.
    TextRefused,
}

/// A fault, and which of the times that it could strike it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireStrike {
    /// What goes wrong.
    pub fault: WireFault,
    /// The first time that it strikes, counted from 1.
    pub first: u32,
    /// How often it strikes at most; without a number for ever.
    pub times: Option<u32>,
}

impl From<WireFault> for WireStrike {
    fn from(fault: WireFault) -> Self {
        Self {
            fault,
            first: 1,
            times: None,
        }
    }
}

/// Names a fault that was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireFaultId(u64);

#[derive(Debug)]
struct Armed {
    id: u64,
    fault: WireFault,
    /// How often it lets pass what it could strike.
    skip: u32,
    /// How often it may still strike; without a number for ever.
    left: Option<u32>,
    struck: u32,
}

/// The faults of one phone's wire; they can be set and taken away while it runs.
#[derive(Clone, Debug)]
pub struct WireFaults {
    armed: Arc<Mutex<Vec<Armed>>>,
    /// Counts the changes.
    changes: Arc<watch::Sender<u64>>,
    record: Record,
}

impl Default for WireFaults {
    fn default() -> Self {
        Self::with_record(Record::default())
    }
}

impl WireFaults {
    /// No faults yet; `record` is notified of each strike.
    pub(crate) fn with_record(record: Record) -> Self {
        Self {
            armed: Arc::default(),
            changes: Arc::new(watch::Sender::new(0)),
            record,
        }
    }

    fn armed(&self) -> MutexGuard<'_, Vec<Armed>> {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets a fault that strikes whenever it can.
    pub fn add(&self, fault: WireFault) -> WireFaultId {
        self.arm(fault.into())
    }

    /// Sets a fault that strikes so many times.
    pub fn add_times(&self, fault: WireFault, times: u32) -> WireFaultId {
        self.arm(WireStrike {
            times: Some(times),
            ..fault.into()
        })
    }

    /// Sets a fault that strikes when its times have come.
    pub fn arm(&self, strike: WireStrike) -> WireFaultId {
        let mut id = 0;
        self.changes.send_modify(|changes| {
            *changes += 1;
            id = *changes;
        });
        self.armed().push(Armed {
            id,
            fault: strike.fault,
            skip: strike.first.saturating_sub(1),
            left: strike.times,
            struck: 0,
        });
        WireFaultId(id)
    }

    /// Takes a fault away; what it has broken stays broken.
    pub fn remove(&self, id: WireFaultId) {
        self.armed().retain(|armed| armed.id != id.0);
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// Takes all faults away.
    pub fn clear(&self) {
        self.armed().clear();
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// How often a fault has struck.
    pub fn strikes(&self, id: WireFaultId) -> u32 {
        let armed = self.armed();
        armed
            .iter()
            .find(|armed| armed.id == id.0)
            .map_or(0, |armed| armed.struck)
    }

    /// The first fault that may strike and of which `wanted` makes something; it has struck then.
    pub(crate) fn strike<T>(&self, wanted: impl Fn(&WireFault) -> Option<T>) -> Option<T> {
        let mut armed = self.armed();
        armed.iter_mut().find_map(|armed| {
            if armed.left == Some(0) {
                return None;
            }
            let found = wanted(&armed.fault)?;
            if armed.skip > 0 {
                armed.skip -= 1;
                return None;
            }
            armed.left = armed.left.map(|left| left - 1);
            armed.struck += 1;
            // A fault that affects every packet is recorded once.
            if armed.struck == 1 || !matches!(armed.fault, WireFault::Slow { .. }) {
                self.record
                    .wire_fault(armed.fault.name(), &armed.fault.to_string());
            }
            Some(found)
        })
    }

    /// Whether this very fault strikes.
    pub(crate) fn has(&self, fault: &WireFault) -> bool {
        self.strike(|each| (each == fault).then_some(())).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_strikes_as_often_as_it_may() {
        let faults = WireFaults::default();
        let id = faults.add_times(WireFault::NullRoot, 2);
        faults.add(WireFault::NoIdle);
        let struck: Vec<bool> = (0..3).map(|_| faults.has(&WireFault::NullRoot)).collect();
        assert_eq!(struck, [true, true, false]);
        assert_eq!(faults.strikes(id), 2);
        assert!(faults.has(&WireFault::NoIdle));
        faults.clear();
        assert!(!faults.has(&WireFault::NoIdle));
        faults.arm("null_root @2".parse().unwrap());
        let struck: Vec<bool> = (0..4).map(|_| faults.has(&WireFault::NullRoot)).collect();
        assert_eq!(struck, [false, true, false, false]);
    }
}
