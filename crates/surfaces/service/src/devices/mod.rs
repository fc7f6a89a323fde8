//! The kinds of device. Each is a file of this folder and a row of [`KINDS`]; the rest of the service knows devices by
//! [`DeviceKind`] and [`OpenDevice`] only.

mod chrome;
mod phone;
mod sim;

use std::time::Duration;

use async_trait::async_trait;
use contract::{DeviceAnswer, ErrorBody, ErrorCode, Execution, Parsed, Warning};
use driver::{Cx, Driver, DriverError};
use driver_chrome::page::PageObserver;
use tokio_util::sync::CancellationToken;

/// Which time a device lives in: waits cost nothing in virtual time, in a runtime with paused time.
pub use driver_sim::TimeChoice as Clock;

use crate::chrome::ResolvedTab;
use crate::inspect::{InspectOutput, Target};
use crate::secrets::Watching;
use crate::{Device, DeviceList, Event, Options, RouteTaken, TransportOptions, WhichPackages};

pub(crate) use sim::{EMBEDDED, embedded};

/// The receiver of a run's events.
type OnEvent<'a> = &'a mut (dyn FnMut(&Event<'_>) + Send);

/// Every kind of device. A name belongs to the first kind that owns it; phones own each that is left.
static KINDS: [&dyn DeviceKind; 3] = [&sim::SimKind, &chrome::ChromeKind, &phone::PhoneKind];

/// One kind of device: which names are its own, and how its devices are listed, resolved and opened.
#[async_trait]
pub(crate) trait DeviceKind: Sync {
    /// Whether a device of this name is of this kind.
    fn owns(&self, device: &str) -> bool;

    /// Whether a command that names no device is for this kind.
    fn is_default(&self, options: &Options) -> bool;

    /// The kind with its article, as `a web page`.
    fn noun(&self) -> &'static str;

    /// The time in which its devices live unless options say otherwise.
    fn clock(&self) -> Clock {
        Clock::Real
    }

    /// Whether its devices live in this process and end with it.
    fn is_embedded(&self) -> bool {
        false
    }

    /// Whether its devices are phones with a shell behind adb.
    fn has_adb_shell(&self) -> bool {
        false
    }

    /// What `doctor` calls the way to its devices.
    fn way(&self) -> &'static str;

    /// What `doctor` calls the size of its screens.
    fn size_key(&self) -> &'static str;

    /// What `doctor` says of a device that was opened.
    fn found(&self, device: &str) -> String {
        format!("{device} is there and answers")
    }

    /// Its devices that can be named now.
    ///
    /// # Errors
    /// What keeps them from being listed.
    async fn list(&self, options: &Options) -> Result<Vec<Device>, ErrorBody>;

    /// The device that a name means; without a name the only one there is.
    ///
    /// # Errors
    /// No device or several are meant.
    async fn resolve(
        &self,
        device: Option<&str>,
        options: &Options,
    ) -> Result<ResolvedDevice, ErrorBody>;

    /// Connects to a device that was resolved, and asks it nothing.
    ///
    /// # Errors
    /// What keeps the device from being reached.
    async fn reach(
        &self,
        _resolved: &ResolvedDevice,
        _options: &Options,
        _cx: &Cx,
    ) -> Result<Reached, ErrorBody> {
        Ok(Reached::default())
    }

    /// Opens a device that was reached, before the context ends.
    ///
    /// # Errors
    /// What keeps the device from being opened.
    async fn open(
        &self,
        resolved: &ResolvedDevice,
        reached: Reached,
        options: &Options,
        purpose: Purpose,
        cx: &Cx,
    ) -> Result<Box<dyn OpenDevice>, ErrorBody>;

    /// Has another process run a plan; `None` where none does it, and nothing was done.
    async fn delegate_run(
        &self,
        _device: Option<&str>,
        _options: &Options,
        _parsed: &Parsed,
        _cancel: &CancellationToken,
        _on_event: OnEvent<'_>,
    ) -> Option<Result<DeviceAnswer, ErrorBody>> {
        None
    }

    /// Has another process find an element; `None` where none does it.
    async fn delegate_find(
        &self,
        _device: Option<&str>,
        _options: &Options,
        _look: &Parsed,
        _target: &Target,
        _cancel: &CancellationToken,
        _on_event: OnEvent<'_>,
    ) -> Option<Result<InspectOutput, ErrorBody>> {
        None
    }

    /// The packages of the apps on a device.
    ///
    /// # Errors
    /// `ACTION_NOT_SUPPORTED_HERE`, and what keeps them from being listed.
    async fn packages(
        &self,
        device: Option<&str>,
        _options: &Options,
        _which: WhichPackages,
        _within: Duration,
    ) -> Result<Vec<String>, ErrorBody> {
        let device = device.unwrap_or("the device");
        let message = format!("{device} is {}, and has no packages", self.noun());
        Err(not_supported(message))
    }

    /// That recordings of a device stay until they are fetched.
    ///
    /// # Errors
    /// `ACTION_NOT_SUPPORTED_HERE`.
    fn check_recordings(&self, device: Option<&str>) -> Result<(), ErrorBody> {
        let device = device.unwrap_or("the device");
        let message = format!(
            "{device} is {}, of which there are no recordings",
            self.noun()
        );
        Err(not_supported(message))
    }
}

/// An open device.
#[async_trait]
pub(crate) trait OpenDevice: Send {
    /// The seam to the engine.
    fn driver(&mut self) -> &mut dyn Driver;

    /// Runs a plan; tells which way it went where there is a choice.
    ///
    /// # Errors
    /// What keeps the plan from the way that was asked for; nothing was done then.
    async fn run(
        &mut self,
        execution: &Execution,
        _transport: &TransportOptions,
        artifacts: &mut Watching,
        cx: &Cx,
        on_event: OnEvent<'_>,
    ) -> Result<(engine::Report, Option<RouteTaken>), ErrorBody> {
        let run = engine::run(self.driver(), execution, artifacts, cx, on_event);
        // On the heap: what a run keeps while it waits is large.
        Ok((Box::pin(run).await, None))
    }

    /// Whether it is to be opened anew before it is used again.
    fn is_doubtful(&self) -> bool {
        false
    }

    /// Whether it outlives its connection, so that it can be opened anew after a failure.
    fn outlives_connection(&self) -> bool {
        false
    }

    /// Whether its recordings are files of this process.
    fn writes_recordings(&self) -> bool {
        false
    }

    /// What really happened on it, where that is known: NDJSON.
    fn journal(&self) -> Option<String> {
        None
    }

    /// The page that it shows, where it is a tab of a browser.
    fn page(&mut self) -> Option<Result<&mut PageObserver, DriverError>> {
        None
    }

    /// Whether it is released after each run.
    fn is_released(&self) -> bool {
        false
    }

    /// Releases it, so that it can be driven from elsewhere; tells what that changed.
    async fn release(self: Box<Self>, _options: &Options) -> Option<Warning> {
        None
    }
}

/// A device that a name was resolved to.
pub(crate) struct ResolvedDevice {
    /// Its name, the same for every name that means it.
    pub(crate) name: String,
    /// What resolving it changed.
    pub(crate) warnings: Vec<Warning>,
    /// Transport override; wins over `Options.transport`.
    pub(crate) transport: Option<TransportOptions>,
    /// The tab, where it is one.
    tab: Option<ResolvedTab>,
}

impl ResolvedDevice {
    /// A device whose name says all about it.
    pub(crate) const fn named(name: String) -> Self {
        Self {
            name,
            warnings: Vec::new(),
            transport: None,
            tab: None,
        }
    }

    /// The transports to it.
    pub(crate) fn transport<'a>(&'a self, options: &'a Options) -> &'a TransportOptions {
        self.transport.as_ref().unwrap_or(&options.transport)
    }
}

/// The connection to a device that is not open yet.
#[derive(Default)]
pub(crate) struct Reached {
    /// The phone, where it is one.
    phone: Option<adb::Phone>,
}

/// What a device is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Any plan.
    Any,
    /// A plan that loads another page at once.
    Load,
}

/// The kind of a device.
pub(crate) fn kind_of(device: &str) -> &'static dyn DeviceKind {
    let kinds = KINDS.iter().copied();
    let mut kinds = kinds.filter(|kind| kind.owns(device));
    kinds.next().unwrap_or(&phone::PhoneKind)
}

/// The kind of the device that a command is for.
pub(crate) fn kind_for(device: Option<&str>, options: &Options) -> &'static dyn DeviceKind {
    if let Some(device) = device {
        return kind_of(device);
    }
    let kinds = KINDS.iter().copied();
    let mut kinds = kinds.filter(|kind| kind.is_default(options));
    kinds.next().unwrap_or(&phone::PhoneKind)
}

/// The time of the device of this name, unless options say otherwise ([`Options::clock_of`]).
pub fn clock_of(device: Option<&str>) -> Clock {
    device.map_or(Clock::Real, |device| kind_of(device).clock())
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

/// Every device that can be named: phones, tabs of browsers that run, the embedded phone.
pub(crate) async fn list(options: &Options) -> Result<DeviceList, ErrorBody> {
    let mut list = DeviceList {
        devices: Vec::new(),
        embedded: Vec::new(),
    };
    // Phones come first.
    for kind in KINDS.iter().rev() {
        let devices = kind.list(options).await?;
        match kind.is_embedded() {
            true => list.embedded.extend(devices),
            false => list.devices.extend(devices),
        }
    }
    Ok(list)
}

/// The device that a command is for.
pub(crate) async fn resolve(
    device: Option<&str>,
    options: &Options,
) -> Result<ResolvedDevice, ErrorBody> {
    kind_for(device, options).resolve(device, options).await
}

/// The name of the device that a command is for.
pub(crate) async fn resolve_name(
    device: Option<&str>,
    options: &Options,
) -> Result<String, ErrorBody> {
    Ok(resolve(device, options).await?.name)
}

/// Connects to a device that was resolved, and asks it nothing.
pub(crate) async fn reach(
    resolved: &ResolvedDevice,
    options: &Options,
    cx: &Cx,
) -> Result<Reached, ErrorBody> {
    kind_of(&resolved.name).reach(resolved, options, cx).await
}

/// Opens a device that was reached, before the context ends.
pub(crate) async fn open_reached(
    resolved: &ResolvedDevice,
    reached: Reached,
    options: &Options,
    purpose: Purpose,
    cx: &Cx,
) -> Result<Box<dyn OpenDevice>, ErrorBody> {
    let kind = kind_of(&resolved.name);
    kind.open(resolved, reached, options, purpose, cx).await
}

/// Opens a device that was resolved, before the context ends.
pub(crate) async fn open_within(
    resolved: &ResolvedDevice,
    options: &Options,
    purpose: Purpose,
    cx: &Cx,
) -> Result<Box<dyn OpenDevice>, ErrorBody> {
    let reached = reach(resolved, options, cx).await?;
    open_reached(resolved, reached, options, purpose, cx).await
}

/// Releases a device after a run, where its kind does so; tells what that changed.
pub(crate) async fn release(
    held: &mut Option<Box<dyn OpenDevice>>,
    options: &Options,
) -> Option<Warning> {
    let device = held.take_if(|device| device.is_released())?;
    device.release(options).await
}

/// A device of this kind cannot do what was asked.
fn not_supported(message: String) -> ErrorBody {
    ErrorBody::new(ErrorCode::ActionNotSupportedHere, message)
        .with_hint("Name a phone with --device")
}
