//! The one table of the wire's faults: name, words, parameter, and how each is read and written.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::{AgentFault, Direction, Stage, WireFault, WireStrike};

/// What a fault takes behind its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireParam {
    /// Its name.
    pub name: &'static str,
    /// What it says, without a full stop.
    pub about: &'static str,
}

/// One kind of fault, as lists, documents and the reader know it.
#[derive(Debug)]
pub struct WireRow {
    /// Its name.
    pub name: &'static str,
    /// What happens, without a full stop.
    pub about: &'static str,
    /// What it counts as one time.
    pub on: &'static str,
    /// What it takes, if it takes something.
    pub param: Option<WireParam>,
    /// How it can be written.
    pub example: &'static str,
    make: fn(&str) -> Option<WireFault>,
}

const BYTES: Option<WireParam> = Some(WireParam {
    name: "bytes",
    about: "how many bytes pass first",
});
const COMMAND: Option<WireParam> = Some(WireParam {
    name: "command",
    about: "a part of the command's line",
});
const DELAY: Option<WireParam> = Some(WireParam {
    name: "delay",
    about: "how much longer, in milliseconds or as `2s`",
});

/// A row whose fault takes nothing.
macro_rules! plain {
    ($name:literal, $kind:ident, $on:literal, $about:literal) => {
        WireRow {
            name: $name,
            about: $about,
            on: $on,
            param: None,
            example: $name,
            make: |_| Some(WireFault::$kind),
        }
    };
}

static ROWS: [WireRow; 26] = [
    plain!(
        "offline",
        Offline,
        "connection or stream",
        "The phone takes connections and answers nothing"
    ),
    plain!(
        "unauthorized",
        Unauthorized,
        "connection",
        "The phone asks whether it may be debugged, and nobody presses Allow"
    ),
    WireRow {
        name: "cut_in_after",
        about: "A connection breaks when so many bytes have come to the phone",
        on: "connection",
        param: BYTES,
        example: "cut_in_after 2000 @2",
        make: |value| cut_after(value, Direction::In),
    },
    WireRow {
        name: "cut_out_after",
        about: "A connection breaks when so many bytes have left the phone",
        on: "connection",
        param: BYTES,
        example: "cut_out_after 2000 x1",
        make: |value| cut_after(value, Direction::Out),
    },
    WireRow {
        name: "cut_before",
        about: "The connection breaks when a command has arrived, before any of it is done",
        on: "command",
        param: COMMAND,
        example: "cut_before input tap x1",
        make: |value| cut_in(value, Stage::Before),
    },
    WireRow {
        name: "cut_done",
        about: "The connection breaks when a command is done, before any of its answer is sent",
        on: "command",
        param: COMMAND,
        example: "cut_done input tap x1",
        make: |value| cut_in(value, Stage::Done),
    },
    WireRow {
        name: "slow",
        about: "Every packet from the phone takes longer",
        on: "packet",
        param: DELAY,
        example: "slow 20ms",
        make: |value| {
            Some(WireFault::Slow {
                delay: delay(value)?,
            })
        },
    },
    plain!(
        "log_garbage",
        LogGarbage,
        "reading of the log",
        "The log has lines of no form and bytes of no text between its entries"
    ),
    plain!(
        "truncated_dump",
        TruncatedDump,
        "dump",
        "A dump loses its end"
    ),
    plain!(
        "stale_dump",
        StaleDump,
        "dump to a file",
        "A dump fails, leaves the file of an earlier one as it is, and says that it wrote it"
    ),
    plain!(
        "no_idle",
        NoIdle,
        "dump",
        "A dump says that the screen never came to rest"
    ),
    plain!(
        "null_root",
        NullRoot,
        "dump",
        "A dump says that there is no root"
    ),
    plain!(
        "no_app_tree",
        NoAppTree,
        "dump",
        "A dump has the window of the app in front without a node in it"
    ),
    plain!(
        "two_displays",
        TwoDisplays,
        "dump, picture or list of windows",
        "The phone has a second display with an app of its own: dumps of all windows hold it, pictures warn of it"
    ),
    plain!(
        "deny_input",
        DenyInput,
        "input",
        "The system denies the shell any input, as Xiaomi's does until it is allowed"
    ),
    plain!(
        "full_disk",
        FullDisk,
        "writing",
        "Nothing more can be written"
    ),
    plain!("no_shell", NoShell, "command", "No shell is opened"),
    agent(
        "agent_slot_taken",
        "start of the agent",
        "Another program holds the UI automation, and the agent does not start",
        |_| Some(WireFault::Agent(AgentFault::SlotTaken)),
    ),
    agent(
        "agent_half_tree",
        "observation of the agent",
        "A part of the window in front cannot be read",
        |_| Some(WireFault::Agent(AgentFault::HalfTree)),
    ),
    agent(
        "agent_no_root",
        "observation of the agent",
        "The root of the window in front cannot be read",
        |_| Some(WireFault::Agent(AgentFault::NoRoot)),
    ),
    agent(
        "agent_stale_cache",
        "observation of the agent",
        "The agent tells of the screen before",
        |_| Some(WireFault::Agent(AgentFault::StaleCache)),
    ),
    agent(
        "agent_killed_before",
        "input of the agent",
        "The agent's process ends when an input has arrived, before any of it is done",
        |_| Some(WireFault::Agent(AgentFault::Killed(Stage::Before))),
    ),
    agent(
        "agent_killed_done",
        "input of the agent",
        "The agent's process ends when an input is done, before any of its answer is sent",
        |_| Some(WireFault::Agent(AgentFault::Killed(Stage::Done))),
    ),
    agent(
        "agent_cut_frames",
        "frame of the agent",
        "A frame of the agent is cut, and its connection ends",
        |_| Some(WireFault::Agent(AgentFault::CutFrames)),
    ),
    agent(
        "agent_version",
        "handshake of the agent",
        "The agent speaks another version of its protocol",
        |_| Some(WireFault::Agent(AgentFault::Version)),
    ),
    agent(
        "agent_service_off",
        "question to the agent's app",
        "The system does not run the accessibility service of the agent's app",
        |_| Some(WireFault::Agent(AgentFault::ServiceOff)),
    ),
];

/// A row of a fault of the agent, which takes nothing.
const fn agent(
    name: &'static str,
    on: &'static str,
    about: &'static str,
    make: fn(&str) -> Option<WireFault>,
) -> WireRow {
    WireRow {
        name,
        about,
        on,
        param: None,
        example: name,
        make,
    }
}

/// Every fault of the wire.
pub fn rows() -> &'static [WireRow] {
    &ROWS
}

/// A text that names no fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoSuchFault(String);

fn cut_after(value: &str, direction: Direction) -> Option<WireFault> {
    let bytes = value.parse().ok()?;
    Some(WireFault::CutAfter { bytes, direction })
}

fn cut_in(value: &str, stage: Stage) -> Option<WireFault> {
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
    /// The row of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        rows().iter().find(|row| row.name == name)
    }

    /// The fault that this row makes of a value.
    fn fault(&self, value: &str) -> Result<WireFault, NoSuchFault> {
        let name = self.name;
        match self.param {
            None if value.is_empty() => {}
            None => {
                let message = format!("`{name}` takes nothing but times such as `@2` or `x3`");
                return Err(NoSuchFault(message));
            }
            Some(_) => {}
        }
        (self.make)(value).ok_or_else(|| {
            let param = self.param.map_or("nothing", |param| param.about);
            NoSuchFault(format!("`{name}` takes {param}: `{}`", self.example))
        })
    }
}

impl FromStr for WireStrike {
    type Err = NoSuchFault;

    /// `name value @first xtimes`; the value may also be behind a `=`. With `@` alone it strikes once.
    fn from_str(text: &str) -> Result<Self, NoSuchFault> {
        let text = text.trim();
        let end = text.find([' ', '=', '\t']).unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        let Some(row) = WireRow::named(name) else {
            let names: Vec<&str> = rows().iter().map(|row| row.name).collect();
            let shown: String = name.chars().take(40).collect();
            let message = format!(
                "`{shown}` is no fault of the wire; there are `{}`",
                names.join("`, `")
            );
            return Err(NoSuchFault(message));
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
                let message = format!("`{word}` is no number of times: `@2` is the second time, `x3` three times at most");
                NoSuchFault(message)
            })?;
            if place.0.replace(number).is_some() {
                return Err(NoSuchFault(format!("`{name}`: `{word}` is said twice")));
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
    type Err = NoSuchFault;

    fn from_str(text: &str) -> Result<Self, NoSuchFault> {
        let strike: WireStrike = text.parse()?;
        if strike == WireStrike::from(strike.fault.clone()) {
            Ok(strike.fault)
        } else {
            Err(NoSuchFault(format!("`{text}` says when, not only what")))
        }
    }
}

impl WireFault {
    /// The name of its row.
    pub const fn name(&self) -> &'static str {
        match self {
            WireFault::Offline => "offline",
            WireFault::Unauthorized => "unauthorized",
            WireFault::CutAfter {
                direction: Direction::In,
                ..
            } => "cut_in_after",
            WireFault::CutAfter {
                direction: Direction::Out,
                ..
            } => "cut_out_after",
            WireFault::CutIn { stage, .. } => match stage {
                Stage::Before => "cut_before",
                Stage::Done => "cut_done",
            },
            WireFault::Slow { .. } => "slow",
            WireFault::LogGarbage => "log_garbage",
            WireFault::TruncatedDump => "truncated_dump",
            WireFault::StaleDump => "stale_dump",
            WireFault::NoIdle => "no_idle",
            WireFault::NullRoot => "null_root",
            WireFault::NoAppTree => "no_app_tree",
            WireFault::TwoDisplays => "two_displays",
            WireFault::DenyInput => "deny_input",
            WireFault::FullDisk => "full_disk",
            WireFault::NoShell => "no_shell",
            WireFault::Agent(fault) => match fault {
                AgentFault::SlotTaken => "agent_slot_taken",
                AgentFault::HalfTree => "agent_half_tree",
                AgentFault::NoRoot => "agent_no_root",
                AgentFault::StaleCache => "agent_stale_cache",
                AgentFault::Killed(Stage::Before) => "agent_killed_before",
                AgentFault::Killed(Stage::Done) => "agent_killed_done",
                AgentFault::CutFrames => "agent_cut_frames",
                AgentFault::Version => "agent_version",
                AgentFault::ServiceOff => "agent_service_off",
            },
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
            WireFault::Offline
            | WireFault::Unauthorized
            | WireFault::LogGarbage
            | WireFault::TruncatedDump
            | WireFault::StaleDump
            | WireFault::NoIdle
            | WireFault::NullRoot
            | WireFault::NoAppTree
            | WireFault::TwoDisplays
            | WireFault::DenyInput
            | WireFault::FullDisk
            | WireFault::NoShell
            | WireFault::Agent(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows as a table of a Markdown page.
    fn reference() -> String {
        let mut page = String::from(
            "| fault | what happens | one time is one | parameter | for example |\n|---|---|---|---|---|\n",
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
    fn every_row_is_read_as_it_is_written() {
        for row in rows() {
            let strike: WireStrike = row.example.parse().unwrap();
            assert_eq!(strike.fault.name(), row.name);
            let again: WireFault = strike.fault.to_string().parse().unwrap();
            assert_eq!(again, strike.fault);
        }
    }

    #[test]
    fn values_and_times() {
        let strike = |text: &str| {
            text.parse::<WireStrike>()
                .map_err(|error| error.to_string())
        };
        let cut = |command: &str| WireFault::CutIn {
            command: command.to_owned(),
            stage: Stage::Done,
        };
        assert_eq!(strike("cut_done=input tap"), Ok(cut("input tap").into()));
        let twice = WireStrike {
            fault: cut("input tap"),
            first: 3,
            times: Some(2),
        };
        assert_eq!(strike(" cut_done input  tap @3 x2 "), Ok(twice));
        assert_eq!(strike("offline @2").unwrap().times, Some(1));
        for (text, millis) in [("slow 20", 20), ("slow=20ms", 20), ("slow 2s", 2000)] {
            let delay = Duration::from_millis(millis);
            assert_eq!(strike(text).unwrap().fault, WireFault::Slow { delay });
        }
        for wrong in [
            "",
            "offlin",
            "slow",
            "slow x",
            "slow 99999999999s",
            "cut_done",
            "cut_done x1",
            "offline 1",
            "offline x0",
            "offline x1 x2",
        ] {
            assert!(strike(wrong).is_err(), "{wrong}");
        }
        assert!("offline x1".parse::<WireFault>().is_err());
    }

    #[test]
    fn the_guide_lists_every_fault_of_the_wire() {
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/guides/faults.md");
        let guide = std::fs::read_to_string(&path)
            .unwrap()
            .replace("\r\n", "\n");
        let (begin, end) = ("<!-- wire faults -->\n", "<!-- /wire faults -->");
        let (head, rest) = guide.split_once(begin).unwrap();
        let (found, tail) = rest.split_once(end).unwrap();
        let expected = reference();
        if found != expected && std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, format!("{head}{begin}{expected}{end}{tail}")).unwrap();
            return;
        }
        assert_eq!(found, expected, "UPDATE_EXPECT=1 writes it anew");
    }
}
