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
    /// What it can do.
    pub capabilities: Capabilities,
}
