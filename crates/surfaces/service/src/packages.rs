//! The packages of a device.

use std::time::Duration;

use contract::ErrorBody;

pub use driver_android::manage::PackageFilter as WhichPackages;

use crate::{Service, devices};

impl Service {
    /// The packages of a device, in the device's order; also works for the embedded phone.
    ///
    /// # Errors
    /// `DEVICE_SHELL_UNAVAILABLE` when the package manager does not answer, `DEVICE_LOST`, and those of finding a device.
    pub async fn packages(
        &self,
        device: Option<&str>,
        filter: WhichPackages,
        within: Duration,
    ) -> Result<Vec<String>, ErrorBody> {
        let kind = devices::kind_for(device, &self.options);
        kind.packages(device, &self.options, filter, within).await
    }
}
