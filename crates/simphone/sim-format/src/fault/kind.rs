//! The kinds of faults and their parameters.

use std::fmt;
use std::time::Duration;

use super::parse::{quoted, written};
use super::table::{self, FaultRow};
use super::when::Calls;
use crate::choices::Rotation;
use crate::prompt::Permission;
use crate::words::{Words, words};
use uitree::Size;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropPart {
    Whole,
    /// The last n characters.
    Last(u32),
}

words! {
    pub enum Input {
        /// It is executed when the screen responds again.
        Queued = "queued",
        Lost = "lost",
    }
}

words! {
    pub enum Answer {
        /// Before the call is executed.
        Unsent = "unsent",
        /// After the call was executed, before the answer arrives.
        Lost = "answer_lost",
    }
}

words! {
    pub enum MissingTree {
        /// As an error: there is no window.
        Refused = "none",
        /// As a tree without nodes.
        Empty = "empty",
    }
}

words! {
    pub enum KilledProcesses {
        Background = "background",
        Front = "front",
        All = "all",
    }
}

words! {
    pub enum Display {
        Inner = "inner",
        Outer = "outer",
    }
}

impl Display {
    /// Returns its size in portrait.
    pub const fn size(self) -> Size {
        match self {
            Display::Inner => Size::new(1800, 2208),
            Display::Outer => Size::new(1080, 2340),
        }
    }
}

words! {
    pub enum Recorder {
        Start = "start",
        Storage = "storage",
        Stop = "stop",
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    Latency {
        least: Duration,
        most: Duration,
    },
    /// A gesture or click is reported as done but not executed.
    LoseGesture,
    DoubleGesture,
    DropText(DropPart),
    Refuse,
    FalseRefusal,
    Unanswered,
    Disconnect(Answer),
    ShortScroll {
        /// The executed share in percent.
        part: f64,
    },
    Reorder,
    HalfTree,
    MissingSubtree {
        /// The resource id of the part, without its package; empty for any part.
        of: String,
    },
    StaleTree {
        age: Duration,
    },
    NoWindow(MissingTree),
    /// An observation returns the home screen while an app is in front.
    WrongWindow,
    LostEvents,
    ScreenshotFails,
    BlackScreenshot,
    RecordingFails(Recorder),
    SlowStart {
        least: Duration,
        most: Duration,
    },
    LaunchFails,
    /// A field gets the focus, but the keyboard does not appear.
    NoKeyboard,
    Crash,
    NotResponding,
    Fold(Display),
    Freeze(Input),
    Permission(Permission),
    Rotate(Rotation),
    Update,
    Banner {
        title: String,
        text: String,
    },
    LowMemory(KilledProcesses),
    Interrupt {
        app: String,
    },
    ScreenOff,
}

/// The faults without parameters, each with its name.
pub(super) const PLAIN: [(&str, FaultKind); 17] = [
    ("lose_gesture", FaultKind::LoseGesture),
    ("double_gesture", FaultKind::DoubleGesture),
    ("refuse", FaultKind::Refuse),
    ("false_refusal", FaultKind::FalseRefusal),
    ("unanswered", FaultKind::Unanswered),
    ("reorder", FaultKind::Reorder),
    ("half_tree", FaultKind::HalfTree),
    ("wrong_window", FaultKind::WrongWindow),
    ("lost_events", FaultKind::LostEvents),
    ("screenshot_fails", FaultKind::ScreenshotFails),
    ("black_screenshot", FaultKind::BlackScreenshot),
    ("launch_fails", FaultKind::LaunchFails),
    ("no_keyboard", FaultKind::NoKeyboard),
    ("crash", FaultKind::Crash),
    ("anr", FaultKind::NotResponding),
    ("update", FaultKind::Update),
    ("screen_off", FaultKind::ScreenOff),
];

impl FaultKind {
    pub fn name(&self) -> &'static str {
        self.parts().0
    }

    pub fn row(&self) -> &'static FaultRow {
        let name = self.name();
        table::row(name).unwrap_or_else(|| unreachable!("`{name}` has no row"))
    }

    /// Returns the calls that it affects or counts by default.
    pub fn calls(&self) -> Calls {
        match self {
            Self::RecordingFails(Recorder::Stop) => Calls::STOP_RECORDING,
            _ => self.row().on,
        }
    }

    /// Returns its name, and its parameters as names and written values.
    pub fn parts(&self) -> (&'static str, Vec<(&'static str, String)>) {
        let range = |least: &Duration, most: &Duration| {
            if least == most {
                written(*least)
            } else {
                format!("{}..{}", written(*least), written(*most))
            }
        };
        let (name, param, value) = match self {
            Self::Latency { least, most } => ("latency", "time", range(least, most)),
            Self::SlowStart { least, most } => ("slow_start", "time", range(least, most)),
            Self::DropText(DropPart::Whole) => ("drop_text", "part", "whole".to_owned()),
            Self::DropText(DropPart::Last(n)) => ("drop_text", "last", n.to_string()),
            Self::Disconnect(answer) => ("disconnect", "call", answer.word().to_owned()),
            Self::Fold(display) => ("fold", "to", display.word().to_owned()),
            Self::ShortScroll { part } => ("short_scroll", "part", format!("{part}%")),
            Self::StaleTree { age } => ("stale_tree", "age", written(*age)),
            Self::NoWindow(unseen) => ("no_window", "tree", unseen.word().to_owned()),
            Self::RecordingFails(step) => ("recording_fails", "step", step.word().to_owned()),
            Self::Freeze(input) => ("freeze", "input", input.word().to_owned()),
            Self::MissingSubtree { of } if of.is_empty() => return ("missing_subtree", Vec::new()),
            Self::MissingSubtree { of } => ("missing_subtree", "of", quoted(of)),
            Self::Permission(which) => ("permission", "name", which.word().to_owned()),
            Self::Rotate(held) => ("rotate", "to", held.word().to_owned()),
            Self::Banner { title, text } => {
                let params = vec![("title", quoted(title)), ("text", quoted(text))];
                return ("banner", params);
            }
            Self::LowMemory(killed) => ("low_memory", "kills", killed.word().to_owned()),
            Self::Interrupt { app } => ("interrupt", "app", quoted(app)),
            plain => {
                let mut named = PLAIN.iter().filter(|(_, kind)| kind == plain);
                let name = named.next().map(|(name, _)| *name);
                let name = name.unwrap_or_else(|| unreachable!("{plain:?} has no name"));
                return (name, Vec::new());
            }
        };
        (name, vec![(param, value)])
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, params) = self.parts();
        f.write_str(name)?;
        params
            .iter()
            .try_for_each(|(param, value)| write!(f, " {param}={value}"))
    }
}

impl fmt::Display for super::Fault {
    /// The text form, with every parameter named.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind, self.when)
    }
}
