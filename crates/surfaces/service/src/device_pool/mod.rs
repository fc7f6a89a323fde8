//! The devices of a process that serves many: driven side by side, one run at a time on each, in the order in which the
//! runs were asked for.
//!
//! A run is asked for with [`DevicePool::run`] and goes on whether or not anybody waits for it. It is found again by its
//! commandId for ten minutes after its end, and a request that is repeated under its key is the same run.
//! [`DevicePool::events`] is the stream of what happens.
//!
//! Everything here wants a tokio runtime with real time around it; simulated phones in virtual time get runtimes of
//! their own, each with the time of one phone.

mod device_changes;
mod events;
mod queue;
mod registry;
mod run;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use contract::{ErrorBody, ErrorCode, Parsed};
use serde_json::Value;
use tokio::sync::{OwnedMutexGuard, Semaphore, watch};
use tokio::time::Instant;

use crate::chrome::{ConnectionCache, DialogPolicy};
use crate::devices::{self, ResolvedDevice};
use crate::inspect::{ElementDescription, KnownElement, SelectorOptions, TargetRef};
use crate::{Clock, Device, DeviceList, Options, Service, TransportOptions};
use events::Ring;
use queue::{DeviceQueue, DeviceState};
use registry::{Admission, KeyHasher, Registry};
use run::RunState;

pub use events::{Delivery, EventKind, Events, Input, PoolEvent};
pub use registry::IdempotencyKey;
pub use run::{Outcome, Phase, Run, StepSummary};

/// How often a device is tried again that another process drives.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// How a hub is set up.
#[derive(Clone, Debug)]
pub struct PoolOptions {
    /// The devices and where files go.
    pub service: Options,
    /// The device of requests that name none; `None` is the only phone there is.
    pub device: Option<String>,
    /// How many runs may wait for one device.
    pub waiting: usize,
    /// How many simulated phones there may be.
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

/// What is asked for.
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// The device.
    pub device: Option<String>,
    /// The ways to it that count before those of the hub.
    pub transport: Option<TransportOptions>,
    /// The plan; for an element one with a single `snapshot_ui`.
    pub parsed: Parsed,
    /// What is to be done with it.
    pub task: Task,
    /// How long it may wait for a device that is busy; without it a busy device is an error at once.
    pub wait: Option<Duration>,
    /// What makes it the same request when it is repeated.
    pub key: Option<IdempotencyKey>,
}

impl RunRequest {
    /// A plan for a device, to be run at once.
    #[must_use]
    pub fn new(device: Option<String>, parsed: Parsed) -> Self {
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

/// What is done with a plan.
#[derive(Clone, Debug)]
pub enum Task {
    /// It is run.
    Run,
    /// An element is looked for on the screen that it shows.
    Inspect(Box<ElementDescription>),
    /// An element that is known is named.
    Selectors(KnownElement, SelectorOptions),
}

/// The devices of this process; cheap to clone.
#[derive(Clone)]
pub struct DevicePool(Arc<Inner>);

struct Inner {
    options: PoolOptions,
    service: Arc<Service>,
    queues: Mutex<BTreeMap<String, Arc<DeviceQueue>>>,
    registry: Mutex<Registry>,
    key_hasher: KeyHasher,
    ring: Arc<Ring>,
    /// How many runs there are, and whether more are taken in.
    load: watch::Sender<Load>,
    /// How many simulated phones are computed at a time.
    cores: Arc<Semaphore>,
    followed: tokio::sync::Mutex<()>,
    tabs_followed: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Load {
    runs: usize,
    stopping: bool,
}

impl DevicePool {
    /// A hub without open devices.
    #[must_use]
    pub fn new(mut options: PoolOptions) -> Self {
        options.service.chrome.connections = ConnectionCache::between_runs(DialogPolicy::Keep);
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
            followed: tokio::sync::Mutex::default(),
            tabs_followed: Arc::default(),
        }))
    }

    /// Asks for a run, which goes on whatever becomes of the answer.
    ///
    /// # Errors
    /// `SERVER_STOPPING`, `SERVER_BUSY`, `IDEMPOTENCY_KEY_REUSED`, `IDEMPOTENCY_ANSWER_GONE`, `INVALID_PATH`. Everything
    /// else, a device that is busy among it, is the run's outcome.
    pub fn run(&self, order: RunRequest) -> Result<Run, ErrorBody> {
        let RunRequest {
            device,
            transport,
            parsed: Parsed {
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
        // A path that may not be used is refused before anything is done.
        self.0.options.service.check_screenshots(&execution)?;
        match self
            .0
            .registry()
            .admit(execution.clone(), device.as_deref(), key.as_ref())?
        {
            Admission::Existing(state) => Ok(Run::of(state, true)),
            Admission::New(state) => {
                let run = Run::of(Arc::clone(&state), false);
                let work = RunWork {
                    asked: device,
                    transport,
                    parsed: Parsed {
                        execution,
                        warnings,
                    },
                    task,
                    until: wait.map(|wait| Instant::now() + wait),
                };
                let counted = LoadGuard::new(&self.0);
                let pool = Arc::clone(&self.0);
                tokio::spawn(async move {
                    pool.lead(state, work, key).await;
                    drop(counted);
                });
                Ok(run)
            }
        }
    }

    /// What makes a request the same when it is repeated: its key, and what it asks for.
    ///
    /// # Errors
    /// `INVALID_HEADER` where the key is blank, too long, or no visible ASCII.
    pub fn key(&self, key: &str, asked: &[&[u8]]) -> Result<IdempotencyKey, ErrorBody> {
        self.0.key_hasher.key(key, asked)
    }

    /// The run with this name: the one under way, else the one that ended last.
    ///
    /// # Errors
    /// `EXECUTION_NOT_FOUND`; `EXECUTION_CONFLICT_IN_FLIGHT` where several of this name are under way and no device says
    /// which one is meant.
    pub fn find(&self, command_id: &str, device: Option<&str>) -> Result<Run, ErrorBody> {
        let mut named = self.0.registry().named(command_id);
        if let Some(device) = device {
            named.retain(|run| run.is_for(device));
        }
        let mut under_way = named.iter().filter(|run| run.outcome().is_none());
        let found = match (under_way.next(), under_way.next()) {
            (Some(_), Some(_)) => {
                let devices: Vec<&str> = named
                    .iter()
                    .filter(|run| run.outcome().is_none())
                    .filter_map(|run| run.device().map(AsRef::as_ref))
                    .collect();
                let message = format!("several runs named {command_id:?} are under way");
                return Err(
                    ErrorBody::new(ErrorCode::ExecutionConflictInFlight, message)
                        .with_hint("Say which one with ?deviceId=")
                        .with_detail("devices", devices),
                );
            }
            (Some(one), None) => Some(one),
            (None, _) => named.last(),
        };
        match found {
            Some(state) => Ok(Run::of(Arc::clone(state), false)),
            None => {
                let shown: String = command_id.chars().take(128).collect();
                let message = format!("no run named {shown:?} is known");
                Err(ErrorBody::new(ErrorCode::ExecutionNotFound, message).with_default_hint())
            }
        }
    }

    /// Every device that can be named now, the simulated phones that were used among them.
    ///
    /// # Errors
    /// As [`Service::devices`].
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

    /// What happens from now on, or after the event of a number.
    #[must_use]
    pub fn events(&self, after: Option<u64>) -> Events {
        device_changes::begin(&self.0);
        Events::after(&self.0.ring, after)
    }

    /// Tells those that follow of a request that was refused before there was a run.
    pub fn refused(&self, device: &str, input: Value, error: &ErrorBody) {
        self.0.ring.publish(EventKind::Execution {
            device: Some(Arc::from(device)),
            input: Input::Refused(input),
            outcome: Arc::new(Outcome::Failed(error.clone())),
        });
    }

    /// How many runs wait or are under way.
    #[must_use]
    pub fn load(&self) -> usize {
        self.0.load.borrow().runs
    }

    /// Takes in nothing more, and ends when every run has.
    pub async fn drain(&self) {
        self.0.load.send_modify(|load| load.stopping = true);
        let mut load = self.0.load.subscribe();
        // The sender lives as long as the hub does.
        let _ = load.wait_for(|load| load.runs == 0).await;
        self.0.options.service.chrome.connections.end().await;
    }

    /// Calls every run off.
    pub fn cancel_all(&self) {
        for run in self.0.registry().active() {
            run.cancel.cancel();
        }
    }
}

/// A server that is being stopped takes nothing in.
fn stopping() -> ErrorBody {
    ErrorBody::new(ErrorCode::ServerStopping, "the server is being stopped").with_default_hint()
}

/// One run counts until this is dropped.
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

/// What a run has to do.
struct RunWork {
    asked: Option<String>,
    transport: Option<TransportOptions>,
    parsed: Parsed,
    task: Task,
    until: Option<Instant>,
}

/// A device that a run has to itself.
struct LeasedDevice {
    resolved: ResolvedDevice,
    slot: OwnedMutexGuard<DeviceState>,
    /// Kept, so that nobody takes the device for one that is not used.
    queue: Arc<DeviceQueue>,
}

impl Inner {
    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn queues(&self) -> MutexGuard<'_, BTreeMap<String, Arc<DeviceQueue>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leads a run from its beginning to its end.
    async fn lead(
        self: Arc<Self>,
        state: Arc<RunState>,
        work: RunWork,
        key: Option<IdempotencyKey>,
    ) {
        let asked = work.asked.clone();
        let turn = tokio::select! {
            biased;
            turn = self.turn(&state, &work) => turn,
            () = state.cancel.cancelled() => Err(called_off(&state)),
        };
        let (outcome, queue, began) = match turn {
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
        let named = device.clone().or_else(|| asked.as_deref().map(Arc::from));
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
        // Whoever learns of the end may ask for the device at once.
        drop(queue);
        if let Some(device) = &device {
            self.leave(device);
        }
        state.ends(outcome);
    }

    /// Waits until the device that is meant is this run's.
    async fn turn(
        self: &Arc<Self>,
        state: &RunState,
        work: &RunWork,
    ) -> Result<LeasedDevice, ErrorBody> {
        let mut resolved = devices::resolve(work.asked.as_deref(), &self.options.service).await?;
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

    /// The seat of a device.
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

    /// Forgets the seat of a device that is not open and that nobody waits for.
    fn leave(&self, device: &str) {
        let mut queues = self.queues();
        // Seats are handed out under this lock only, so nobody has one that is counted here alone.
        let unused = queues
            .get(device)
            .is_some_and(|queue| Arc::strong_count(queue) == 1);
        if unused && !self.service.keeps(device) {
            queues.remove(device);
            self.service.forget(device);
            drop(queues);
            if devices::kind_of(device).is_embedded() && device != "sim" {
                self.gone(device);
            }
        }
    }

    /// Lets go of a device that is gone, unless somebody drives it.
    fn lost(&self, device: &str) {
        let mut queues = self.queues();
        let idle = queues
            .get(device)
            .is_none_or(|queue| Arc::strong_count(queue) == 1);
        if idle {
            queues.remove(device);
            self.service.forget(device);
        }
    }

    fn gone(&self, device: &str) {
        self.ring.publish(EventKind::Device {
            device: Arc::from(device),
            state: None,
        });
    }

    /// Does what is asked on a device that is this run's.
    async fn perform(
        self: &Arc<Self>,
        state: &Arc<RunState>,
        resolved: ResolvedDevice,
        work: RunWork,
        slot: &mut DeviceState,
    ) -> Outcome {
        let device = resolved.name.clone();
        let clock = self.options.service.clock_of(Some(&device));
        let doing = self.clone().doing(Arc::clone(state), resolved, work);
        let done = match clock {
            Clock::Real => tokio::spawn(doing).await,
            Clock::Virtual => {
                let runtime = match slot.take_or_make() {
                    Ok(runtime) => runtime,
                    Err(error) => return Outcome::Failed(error),
                };
                // The semaphore is never closed.
                let core = Arc::clone(&self.cores).acquire_owned().await.ok();
                let computed = tokio::task::spawn_blocking(move || {
                    let outcome = runtime.run(doing);
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
            // What it left behind is not known.
            self.service.forget(&device);
            let message = format!("the run on {device} ended by a fault of the program: {fault}");
            let error = ErrorBody::new(ErrorCode::InternalError, message);
            Outcome::Failed(error.with_default_hint().with_detail("deviceId", device))
        })
    }

    /// The work itself, in the time of the device.
    async fn doing(
        self: Arc<Self>,
        state: Arc<RunState>,
        resolved: ResolvedDevice,
        work: RunWork,
    ) -> Outcome {
        loop {
            let outcome = self.once(&state, &resolved, &work).await;
            // Another process drives it: nothing was done.
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
                () = state.cancel.cancelled() => return Outcome::Failed(called_off(&state)),
            }
        }
    }

    async fn once(
        &self,
        state: &Arc<RunState>,
        resolved: &ResolvedDevice,
        work: &RunWork,
    ) -> Outcome {
        let mut tell = |event: &crate::Event<'_>| {
            if let (Some(step), Some(device)) = (state.moment(event), state.device()) {
                self.ring.publish(EventKind::Step {
                    device: Arc::clone(device),
                    execution: Arc::clone(&state.execution),
                    step,
                });
            }
        };
        let asked = work.asked.as_deref();
        let (parsed, cancel) = (work.parsed.clone(), state.cancel.clone());
        let service = &self.service;
        let task = match &work.task {
            Task::Run => {
                let ran = service.run_on(resolved, asked, parsed, cancel, &mut tell, None);
                return match ran.await {
                    Ok(answer) => Outcome::Answer(answer),
                    Err(error) => Outcome::Failed(error),
                };
            }
            Task::Inspect(description) => TargetRef::Described(description),
            Task::Selectors(known, naming) => TargetRef::Known(known, *naming),
        };
        let looked = service.inspect_on(resolved, asked, parsed, task, cancel, &mut tell);
        match looked.await {
            Ok(inspection) => Outcome::Inspection(inspection),
            Err(error) => Outcome::Failed(error),
        }
    }
}

/// A simulated phone whose time has ended.
fn no_time() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::InternalError,
        "the time of the phone has ended; nothing was done",
    )
}

/// Whether an error says that a device is being driven.
fn is_conflict(error: &ErrorBody) -> bool {
    error.code == ErrorCode::ExecutionConflictInFlight
}

/// A run that was called off before it had its device.
fn called_off(state: &RunState) -> ErrorBody {
    let message = "called off while it waited for its device; nothing was sent";
    let error = ErrorBody::new(ErrorCode::ExecutionCancelled, message)
        .with_default_hint()
        .with_detail("commandId", state.execution.command_id());
    match state.device() {
        Some(device) => error.with_detail("deviceId", &**device),
        None => error,
    }
}
