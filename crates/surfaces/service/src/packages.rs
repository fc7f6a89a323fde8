//! Which packages a device has.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver_android::manage;

pub use manage::PackageFilter as WhichPackages;

use crate::backends::{self, Backend};
use crate::phone_shell::PhoneShell;
use crate::{Options, Service};

impl Service {
    /// The packages of a device, in the device's order; the embedded phone's, too.
    ///
    /// # Errors
    /// `DEVICE_SHELL_UNAVAILABLE` when the package manager does not answer, `DEVICE_LOST`, and those of finding a device.
    pub async fn packages(
        &self,
        device: Option<&str>,
        which: WhichPackages,
        within: Duration,
    ) -> Result<Vec<String>, ErrorBody> {
        let options = &self.options;
        if let Some(page) = device.filter(|device| crate::chrome::is_chrome(device)) {
            let message = format!("{page} is a web page, and has no packages");
            return Err(ErrorBody::new(ErrorCode::ActionNotSupportedHere, message)
                .with_hint("Name a phone with --device"));
        }
        let serial = backends::resolve_name(device, options).await?;
        if backends::is_sim(&serial) {
            return embedded(&serial, options, which).await;
        }
        let phone_shell = PhoneShell::open(Some(&serial), options, within).await?;
        let listed = manage::packages(&phone_shell.shell, &phone_shell.cx, which).await;
        listed.map_err(|error| phone_shell.failed("listing its packages", &error))
    }
}

/// The apps of the embedded phone.
async fn embedded(
    device: &str,
    options: &Options,
    which: WhichPackages,
) -> Result<Vec<String>, ErrorBody> {
    let Backend::Sim(phone) = backends::open(device, options).await? else {
        return Ok(Vec::new());
    };
    let packages = phone.phone().packages();
    let mut names: Vec<String> = packages
        .iter()
        .filter(|package| match which {
            WhichPackages::All => true,
            WhichPackages::ThirdParty => !sim_adb::is_of_the_system(package),
        })
        .map(|package| package.package.to_string())
        .collect();
    names.sort();
    Ok(names)
}
