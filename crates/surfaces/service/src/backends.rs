//! The devices by name: which there are, which time they live in, how they are opened.

use std::path::PathBuf;
use std::sync::Arc;

use contract::{ErrorBody, ErrorCode};
use driver::{Cx, Dispatch, Driver, DriverError};
use driver_android::StockDriver;
use driver_chrome::{ChromeDriver, RESPONSE_TIMEOUT};
use driver_sim::journal::Passwords;
use driver_sim::{AppSource, SimDriver, SimOptions, Start};
use tokio_util::sync::CancellationToken;

/// Which time a device lives in: waits cost nothing in virtual time, in a runtime with paused time.
pub use driver_sim::TimeChoice as Clock;

use crate::android;
use crate::chrome::{self, ResolvedTab};
use crate::operator::{AndroidPhone, OPEN_WITHIN};
use crate::recording::{self, ProcessRecorder};
use crate::runtime;
use crate::sim::{self, SimError};
use crate::{DeviceList, Options, Paths, TransportOptions};

/// The name of the embedded phone.
pub(crate) const SIM: &str = "sim";

/// The state of the embedded phone.
pub(crate) const EMBEDDED: &str = "embedded";

/// What stands before the app file or folder that the embedded phone is to have besides its own apps.
const SIM_WITH: char = ':';

/// What stands before the name of one of several embedded phones.
const SIM_ONE: char = '#';

/// What a name says of an embedded phone: `sim`, `sim:<file>`, `sim#<phone>` or `sim#<phone>:<file>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SimName<'a> {
    /// Which of several phones it is; nothing for the one that has no name.
    pub(crate) phone: Option<&'a str>,
    /// The app file or folder that it is to have.
    pub(crate) file: Option<&'a str>,
}

impl<'a> SimName<'a> {
    /// Reads a name; `None` where it is none of an embedded phone.
    pub(crate) fn of(device: &'a str) -> Option<Self> {
        let rest = device.strip_prefix(SIM)?;
        if let Some(file) = rest.strip_prefix(SIM_WITH) {
            return Some(Self {
                phone: None,
                file: Some(file),
            });
        }
        if let Some(rest) = rest.strip_prefix(SIM_ONE) {
            let (phone, file) = match rest.split_once(SIM_WITH) {
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

    /// An error where the phone's own name is none.
    pub(crate) fn check(&self) -> Result<(), ErrorBody> {
        let Some(phone) = self.phone else {
            return Ok(());
        };
        let letters = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if (1..=64).contains(&phone.len()) && phone.chars().all(letters) {
            return Ok(());
        }
        let shown: String = phone.chars().take(40).collect();
        let message = format!("{shown:?} is no name of a simulated phone");
        Err(ErrorBody::new(ErrorCode::DeviceNotFound, message).with_hint(
            "Behind `sim#` stand 1 to 64 letters, digits, `-`, `_` and `.`, as in `sim#1`; an app file may follow: `sim#1:app.yaml`",
        ))
    }
}

/// The time of the device of this name, unless options say otherwise ([`Options::clock_of`]).
pub fn clock_of(device: Option<&str>) -> Clock {
    match device {
        Some(name) if is_sim(name) => Clock::Virtual,
        Some(_) | None => Clock::Real,
    }
}

impl Options {
    /// The time of the device of this name, as these options set it up: the embedded phone can live in either.
    pub fn clock_of(&self, device: Option<&str>) -> Clock {
        match clock_of(device) {
            Clock::Virtual => self.sim.time,
            Clock::Real => Clock::Real,
        }
    }
}

/// Every device that can be named: phones, the embedded one, and tabs of browsers that run.
pub(crate) async fn devices(options: &Options) -> Result<DeviceList, ErrorBody> {
    let mut devices = match android::phones(&options.adb).await {
        Ok(phones) => phones,
        // Without adb there are no phones; whoever names one is told why.
        Err(error) if error.code == ErrorCode::AdbNotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    devices.extend(chrome::devices(&options.chrome).await?);
    Ok(DeviceList::attached(devices))
}

/// A device that is meant.
pub(crate) struct ResolvedDevice {
    /// Its name, the same for whoever means it.
    pub(crate) name: String,
    /// The tab, where it is one.
    pub(crate) tab: Option<ResolvedTab>,
    /// The ways to it that count before those of the options.
    pub(crate) transport: Option<TransportOptions>,
}

impl ResolvedDevice {
    /// A device that its name says all about.
    pub(crate) const fn named(name: String) -> Self {
        Self {
            name,
            tab: None,
            transport: None,
        }
    }

    /// The ways to it.
    pub(crate) fn transport<'a>(&'a self, options: &'a Options) -> &'a TransportOptions {
        self.transport.as_ref().unwrap_or(&options.transport)
    }
}

/// The device that is meant.
pub(crate) async fn resolve(
    device: Option<&str>,
    options: &Options,
) -> Result<ResolvedDevice, ErrorBody> {
    let named = match device {
        // Who names a browser and no device means its pages.
        None if options.chrome.named_by_flag => Some(chrome::CHROME),
        named => named,
    };
    match named {
        Some(name) if chrome::is_chrome(name) => {
            let tab = chrome::resolve(name, &options.chrome).await?;
            Ok(ResolvedDevice {
                name: tab.device(),
                tab: Some(tab),
                transport: None,
            })
        }
        Some(name) => Ok(ResolvedDevice::named(name.to_owned())),
        None => Ok(ResolvedDevice::named(android::only(&options.adb).await?)),
    }
}

/// The name of the device that is meant.
pub(crate) async fn resolve_name(
    device: Option<&str>,
    options: &Options,
) -> Result<String, ErrorBody> {
    Ok(resolve(device, options).await?.name)
}

/// Whether a name is a phone's that adb leads to, as far as that can be seen from it.
pub(crate) fn is_phone(device: &str) -> bool {
    !is_sim(device) && !chrome::is_chrome(device)
}

/// Whether a name is one of the embedded phone's.
pub(crate) fn is_sim(device: &str) -> bool {
    SimName::of(device).is_some()
}

/// An open device of a kind that is known here and nowhere else.
pub(crate) enum Backend {
    /// The embedded phone.
    Sim(Box<SimDriver>),
    /// A phone over adb.
    Android(Box<AndroidPhone>),
    /// A tab of a browser.
    Chrome(Box<ChromeDriver>),
}

impl Backend {
    /// The device as everybody else knows it.
    pub(crate) fn driver(&mut self) -> &mut dyn Driver {
        match self {
            Backend::Sim(phone) => phone.as_mut(),
            Backend::Android(phone) => &mut phone.stock,
            Backend::Chrome(page) => page.as_mut(),
        }
    }

    /// Whether it is to be opened anew before it is used again.
    pub(crate) fn is_doubtful(&self) -> bool {
        match self {
            Backend::Sim(_) | Backend::Chrome(_) => false,
            Backend::Android(phone) => phone.doubtful,
        }
    }

    /// Whether it lives on without us, so that it can be opened anew where something went wrong with the way to it.
    pub(crate) fn lives_elsewhere(&self) -> bool {
        match self {
            // A tab is let go of after every run, with what has to be done for that.
            Backend::Sim(_) | Backend::Chrome(_) => false,
            Backend::Android(_) => true,
        }
    }

    /// What really happened on it, where that is known: NDJSON.
    pub(crate) fn journal(&self) -> Option<String> {
        match self {
            Backend::Sim(phone) => Some(phone.phone().log().to_json(Passwords::Masked)),
            Backend::Android(_) | Backend::Chrome(_) => None,
        }
    }
}

/// Opens a device that was resolved, for whoever has no time of their own.
pub(crate) async fn open(device: &str, options: &Options) -> Result<Backend, ErrorBody> {
    let cx = Cx::new(OPEN_WITHIN, CancellationToken::new());
    let resolved = resolve(Some(device), options).await?;
    open_within(&resolved, options, Purpose::Any, &cx).await
}

/// What a device is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Whatever comes.
    Any,
    /// Another page than its tab shows now.
    Load,
}

/// Opens a device that is meant, before the context ends.
pub(crate) async fn open_within(
    resolved: &ResolvedDevice,
    options: &Options,
    purpose: Purpose,
    cx: &Cx,
) -> Result<Backend, ErrorBody> {
    let device = &*resolved.name;
    if let Some(chosen) = &resolved.tab {
        return page(device, chosen, options, purpose, cx).await;
    }
    if let Some(name) = SimName::of(device) {
        name.check()?;
        return simulated(device, name, options);
    }
    let mut phone =
        AndroidPhone::open(device, &options.adb, resolved.transport(options), cx).await?;
    phone.stock = recorded(phone.stock, device, options);
    Ok(Backend::Android(Box::new(phone)))
}

/// Attaches to a tab.
async fn page(
    device: &str,
    chosen: &ResolvedTab,
    options: &Options,
    purpose: Purpose,
    cx: &Cx,
) -> Result<Backend, ErrorBody> {
    let downloads = options.chrome.downloads()?;
    let within = OPEN_WITHIN.min(cx.remaining());
    let cx = cx.within(within);
    let failed = |error| chrome::not_attached(device, &error, within);
    let mut kept = options
        .chrome
        .connections
        .take(&chosen.browser, &chosen.tab);
    if let Some(page) = &mut kept {
        let resumed = match purpose {
            Purpose::Any => page.resume(&cx).await,
            Purpose::Load => page.resume(&cx.within(RESPONSE_TIMEOUT)).await,
        };
        match resumed {
            Ok(()) => {}
            Err(error @ DriverError::Cancelled) => return Err(failed(error)),
            Err(error @ DriverError::Deadline) if purpose == Purpose::Any => {
                return Err(failed(error));
            }
            // Whoever attaches anew mends it, or tells what is wrong with it.
            Err(_) => kept = None,
        }
    }
    let page = match kept {
        Some(page) => page,
        None => match attached(chosen, purpose, &cx).await {
            Ok(page) => page,
            Err(error @ (DriverError::Cancelled | DriverError::Deadline)) => {
                return Err(failed(error));
            }
            // It may have been closed since it was chosen.
            Err(error) => return Err(chosen.gone().await.unwrap_or_else(|| failed(error))),
        },
    };
    let page = page
        .named(device)
        .with_file_access(options.chrome.files)
        .with_downloads(downloads);
    Ok(Backend::Chrome(Box::new(page)))
}

/// The way into a tab that no run has left behind.
async fn attached(
    chosen: &ResolvedTab,
    purpose: Purpose,
    cx: &Cx,
) -> Result<ChromeDriver, DriverError> {
    let attached = cx.run(chosen.browser.attach(&chosen.tab)).await?;
    let tab = attached.map_err(|error| DriverError::Lost {
        message: error.to_string(),
        dispatch: Dispatch::NotSent,
    })?;
    match purpose {
        Purpose::Any => ChromeDriver::open(tab, cx).await,
        Purpose::Load => ChromeDriver::open_to_load(tab, cx).await,
    }
}

/// The same phone, with whoever keeps its recordings, where somebody can.
fn recorded(phone: StockDriver, device: &str, options: &Options) -> StockDriver {
    if options.recorder.is_none() {
        return phone;
    }
    phone.with_recorder(Arc::new(ProcessRecorder {
        device: device.to_owned(),
        folder: recording::folder(options.recordings.as_deref(), device),
        runtime: options.adb.locks.clone(),
        launcher: options.recorder.clone(),
    }))
}

/// Starts the embedded phone.
fn simulated(device: &str, name: SimName<'_>, options: &Options) -> Result<Backend, ErrorBody> {
    if let Some(strike) = options.sim.wire_faults().first() {
        let name = strike.fault.name();
        let message = format!("--sim-fault {name} goes wrong on the wire, and {device} has none");
        return Err(ErrorBody::new(ErrorCode::Usage, message).with_hint(format!(
            "`clawperator sim start --fault '{}'` starts a phone that adb talks to",
            strike.fault
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
    if let Some(path) = name.file {
        sim.apps.extend(apps_at(path, &options.app_paths)?);
        sim.start = Start::Own;
    }
    match SimDriver::new(sim) {
        Ok(driver) => Ok(Backend::Sim(Box::new(driver))),
        Err(error) if error.name == driver_sim::FAULTS => {
            let told = error.problems.into_iter().map(|problem| problem.message);
            let told: Vec<String> = told.collect();
            Err(
                ErrorBody::new(ErrorCode::Usage, format!("--sim-fault {}", told.join("; ")))
                    .with_hint("`clawperator sim apps` lists the apps of the phone"),
            )
        }
        Err(error) if name.file.is_none() => Err(ErrorBody::new(
            ErrorCode::InternalError,
            format!("{device} did not start: {error}"),
        )),
        Err(error) => Err(sim::refused(&[SimError::from(error)])),
    }
}

/// The app file that `sim:<path>` names, or those of the folder.
fn apps_at(path: &str, allowed: &Paths) -> Result<Vec<AppSource>, ErrorBody> {
    if path.is_empty() {
        let message = "`sim:` names no app file; write `sim:app.yaml`, or `sim` alone";
        return Err(ErrorBody::new(ErrorCode::SimAppInvalid, message)
            .with_hint("`clawperator sim new app.yaml` writes an app to begin with"));
    }
    let path = match allowed {
        // It is named in errors as it was written.
        Paths::Anywhere => PathBuf::from(path),
        Paths::Within(_) => allowed.resolve(path).map_err(|why| {
            let message = format!("the app file may not be read: {why}");
            ErrorBody::new(ErrorCode::InvalidPath, message)
                .with_hint("Use `sim`, or name a file in the folder of `--sim-apps <folder>`")
        })?,
    };
    let files = sim::app_files(&path).map_err(|error| sim::refused(&[error]))?;
    Ok(files.into_iter().map(AppSource::File).collect())
}
