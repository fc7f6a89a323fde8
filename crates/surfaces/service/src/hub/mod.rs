//! The devices of a process that serves many: driven side by side, one run at a time on each, in the order in which the
//! runs were asked for.
//!
//! A run is asked for with [`Hub::run`] and goes on whether or not anybody waits for it. It is found again by its
//! commandId for ten minutes after its end, and a request that is repeated under its key is the same run. What happens
//! is told to whoever follows [`Hub::events`].
//!
//! Everything here wants a tokio runtime with real time around it; simulated phones in virtual time get runtimes of
//! their own, each with the time of one phone.

mod events;
mod follow;
mod registry;
mod run;
mod seat;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use contract::{ErrorBody, ErrorCode, Parsed};
use serde_json::Value;
use tokio::sync::{OwnedMutexGuard, Semaphore, watch};
use tokio::time::Instant;

use crate::backends::{self, Meant, SimName};
use crate::chrome::{Kept, OpenDialog};
use crate::inspect::{Asked, Inquiry, Known, Naming};
use crate::{Clock, Device, DeviceList, Options, Service, Ways};
use events::Ring;
use registry::{Admitted, Printer, Registry};
use run::RunState;
use seat::{Seat, Slot};

pub use events::{Events, HubEvent, Input, Told, What};
pub use registry::Key;
pub use run::{Outcome, Phase, Run, StepNote};

/// How often a device is tried again that another process drives.
const BREATH: Duration = Duration::from_millis(50);

/// How a hub is set up.
#[derive(Clone, Debug)]
pub struct HubOptions {
    /// The devices and where files go.
    pub service: Options,
    /// The device of requests that name none; `None` is the only phone there is.
    pub device: Option<String>,
    /// How many runs may wait for one device.
    pub waiting: usize,
    /// How many simulated phones there may be.
    pub phones: usize,
}

impl Default for HubOptions {
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
pub struct Order {
    /// The device.
    pub device: Option<String>,
    /// The ways to it that count before those of the hub.
    pub ways: Option<Ways>,
    /// The plan; for an element one with a single `snapshot_ui`.
    pub parsed: Parsed,
    /// What is to be done with it.
    pub task: Task,
    /// How long it may wait for a device that is busy; without it a busy device is an error at once.
    pub wait: Option<Duration>,
    /// What makes it the same request when it is repeated.
    pub key: Option<Key>,
}

impl Order {
    /// A plan for a device, to be run at once.
    #[must_use]
    pub fn new(device: Option<String>, parsed: Parsed) -> Self {
        Self {
            device,
            ways: None,
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
    Inspect(Box<Inquiry>),
    /// An element that is known is named.
    Selectors(Known, Naming),
}

/// The devices of this process; cheap to clone.
#[derive(Clone)]
pub struct Hub(Arc<Inner>);

struct Inner {
    options: HubOptions,
    service: Arc<Service>,
    seats: Mutex<BTreeMap<String, Arc<Seat>>>,
    registry: Mutex<Registry>,
    printer: Printer,
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

impl Hub {
    /// A hub without open devices.
    #[must_use]
    pub fn new(mut options: HubOptions) -> Self {
        options.service.chrome.kept = Kept::between_runs(OpenDialog::Keep);
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let service = Arc::new(Service::new(options.service.clone()));
        Self(Arc::new(Inner {
            options,
            seats: Mutex::default(),
            registry: Mutex::default(),
            printer: Printer::default(),
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
    pub fn run(&self, order: Order) -> Result<Run, ErrorBody> {
        let Order {
            device,
            ways,
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
            Admitted::Again(state) => Ok(Run::of(state, true)),
            Admitted::New(state) => {
                let run = Run::of(Arc::clone(&state), false);
                let work = Work {
                    asked: device,
                    ways,
                    parsed: Parsed {
                        execution,
                        warnings,
                    },
                    task,
                    until: wait.map(|wait| Instant::now() + wait),
                };
                let counted = Counted::new(&self.0);
                let hub = Arc::clone(&self.0);
                tokio::spawn(async move {
                    hub.lead(state, work, key).await;
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
    pub fn key(&self, key: &str, asked: &[&[u8]]) -> Result<Key, ErrorBody> {
        self.0.printer.key(key, asked)
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
        for name in self.0.seats().keys().filter(|name| backends::is_sim(name)) {
            if !devices.iter().any(|device| device.serial == *name) {
                devices
                    .embedded
                    .push(Device::new(name.clone(), backends::EMBEDDED.to_owned()));
            }
        }
        Ok(devices)
    }

    /// What happens from now on, or after the event of a number.
    #[must_use]
    pub fn events(&self, after: Option<u64>) -> Events {
        follow::begin(&self.0);
        Events::after(&self.0.ring, after)
    }

    /// Tells those that follow of a request that was refused before there was a run.
    pub fn refused(&self, device: &str, input: Value, error: &ErrorBody) {
        self.0.ring.tell(What::Execution {
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
        self.0.options.service.chrome.kept.end().await;
    }

    /// Calls every run off.
    pub fn cancel_all(&self) {
        for run in self.0.registry().under_way() {
            run.cancel.cancel();
        }
    }
}

/// A server that is being stopped takes nothing in.
fn stopping() -> ErrorBody {
    ErrorBody::new(ErrorCode::ServerStopping, "the server is being stopped").with_default_hint()
}

/// One run counts until this is dropped.
struct Counted(Arc<Inner>);

impl Counted {
    fn new(hub: &Arc<Inner>) -> Self {
        hub.load.send_modify(|load| load.runs += 1);
        Self(Arc::clone(hub))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0
            .load
            .send_modify(|load| load.runs = load.runs.saturating_sub(1));
    }
}

/// What a run has to do.
struct Work {
    asked: Option<String>,
    ways: Option<Ways>,
    parsed: Parsed,
    task: Task,
    until: Option<Instant>,
}

/// A device that a run has to itself.
struct Turn {
    meant: Meant,
    slot: OwnedMutexGuard<Slot>,
    /// Kept, so that nobody takes the device for one that is not used.
    seat: Arc<Seat>,
}

impl Inner {
    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seats(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Seat>>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leads a run from its beginning to its end.
    async fn lead(self: Arc<Self>, state: Arc<RunState>, work: Work, key: Option<Key>) {
        let asked = work.asked.clone();
        let turn = tokio::select! {
            biased;
            turn = self.turn(&state, &work) => turn,
            () = state.cancel.cancelled() => Err(called_off(&state)),
        };
        let (outcome, seat, began) = match turn {
            Ok(Turn {
                meant,
                mut slot,
                seat,
            }) => {
                let device: Arc<str> = Arc::from(&*meant.name);
                state.runs();
                self.ring.tell(What::Started {
                    device,
                    execution: Arc::clone(&state.execution),
                });
                let outcome = self.perform(&state, meant, work, &mut slot).await;
                (outcome, Some((slot, seat)), true)
            }
            Err(error) => (Outcome::Failed(error), None, false),
        };
        let outcome = Arc::new(outcome);
        let device = state.device().cloned();
        if let (true, Some(device)) = (began, &device) {
            self.ring.tell(What::Result {
                device: Arc::clone(device),
                execution: Arc::clone(&state.execution),
                outcome: Arc::clone(&outcome),
            });
        }
        let named = device.clone().or_else(|| asked.as_deref().map(Arc::from));
        if named.is_some() {
            self.ring.tell(What::Execution {
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
        drop(seat);
        if let Some(device) = &device {
            self.leave(device);
        }
        state.ends(outcome);
    }

    /// Waits until the device that is meant is this run's.
    async fn turn(self: &Arc<Self>, state: &RunState, work: &Work) -> Result<Turn, ErrorBody> {
        let mut meant = match work.asked.as_deref().map(|name| (name, SimName::of(name))) {
            Some((name, Some(sim))) => {
                sim.check()?;
                Meant::named(name.to_owned())
            }
            asked => backends::meant(asked.map(|(name, _)| name), &self.options.service).await?,
        };
        meant.ways = work.ways.clone();
        state.has_device(Arc::from(&*meant.name));
        let seat = self.seat(&meant.name)?;
        let slot = seat.take(&meant.name, state, work.until).await?;
        Ok(Turn { meant, slot, seat })
    }

    /// The seat of a device.
    fn seat(&self, device: &str) -> Result<Arc<Seat>, ErrorBody> {
        let mut seats = self.seats();
        if let Some(seat) = seats.get(device) {
            return Ok(Arc::clone(seat));
        }
        if backends::is_sim(device) {
            let phones = seats.keys().filter(|name| backends::is_sim(name)).count();
            if phones >= self.options.phones {
                let message = format!("{phones} simulated phones are open");
                return Err(ErrorBody::new(ErrorCode::ServerBusy, message)
                    .with_hint("Use one of those that GET /devices lists")
                    .with_detail("limit", self.options.phones));
            }
            if device != "sim" {
                self.ring.tell(What::Device {
                    device: Arc::from(device),
                    state: Some(Arc::from(backends::EMBEDDED)),
                });
            }
        }
        let seat = Arc::new(Seat::new(self.options.waiting));
        seats.insert(device.to_owned(), Arc::clone(&seat));
        Ok(seat)
    }

    /// Forgets the seat of a device that is not open and that nobody waits for.
    fn leave(&self, device: &str) {
        let mut seats = self.seats();
        // Seats are handed out under this lock only, so nobody has one that is counted here alone.
        let unused = seats
            .get(device)
            .is_some_and(|seat| Arc::strong_count(seat) == 1);
        if unused && !self.service.keeps(device) {
            seats.remove(device);
            self.service.forget(device);
            drop(seats);
            if SimName::of(device).is_some() && device != "sim" {
                self.gone(device);
            }
        }
    }

    /// Lets go of a device that is gone, unless somebody drives it.
    fn lost(&self, device: &str) {
        let mut seats = self.seats();
        let idle = seats
            .get(device)
            .is_none_or(|seat| Arc::strong_count(seat) == 1);
        if idle {
            seats.remove(device);
            self.service.forget(device);
        }
    }

    fn gone(&self, device: &str) {
        self.ring.tell(What::Device {
            device: Arc::from(device),
            state: None,
        });
    }

    /// Does what is asked on a device that is this run's.
    async fn perform(
        self: &Arc<Self>,
        state: &Arc<RunState>,
        meant: Meant,
        work: Work,
        slot: &mut Slot,
    ) -> Outcome {
        let device = meant.name.clone();
        let clock = self.options.service.clock_of(Some(&device));
        let doing = self.clone().doing(Arc::clone(state), meant, work);
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
    async fn doing(self: Arc<Self>, state: Arc<RunState>, meant: Meant, work: Work) -> Outcome {
        loop {
            let outcome = self.once(&state, &meant, &work).await;
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
            let next = until.min(Instant::now() + BREATH);
            tokio::select! {
                () = tokio::time::sleep_until(next) => {}
                () = state.cancel.cancelled() => return Outcome::Failed(called_off(&state)),
            }
        }
    }

    async fn once(&self, state: &Arc<RunState>, meant: &Meant, work: &Work) -> Outcome {
        let mut tell = |event: &crate::Event<'_>| {
            if let (Some(step), Some(device)) = (state.moment(event), state.device()) {
                self.ring.tell(What::Step {
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
                let ran = service.run_on(meant, asked, parsed, cancel, &mut tell, None);
                return match ran.await {
                    Ok(answer) => Outcome::Answer(answer),
                    Err(error) => Outcome::Failed(error),
                };
            }
            Task::Inspect(inquiry) => Asked::Described(inquiry),
            Task::Selectors(known, naming) => Asked::Known(known, *naming),
        };
        let looked = service.asked_on(meant, asked, parsed, task, cancel, &mut tell);
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
