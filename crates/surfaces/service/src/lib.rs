//! The service behind every surface: devices by name, one run at a time on each, and the files of runs.

mod artifacts;
mod background;
pub mod chrome;
pub mod device_pool;
mod device_status;
mod devices;
pub mod doctor;
mod environment;
mod files;
mod find;
pub mod inspect;
mod known_screens;
mod lock;
pub mod log;
mod observed;
mod operator_package;
mod operator_setup;
mod packages;
mod paths;
mod phone;
pub mod plans;
pub mod random;
mod record_by;
mod recorder;
pub mod recording;
mod refs;
mod runtime;
mod screen;
mod secrets;
pub mod sim;
mod sim_registry;
mod transport;
mod watch;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use contract::{
    DeviceAnswer, Effect, ErrorBody, ErrorCode, Execution, Observe, Parsed, ResultEnvelope,
    Transport, Warning, WarningCode,
};
use devices::{OpenDevice, Purpose, Reached, ResolvedDevice};
use driver::Cx;
use lock::DeviceLock;
use observed::RunScreens;
use phone::{OPEN_WITHIN, SHORTEST_OPENING};
use refs::RefsByDevice;
use secrets::{LearningArtifacts, SecretsByDevice};
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use uitree::{Refs, UiTree};

pub use background::Launcher;
pub use chrome::is_chrome as is_web;
pub use devices::{Clock, clock_of};
pub use driver::Image;
pub use engine::{Event, shrink_png};
pub use environment::{AdbSetup, VARIABLES, Variable};
pub use known_screens::{KnownScreens, ScreenNews};
pub use operator_package::OperatorPackage;
pub use operator_setup::{GrantAnswer, Installation, SetupAnswer, Verification};
pub use packages::WhichPackages;
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
    /// The transport.
    pub transport: Transport,
    /// The package of the app, or why the app was not used.
    pub reason: String,
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

    /// Runs an execution on a device and returns the answer for the command line.
    ///
    /// # Errors
    /// `NO_DEVICES` and `DEVICE_NOT_FOUND` if the device cannot be resolved, `SIM_APP_INVALID` for an invalid app of a
    /// simulated phone, `EXECUTION_CONFLICT_IN_FLIGHT` if it is being driven, `RESULT_ENVELOPE_TIMEOUT` and
    /// `EXECUTION_CANCELLED` if the run was stopped.
    pub async fn execute(
        &self,
        device: Option<&str>,
        parsed: Parsed,
        cancel: CancellationToken,
        on_event: &mut (dyn FnMut(&Event<'_>) + Send),
    ) -> Result<DeviceAnswer, ErrorBody> {
        let options = &self.options;
        devices::refuse_unsupported(device, options, &parsed.execution)?;
        let kind = devices::kind_for(device, options);
        let delegated = kind.delegate_run(device, options, &parsed, &cancel, on_event);
        if let Some(answer) = delegated.await {
            return answer;
        }
        let resolved = devices::resolve(device, options).await?;
        self.run_on(&resolved, device, parsed, cancel, on_event, None)
            .await
    }

    /// Runs an execution on a resolved device.
    pub(crate) async fn run_on(
        &self,
        resolved: &ResolvedDevice,
        requested: Option<&str>,
        parsed: Parsed,
        cancel: CancellationToken,
        on_event: &mut (dyn FnMut(&Event<'_>) + Send),
        then: Option<&mut (dyn PostRun + '_)>,
    ) -> Result<DeviceAnswer, ErrorBody> {
        let Parsed {
            execution,
            mut warnings,
        } = parsed;
        self.options.check_files(&execution)?;
        let device = &*resolved.name;
        let transport = resolved.transport(&self.options);
        warnings.extend_from_slice(&resolved.warnings);
        log::resolved(device, execution.command_id(), requested);
        let session = self.session(device);
        let Ok(mut held) = session.device.try_lock() else {
            return Err(conflict(device, &execution, &session.holder()));
        };
        let _holding = session.hold(execution.command_id());
        if session.transport_changed(transport) {
            // It was opened with another transport.
            *held = None;
        }
        // The plan's timeout starts when the device is open, and a short one limits opening, too.
        let timeout = execution.timeout().to_duration().max(SHORTEST_OPENING);
        let opening = Cx::new(OPEN_WITHIN.min(timeout), cancel.clone());
        // No lock is made for a device that does not exist.
        let reached = match &*held {
            Some(_) => Reached::default(),
            None => devices::reach(resolved, &self.options, &opening).await?,
        };
        let _lock = self.lock(device, &execution).await?;
        if let Some(path) = &self.options.sim.journal {
            // Fail before anything is done if the file cannot be written.
            write_journal(path, "").map_err(|why| no_journal(path, &why))?;
        }
        let opened = match &mut *held {
            Some(opened) => opened,
            none => {
                let loads = |effect: &Effect<'_>| matches!(effect, Effect::LoadUri(_));
                let purpose = match execution.actions().first() {
                    Some(first) if first.params().facts().effects.iter().any(loads) => {
                        Purpose::Load
                    }
                    _ => Purpose::Any,
                };
                let options = &self.options;
                let opened = devices::open_reached(resolved, reached, options, purpose, &opening);
                none.insert(opened.await?)
            }
        };
        if self.options.wake {
            let woken = opened.driver().wake(&opening).await;
            woken.map_err(|error| phone::shell::failed(device, "waking it", &error))?;
        }
        let secrets = self.secrets.of(device);
        let mut artifacts = LearningArtifacts {
            files: artifacts::Folder::new(
                self.options.screenshots.clone(),
                self.options.screenshot_paths.clone(),
                self.options.upload_paths.clone(),
                self.options.replace,
                execution.command_id(),
            ),
            secrets: secrets.clone(),
            refs: self.options.gives_refs.then(|| self.refs.of(device)),
        };
        // The engine enforces the execution's timeout; the context only has to last longer.
        let cx = Cx::new(
            execution.timeout().to_duration() + Duration::from_secs(60),
            cancel,
        );
        let mut learn = secrets::watched(&secrets, execution.actions());
        let mut on_event = |event: &Event<'_>| {
            learn(event);
            log::step(device, execution.command_id(), event);
            on_event(event);
        };
        if opened.writes_recordings() && self.options.recordings.is_none() {
            make_recordings(&execution)?;
        }
        let running = opened.run(&execution, transport, &mut artifacts, &cx, &mut on_event);
        let (mut report, used) = running.await?;
        let used_transport = used.as_ref().map(|used| used.transport);
        if let (Some(Transport::Operator), Ok(envelope)) = (used_transport, &report.outcome) {
            secrets.learn_from(&envelope.step_results);
        }
        if let (Some(observe), Ok(envelope)) = (execution.observe(), &mut report.outcome) {
            if used_transport == Some(Transport::Operator) && observe != Observe::None {
                let look =
                    observed::look(&mut **opened, &execution, transport, &mut artifacts, &cx);
                match look.await {
                    Ok(tree) => report.last = Some(tree),
                    Err(warning) => report.warnings.push(warning),
                }
            }
            let screens = RunScreens {
                first: report.first.take(),
                last: report.last.take(),
            };
            observed::add(envelope, observe, &screens, artifacts.refs.as_ref());
        }
        if let Some(used) = used_transport {
            log::transport(device, execution.command_id(), used);
        }
        let via = used_transport.filter(|_| transport.reports_transport());
        *self
            .transport_used
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = used;
        if let (Some(path), Some(lines)) = (&self.options.sim.journal, opened.journal()) {
            // The device was changed, so the outcome is reported in any case.
            if let Err(why) = write_journal(path, &lines) {
                let message = format!("the journal cannot be written: {}: {why}", path.display());
                warnings.push(Warning::new(WarningCode::JournalNotWritten, message));
            }
        }
        warnings.extend(report.warnings);
        if let (Some(then), Ok(envelope)) = (then, &report.outcome) {
            let seen = RunObservation {
                envelope,
                screen: report.last.as_deref(),
                refs: artifacts.refs.as_ref(),
            };
            then.after_run(&mut **opened, &seen, &cx).await;
        }
        let succeeded = matches!(&report.outcome, Ok(envelope) if envelope.is_success());
        if opened.is_doubtful() || (!succeeded && opened.outlives_connection()) {
            // Open it again before the next use: its connection may be the cause. The next command reconnects and starts a
            // server that has ended.
            *held = None;
        }
        warnings.extend(devices::release(&mut held, &self.options).await);
        match report.outcome {
            Ok(envelope) => Ok(DeviceAnswer {
                via,
                ..DeviceAnswer::canonical(envelope, device, warnings)
            }),
            Err(error) => {
                let mut error = error.with_detail("deviceId", device);
                if let Some(via) = via {
                    error = error.with_detail("via", via.as_str());
                }
                if !warnings.is_empty() {
                    error = error.with_detail("warnings", serde_json::json!(warnings));
                }
                Err(error)
            }
        }
    }

    /// The transport of the last run, if there is a choice.
    pub fn transport_used(&self) -> Option<TransportUsed> {
        self.transport_used
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Whether a device is open.
    pub(crate) fn keeps(&self, device: &str) -> bool {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let session = sessions.get(device);
        // A device that is being driven is open.
        session.is_some_and(|session| !matches!(session.device.try_lock().as_deref(), Ok(None)))
    }

    /// Closes a device that is not being driven; a simulated phone ends.
    pub(crate) fn forget(&self, device: &str) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.remove(device);
    }

    /// The session of a device.
    fn session(&self, device: &str) -> Arc<Session> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(sessions.entry(device.to_owned()).or_default())
    }

    /// Locks the device against other processes; the embedded phone belongs to this process.
    async fn lock(
        &self,
        device: &str,
        execution: &Execution,
    ) -> Result<Option<DeviceLock>, ErrorBody> {
        if devices::kind_of(device).is_embedded() {
            return Ok(None);
        }
        let command_id = execution.command_id();
        let name = devices::kind_of(device).lock_name(device, &self.options);
        let taken = DeviceLock::take(&self.options.adb.locks, &name, device, command_id).await;
        taken
            .map(Some)
            .map_err(|error| error.with_detail("commandId", command_id))
    }
}

/// What a run saw.
pub(crate) struct RunObservation<'a> {
    /// Its result.
    envelope: &'a ResultEnvelope,
    /// Its last screen, if it was not run by an app of the phone.
    screen: Option<&'a UiTree>,
    /// The references of the device, if this process gives them.
    refs: Option<&'a Refs>,
}

/// An action on a device after a run with an envelope, while the run still holds the device.
#[async_trait]
pub(crate) trait PostRun: Send {
    /// Does it.
    async fn after_run(&mut self, device: &mut dyn OpenDevice, seen: &RunObservation<'_>, cx: &Cx);
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

/// Makes the folder of recordings if a plan records.
fn make_recordings(execution: &Execution) -> Result<(), ErrorBody> {
    let mut actions = execution.actions().iter();
    let begins = |effect: &Effect<'_>| matches!(effect, Effect::BeginRecording(_));
    if actions.any(|action| action.params().facts().effects.iter().any(begins)) {
        runtime::make_recordings()?;
    }
    Ok(())
}

/// The error of a second run on a device.
fn conflict(device: &str, refused: &Execution, holder: &str) -> ErrorBody {
    let message = format!("{device} is running {holder}");
    ErrorBody::new(ErrorCode::ExecutionConflictInFlight, message)
        .with_default_hint()
        .with_detail("deviceId", device)
        .with_detail("commandId", refused.command_id())
        .with_detail("holderCommandId", holder)
}

/// Writes the journal of the embedded phone atomically.
fn write_journal(path: &std::path::Path, lines: &str) -> Result<(), String> {
    let path = std::path::absolute(path).map_err(|error| error.to_string())?;
    artifacts::write(&path, lines.as_bytes())
}

/// The error of a journal that cannot be written.
fn no_journal(path: &std::path::Path, why: &str) -> ErrorBody {
    let message = format!("the journal cannot be written: {}: {why}", path.display());
    ErrorBody::new(ErrorCode::Usage, message).with_hint("Name a file in an existing folder")
}

/// Clears the holder of a device on drop.
struct HolderGuard<'a>(&'a Session);

impl Drop for HolderGuard<'_> {
    fn drop(&mut self) {
        *self.0.holder.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
