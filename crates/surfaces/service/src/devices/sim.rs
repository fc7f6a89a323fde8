//! The embedded phone.

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use contract::{ErrorBody, ErrorCode};
use driver::{Cx, Driver};
use driver_android::manage::PackageFilter;
use driver_sim::journal::Passwords;
use driver_sim::{AppSource, SimDriver, SimOptions, Start};

use super::{Clock, DeviceConnection, DeviceKind, OpenDevice, Purpose, ResolvedDevice};
use crate::runtime;
use crate::sim::{self, SimError};
use crate::{Device, Options, Paths};

/// The state of the embedded phone.
pub(crate) const EMBEDDED: &str = "embedded";

/// The name of the embedded phone.
const SIM: &str = "sim";

/// The prefix before an app file or folder.
const SIM_APP_PREFIX: char = ':';

/// The prefix before the id of one of several embedded phones.
const SIM_ID_PREFIX: char = '#';

/// The parts of the name of an embedded phone: `sim`, `sim:<file>`, `sim#<phone>` or `sim#<phone>:<file>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SimName<'a> {
    /// The id of the phone; `None` for the unnamed one.
    phone: Option<&'a str>,
    /// The app file or folder.
    file: Option<&'a str>,
}

impl<'a> SimName<'a> {
    /// Parses a name; `None` if it is not that of an embedded phone.
    fn parse(device: &'a str) -> Option<Self> {
        let rest = device.strip_prefix(SIM)?;
        if let Some(file) = rest.strip_prefix(SIM_APP_PREFIX) {
            return Some(Self {
                phone: None,
                file: Some(file),
            });
        }
        if let Some(rest) = rest.strip_prefix(SIM_ID_PREFIX) {
            let (phone, file) = match rest.split_once(SIM_APP_PREFIX) {
                Some((phone, file)) => (phone, Some(file)),
                None => (rest, None),
            };
            return Some(Self {
                phone: Some(phone),
                file,
            });
        }
        rest.is_empty().then_some(Self {
            phone: None,
            file: None,
        })
    }

    /// Checks the id of the phone.
    fn check(&self) -> Result<(), ErrorBody> {
        let Some(phone) = self.phone else {
            return Ok(());
        };
        let letters = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        let is_number = phone.bytes().all(|letter| letter.is_ascii_digit());
        // Another way to write a number would be another phone.
        let is_one = !is_number || phone == "0" || phone.len() <= 4 && !phone.starts_with('0');
        if (1..=64).contains(&phone.len()) && phone.chars().all(letters) && is_one {
            return Ok(());
        }
        let shown = contract::truncate(phone, 40);
        let message = format!("invalid name of a simulated phone {shown:?}");
        Err(ErrorBody::new(ErrorCode::DeviceNotFound, message).with_hint(
            "`sim#` is followed by a number from 0 to 9999 without leading zeros, or by 1 to 64 letters, digits, `-`, `_` and `.`, as in `sim#1`; an app file may follow: `sim#1:app.yaml`",
        ))
    }
}

/// Embedded phones: `sim`, `sim:<file>`, `sim#<phone>`.
pub(super) struct SimKind;

#[async_trait]
impl DeviceKind for SimKind {
    fn owns(&self, device: &str) -> bool {
        SimName::parse(device).is_some()
    }

    fn is_default(&self, _options: &Options) -> bool {
        false
    }

    fn noun(&self) -> &'static str {
        "the embedded phone"
    }

    fn clock(&self) -> Clock {
        Clock::Virtual
    }

    fn is_embedded(&self) -> bool {
        true
    }

    fn transport(&self) -> &'static str {
        "embedded"
    }

    fn size_key(&self) -> &'static str {
        "wmSize"
    }

    fn opened_summary(&self, _device: &str) -> String {
        "The embedded phone starts; it needs no adb".to_owned()
    }

    async fn list(&self, _options: &Options) -> Result<Vec<Device>, ErrorBody> {
        Ok(embedded())
    }

    async fn resolve(
        &self,
        device: Option<&str>,
        _options: &Options,
    ) -> Result<ResolvedDevice, ErrorBody> {
        let device = device.unwrap_or(SIM);
        if let Some(name) = SimName::parse(device) {
            name.check()?;
        }
        Ok(ResolvedDevice::named(device.to_owned()))
    }

    async fn open(
        &self,
        resolved: &ResolvedDevice,
        _reached: DeviceConnection,
        options: &Options,
        _purpose: Purpose,
        _cx: &Cx,
    ) -> Result<Box<dyn OpenDevice>, ErrorBody> {
        Ok(Box::new(start(&resolved.name, options)?))
    }

    async fn packages(
        &self,
        device: Option<&str>,
        options: &Options,
        filter: PackageFilter,
        _within: Duration,
    ) -> Result<Vec<String>, ErrorBody> {
        let driver = start(device.unwrap_or(SIM), options)?;
        let packages = driver.phone().packages();
        let mut names: Vec<String> = packages
            .iter()
            .filter(|package| match filter {
                PackageFilter::All => true,
                PackageFilter::ThirdParty => !sim_adb::is_system_app(package),
            })
            .map(|package| package.package.to_string())
            .collect();
        names.sort();
        Ok(names)
    }

    fn check_recordings(&self, _device: Option<&str>) -> Result<(), ErrorBody> {
        let message = "the embedded phone keeps no recordings; the answer of the recording plan has the file in `filePath`";
        Err(
            ErrorBody::new(ErrorCode::ActionNotSupportedHere, message).with_hint(
                "Name a phone with --device; `clawperator sim start` starts a simulated one",
            ),
        )
    }
}

/// The embedded phones that are listed by default.
pub(crate) fn embedded() -> Vec<Device> {
    vec![Device::new(SIM.to_owned(), EMBEDDED.to_owned())]
}

#[async_trait]
impl OpenDevice for SimDriver {
    fn driver(&mut self) -> &mut dyn Driver {
        self
    }

    fn writes_recordings(&self) -> bool {
        true
    }

    fn journal(&self) -> Option<String> {
        Some(self.phone().log().to_json(Passwords::Masked))
    }
}

/// Starts the embedded phone.
fn start(device: &str, options: &Options) -> Result<SimDriver, ErrorBody> {
    let name = SimName::parse(device);
    if let Some(name) = name {
        name.check()?;
    }
    let file = name.and_then(|name| name.file);
    if let Some(spec) = options.sim.wire_faults().first() {
        let name = spec.fault.name();
        let message =
            format!("--sim-fault {name} affects the adb connection, and {device} has none");
        return Err(ErrorBody::new(ErrorCode::Usage, message).with_hint(format!(
            "`clawperator sim start --fault '{}'` starts a phone with an adb connection",
            spec.fault
        )));
    }
    let mut sim = SimOptions {
        recordings: options
            .recordings
            .clone()
            .unwrap_or_else(runtime::new_recordings),
        time: options.sim.time,
        ..SimOptions::default()
    };
    options.sim.apply(&mut sim);
    if let Some(path) = file {
        sim.apps.extend(apps_at(path, &options.app_paths)?);
        sim.start = Start::Own;
    }
    match SimDriver::new(sim) {
        Ok(driver) => Ok(driver),
        Err(error) if error.name == driver_sim::FAULTS => {
            let problems = error.problems.into_iter().map(|problem| problem.message);
            let problems: Vec<String> = problems.collect();
            let message = format!("--sim-fault {}", problems.join("; "));
            Err(ErrorBody::new(ErrorCode::Usage, message)
                .with_hint("`clawperator sim apps` lists the apps of the phone"))
        }
        Err(error) if file.is_none() => Err(ErrorBody::new(
            ErrorCode::InternalError,
            format!("{device} did not start: {error}"),
        )),
        Err(error) => Err(sim::refused(&[SimError::from(error)])),
    }
}

/// The app files of `sim:<path>`: the file, or those of the folder.
fn apps_at(path: &str, allowed: &Paths) -> Result<Vec<AppSource>, ErrorBody> {
    if path.is_empty() {
        let message = "`sim:` has no app file; use `sim:app.yaml`, or `sim` alone";
        return Err(ErrorBody::new(ErrorCode::SimAppInvalid, message)
            .with_hint("`clawperator sim new app.yaml` creates an app"));
    }
    let path = match allowed {
        // Errors show the path as it was written.
        Paths::Anywhere => PathBuf::from(path),
        Paths::Within(_) => allowed.resolve(path).map_err(|why| {
            let message = format!("access to the app file is not allowed: {why}");
            ErrorBody::new(ErrorCode::InvalidPath, message)
                .with_hint("Use `sim`, or a file in the directory of `--sim-apps <dir>`")
        })?,
    };
    let files = sim::app_files(&path).map_err(|error| sim::refused(&[error]))?;
    Ok(files.into_iter().map(AppSource::File).collect())
}
