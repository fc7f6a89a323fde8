//! The devices of a server: driven concurrently, one run at a time on each, in the order of the requests.
//!
//! A run is requested with [`DevicePool::run`] and continues without a waiting caller. It can be looked up by its
//! commandId for ten minutes after its end, and a request that is repeated with its idempotency key is the same run.
//! [`DevicePool::events`] is the stream of events.
//!
//! The pool needs a tokio runtime with real time. Simulated phones in virtual time get their own runtimes with paused time.

mod device_changes;
mod events;
mod queue;
mod registry;
mod run;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use contract::{ErrorBody, ErrorCode, ParsedExecution};
use serde_json::Value;
use tokio::sync::{OwnedMutexGuard, Semaphore, watch};
use tokio::time::Instant;

use crate::chrome::ConnectionCache;
use crate::devices::{self, ResolvedDevice};
use crate::inspect::{ElementDescription, KnownElement, SelectorOptions, TargetRef};
use crate::{Clock, Device, DeviceList, Options, Service, TransportOptions};
use device_changes::Watchers;
use events::Ring;
use queue::{DeviceQueue, DeviceState};
use registry::{Admission, KeyHasher, Registry};
use run::RunState;

pub use events::{Delivery, EventKind, Events, Input, PoolEvent};
pub use queue::BETWEEN_RUNS;
pub use registry::IdempotencyKey;
pub use run::{Outcome, Phase, Run, StepSummary};

/// How often to retry a device that another process drives.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

#[derive(Clone, Debug)]
pub struct PoolOptions {
    pub service: Options,
    /// The device of requests that name none; `None` is the only phone.
    pub device: Option<String>,
    /// The maximal number of runs that wait for one device.
    pub waiting: usize,
    /// The maximal number of simulated phones.
    pub phones: usize,
}

impl Default for PoolOptions {
    fn default() -> Self {
        Self {
            service: Options::default(),
            device: None,
            waiting: 64,
            phones: 1_024,
        }
    }
}

#[derive(Clone, Debug)]
pub struct RunRequest {
    pub device: Option<String>,
    /// Transport override; wins over the options of the pool.
    pub transport: Option<TransportOptions>,
    /// The plan; to find an element, one with a single `snapshot_ui`.
    pub parsed: ParsedExecution,
    /// What to do with the plan.
    pub task: Task,
    /// How long to wait for a busy device; `None` fails at once.
    pub wait: Option<Duration>,
    pub key: Option<IdempotencyKey>,
}

impl RunRequest {
    /// A request to run a plan at once.
    pub fn new(device: Option<String>, parsed: ParsedExecution) -> Self {
        Self {
            device,
            transport: None,
            parsed,
            task: Task::Run,
            wait: None,
            key: None,
        }
    }
}

/// What to do with a plan.
#[derive(Clone, Debug)]
pub enum Task {
    Run,
    /// Find an element on the screen that it shows.
    Inspect(Box<ElementDescription>),
    /// Name a known element.
    Selectors(KnownElement, SelectorOptions),
}

/// The devices of this process; clones share them.
#[derive(Clone)]
pub struct DevicePool(Arc<Inner>);

struct Inner {
    options: PoolOptions,
    service: Arc<Service>,
    queues: Mutex<BTreeMap<String, Arc<DeviceQueue>>>,
    registry: Mutex<Registry>,
    key_hasher: KeyHasher,
    ring: Arc<Ring>,
    /// The number of unfinished runs, and whether new ones are accepted.
    load: watch::Sender<Load>,
    /// The maximal number of simulated phones that run at the same time.
    cores: Arc<Semaphore>,
    /// Held by the subscriptions.
    watchers: Mutex<Weak<Watchers>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Load {
    runs: usize,
    stopping: bool,
}

impl DevicePool {
    /// A pool without open devices.
    pub fn new(mut options: PoolOptions) -> Self {
        options.service.gives_refs = true;
        options.service.chrome.connections = ConnectionCache::between_runs();
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let service = Arc::new(Service::new(options.service.clone()));
        Self(Arc::new(Inner {
            options,
            queues: Mutex::default(),
            registry: Mutex::default(),
            key_hasher: KeyHasher::default(),
            ring: Arc::new(Ring::new(service.secrets.clone())),
            service,
            load: watch::Sender::new(Load::default()),
            cores: Arc::new(Semaphore::new(2 * cores)),
            watchers: Mutex::default(),
        }))
    }

    /// Starts a run, which continues even if the handle is dropped.
    ///
    /// # Errors
    /// `SERVER_STOPPING`, `SERVER_BUSY`, `IDEMPOTENCY_KEY_REUSED`, `IDEMPOTENCY_ANSWER_GONE`, `INVALID_PATH`. Everything
    /// else, such as a busy device, is the outcome of the run.
    pub fn run(&self, order: RunRequest) -> Result<Run, ErrorBody> {
        let RunRequest {
            device,
            transport,
            parsed:
                ParsedExecution {
                    execution,
                    warnings,
                },
            task,
            wait,
            key,
        } = order;
        let device = device.or_else(|| self.0.options.device.clone());
        if self.0.load.borrow().stopping {
            return Err(stopping());
        }
        // An invalid path fails before anything is done.
        self.0.options.service.check_files(&execution)?;
        match self
            .0
            .registry()
            .admit(execution.clone(), device.as_deref(), key.as_ref())?
        {
            Admission::Existing(state) => Ok(Run::new(state, true)),
            Admission::New(state) => {
                let run = Run::new(Arc::clone(&state), false);
                let work = RunWork {
                    requested: device,
                    transport,
                    parsed: ParsedExecution {
                        execution,
                        warnings,
                    },
                    task,
                    until: wait.map(|wait| Instant::now() + wait),
                };
                let counted = LoadGuard::new(&self.0);
                let pool = Arc::clone(&self.0);
                tokio::spawn(async move {
                    pool.drive(state, work, key).await;
                    drop(counted);
                });
                Ok(run)
            }
        }
    }

    /// The identity of a request: its idempotency key and its content.
    ///
    /// # Errors
    /// `INVALID_HEADER` if the key is blank, too long, or not visible ASCII.
    pub fn key(&self, key: &str, requested: &[&[u8]]) -> Result<IdempotencyKey, ErrorBody> {
        self.0.key_hasher.key(key, requested)
    }

    /// The run with this commandId: the unfinished one, the running before those that wait; else the one that ended last.
    /// A request that was refused before it had its device is found only if no other has this commandId.
    ///
    /// # Errors
    /// `EXECUTION_NOT_FOUND`; `MULTIPLE_DEVICES_DEVICE_ID_REQUIRED` if it ran on several devices and none is named.
    pub fn find(&self, command_id: &str, device: Option<&str>) -> Result<Run, ErrorBody> {
        let mut named = self.0.registry().named(command_id);
        if let Some(device) = device {
            named.retain(|run| run.is_for(device));
        }
        if named.iter().any(|run| !run.was_refused()) {
            named.retain(|run| !run.was_refused());
        }
        let devices = named.iter().filter_map(|run| run.device());
        let devices: BTreeSet<&str> = devices.map(AsRef::as_ref).collect();
        if devices.len() > 1 {
            let code = ErrorCode::MultipleDevices;
            let message = format!("{command_id:?} was requested on several devices");
            return Err(ErrorBody::new(code, message)
                .with_hint("Select one with ?deviceId=")
                .with_detail("devices", devices.into_iter().collect::<Vec<_>>()));
        }
        let has_device = |run: &&Arc<RunState>| run.phase() == Phase::Running;
        let unfinished = |run: &&Arc<RunState>| run.outcome().is_none();
        let found = named.iter().find(has_device);
        let found = found.or_else(|| named.iter().find(unfinished));
        match found.or_else(|| named.last()) {
            Some(state) => Ok(Run::new(Arc::clone(state), false)),
            None => {
                let shown = contract::truncate(command_id, 128);
                let message = format!("unknown execution {shown:?}");
                Err(ErrorBody::new(ErrorCode::ExecutionNotFound, message).with_default_hint())
            }
        }
    }

    /// Every device that can be named now, including the simulated phones in use.
    pub async fn devices(&self) -> Result<DeviceList, ErrorBody> {
        let mut devices = self.0.service.devices().await?;
        for name in self
            .0
            .queues()
            .keys()
            .filter(|name| devices::kind_of(name).is_embedded())
        {
            if !devices.iter().any(|device| device.serial == *name) {
                devices
                    .embedded
                    .push(Device::new(name.clone(), devices::EMBEDDED.to_owned()));
            }
        }
        Ok(devices)
    }

    /// The events from now on, or after the event with this number.
    pub fn events(&self, after: Option<u64>) -> Events {
        let mut running = self
            .0
            .watchers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let watchers = running.upgrade().unwrap_or_else(|| {
            let started = Arc::new(Watchers::start(&self.0));
            *running = Arc::downgrade(&started);
            started
        });
        Events::after(&self.0.ring, after).with_watchers(watchers)
    }

    /// Publishes a request that failed before it became a run.
    pub fn refused(&self, device: &str, input: Value, error: &ErrorBody) {
        self.0.ring.publish(EventKind::Execution {
            device: Some(Arc::from(device)),
            input: Input::Refused(input),
            outcome: Arc::new(Outcome::Failed(error.clone())),
        });
    }

    /// The number of unfinished runs.
    pub fn load(&self) -> usize {
        self.0.load.borrow().runs
    }

    /// Rejects new runs and waits until all runs have ended.
    pub async fn drain(&self) {
        self.0.load.send_modify(|load| load.stopping = true);
        let mut load = self.0.load.subscribe();
        // The sender exists as long as the pool.
        let _ = load.wait_for(|load| load.runs == 0).await;
        self.0.options.service.chrome.connections.end().await;
    }

    /// Cancels every run.
    pub fn cancel_all(&self) {
        for run in self.0.registry().active() {
            run.cancel.cancel();
        }
    }
}

/// The error of a server that is stopping.
fn stopping() -> ErrorBody {
    ErrorBody::new(ErrorCode::ServerStopping, "the server is stopping").with_default_hint()
}

/// Counts one run until it is dropped.
struct LoadGuard(Arc<Inner>);

impl LoadGuard {
    fn new(pool: &Arc<Inner>) -> Self {
        pool.load.send_modify(|load| load.runs += 1);
        Self(Arc::clone(pool))
    }
}

impl Drop for LoadGuard {
    fn drop(&mut self) {
        self.0
            .load
            .send_modify(|load| load.runs = load.runs.saturating_sub(1));
    }
}

/// The input of a run.
struct RunWork {
    requested: Option<String>,
    transport: Option<TransportOptions>,
    parsed: ParsedExecution,
    task: Task,
    until: Option<Instant>,
}

/// A device that a run drives exclusively.
struct LeasedDevice {
    resolved: ResolvedDevice,
    slot: OwnedMutexGuard<DeviceState>,
    /// Holds a reference, so that the queue counts as used.
    queue: Arc<DeviceQueue>,
}

impl Inner {
    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn queues(&self) -> MutexGuard<'_, BTreeMap<String, Arc<DeviceQueue>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drives a run from start to end.
    async fn drive(
        self: Arc<Self>,
        state: Arc<RunState>,
        work: RunWork,
        key: Option<IdempotencyKey>,
    ) {
        let requested = work.requested.clone();
        let access = tokio::select! {
            biased;
            access = self.wait_for_device(&state, &work) => access,
            () = state.cancel.cancelled() => Err(cancelled_while_waiting(&state)),
        };
        let (outcome, queue, began) = match access {
            Ok(LeasedDevice {
                resolved,
                mut slot,
                queue,
            }) => {
                let device: Arc<str> = Arc::from(&*resolved.name);
                state.runs();
                self.ring.publish(EventKind::Started {
                    device,
                    execution: Arc::clone(&state.execution),
                });
                let outcome = self.perform(&state, resolved, work, &mut slot).await;
                (outcome, Some((slot, queue)), true)
            }
            Err(error) => (Outcome::Failed(error), None, false),
        };
        let outcome = Arc::new(outcome);
        let device = state.device().cloned();
        if let (true, Some(device)) = (began, &device) {
            self.ring.publish(EventKind::Result {
                device: Arc::clone(device),
                execution: Arc::clone(&state.execution),
                plain: state.plain(),
                outcome: Arc::clone(&outcome),
            });
        }
        let named = device
            .clone()
            .or_else(|| requested.as_deref().map(Arc::from));
        if named.is_some() {
            self.ring.publish(EventKind::Execution {
                device: named,
                input: Input::Plan {
                    execution: Arc::clone(&state.execution),
                    plain: state.plain(),
                },
                outcome: Arc::clone(&outcome),
            });
        }
        self.registry().ended(&state, key.as_ref(), &outcome);
        // A client that receives the end event may request the device at once.
        drop(queue);
        if let Some(device) = &device {
            self.leave(device);
        }
        state.ends(outcome);
    }

    /// Waits until the run has its device exclusively.
    async fn wait_for_device(
        self: &Arc<Self>,
        state: &RunState,
        work: &RunWork,
    ) -> Result<LeasedDevice, ErrorBody> {
        let (requested, options) = (work.requested.as_deref(), &self.options.service);
        devices::reject_unsupported(requested, options, &work.parsed.execution)?;
        let mut resolved = devices::resolve(requested, options).await?;
        resolved.transport = work.transport.clone();
        state.has_device(Arc::from(&*resolved.name));
        let queue = self.queue(&resolved.name)?;
        let slot = queue.take(&resolved.name, state, work.until).await?;
        Ok(LeasedDevice {
            resolved,
            slot,
            queue,
        })
    }

    fn queue(&self, device: &str) -> Result<Arc<DeviceQueue>, ErrorBody> {
        let mut queues = self.queues();
        if let Some(queue) = queues.get(device) {
            return Ok(Arc::clone(queue));
        }
        let is_embedded = |name: &str| devices::kind_of(name).is_embedded();
        if is_embedded(device) {
            let phones = queues.keys().filter(|name| is_embedded(name)).count();
            if phones >= self.options.phones {
                let message = format!("{phones} simulated phones are open");
                return Err(ErrorBody::new(ErrorCode::ServerBusy, message)
                    .with_hint("Use one of those that GET /devices lists")
                    .with_detail("limit", self.options.phones));
            }
            if device != "sim" {
                self.ring.publish(EventKind::Device {
                    device: Arc::from(device),
                    state: Some(Arc::from(devices::EMBEDDED)),
                });
            }
        }
        let queue = Arc::new(DeviceQueue::new(self.options.waiting));
        queues.insert(device.to_owned(), Arc::clone(&queue));
        Ok(queue)
    }

    /// Removes the queue of a device that is not open and has no waiting runs.
    fn leave(&self, device: &str) {
        let mut queues = self.queues();
        // Queues are handed out under this lock only, so the count cannot grow meanwhile.
        let unused = queues
            .get(device)
            .is_some_and(|queue| Arc::strong_count(queue) == 1);
        if unused && !self.service.is_open(device) {
            queues.remove(device);
            self.service.close(device);
            drop(queues);
            if devices::kind_of(device).is_embedded() && device != "sim" {
                self.publish_removed(device);
            }
        }
    }

    /// Closes a device that was removed, unless it is being driven.
    fn close_removed(&self, device: &str) {
        let mut queues = self.queues();
        let idle = queues
            .get(device)
            .is_none_or(|queue| Arc::strong_count(queue) == 1);
        if idle {
            queues.remove(device);
            self.service.close(device);
        }
    }

    /// Tells subscribers that a device was removed.
    fn publish_removed(&self, device: &str) {
        self.ring.publish(EventKind::Device {
            device: Arc::from(device),
            state: None,
        });
    }

    /// Does the work on the device.
    async fn perform(
        self: &Arc<Self>,
        state: &Arc<RunState>,
        resolved: ResolvedDevice,
        work: RunWork,
        slot: &mut DeviceState,
    ) -> Outcome {
        let device = resolved.name.clone();
        let clock = self.options.service.clock_of(Some(&device));
        let working = self
            .clone()
            .run_or_inspect(Arc::clone(state), resolved, work);
        let done = match clock {
            Clock::Real => tokio::spawn(working).await,
            Clock::Virtual => {
                let mut runtime = match slot.runtime() {
                    Ok(runtime) => runtime,
                    Err(error) => return Outcome::Failed(error),
                };
                // The semaphore is never closed.
                let core = Arc::clone(&self.cores).acquire_owned().await.ok();
                let computed = tokio::task::spawn_blocking(move || {
                    let outcome = runtime.run(working);
                    drop(core);
                    (outcome, runtime)
                });
                computed.await.map(|(outcome, runtime)| {
                    slot.put(runtime);
                    outcome.unwrap_or_else(|| Outcome::Failed(no_time()))
                })
            }
        };
        done.unwrap_or_else(|fault| {
            // The state of the device is unknown.
            self.service.close(&device);
            let message = format!("the run on {device} ended by an internal error: {fault}");
            let error = ErrorBody::new(ErrorCode::InternalError, message);
            Outcome::Failed(error.with_default_hint().with_detail("deviceId", device))
        })
    }

    /// Does the work in the device's own time.
    async fn run_or_inspect(
        self: Arc<Self>,
        state: Arc<RunState>,
        resolved: ResolvedDevice,
        work: RunWork,
    ) -> Outcome {
        loop {
            let outcome = self.attempt(&state, &resolved, &work).await;
            // Another process drives the device: nothing was done.
            let waits = match &outcome {
                Outcome::Failed(error) if is_conflict(error) => {
                    work.until.filter(|until| Instant::now() < *until)
                }
                _ => None,
            };
            let Some(until) = waits else {
                return outcome;
            };
            let next = until.min(Instant::now() + RETRY_INTERVAL);
            tokio::select! {
                () = tokio::time::sleep_until(next) => {}
                () = state.cancel.cancelled() => return Outcome::Failed(cancelled_while_waiting(&state)),
            }
        }
    }

    async fn attempt(
        &self,
        state: &Arc<RunState>,
        resolved: &ResolvedDevice,
        work: &RunWork,
    ) -> Outcome {
        let mut tell = |event: &crate::Event<'_>| {
            if let (Some(step), Some(device)) = (state.record_event(event), state.device()) {
                self.ring.publish(EventKind::Step {
                    device: Arc::clone(device),
                    execution: Arc::clone(&state.execution),
                    step,
                });
            }
        };
        let requested = work.requested.as_deref();
        let (parsed, cancel) = (work.parsed.clone(), state.cancel.clone());
        let service = &self.service;
        let task = match &work.task {
            Task::Run => {
                let ran = service.run_on(resolved, requested, parsed, cancel, &mut tell, None);
                return match ran.await {
                    Ok(answer) => Outcome::Answer(answer),
                    Err(error) => Outcome::Failed(error),
                };
            }
            Task::Inspect(description) => TargetRef::Described(description),
            Task::Selectors(known, naming) => TargetRef::Known(known, *naming),
        };
        let looked = service.inspect_on(resolved, requested, parsed, task, cancel, &mut tell);
        match looked.await {
            Ok(inspection) => Outcome::Inspection(inspection),
            Err(error) => Outcome::Failed(error),
        }
    }
}

/// The error of a simulated phone whose runtime has ended.
fn no_time() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::InternalError,
        "the simulated phone has ended; nothing was done",
    )
}

/// Whether an error means that the device is busy.
fn is_conflict(error: &ErrorBody) -> bool {
    error.code == ErrorCode::ExecutionConflictInFlight
}

/// The error of a run that was cancelled before it had its device.
fn cancelled_while_waiting(state: &RunState) -> ErrorBody {
    let message = "cancelled while it waited for its device; nothing was sent";
    let error = ErrorBody::new(ErrorCode::ExecutionCancelled, message)
        .with_default_hint()
        .with_detail("commandId", state.execution.command_id());
    match state.device() {
        Some(device) => error.with_detail("deviceId", &**device),
        None => error,
    }
}
