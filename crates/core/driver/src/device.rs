//! What a device is.

use uitree::Size;

/// Which world a device belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// An Android phone, real or simulated.
    Android,
    /// A page in a browser.
    Web,
}

/// What a device can do beyond the methods that every driver has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// `start_recording` and `stop_recording` work.
    pub recording: bool,
    /// `changed` reports changes as they happen instead of polling.
    pub events: bool,
    /// [`look_for`](crate::Driver::look_for) takes CSS selectors.
    pub css: bool,
    /// `observe` waits until the screen rests: what it shows has stood still for a part of the time that the look took, a
    /// second on phones. One such look tells as much as two that show the same, and costs more than both.
    pub rested_looks: bool,
}

/// A device, as far as it is known without touching it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// The name by which `--device` takes it.
    pub id: String,
    /// Which world it belongs to.
    pub platform: Platform,
    /// What it calls itself.
    pub model: String,
    /// Its screen in device pixels, unrotated.
    pub screen: Size,
    /// Its dots per inch, of which 160 make a pixel as large as a density-independent one; 0 where it is not known.
    pub density: u32,
    /// What it can do.
    pub capabilities: Capabilities,
}
