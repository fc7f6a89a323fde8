//! Faults of the transport between the phone and its clients. Faults of the screen are `driver_sim::Fault`s.

mod table;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::record::Record;
pub use table::{WireFaultError, WireParam, WireRow, rows as wire_faults};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandStage {
    /// The command has arrived and has not started.
    Before,
    /// It has finished, and nothing of its answer has been sent.
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireFault {
    Offline,
    /// It demands authentication and rejects every key.
    Unauthorized,
    CutAfter {
        bytes: u64,
        /// Which bytes are counted.
        direction: Direction,
    },
    CutIn {
        /// Text that the command line contains.
        command: String,
        stage: CommandStage,
    },
    Slow {
        delay: Duration,
    },
    /// Malformed lines and invalid UTF-8 appear between log entries.
    LogGarbage,
    TruncatedDump,
    /// A dump fails, keeps the file of an earlier one and reports success.
    StaleDump,
    NoIdle,
    NullRoot,
    /// There is a second display with its own app.
    TwoDisplays,
    DenyInput,
    /// Writes fail: no space is left.
    FullDisk,
    NoShell,
    Agent(AgentFault),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentFault {
    /// Another program holds the UiAutomation, so that it does not start.
    SlotTaken,
    /// A part of the window in front cannot be read.
    HalfTree,
    /// The root of the window in front cannot be read.
    NoRoot,
    StaleCache,
    Killed(CommandStage),
    /// A frame is truncated, and the connection ends.
    CutFrames,
    /// It speaks a later protocol version.
    Version,
    /// It speaks an earlier protocol version.
    OldVersion,
    /// The system does not run the app form's accessibility service.
    ServiceOff,
    /// The app refuses a text that the agent sets in a field.
    TextRefused,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireFaultSpec {
    pub fault: WireFault,
    /// The first occasion on which it fires, counted from 1.
    pub first: u32,
    /// How often it fires at most; `None` for no limit.
    pub times: Option<u32>,
}

impl From<WireFault> for WireFaultSpec {
    fn from(fault: WireFault) -> Self {
        Self {
            fault,
            first: 1,
            times: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireFaultId(u64);

#[derive(Debug)]
struct ArmedFault {
    id: u64,
    fault: WireFault,
    /// How many occasions it still skips.
    skip: u32,
    /// How often it may still fire; `None` for no limit.
    left: Option<u32>,
    fired: u32,
}

/// The armed transport faults of one phone; they can be added and removed while it runs.
#[derive(Clone, Debug)]
pub struct WireFaults {
    armed: Arc<Mutex<Vec<ArmedFault>>>,
    changes: Arc<watch::Sender<u64>>,
    record: Record,
}

impl Default for WireFaults {
    fn default() -> Self {
        Self::with_record(Record::default())
    }
}

impl WireFaults {
    /// No faults; `record` is notified whenever one fires.
    pub(crate) fn with_record(record: Record) -> Self {
        Self {
            armed: Arc::default(),
            changes: Arc::new(watch::Sender::new(0)),
            record,
        }
    }

    fn armed(&self) -> MutexGuard<'_, Vec<ArmedFault>> {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Arms a fault that fires on every occasion.
    pub fn add(&self, fault: WireFault) -> WireFaultId {
        self.arm(fault.into())
    }

    /// Arms a fault that fires on the first `times` occasions.
    pub fn add_times(&self, fault: WireFault, times: u32) -> WireFaultId {
        self.arm(WireFaultSpec {
            times: Some(times),
            ..fault.into()
        })
    }

    pub fn arm(&self, spec: WireFaultSpec) -> WireFaultId {
        let mut id = 0;
        self.changes.send_modify(|changes| {
            *changes += 1;
            id = *changes;
        });
        self.armed().push(ArmedFault {
            id,
            fault: spec.fault,
            skip: spec.first.saturating_sub(1),
            left: spec.times,
            fired: 0,
        });
        WireFaultId(id)
    }

    /// Removes a fault; connections that it broke stay broken.
    pub fn remove(&self, id: WireFaultId) {
        self.armed().retain(|armed| armed.id != id.0);
        self.changes.send_modify(|changes| *changes += 1);
    }

    pub fn clear(&self) {
        self.armed().clear();
        self.changes.send_modify(|changes| *changes += 1);
    }

    pub fn times_fired(&self, id: WireFaultId) -> u32 {
        let armed = self.armed();
        let found = armed.iter().find(|armed| armed.id == id.0);
        found.map_or(0, |armed| armed.fired)
    }

    /// Fires the first fault for which `wanted` returns something and whose occasion it is.
    pub(crate) fn fire<T>(&self, select: impl Fn(&WireFault) -> Option<T>) -> Option<T> {
        let mut armed = self.armed();
        armed.iter_mut().find_map(|armed| {
            if armed.left == Some(0) {
                return None;
            }
            let found = select(&armed.fault)?;
            if armed.skip > 0 {
                armed.skip -= 1;
                return None;
            }
            armed.left = armed.left.map(|left| left - 1);
            armed.fired += 1;
            // A fault that affects every packet is recorded once.
            if armed.fired == 1 || !matches!(armed.fault, WireFault::Slow { .. }) {
                self.record
                    .wire_fault(armed.fault.name(), &armed.fault.to_string());
            }
            Some(found)
        })
    }

    /// Whether exactly this fault fires now.
    pub(crate) fn has(&self, fault: &WireFault) -> bool {
        self.fire(|each| (each == fault).then_some(())).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_fires_on_the_given_occasions() {
        let faults = WireFaults::default();
        let id = faults.add_times(WireFault::NullRoot, 2);
        faults.add(WireFault::NoIdle);
        let fired: Vec<bool> = (0..3).map(|_| faults.has(&WireFault::NullRoot)).collect();
        assert_eq!(fired, [true, true, false]);
        assert_eq!(faults.times_fired(id), 2);
        assert!(faults.has(&WireFault::NoIdle));
        faults.clear();
        assert!(!faults.has(&WireFault::NoIdle));
        faults.arm("null_root @2".parse().unwrap());
        let fired: Vec<bool> = (0..4).map(|_| faults.has(&WireFault::NullRoot)).collect();
        assert_eq!(fired, [false, true, false, false]);
    }
}
