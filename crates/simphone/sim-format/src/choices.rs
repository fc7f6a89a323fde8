//! Enumerations that flags, app files, faults and the journal share.

use crate::words::words;

pub const LAUNCHER: &str = "com.android.launcher3";

words! {
    #[derive(Default)]
    pub enum ThemeChoice {
        #[default]
        Light = "light",
        Dark = "dark",
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    #[default]
    Launcher,
    App(String),
    /// The only app that is not built in; the home screen if there is not exactly one.
    Own,
    Uri(String),
}

words! {
    /// The clock of the phone.
    ///
    /// The phone uses the time of the tokio runtime that drives it: create the runtime paused for virtual time.
    #[derive(Default)]
    pub enum TimeChoice {
        /// Virtual time: waits are instant and runs are reproducible.
        #[default]
        Virtual = "virtual",
        Real = "real",
    }
}

words! {
    #[derive(Default)]
    pub enum AnimationChoice {
        /// Screens, dialogs, the keyboard and messages slide in within 250 ms.
        On = "on",
        /// They appear at once.
        #[default]
        Off = "off",
    }
}

words! {
    /// The rotation of the screen, in quarter turns anticlockwise, as on Android.
    #[derive(Default)]
    pub enum Rotation {
        #[default]
        Portrait = "portrait",
        /// Turned to the left: the right edge is at the top.
        Landscape = "landscape",
        ReversePortrait = "reverse_portrait",
        /// Turned to the right: the left edge is at the top.
        ReverseLandscape = "reverse_landscape",
    }
}

impl Rotation {
    /// Returns the quarter turns, 0 to 3, as in `hierarchy_xml`.
    pub const fn quarter_turns(self) -> u8 {
        self as u8
    }

    pub const fn of_quarter_turns(turns: u8) -> Self {
        match turns % 4 {
            0 => Rotation::Portrait,
            1 => Rotation::Landscape,
            2 => Rotation::ReversePortrait,
            _ => Rotation::ReverseLandscape,
        }
    }

    pub const fn is_sideways(self) -> bool {
        matches!(self, Rotation::Landscape | Rotation::ReverseLandscape)
    }
}

words! {
    #[derive(Default)]
    pub enum PaceChoice {
        #[default]
        Instant = "instant",
        Phone = "phone",
    }
}

words! {
    #[derive(Default)]
    pub enum Toolkit {
        #[default]
        Views = "views",
        Compose = "compose",
    }
}
