//! The trigger of a fault: calls, start, chance, count, duration, foreground app.

use std::fmt;
use std::time::Duration;

use driver::{Gesture, NodeAct};

use super::parse::{quoted, written};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls(u16);

impl Calls {
    pub const OBSERVE: Self = Self(1);
    pub const SCREENSHOT: Self = Self(1 << 1);
    pub const CLICK: Self = Self(1 << 2);
    pub(crate) const LONG_CLICK: Self = Self(1 << 3);
    pub const FOCUS: Self = Self(1 << 4);
    pub const TEXT: Self = Self(1 << 5);
    pub const SUBMIT: Self = Self(1 << 6);
    pub const TAP: Self = Self(1 << 7);
    pub const LONG_PRESS: Self = Self(1 << 8);
    pub const SWIPE: Self = Self(1 << 9);
    pub const KEY: Self = Self(1 << 10);
    pub const OPEN: Self = Self(1 << 11);
    pub const CLOSE: Self = Self(1 << 12);
    pub const START_RECORDING: Self = Self(1 << 13);
    pub const STOP_RECORDING: Self = Self(1 << 15);
    pub const CHANGED: Self = Self(1 << 14);
    pub const ACT: Self =
        Self(Self::CLICK.0 | Self::LONG_CLICK.0 | Self::FOCUS.0 | Self::TEXT.0 | Self::SUBMIT.0);
    pub const TOUCH: Self = Self(Self::TAP.0 | Self::LONG_PRESS.0 | Self::SWIPE.0);
    pub(crate) const GESTURE: Self = Self(Self::TOUCH.0 | Self::CLICK.0 | Self::LONG_CLICK.0);
    /// Every input: actions on nodes, touches, keys, opening and closing.
    pub const INPUT: Self =
        Self(Self::ACT.0 | Self::TOUCH.0 | Self::KEY.0 | Self::OPEN.0 | Self::CLOSE.0);
    pub const ALL: Self = Self(u16::MAX);
    pub const RECORD: Self = Self(Self::START_RECORDING.0 | Self::STOP_RECORDING.0);

    /// The words for sets of calls, single calls first.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("observe", Self::OBSERVE),
        ("screenshot", Self::SCREENSHOT),
        ("click", Self::CLICK),
        ("long_click", Self::LONG_CLICK),
        ("focus", Self::FOCUS),
        ("text", Self::TEXT),
        ("submit", Self::SUBMIT),
        ("tap", Self::TAP),
        ("long_press", Self::LONG_PRESS),
        ("swipe", Self::SWIPE),
        ("key", Self::KEY),
        ("open", Self::OPEN),
        ("close", Self::CLOSE),
        ("start_recording", Self::START_RECORDING),
        ("stop_recording", Self::STOP_RECORDING),
        ("changed", Self::CHANGED),
        ("record", Self::RECORD),
        ("act", Self::ACT),
        ("touch", Self::TOUCH),
        ("gesture", Self::GESTURE),
        ("input", Self::INPUT),
        ("any", Self::ALL),
    ];

    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether two sets have a call in common.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub fn of_word(word: &str) -> Option<Self> {
        Self::WORDS
            .iter()
            .find(|(known, _)| *known == word)
            .map(|(_, calls)| *calls)
    }

    pub const fn of_act(act: &NodeAct) -> Self {
        match act {
            NodeAct::Click => Self::CLICK,
            NodeAct::LongClick => Self::LONG_CLICK,
            NodeAct::Focus => Self::FOCUS,
            NodeAct::SetText(_) | NodeAct::AppendText(_) => Self::TEXT,
            NodeAct::Submit => Self::SUBMIT,
        }
    }

    pub const fn of_gesture(gesture: &Gesture) -> Self {
        match gesture {
            Gesture::Tap { .. } | Gesture::DoubleTap { .. } => Self::TAP,
            Gesture::LongPress { .. } => Self::LONG_PRESS,
            Gesture::Swipe { .. } | Gesture::Drag { .. } => Self::SWIPE,
        }
    }
}

impl fmt::Display for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((word, _)) = Self::WORDS.iter().find(|(_, calls)| calls == self) {
            return f.write_str(word);
        }
        let single = Self::WORDS.iter().take(16);
        let words: Vec<&str> = single
            .filter(|(_, calls)| self.intersects(*calls))
            .map(|(word, _)| *word)
            .collect();
        f.write_str(&words.join("+"))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    #[default]
    AtOnce,
    /// At the n-th affected call, from 1.
    Call(u32),
    /// After this time since the fault was set.
    After(Duration),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultDuration {
    Once,
    For(Duration),
    /// Until it is removed.
    Good,
}

/// The trigger of a fault. `None` means the default of its kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct When {
    pub start: Start,
    /// The chance to fire at each opportunity, in percent.
    pub chance: Option<f64>,
    pub times: Option<u32>,
    pub lasts: Option<FaultDuration>,
    /// The app that must be in front; for the start of an app, the app that starts.
    pub app: Option<String>,
    pub on: Option<Calls>,
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(calls) = self.on {
            write!(f, " on {calls}")?;
        }
        match self.start {
            Start::AtOnce => {}
            Start::Call(call) => write!(f, " @{call}")?,
            Start::After(time) => write!(f, " @{}", written(time))?,
        }
        if let Some(chance) = self.chance {
            write!(f, " {chance}%")?;
        }
        if let Some(times) = self.times {
            write!(f, " x{times}")?;
        }
        match self.lasts {
            None => {}
            Some(FaultDuration::Once) => f.write_str(" for once")?,
            Some(FaultDuration::For(time)) => write!(f, " for {}", written(time))?,
            Some(FaultDuration::Good) => f.write_str(" for good")?,
        }
        if let Some(app) = &self.app {
            write!(f, " in {}", quoted(app))?;
        }
        Ok(())
    }
}
