//! The table of transport faults (`wire.txt`); reads and writes them as text.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::Duration;

use super::{AgentFault, CommandStage, Direction, WireFault, WireFaultSpec};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireParam {
    pub name: &'static str,
    /// Its description, without a full stop.
    pub about: &'static str,
}

#[derive(Debug)]
pub struct WireRow {
    pub name: &'static str,
    /// What happens, without a full stop.
    pub about: &'static str,
    pub on: &'static str,
    pub param: Option<WireParam>,
    pub example: &'static str,
}

/// Every transport fault, read from `wire.txt`.
pub fn rows() -> &'static [WireRow] {
    static ROWS: OnceLock<Vec<WireRow>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let lines = include_str!("wire.txt").lines();
        let rows = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        rows.map(row).collect()
    })
}

fn row(line: &'static str) -> WireRow {
    let mut columns = line.split(" | ");
    let mut column = || columns.next().unwrap_or_else(|| unreachable!("{line}"));
    WireRow {
        name: column(),
        on: column(),
        param: match column() {
            "-" => None,
            name => Some(WireParam {
                name,
                about: match name {
                    "bytes" => "the number of bytes that pass before",
                    "command" => "text that the command line contains",
                    _ => "the delay, in milliseconds or as `2s`",
                },
            }),
        },
        example: column(),
        about: column(),
    }
}

const fn agent(fault: AgentFault) -> WireFault {
    WireFault::Agent(fault)
}

/// The faults without a parameter, by name.
static PLAIN: [(&str, WireFault); 22] = [
    ("offline", WireFault::Offline),
    ("unauthorized", WireFault::Unauthorized),
    ("log_garbage", WireFault::LogGarbage),
    ("truncated_dump", WireFault::TruncatedDump),
    ("stale_dump", WireFault::StaleDump),
    ("no_idle", WireFault::NoIdle),
    ("null_root", WireFault::NullRoot),
    ("two_displays", WireFault::TwoDisplays),
    ("deny_input", WireFault::DenyInput),
    ("full_disk", WireFault::FullDisk),
    ("no_shell", WireFault::NoShell),
    ("agent_slot_taken", agent(AgentFault::SlotTaken)),
    ("agent_half_tree", agent(AgentFault::HalfTree)),
    ("agent_no_root", agent(AgentFault::NoRoot)),
    ("agent_stale_cache", agent(AgentFault::StaleCache)),
    (
        "agent_killed_before",
        agent(AgentFault::Killed(CommandStage::Before)),
    ),
    (
        "agent_killed_done",
        agent(AgentFault::Killed(CommandStage::Done)),
    ),
    ("agent_cut_frames", agent(AgentFault::CutFrames)),
    ("agent_version", agent(AgentFault::Version)),
    ("agent_old_version", agent(AgentFault::OldVersion)),
    ("agent_service_off", agent(AgentFault::ServiceOff)),
    ("agent_text_refused", agent(AgentFault::TextRefused)),
];

/// The fault of this name with this value; `None` if the value is invalid.
fn make(name: &str, value: &str) -> Option<WireFault> {
    match name {
        "cut_in_after" => cut_after(value, Direction::In),
        "cut_out_after" => cut_after(value, Direction::Out),
        "cut_before" => cut_in(value, CommandStage::Before),
        "cut_done" => cut_in(value, CommandStage::Done),
        "slow" => Some(WireFault::Slow {
            delay: delay(value)?,
        }),
        name => {
            let plain = PLAIN.iter().find(|(plain, _)| *plain == name);
            plain.map(|(_, fault)| fault.clone())
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WireFaultError(String);

fn cut_after(value: &str, direction: Direction) -> Option<WireFault> {
    let bytes = value.parse().ok()?;
    Some(WireFault::CutAfter { bytes, direction })
}

fn cut_in(value: &str, stage: CommandStage) -> Option<WireFault> {
    let command = (!value.is_empty()).then(|| value.to_owned())?;
    Some(WireFault::CutIn { command, stage })
}

/// A time: `20ms`, `2s`, or a number of milliseconds. More than an hour is a slip.
fn delay(value: &str) -> Option<Duration> {
    let (number, unit) = match (value.strip_suffix("ms"), value.strip_suffix('s')) {
        (Some(number), _) => (number, 1),
        (None, Some(number)) => (number, 1000),
        (None, None) => (value, 1),
    };
    let millis = number.trim().parse::<u64>().ok()?.checked_mul(unit)?;
    (millis <= 3_600_000).then(|| Duration::from_millis(millis))
}

impl WireRow {
    pub fn named(name: &str) -> Option<&'static Self> {
        rows().iter().find(|row| row.name == name)
    }

    fn fault(&self, value: &str) -> Result<WireFault, WireFaultError> {
        let name = self.name;
        match self.param {
            None if value.is_empty() => {}
            None => {
                let message = format!("`{name}` takes no value, only times such as `@2` or `x3`");
                return Err(WireFaultError(message));
            }
            Some(_) => {}
        }
        make(name, value).ok_or_else(|| {
            let param = self.param.map_or("nothing", |param| param.about);
            WireFaultError(format!("`{name}` takes {param}: `{}`", self.example))
        })
    }
}

impl FromStr for WireFaultSpec {
    type Err = WireFaultError;

    /// Reads `name value @first xtimes`; a `=` may precede the value. With `@` alone the fault fires once.
    fn from_str(text: &str) -> Result<Self, WireFaultError> {
        let text = text.trim();
        let end = text.find([' ', '=', '\t']).unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        let Some(row) = WireRow::named(name) else {
            let names: Vec<&str> = rows().iter().map(|row| row.name).collect();
            let shown: String = name.chars().take(40).collect();
            let message = format!(
                "`{shown}` is not a transport fault; expected one of `{}`",
                names.join("`, `")
            );
            return Err(WireFaultError(message));
        };
        let rest = rest.strip_prefix('=').unwrap_or(rest);
        let mut words: Vec<&str> = rest.split_whitespace().collect();
        let (mut first, mut times) = (None, None);
        while let Some(word) = words.last() {
            let place = match word.split_at_checked(1) {
                Some(("@", number)) if number.starts_with(|c: char| c.is_ascii_digit()) => {
                    (&mut first, number)
                }
                Some(("x", number)) if number.starts_with(|c: char| c.is_ascii_digit()) => {
                    (&mut times, number)
                }
                _ => break,
            };
            let number = place.1.parse().ok().filter(|number: &u32| *number > 0);
            let number = number.ok_or_else(|| {
                let message = format!("`{word}` is not a valid count: `@2` is the second time, `x3` at most three times");
                WireFaultError(message)
            })?;
            if place.0.replace(number).is_some() {
                return Err(WireFaultError(format!(
                    "`{name}`: `{word}` repeats a count"
                )));
            }
            words.pop();
        }
        Ok(Self {
            fault: row.fault(&words.join(" "))?,
            times: times.or(first.map(|_| 1)),
            first: first.unwrap_or(1),
        })
    }
}

impl FromStr for WireFault {
    type Err = WireFaultError;

    fn from_str(text: &str) -> Result<Self, WireFaultError> {
        let spec: WireFaultSpec = text.parse()?;
        if spec == WireFaultSpec::from(spec.fault.clone()) {
            Ok(spec.fault)
        } else {
            Err(WireFaultError(format!(
                "`{text}` has times, which are not allowed here"
            )))
        }
    }
}

impl WireFault {
    pub fn name(&self) -> &'static str {
        match self {
            WireFault::CutAfter { direction, .. } => match direction {
                Direction::In => "cut_in_after",
                Direction::Out => "cut_out_after",
            },
            WireFault::CutIn { stage, .. } => match stage {
                CommandStage::Before => "cut_before",
                CommandStage::Done => "cut_done",
            },
            WireFault::Slow { .. } => "slow",
            plain => PLAIN
                .iter()
                .find(|(_, fault)| fault == plain)
                .map_or("", |(name, _)| name),
        }
    }
}

impl fmt::Display for WireFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            WireFault::CutAfter { bytes, .. } => write!(f, " {bytes}"),
            WireFault::CutIn { command, .. } => write!(f, " {command}"),
            WireFault::Slow { delay } => write!(f, " {}ms", delay.as_millis()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows as a table of a Markdown page.
    fn reference() -> String {
        let mut page = String::from(
            "| fault | what happens | counted per | parameter | example |\n|---|---|---|---|---|\n",
        );
        for row in rows() {
            let param = row.param.map_or_else(String::new, |param| {
                format!("`{}`: {}", param.name, param.about)
            });
            page.push_str(&format!(
                "| `{}` | {} | {} | {param} | `{}` |\n",
                row.name, row.about, row.on, row.example
            ));
        }
        page
    }

    #[test]
    fn every_row_round_trips() {
        for row in rows() {
            let spec: WireFaultSpec = row.example.parse().unwrap();
            assert_eq!(spec.fault.name(), row.name);
            let again: WireFault = spec.fault.to_string().parse().unwrap();
            assert_eq!(again, spec.fault);
        }
    }

    #[test]
    fn guide_lists_every_transport_fault() {
        testkit::expect_guide_section("faults.md", "wire faults", &reference());
    }
}
