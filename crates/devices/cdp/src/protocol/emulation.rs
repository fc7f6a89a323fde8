//! Emulation of device properties.
#![expect(missing_docs, reason = "fields are those of the protocol")]

use serde::Serialize;

use super::{EmptyResult, bare, methods};

/// Overrides size and density of the screen; 0 keeps the real value.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetDeviceMetricsOverride {
    pub width: u32,
    pub height: u32,
    pub device_scale_factor: f64,
    pub mobile: bool,
}

/// Makes the page believe that it has the focus.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SetFocusEmulationEnabled {
    pub enabled: bool,
}

/// Makes the page believe that the device has a touch screen.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetTouchEmulationEnabled {
    pub enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_touch_points: Option<u8>,
}

bare! {
    /// Ends the override.
    ClearDeviceMetricsOverride = "Emulation.clearDeviceMetricsOverride" -> EmptyResult;
}

methods! {
    SetDeviceMetricsOverride = "Emulation.setDeviceMetricsOverride" -> EmptyResult;
    SetFocusEmulationEnabled = "Emulation.setFocusEmulationEnabled" -> EmptyResult;
    SetTouchEmulationEnabled = "Emulation.setTouchEmulationEnabled" -> EmptyResult;
}
