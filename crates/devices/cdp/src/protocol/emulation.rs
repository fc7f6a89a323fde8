//! What a page believes of the device it is shown on.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::Serialize;

use super::{Nothing, bare, methods};

/// Sets the size and the density of the screen; 0 leaves one as it is.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetDeviceMetricsOverride {
    pub width: u32,
    pub height: u32,
    pub device_scale_factor: f64,
    pub mobile: bool,
}

/// Lets the page believe that it has the focus, although its window has not.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SetFocusEmulationEnabled {
    pub enabled: bool,
}

/// Lets the page believe that it is touched.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetTouchEmulationEnabled {
    pub enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_touch_points: Option<u8>,
}

bare! {
    /// The screen as it is.
    ClearDeviceMetricsOverride = "Emulation.clearDeviceMetricsOverride" -> Nothing;
}

methods! {
    SetDeviceMetricsOverride = "Emulation.setDeviceMetricsOverride" -> Nothing;
    SetFocusEmulationEnabled = "Emulation.setFocusEmulationEnabled" -> Nothing;
    SetTouchEmulationEnabled = "Emulation.setTouchEmulationEnabled" -> Nothing;
}
