//! The only place that names concrete drivers.

use contract::{ErrorBody, ErrorCode};
use driver::Driver;
use driver_sim::{SimDriver, SimOptions};

use crate::{Device, Options};

/// The name of the embedded phone.
const SIM: &str = "sim";

/// Which time a device lives in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Waits cost nothing: a runtime with paused time runs it.
    Virtual,
    /// The time of the world.
    Real,
}

/// The time of the device of this name.
pub fn clock_of(device: Option<&str>) -> Clock {
    if device == Some(SIM) {
        Clock::Virtual
    } else {
        Clock::Real
    }
}

/// Every device that can be named.
pub(crate) fn devices() -> Vec<Device> {
    vec![Device {
        serial: SIM.to_owned(),
        state: "embedded".to_owned(),
    }]
}

/// The name of the device that is meant.
pub(crate) fn resolve(device: Option<&str>) -> Result<&str, ErrorBody> {
    match device {
        Some(SIM) => Ok(SIM),
        Some(other) => Err(not_found(other)),
        None => Err(
            ErrorBody::new(ErrorCode::NoDevices, "no device is connected")
                .with_hint("Add `--device sim` to run on the embedded phone, which needs nothing"),
        ),
    }
}

/// The refusal of a name that no device has; a long one is cut, it is the caller's own.
fn not_found(name: &str) -> ErrorBody {
    let shown: String = name.chars().take(80).collect();
    ErrorBody::new(
        ErrorCode::DeviceNotFound,
        format!("no device {shown:?} is connected"),
    )
    .with_hint("`clawperator devices` lists what there is; `--device sim` is the embedded phone")
    .with_detail("deviceId", shown)
    .with_detail("connected", Vec::<String>::new())
    .with_detail("embedded", vec![SIM])
}

/// Opens a device that was resolved.
pub(crate) fn open(device: &str, options: &Options) -> Result<Box<dyn Driver>, ErrorBody> {
    let sim = SimOptions {
        recordings: options
            .recordings
            .clone()
            .unwrap_or_else(|| std::env::temp_dir().join("clawperator").join("recordings")),
        ..SimOptions::default()
    };
    match SimDriver::new(sim) {
        Ok(driver) => Ok(Box::new(driver)),
        Err(error) => Err(ErrorBody::new(
            ErrorCode::InternalError,
            format!("{device} did not start: {error}"),
        )),
    }
}
