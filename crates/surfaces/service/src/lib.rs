//! The service behind every surface: devices by name, one run at a time on each, and the files of runs.

#[cfg(not(unix))]
compile_error!(
    "clawperator needs Unix: private folders and sockets keep other users away from its state"
);

mod artifacts;
mod background;
pub mod chrome;
mod device_lock;
pub mod device_pool;
mod device_status;
mod devices;
pub mod doctor;
mod environment;
mod files;
pub mod inspect;
mod inspect_run;
mod known_screens;
pub mod log;
mod operator_package;
mod operator_setup;
mod paths;
mod phone;
mod plan_run;
pub mod plans;
pub mod random;
mod recorder;
pub mod recording;
mod refs;
mod runtime;
mod screen;
mod screen_changes;
mod secrets;
pub mod sim;
mod sim_registry;
mod transport;
mod watch;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use contract::{DeviceAnswer, ErrorBody, ParsedExecution, Transport, ViaReason};
use devices::OpenDevice;
use refs::RefsByDevice;
use secrets::SecretsByDevice;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

pub use background::Launcher;
pub use chrome::is_chrome as is_web;
pub use devices::{Clock, clock_of};
pub use driver::{Image, ImageFormat, ImageRequest};
pub use driver_android::manage::PackageFilter;
pub use engine::{Event, convert_picture};
pub use environment::{AdbSetup, VARIABLES, Variable};
pub use known_screens::{KnownScreens, ScreenUpdate};
pub use operator_package::OperatorPackage;
pub use operator_setup::{GrantAnswer, Installation, SetupAnswer, Verification};
pub use paths::{Folders, Paths, Replace, Roots};
pub use phone::operator::compat::Compatibility;
pub use screen::{compact, snapshot_text};
pub use sim::setup::{
    ANIMATIONS, PACES, ROTATIONS, SimAppearance, SimFault, SimParam, SimSetup, THEMES, TIMES,
    faults as sim_faults,
};

pub use device_status::DeviceStatus;
pub use transport::{TransportChoice, TransportOptions};

/// The options of the service.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folder of screenshots without a path in the plan; `None` is the system's temporary folder.
    pub screenshots: Option<PathBuf>,
    /// The paths that plans may write screenshots to.
    pub screenshot_paths: Paths,
    /// The files that plans may give to pages.
    pub upload_paths: Paths,
    /// The files that a screenshot may replace.
    pub replace: Replace,
    /// The app files that the name of a simulated phone may refer to.
    pub app_paths: Paths,
    /// The folder of recordings. `None` is our own: in the system's temporary folder for the embedded phone, in the user's
    /// home for recorders of this machine.
    pub recordings: Option<PathBuf>,
    /// How to start a recorder for phones that cannot record themselves; `None` if recording is not supported.
    pub recorder: Option<Launcher>,
    /// The options of the embedded phone.
    pub sim: SimSetup,
    /// How to reach phones.
    pub adb: AdbSetup,
    /// Whether to wake phones before each run and to dismiss a lock screen without a secret.
    pub wake: bool,
    /// The requested transport to phones.
    pub transport: TransportOptions,
    /// How to find browsers.
    pub chrome: chrome::ChromeSetup,
    /// Whether text views give references: for processes that stay, where a later plan can use them.
    pub gives_refs: bool,
}

/// The transport of the last run on a phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransportUsed {
    pub transport: Transport,
    /// The package of the app, or why the app was not used.
    pub reason: String,
    /// Why `auto` did not use the agent.
    pub fallback: Option<ViaReason>,
}

/// One device that can be named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Device {
    /// The name for `--device`.
    pub serial: String,
    /// `device` if it is ready, `embedded` for the simulated phone, `page` for a tab of a browser, else why it is not ready.
    pub state: String,
    /// The title of a tab's page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The url of a tab's page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// The devices that can be named, each once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceList<D = Device> {
    /// Attached devices: phones that adb lists, tabs of browsers.
    pub devices: Vec<D>,
    /// Simulated phones inside this program.
    pub embedded: Vec<D>,
}

impl<D> DeviceList<D> {
    /// Every device, attached ones first.
    pub fn iter(&self) -> impl Iterator<Item = &D> {
        self.devices.iter().chain(&self.embedded)
    }
}

impl Device {
    /// A phone.
    fn new(serial: String, state: String) -> Self {
        Self {
            serial,
            state,
            title: None,
            url: None,
        }
    }

    /// Whether it can be driven now.
    pub fn is_ready(&self) -> bool {
        [phone::connection::READY, devices::EMBEDDED, chrome::PAGE].contains(&&*self.state)
    }
}

/// The devices of this process and the commands that drive them.
#[derive(Default)]
pub struct Service {
    options: Options,
    sessions: Mutex<HashMap<String, Arc<Session>>>,
    pub(crate) secrets: SecretsByDevice,
    refs: RefsByDevice,
    subjects: inspect::SubjectCache,
    transport_used: Mutex<Option<TransportUsed>>,
}

/// A device that is opened on first use, and the command that drives it.
#[derive(Default)]
struct Session {
    device: tokio::sync::Mutex<Option<Box<dyn OpenDevice>>>,
    holder: Mutex<Option<String>>,
    /// The transport options with which it was opened.
    transport: Mutex<Option<TransportOptions>>,
}

impl Service {
    /// A service without open devices.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            sessions: Mutex::default(),
            secrets: SecretsByDevice::default(),
            refs: RefsByDevice::default(),
            subjects: inspect::SubjectCache::default(),
            transport_used: Mutex::default(),
        }
    }

    /// The same service; the numbers of references up to `last` were given by an earlier process.
    pub(crate) fn with_refs_after(mut self, last: u32) -> Self {
        self.refs = RefsByDevice::after(last);
        self
    }

    /// The highest number of a reference that was given.
    pub(crate) fn last_ref(&self) -> u32 {
        self.refs.last()
    }

    /// Every device that can be named now.
    ///
    /// # Errors
    /// `ADB_SERVER_FAILED` if something else listens at the server's address. Without adb, the embedded phone is listed.
    pub async fn devices(&self) -> Result<DeviceList, ErrorBody> {
        devices::list(&self.options).await
    }

    /// The packages of a device, in the device's order; also works for the embedded phone.
    ///
    /// # Errors
    /// `DEVICE_SHELL_UNAVAILABLE` when the package manager does not answer, `DEVICE_LOST`, and those of finding a device.
    pub async fn packages(
        &self,
        device: Option<&str>,
        filter: PackageFilter,
        within: Duration,
    ) -> Result<Vec<String>, ErrorBody> {
        let kind = devices::kind_for(device, &self.options);
        kind.packages(device, &self.options, filter, within).await
    }

    /// Runs an execution on a device and returns the answer for the command line.
    ///
    /// # Errors
    /// `NO_DEVICES` and `DEVICE_NOT_FOUND` if the device cannot be resolved, `SIM_APP_INVALID` for an invalid app of a
    /// simulated phone, `EXECUTION_CONFLICT_IN_FLIGHT` if it is being driven, `RESULT_ENVELOPE_TIMEOUT` and
    /// `EXECUTION_CANCELLED` if the run was stopped.
    pub async fn execute(
        &self,
        device: Option<&str>,
        parsed: ParsedExecution,
        cancel: CancellationToken,
        on_event: &mut (dyn FnMut(&Event<'_>) + Send),
    ) -> Result<DeviceAnswer, ErrorBody> {
        let options = &self.options;
        devices::reject_unsupported(device, options, &parsed.execution)?;
        let kind = devices::kind_for(device, options);
        let delegated = kind.delegate_run(device, options, &parsed, &cancel, on_event);
        if let Some(answer) = delegated.await {
            return answer;
        }
        let resolved = devices::resolve(device, options).await?;
        self.run_on(&resolved, device, parsed, cancel, on_event, None)
            .await
    }

    /// The transport of the last run, if there is a choice.
    pub fn transport_used(&self) -> Option<TransportUsed> {
        self.transport_used
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn set_transport_used(&self, used: Option<TransportUsed>) {
        *self
            .transport_used
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = used;
    }

    /// Whether a device is open.
    pub(crate) fn is_open(&self, device: &str) -> bool {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let session = sessions.get(device);
        // A device that is being driven is open.
        session.is_some_and(|session| !matches!(session.device.try_lock().as_deref(), Ok(None)))
    }

    /// Closes a device that is not being driven; a simulated phone ends.
    pub(crate) fn close(&self, device: &str) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.remove(device);
    }

    fn session(&self, device: &str) -> Arc<Session> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(sessions.entry(device.to_owned()).or_default())
    }
}

impl Session {
    /// Sets the command that drives the device until the guard is dropped.
    fn hold(&self, command_id: &str) -> HolderGuard<'_> {
        *self.holder.lock().unwrap_or_else(PoisonError::into_inner) = Some(command_id.to_owned());
        HolderGuard(self)
    }

    /// Sets the transport options of the device; whether they have changed.
    fn transport_changed(&self, transport: &TransportOptions) -> bool {
        let mut last = self
            .transport
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let others = last.as_ref().is_some_and(|last| last != transport);
        *last = Some(transport.clone());
        others
    }

    /// The command that drives the device; empty if there is none.
    fn holder(&self) -> String {
        let holder = self.holder.lock().unwrap_or_else(PoisonError::into_inner);
        holder.clone().unwrap_or_default()
    }
}

/// Clears the holder of a device on drop.
struct HolderGuard<'a>(&'a Session);

impl Drop for HolderGuard<'_> {
    fn drop(&mut self) {
        *self.0.holder.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
