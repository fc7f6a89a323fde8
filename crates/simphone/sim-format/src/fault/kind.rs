//! What can go wrong: every kind of fault with its parameters.

use std::fmt;
use std::time::Duration;

use super::parse::{quoted, written};
use super::table::{self, FaultRow};
use super::when::Calls;
use crate::choices::Rotation;
use crate::prompt::Permission;
use crate::words::{Words, words};
use uitree::Size;

/// Which part of a text gets lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropPart {
    /// All of it.
    Whole,
    /// The last n characters.
    Last(u32),
}

words! {
    /// What becomes of input to a screen that does not answer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Input {
        /// It happens when the screen answers again.
        Queued = "queued",
        /// It never happens.
        Lost = "lost",
    }
}

words! {
    /// How far a call has come when the connection breaks.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Answer {
        /// It never left.
        Unsent = "unsent",
        /// It was done, and the answer to it got lost.
        Lost = "answer_lost",
    }
}

words! {
    /// How an unreadable screen shows itself.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Unseen {
        /// The device says that there is no window.
        Refused = "none",
        /// The device gives a tree without a node.
        Empty = "empty",
    }
}

words! {
    /// Whose process ends when memory is short.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Victim {
        /// Those of the apps that are not in front.
        Background = "background",
        /// That of the app in front.
        Front = "front",
        /// All.
        All = "all",
    }
}

words! {
    /// The display that a phone that folds shows its screen on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Display {
        /// The large one inside.
        Inner = "inner",
        /// The one outside.
        Outer = "outer",
    }
}

impl Display {
    /// Its size, held upright.
    pub const fn size(self) -> Size {
        match self {
            Display::Inner => Size::new(1800, 2208),
            Display::Outer => Size::new(1080, 2340),
        }
    }
}

words! {
    /// What goes wrong with a recording.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Recorder {
        /// It cannot be begun.
        Start = "start",
        /// There is no place for it.
        Storage = "storage",
        /// It cannot be ended properly.
        Stop = "stop",
    }
}

/// Something that goes wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    /// Calls take longer.
    Latency {
        /// At least this much.
        least: Duration,
        /// At most this much.
        most: Duration,
    },
    /// A gesture or click is reported as done and never arrives.
    LoseGesture,
    /// A gesture or click arrives twice.
    DoubleGesture,
    /// A part of a text does not arrive.
    DropText(DropPart),
    /// An input is refused, and nothing is done.
    Refuse,
    /// An input is done, and reported as refused.
    FalseRefusal,
    /// An input is done, and no answer comes.
    Unanswered,
    /// The connection to the device is gone.
    Disconnect(Answer),
    /// A swipe moves only a part of its way.
    ShortScroll {
        /// How much of it, in percent.
        part: f64,
    },
    /// A list is in another order when the finger comes down.
    Reorder,
    /// The tree is known to be cut off.
    HalfTree,
    /// The tree comes without one of its parts and does not say so.
    MissingSubtree {
        /// The resource id of the part, without its package; empty for any part.
        of: String,
    },
    /// The tree is one of some time ago and passes for the screen of now.
    StaleTree {
        /// How old.
        age: Duration,
    },
    /// No window can be read.
    NoWindow(Unseen),
    /// The tree is that of the home screen while an app is in front.
    WrongWindow,
    /// Changes of the screen are not reported.
    LostEvents,
    /// A screenshot cannot be taken.
    ScreenshotFails,
    /// A screenshot is black, as of a screen that is protected.
    BlackScreenshot,
    /// A recording fails.
    RecordingFails(Recorder),
    /// An app takes longer to come up.
    SlowStart {
        /// At least this much.
        least: Duration,
        /// At most this much.
        most: Duration,
    },
    /// An app does not come up.
    LaunchFails,
    /// A field gets the focus, and no keyboard comes up.
    NoKeyboard,
    /// The app in front crashes.
    Crash,
    /// The app in front stops answering, and the system says so.
    NotResponding,
    /// The phone is folded or unfolded.
    Fold(Display),
    /// The screen does not change.
    Freeze(Input),
    /// The system asks for a permission.
    Permission(Permission),
    /// The phone is turned.
    Rotate(Rotation),
    /// An app wants to be updated.
    Update,
    /// A notification comes down over the top of the screen.
    Banner {
        /// Its first line.
        title: String,
        /// Its second line.
        text: String,
    },
    /// The system ends processes to have memory.
    LowMemory(Victim),
    /// Another app comes to the front.
    Interrupt {
        /// Its package.
        app: String,
    },
    /// The screen goes dark.
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
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Latency { .. } => "latency",
            Self::DropText(_) => "drop_text",
            Self::Disconnect(_) => "disconnect",
            Self::ShortScroll { .. } => "short_scroll",
            Self::MissingSubtree { .. } => "missing_subtree",
            Self::StaleTree { .. } => "stale_tree",
            Self::NoWindow(_) => "no_window",
            Self::RecordingFails(_) => "recording_fails",
            Self::SlowStart { .. } => "slow_start",
            Self::Fold(_) => "fold",
            Self::Freeze(_) => "freeze",
            Self::Permission(_) => "permission",
            Self::Rotate(_) => "rotate",
            Self::Banner { .. } => "banner",
            Self::LowMemory(_) => "low_memory",
            Self::Interrupt { .. } => "interrupt",
            plain => (PLAIN.iter().find(|(_, kind)| kind == plain))
                .map_or_else(|| unreachable!("{plain:?} has no name"), |(name, _)| *name),
        }
    }

    /// Its row of the table.
    pub fn row(&self) -> &'static FaultRow {
        let name = self.name();
        table::row(name).unwrap_or_else(|| unreachable!("`{name}` has no row"))
    }

    /// The calls that it strikes, or those that it counts before it happens to the phone.
    pub fn calls(&self) -> Calls {
        match self {
            Self::RecordingFails(Recorder::Stop) => Calls::STOP_RECORDING,
            _ => self.row().on,
        }
    }

    /// Its parameters as they are written, under the names that the table has for them.
    pub fn params(&self) -> Vec<(&'static str, String)> {
        let range = |least: &Duration, most: &Duration| {
            if least == most {
                written(*least)
            } else {
                format!("{}..{}", written(*least), written(*most))
            }
        };
        match self {
            Self::Latency { least, most } | Self::SlowStart { least, most } => {
                vec![("time", range(least, most))]
            }
            Self::DropText(DropPart::Whole) => vec![("part", "whole".to_owned())],
            Self::DropText(DropPart::Last(n)) => vec![("last", n.to_string())],
            Self::Disconnect(answer) => vec![("call", answer.word().to_owned())],
            Self::Fold(display) => vec![("to", display.word().to_owned())],
            Self::ShortScroll { part } => vec![("part", format!("{part}%"))],
            Self::StaleTree { age } => vec![("age", written(*age))],
            Self::NoWindow(unseen) => vec![("tree", unseen.word().to_owned())],
            Self::RecordingFails(what) => vec![("step", what.word().to_owned())],
            Self::Freeze(input) => vec![("input", input.word().to_owned())],
            Self::MissingSubtree { of } if of.is_empty() => Vec::new(),
            Self::MissingSubtree { of } => vec![("of", quoted(of))],
            Self::Permission(permission) => vec![("name", permission.word().to_owned())],
            Self::Rotate(held) => vec![("to", held.word().to_owned())],
            Self::Banner { title, text } => vec![("title", quoted(title)), ("text", quoted(text))],
            Self::LowMemory(victim) => vec![("kills", victim.word().to_owned())],
            Self::Interrupt { app } => vec![("app", quoted(app))],
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for (name, value) in self.params() {
            write!(f, " {name}={value}")?;
        }
        Ok(())
    }
}

impl fmt::Display for super::Fault {
    /// The text form, with every parameter named.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind, self.when)
    }
}
