//! The phone that adb reaches: the simulated phone with its options, system properties and Operator app.

mod operator;
mod options;
pub(crate) mod rotation;
mod runtime_app;
pub(crate) mod system;

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agent_protocol::STATE_FILE;
use driver::Cx;
use driver_sim::{PaceChoice, Phone, Retention, SimDriver, SimOptions, Start};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::agent_slot::{AgentSlot, RunningAgent};
use crate::apk::Apk;
use crate::clock::{Clock, Moment};
use crate::fault::WireFaults;
use crate::files::Files;
use crate::input_devices::InputDevices;
use crate::log::{Log, Priority};
use crate::operator_names::SERVICES;
use crate::record::Record;
use operator::Process;
use system::SYSTEM_PID;

pub use operator::{Installable, Operator, OperatorApp, report, report_screen};
pub use options::{Access, FEATURES, Options};
pub(crate) use runtime_app::{RuntimeApp, is_runtime_app, new_ready_line};

/// The deadline of one driver call of a shell command.
const CALL_LIMIT: Duration = Duration::from_secs(600);
const DISK_SIZE: u64 = 256 * 1024 * 1024;
const LOG_SIZE: usize = 256 * 1024;
const FIRST_PID: u32 = 9871;

/// The phone behind the adb daemon. Clones share the phone.
#[derive(Clone, Debug)]
pub struct AdbPhone {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    options: Options,
    driver: tokio::sync::Mutex<SimDriver>,
    clock: Clock,
    log: Log,
    files: Files,
    faults: WireFaults,
    input_devices: InputDevices,
    state: Mutex<State>,
    boots: watch::Sender<u64>,
    record: Record,
    next_pid: AtomicU32,
    agents: AgentSlot,
    app_agents: AgentSlot,
}

/// Mutable state besides the driver.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) properties: BTreeMap<String, String>,
    pub(crate) settings: BTreeMap<(String, String), String>,
    /// Apps that were installed while the phone ran, by package.
    pub(crate) installed: BTreeMap<String, InstalledPackage>,
    /// The Operator app, while it is installed.
    pub(crate) app: Option<Operator>,
    pub(crate) operator: Process,
    /// The agent's app form, while it is installed.
    pub(crate) runtime_app: Option<RuntimeApp>,
}

#[derive(Clone, Debug)]
pub(crate) struct InstalledPackage {
    pub(crate) yaml: String,
    /// The number of times it was installed.
    pub(crate) version: u64,
}

#[derive(Debug)]
pub struct DriverGuard<'a> {
    guard: tokio::sync::MutexGuard<'a, SimDriver>,
    clock: &'a Clock,
    record: &'a Record,
    agents: [&'a AgentSlot; 2],
}

impl Deref for DriverGuard<'_> {
    type Target = SimDriver;

    fn deref(&self) -> &SimDriver {
        &self.guard
    }
}

impl DerefMut for DriverGuard<'_> {
    fn deref_mut(&mut self) -> &mut SimDriver {
        &mut self.guard
    }
}

impl Drop for DriverGuard<'_> {
    fn drop(&mut self) {
        // A fault may have set the clock.
        set_clock(self.clock, &self.guard);
        self.record.journal(self.guard.phone().log());
        for agents in self.agents {
            agents.phone_was_used();
        }
    }
}

/// How many journal entries are kept for an agent that falls behind.
const MAX_EVENTS: usize = 1_000;

/// Creates the driver. Its calls return at once; the shell's programs simulate the delays.
fn phone_of(options: &Options, start: Start) -> Result<SimDriver, String> {
    // The agent reads app events from the journal.
    let journal = match options.sim.journal {
        Retention::None => Retention::Last(MAX_EVENTS),
        other => other,
    };
    let sim = SimOptions {
        start,
        pace: PaceChoice::Instant,
        journal,
        ..options.sim.clone()
    };
    SimDriver::new(sim).map_err(|error| error.to_string())
}

fn set_clock(clock: &Clock, driver: &SimDriver) {
    clock.set(i64::try_from(driver.phone().wall_clock_ms()).unwrap_or(i64::MAX));
}

impl AdbPhone {
    pub(crate) fn new(options: Options) -> Result<Self, String> {
        let driver = phone_of(&options, options.sim.start.clone())?;
        let clock = Clock::start(0);
        set_clock(&clock, &driver);
        let record = Record::default();
        let faults = WireFaults::with_record(record.clone());
        for fault in &options.faults {
            faults.arm(fault.clone());
        }
        let state = State {
            properties: system::properties(&options),
            settings: system::settings(&options),
            installed: BTreeMap::new(),
            app: options.operator.clone(),
            operator: Process::default(),
            runtime_app: options
                .runtime_app
                .then(|| RuntimeApp::of_file(&Apk::runtime_app())),
        };
        let log = Log::new(clock.clone(), LOG_SIZE);
        let born = clock.now().stamp();
        let adb_phone = Self {
            inner: Arc::new(Inner {
                driver: tokio::sync::Mutex::new(driver),
                files: Files::new(DISK_SIZE, born),
                input_devices: InputDevices::new(),
                state: Mutex::new(state),
                boots: watch::Sender::new(0),
                options,
                clock,
                log,
                faults,
                record,
                next_pid: AtomicU32::new(FIRST_PID),
                agents: AgentSlot::default(),
                app_agents: AgentSlot::default(),
            }),
        };
        adb_phone.log_boot();
        Ok(adb_phone)
    }

    fn log_boot(&self) {
        for (tag, message) in [
            ("SystemServer", "Entered the Android system server!"),
            ("ActivityManager", "System now ready"),
        ] {
            self.log().write(SYSTEM_PID, Priority::Info, tag, message);
        }
    }

    pub fn options(&self) -> &Options {
        &self.inner.options
    }

    /// Waits for exclusive access to the phone's driver. Its journal records the input that arrived.
    pub async fn driver(&self) -> DriverGuard<'_> {
        let mut guard = self.inner.driver.lock().await;
        guard.catch_up();
        DriverGuard {
            guard,
            clock: &self.inner.clock,
            record: &self.inner.record,
            agents: [&self.inner.agents, &self.inner.app_agents],
        }
    }

    pub(crate) fn agents(&self) -> &AgentSlot {
        &self.inner.agents
    }

    /// The slot of the agent's app form, which does not hold the UiAutomation.
    pub(crate) fn app_agents(&self) -> &AgentSlot {
        &self.inner.app_agents
    }

    /// Ends the agent if it has been without a client for too long.
    pub(crate) async fn end_idle_agent(&self) {
        if let Some(agent) = self.agents().take_ended() {
            self.clean_up_after(&agent).await;
        }
    }

    /// What an agent does at its end: restores the rotation and removes its state file.
    pub(crate) async fn clean_up_after(&self, agent: &RunningAgent) {
        if let Some(before) = agent.rotation_before.get() {
            self.set_rotation(*before).await;
        }
        // The file may belong to another agent or be gone.
        let line = format!("{}\n", agent.ready);
        let found = self.files().read(STATE_FILE);
        if found.is_ok_and(|found| **found == *line.as_bytes()) {
            // A failure leaves a file that the next agent overwrites.
            let _ = self.files().remove(STATE_FILE);
        }
    }

    /// Reads from the phone without counting as use of it.
    pub(crate) async fn peek<T>(&self, read: impl FnOnce(&Phone) -> T) -> T {
        let mut driver = self.inner.driver.lock().await;
        driver.catch_up();
        read(driver.phone())
    }

    /// The revision of the screen, and the time of the next scheduled event.
    pub(crate) async fn next_change(&self) -> (u64, Option<Instant>) {
        let read = |phone: &Phone| (phone.revision(), phone.next_event(), phone.now());
        let (revision, next, now) = self.peek(read).await;
        let next = next.map(|at| Instant::now() + at.saturating_sub(now));
        (revision, next)
    }

    pub(crate) fn new_pid(&self) -> u32 {
        self.inner.next_pid.fetch_add(1, Ordering::Relaxed)
    }

    /// The context of a driver call for one shell command.
    pub(crate) fn cx(&self) -> Cx {
        Cx::new(CALL_LIMIT, CancellationToken::new())
    }

    pub fn log(&self) -> &Log {
        &self.inner.log
    }

    pub fn files(&self) -> &Files {
        &self.inner.files
    }

    pub fn faults(&self) -> &WireFaults {
        &self.inner.faults
    }

    pub fn now(&self) -> Moment {
        self.inner.clock.now()
    }

    pub fn record(&self) -> &Record {
        &self.inner.record
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.inner.clock
    }

    /// Its touch screen and buttons.
    pub(crate) fn input_devices(&self) -> &InputDevices {
        &self.inner.input_devices
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// A setting, by its table (`system`, `secure`, `global`) and key.
    pub fn setting(&self, table: &str, key: &str) -> Option<String> {
        let place = (table.to_owned(), key.to_owned());
        self.state().settings.get(&place).cloned()
    }

    pub(crate) fn lists_service(&self, service: &str) -> bool {
        let (table, key) = SERVICES;
        let services = self.setting(table, key).unwrap_or_default();
        services.split(':').any(|each| each == service)
    }

    pub(crate) fn drop_service(&self, service: &str) {
        let (table, key) = SERVICES;
        let place = (table.to_owned(), key.to_owned());
        if let Some(services) = self.state().settings.get_mut(&place) {
            let others = services.split(':').filter(|each| *each != service);
            *services = others.collect::<Vec<_>>().join(":");
        }
    }

    /// The number of reboots; waiters are notified.
    pub(crate) fn boots(&self) -> watch::Receiver<u64> {
        self.inner.boots.subscribe()
    }

    /// Reboots the phone: connections and running apps end; files, settings and installed apps stay.
    pub async fn reboot(&self) -> Result<(), String> {
        let installed = self.state().installed.clone();
        let mut guard = self.inner.driver.lock().await;
        let mut fresh = phone_of(self.options(), Start::Launcher)?;
        for (package, app) in &installed {
            // Reads again what was valid before.
            fresh
                .phone_mut()
                .install(package, &app.yaml)
                .map_err(|error| error.to_string())?;
        }
        self.record().journal(guard.phone().log());
        *guard = fresh;
        self.record().boot();
        self.agents().kill();
        self.app_agents().kill();
        set_clock(&self.inner.clock, &guard);
        drop(guard);
        self.state().properties = system::properties(self.options());
        self.boot_operator();
        self.log().clear();
        self.log_boot();
        self.inner.boots.send_modify(|boots| *boots += 1);
        Ok(())
    }
}
