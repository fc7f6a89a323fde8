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
        self.parts().0
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

    /// Its name, and its parameters as they are written, under the names that the table has for them.
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
            Self::LowMemory(victim) => ("low_memory", "kills", victim.word().to_owned()),
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
