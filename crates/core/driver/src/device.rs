//! Static facts about a device.

use uitree::Size;

/// The platform of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// An Android phone, real or simulated.
    Android,
    /// A page in a browser.
    Web,
}

/// Optional abilities of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// `start_recording` and `stop_recording` work.
    pub recording: bool,
    /// `changed` reports changes as they happen instead of polling.
    pub events: bool,
    /// [`watch_selectors`](crate::Browser::watch_selectors) takes CSS selectors.
    pub css: bool,
    /// `observe` waits until the screen has been idle (a second on phones). One such observation is as
    /// reliable as two equal ones, and faster than making two.
    pub observe_settles: bool,
    /// [`loading`](crate::Browser::loading) reports what the screen waits for: a still screen that waits for nothing is final.
    pub loading: bool,
    /// A swiping finger can rest before it lifts, so that no fling follows.
    pub swipe_rests: bool,
    /// A click on a node touches the place where the node was observed, whatever is there now.
    pub clicks_by_place: bool,
}

/// The properties of a device that are known without touching it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Its name for `--device`.
    pub id: String,
    /// Its platform.
    pub platform: Platform,
    /// Its model name.
    pub model: String,
    /// Its screen in device pixels, unrotated.
    pub screen: Size,
    /// Its dots per inch, 160 for one pixel per dp; 0 when unknown.
    pub density: u32,
    /// Its optional abilities.
    pub capabilities: Capabilities,
}

/// How the screen of a phone is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// Higher than wide.
    Portrait,
    /// Wider than high.
    Landscape,
    /// As the phone is held.
    Auto,
}

impl Orientation {
    /// Quarter turns that bring a screen of this unrotated size into the orientation; `None` for [`Orientation::Auto`].
    pub const fn quarter_turns(self, unrotated: Size) -> Option<u8> {
        let is_wide = unrotated.width > unrotated.height;
        match self {
            Self::Portrait => Some(is_wide as u8),
            Self::Landscape => Some(!is_wide as u8),
            Self::Auto => None,
        }
    }
}
