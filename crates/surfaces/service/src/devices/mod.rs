//! The kinds of device. Each is a file of this folder and a row of [`KINDS`]; the rest of the service uses [`DeviceKind`] and
//! [`OpenDevice`] only.

mod chrome;
mod phone;
mod sim;

use std::time::Duration;

use async_trait::async_trait;
use contract::{DeviceAnswer, ErrorBody, ErrorCode, Execution, ParsedExecution, Warning};
use driver::{Cx, Driver, DriverError, Platform};
use driver_android::manage::PackageFilter;
use driver_chrome::page::PageObserver;
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// The clock of a device. In virtual time, in a runtime with paused time, waits take no time.
pub use driver_sim::TimeChoice as Clock;

use crate::chrome::ResolvedTab;
use crate::inspect::{InspectOutput, Target};
use crate::phone::shell::PhoneShell;
use crate::secrets::LearningArtifacts;
use crate::{Device, DeviceList, Event, Options, TransportOptions, TransportUsed};

pub(crate) use sim::{EMBEDDED, embedded};

/// The receiver of a run's events.
type EventSink<'a> = &'a mut (dyn FnMut(&Event<'_>) + Send);

/// Every kind of device. A name belongs to the first kind that accepts it; phones accept every name.
static KINDS: [&dyn DeviceKind; 3] = [&sim::SimKind, &chrome::ChromeKind, &phone::PhoneKind];

/// A kind of device: its names, and how its devices are listed, resolved and opened.
#[async_trait]
pub(crate) trait DeviceKind: Sync {
    /// Whether a name belongs to this kind.
    fn owns(&self, device: &str) -> bool;

    /// Whether commands that name no device use this kind.
    fn is_default(&self, options: &Options) -> bool;

    /// The platform of its devices.
    fn platform(&self) -> Platform {
        Platform::Android
    }

    /// The kind with its article, such as `a web page`.
    fn noun(&self) -> &'static str;

    /// The default clock of its devices.
    fn clock(&self) -> Clock {
        Clock::Real
    }

    /// Whether its devices run in this process and end with it.
    fn is_embedded(&self) -> bool {
        false
    }

    /// Whether its devices are phones with a shell behind adb.
    fn has_adb_shell(&self) -> bool {
        false
    }

    fn lock_name(&self, device: &str, _options: &Options) -> String {
        device.to_owned()
    }

    /// The name in `doctor` of the transport to its devices.
    fn transport(&self) -> &'static str;

    /// The key in `doctor` of the size of its screens.
    fn size_key(&self) -> &'static str;

    /// The summary in `doctor` of a device that was opened.
    fn opened_summary(&self, device: &str) -> String {
        format!("{device} answers")
    }

    /// Its devices that can be named now.
    async fn list(&self, options: &Options) -> Result<Vec<Device>, ErrorBody>;

    /// Resolves a name; without a name, the only device.
    async fn resolve(
        &self,
        device: Option<&str>,
        options: &Options,
    ) -> Result<ResolvedDevice, ErrorBody>;

    /// Connects to a resolved device, without a request.
    async fn reach(
        &self,
        _resolved: &ResolvedDevice,
        _options: &Options,
        _cx: &Cx,
    ) -> Result<DeviceConnection, ErrorBody> {
        Ok(DeviceConnection::default())
    }

    /// Opens a device that was reached, before the deadline of the context.
    async fn open(
        &self,
        resolved: &ResolvedDevice,
        reached: DeviceConnection,
        options: &Options,
        purpose: Purpose,
        cx: &Cx,
    ) -> Result<Box<dyn OpenDevice>, ErrorBody>;

    /// Has a daemon run a plan; `None` if there is no daemon, and nothing was done.
    async fn delegate_run(
        &self,
        _device: Option<&str>,
        _options: &Options,
        _parsed: &ParsedExecution,
        _cancel: &CancellationToken,
        _on_event: EventSink<'_>,
    ) -> Option<Result<DeviceAnswer, ErrorBody>> {
        None
    }

    /// Has a daemon find an element; `None` if there is no daemon.
    async fn delegate_find(
        &self,
        _device: Option<&str>,
        _options: &Options,
        _plan: &ParsedExecution,
        _target: &Target,
        _cancel: &CancellationToken,
        _on_event: EventSink<'_>,
    ) -> Option<Result<InspectOutput, ErrorBody>> {
        None
    }

    /// The packages of the apps on a device.
    ///
    /// # Errors
    /// `ACTION_NOT_SUPPORTED_HERE`, and errors of the listing.
    async fn packages(
        &self,
        device: Option<&str>,
        _options: &Options,
        _which: PackageFilter,
        _within: Duration,
    ) -> Result<Vec<String>, ErrorBody> {
        let device = device.unwrap_or("the device");
        let message = format!("{device} is {}, which has no packages", self.noun());
        Err(not_supported(message))
    }

    /// Checks that recordings of a device are kept until they are pulled.
    fn check_recordings(&self, device: Option<&str>) -> Result<(), ErrorBody> {
        let device = device.unwrap_or("the device");
        let message = format!("{device} is {}, and has no recordings", self.noun());
        Err(not_supported(message))
    }
}

#[async_trait]
pub(crate) trait OpenDevice: Send {
    /// The seam to the engine.
    fn driver(&mut self) -> &mut dyn Driver;

    /// Runs a plan; returns the route if there is a choice.
    ///
    /// # Errors
    /// The requested transport cannot run the plan; nothing was done.
    async fn run(
        &mut self,
        execution: &Execution,
        _transport: &TransportOptions,
        artifacts: &mut LearningArtifacts,
        cx: &Cx,
        on_event: EventSink<'_>,
    ) -> Result<(engine::Report, Option<TransportUsed>), ErrorBody> {
        let run = engine::run(self.driver(), execution, artifacts, cx, on_event);
        // Boxed, because the future is large.
        Ok((Box::pin(run).await, None))
    }

    /// Closes connections that keep other processes from the device; called after each run. The next run opens them again.
    fn disconnect(&mut self) {}

    /// Whether it must be opened again before it is used again.
    fn is_doubtful(&self) -> bool {
        false
    }

    /// Whether it outlives its connection, so that opening it again may help after a failure.
    fn outlives_connection(&self) -> bool {
        false
    }

    /// Whether its recordings are files of this process.
    fn writes_recordings(&self) -> bool {
        false
    }

    /// Its journal as NDJSON, if it has one.
    fn journal(&self) -> Option<String> {
        None
    }

    /// The page that it shows, if it is a tab of a browser.
    fn page(&mut self) -> Option<Result<&mut PageObserver, DriverError>> {
        None
    }

    /// Whether it is released after each run.
    fn is_released(&self) -> bool {
        false
    }

    /// Releases it for other programs; returns warnings about what that changed.
    async fn release(self: Box<Self>, _options: &Options) -> Vec<Warning> {
        Vec::new()
    }
}

pub(crate) struct ResolvedDevice {
    /// Its name, the same for every name that resolves to it.
    pub(crate) name: String,
    /// Warnings about what resolving it changed.
    pub(crate) warnings: Vec<Warning>,
    /// Transport override; wins over `Options.transport`.
    pub(crate) transport: Option<TransportOptions>,
    /// The tab, if it is one.
    tab: Option<ResolvedTab>,
}

impl ResolvedDevice {
    /// A device that needs no other information than its name.
    pub(crate) const fn named(name: String) -> Self {
        Self {
            name,
            warnings: Vec::new(),
            transport: None,
            tab: None,
        }
    }

    pub(crate) fn transport<'a>(&'a self, options: &'a Options) -> &'a TransportOptions {
        self.transport.as_ref().unwrap_or(&options.transport)
    }
}

/// The connection to a device that is not open yet.
#[derive(Default)]
pub(crate) struct DeviceConnection {
    /// The phone, if it is one.
    phone: Option<adb::Phone>,
}

/// What a device is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Any plan.
    Any,
    /// A plan that starts with loading a page.
    Load,
}

pub(crate) fn kind_of(device: &str) -> &'static dyn DeviceKind {
    let kinds = KINDS.iter().copied();
    let mut kinds = kinds.filter(|kind| kind.owns(device));
    kinds.next().unwrap_or(&phone::PhoneKind)
}

/// The kind of the device of a command.
pub(crate) fn kind_for(device: Option<&str>, options: &Options) -> &'static dyn DeviceKind {
    if let Some(device) = device {
        return kind_of(device);
    }
    let kinds = KINDS.iter().copied();
    let mut kinds = kinds.filter(|kind| kind.is_default(options));
    kinds.next().unwrap_or(&phone::PhoneKind)
}

/// The default clock of the device of this name ([`Options::clock_of`]).
pub fn clock_of(device: Option<&str>) -> Clock {
    device.map_or(Clock::Real, |device| kind_of(device).clock())
}

impl Options {
    /// The clock of the device of this name; options set that of the embedded phone.
    pub fn clock_of(&self, device: Option<&str>) -> Clock {
        match clock_of(device) {
            Clock::Virtual => self.sim.time,
            Clock::Real => Clock::Real,
        }
    }
}

/// Every device that can be named: phones, tabs of running browsers, the embedded phone.
pub(crate) async fn list(options: &Options) -> Result<DeviceList, ErrorBody> {
    let mut list = DeviceList {
        devices: Vec::new(),
        embedded: Vec::new(),
    };
    let mut failed = None;
    // Phones first.
    for kind in KINDS.iter().rev() {
        match kind.list(options).await {
            Ok(devices) if kind.is_embedded() => list.embedded.extend(devices),
            Ok(devices) => list.devices.extend(devices),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    match failed {
        None => Ok(list),
        // The other devices can be used nevertheless.
        Some(error) => Err(error
            .with_detail("devices", json!(list.devices))
            .with_detail("embedded", json!(list.embedded))),
    }
}

/// Refuses a plan that no device of the kind supports. Called before a device is resolved, which could start a browser.
pub(crate) fn reject_unsupported(
    device: Option<&str>,
    options: &Options,
    execution: &Execution,
) -> Result<(), ErrorBody> {
    engine::refuse_for_platform(execution, kind_for(device, options).platform())
}

/// Resolves the device of a command.
pub(crate) async fn resolve(
    device: Option<&str>,
    options: &Options,
) -> Result<ResolvedDevice, ErrorBody> {
    kind_for(device, options).resolve(device, options).await
}

/// The name of the device of a command.
pub(crate) async fn resolve_name(
    device: Option<&str>,
    options: &Options,
) -> Result<String, ErrorBody> {
    Ok(resolve(device, options).await?.name)
}

/// The shell of a phone, for a maintenance command.
///
/// # Errors
/// `ACTION_NOT_SUPPORTED_HERE` for other devices, and those of finding a phone.
pub(crate) async fn phone_shell(
    device: Option<&str>,
    options: &Options,
    within: Duration,
) -> Result<PhoneShell, ErrorBody> {
    // Refuse other devices by name: resolving one could start a browser.
    if !kind_for(device, options).has_adb_shell() {
        let serial = device.unwrap_or("the device");
        let message = format!("{serial} does not have or need the Operator app");
        return Err(
            ErrorBody::new(ErrorCode::ActionNotSupportedHere, message).with_hint(
                "Name a phone with --device; `clawperator sim start` starts a simulated one to try it on",
            ),
        );
    }
    let serial = resolve_name(device, options).await?;
    PhoneShell::open(serial, &options.adb, within).await
}

/// Connects to a resolved device, without a request.
pub(crate) async fn reach(
    resolved: &ResolvedDevice,
    options: &Options,
    cx: &Cx,
) -> Result<DeviceConnection, ErrorBody> {
    kind_of(&resolved.name).reach(resolved, options, cx).await
}

/// Opens a device that was reached, before the deadline of the context.
pub(crate) async fn open_reached(
    resolved: &ResolvedDevice,
    reached: DeviceConnection,
    options: &Options,
    purpose: Purpose,
    cx: &Cx,
) -> Result<Box<dyn OpenDevice>, ErrorBody> {
    let kind = kind_of(&resolved.name);
    kind.open(resolved, reached, options, purpose, cx).await
}

/// Opens a resolved device, before the deadline of the context.
pub(crate) async fn open_within(
    resolved: &ResolvedDevice,
    options: &Options,
    purpose: Purpose,
    cx: &Cx,
) -> Result<Box<dyn OpenDevice>, ErrorBody> {
    let reached = reach(resolved, options, cx).await?;
    open_reached(resolved, reached, options, purpose, cx).await
}

/// Releases a device after a run, if its kind requires it; returns warnings about what that changed.
pub(crate) async fn release(
    held: &mut Option<Box<dyn OpenDevice>>,
    options: &Options,
) -> Vec<Warning> {
    let Some(device) = held.take_if(|device| device.is_released()) else {
        if let Some(device) = held {
            device.disconnect();
        }
        return Vec::new();
    };
    device.release(options).await
}

/// The error of an operation that this kind of device does not support.
fn not_supported(message: String) -> ErrorBody {
    ErrorBody::new(ErrorCode::ActionNotSupportedHere, message)
        .with_hint("Select a phone with --device")
}
