//! What goes wrong between the phone and whoever talks to it. What goes wrong on its screen are faults of the phone itself
//! (`driver_sim::Fault`); both can be had together.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
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
        /// Which are counted.
        way: Way,
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
    /// Nothing more can be written.
    FullDisk,
    /// No shell is opened.
    NoShell,
}

/// A text that names no fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoSuchFault(String);

impl WireFault {
    /// Every name, with its parameter where it has one.
    pub const FORMS: [&str; 14] = [
        "offline",
        "unauthorized",
        "cut_in_after=BYTES",
        "cut_out_after=BYTES",
        "cut_before=COMMAND",
        "cut_done=COMMAND",
        "slow=MILLISECONDS",
        "log_garbage",
        "truncated_dump",
        "stale_dump",
        "no_idle",
        "null_root",
        "full_disk",
        "no_shell",
    ];
}

impl fmt::Display for WireFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireFault::Offline => f.write_str("offline"),
            WireFault::Unauthorized => f.write_str("unauthorized"),
            WireFault::CutAfter {
                bytes,
                way: Way::In,
            } => write!(f, "cut_in_after={bytes}"),
            WireFault::CutAfter {
                bytes,
                way: Way::Out,
            } => write!(f, "cut_out_after={bytes}"),
            WireFault::CutIn { command, stage } => match stage {
                Stage::Before => write!(f, "cut_before={command}"),
                Stage::Done => write!(f, "cut_done={command}"),
            },
            WireFault::Slow { delay } => write!(f, "slow={}", delay.as_millis()),
            WireFault::LogGarbage => f.write_str("log_garbage"),
            WireFault::TruncatedDump => f.write_str("truncated_dump"),
            WireFault::StaleDump => f.write_str("stale_dump"),
            WireFault::NoIdle => f.write_str("no_idle"),
            WireFault::NullRoot => f.write_str("null_root"),
            WireFault::FullDisk => f.write_str("full_disk"),
            WireFault::NoShell => f.write_str("no_shell"),
        }
    }
}

impl FromStr for WireFault {
    type Err = NoSuchFault;

    fn from_str(text: &str) -> Result<Self, NoSuchFault> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let number = || {
            let value = value.and_then(|value| value.parse::<u64>().ok());
            value.ok_or_else(|| NoSuchFault(format!("`{name}` takes a number: `{name}=100`")))
        };
        let command = || {
            let value = value.filter(|value| !value.is_empty()).map(str::to_owned);
            let message = || NoSuchFault(format!("`{name}` takes a command: `{name}=input tap`"));
            value.ok_or_else(message)
        };
        let fault = match name {
            "cut_in_after" => {
                return Ok(WireFault::CutAfter {
                    bytes: number()?,
                    way: Way::In,
                });
            }
            "cut_out_after" => {
                return Ok(WireFault::CutAfter {
                    bytes: number()?,
                    way: Way::Out,
                });
            }
            "cut_before" => {
                return Ok(WireFault::CutIn {
                    command: command()?,
                    stage: Stage::Before,
                });
            }
            "cut_done" => {
                return Ok(WireFault::CutIn {
                    command: command()?,
                    stage: Stage::Done,
                });
            }
            "slow" => {
                return Ok(WireFault::Slow {
                    delay: Duration::from_millis(number()?),
                });
            }
            "offline" => WireFault::Offline,
            "unauthorized" => WireFault::Unauthorized,
            "log_garbage" => WireFault::LogGarbage,
            "truncated_dump" => WireFault::TruncatedDump,
            "stale_dump" => WireFault::StaleDump,
            "no_idle" => WireFault::NoIdle,
            "null_root" => WireFault::NullRoot,
            "full_disk" => WireFault::FullDisk,
            "no_shell" => WireFault::NoShell,
            _ => {
                let all = Self::FORMS.join("`, `");
                let message = format!("`{name}` is no fault of the wire; there are `{all}`");
                return Err(NoSuchFault(message));
            }
        };
        match value {
            None => Ok(fault),
            Some(_) => Err(NoSuchFault(format!("`{name}` takes nothing"))),
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
}

impl Default for WireFaults {
    fn default() -> Self {
        Self {
            armed: Arc::default(),
            changes: Arc::new(watch::Sender::new(0)),
        }
    }
}

impl WireFaults {
    fn armed(&self) -> MutexGuard<'_, Vec<Armed>> {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets a fault that strikes whenever it can.
    pub fn add(&self, fault: WireFault) -> WireFaultId {
        self.arm(fault, None)
    }

    /// Sets a fault that strikes so many times.
    pub fn add_times(&self, fault: WireFault, times: u32) -> WireFaultId {
        self.arm(fault, Some(times))
    }

    fn arm(&self, fault: WireFault, left: Option<u32>) -> WireFaultId {
        let mut id = 0;
        self.changes.send_modify(|changes| {
            *changes += 1;
            id = *changes;
        });
        self.armed().push(Armed {
            id,
            fault,
            left,
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
            armed.left = armed.left.map(|left| left - 1);
            armed.struck += 1;
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
    fn faults_are_read_as_they_are_written() {
        for form in WireFault::FORMS {
            let text = form
                .replace("BYTES", "100")
                .replace("MILLISECONDS", "100")
                .replace("COMMAND", "input tap");
            assert_eq!(text.parse::<WireFault>().unwrap().to_string(), text);
        }
        for wrong in ["", "offlin", "slow", "slow=x", "cut_done=", "offline=1"] {
            assert!(wrong.parse::<WireFault>().is_err(), "{wrong}");
        }
    }

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
    }
}
