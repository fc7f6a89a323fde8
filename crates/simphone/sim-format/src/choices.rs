//! The choices that flags, app files, faults and the journal share. They depend on nothing.

use crate::words::words;

/// The package of the home screen.
pub const LAUNCHER: &str = "com.android.launcher3";

words! {
    /// Whether the phone shows dark or light content.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum ThemeChoice {
        /// Dark content on a light ground.
        #[default]
        Light = "light",
        /// Light content on a dark ground.
        Dark = "dark",
    }
}

/// What is in front when the phone starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The home screen.
    #[default]
    Launcher,
    /// An app, by its package.
    App(String),
    /// The app that is installed besides those of the phone, if there is exactly one; else the home screen.
    Own,
    /// Whatever takes this uri.
    Uri(String),
}

words! {
    /// Which time the phone lives in.
    ///
    /// The phone uses the time of the tokio runtime that drives it: create the runtime paused for virtual time.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum TimeChoice {
        /// Waits are instant, and runs repeat to the millisecond.
        #[default]
        Virtual = "virtual",
        /// Real time, for watching.
        Real = "real",
    }
}

words! {
    /// Whether windows slide in or just are there.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum AnimationChoice {
        /// Screens, dialogs, the keyboard and messages take a quarter of a second to come in.
        On = "on",
        /// They are where they belong at once.
        #[default]
        Off = "off",
    }
}

words! {
    /// How a phone is held, as Android counts it: in quarter turns against the clock.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Rotation {
        /// As it is made to be held.
        #[default]
        Portrait = "portrait",
        /// Turned to the left: what was its right edge is at the top.
        Landscape = "landscape",
        /// Upside down.
        ReversePortrait = "reverse_portrait",
        /// Turned to the right.
        ReverseLandscape = "reverse_landscape",
    }
}

impl Rotation {
    /// Quarter turns, 0 to 3, as `hierarchy_xml` has them.
    pub const fn quarter_turns(self) -> u8 {
        self as u8
    }

    /// The rotation by these quarter turns.
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
    /// How long looks and inputs take, besides what they do.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum PaceChoice {
        /// No time.
        #[default]
        Instant = "instant",
        /// As long as on a phone over adb.
        Phone = "phone",
    }
}

words! {
    /// The UI toolkit that an app is made with.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Toolkit {
        #[default]
        Views = "views",
        Compose = "compose",
    }
}
