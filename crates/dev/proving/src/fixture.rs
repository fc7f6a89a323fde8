//! The simulated phone of a case, its runtime in paused time, and the execution of manipulations and plans.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use contract::Execution;
use driver::{Cx, Driver as _};
use driver_sim::{JournalEntry, Phone, SimDriver};
use engine::Artifacts;
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uitree::{NodeId, Point, Refs};

use crate::case::{Op, Setup};
use crate::recording_driver::{Recorder, RecordingDriver};
use crate::refs::KnownRefs;
use crate::run::{Run, driver_key};

/// Milliseconds between the two taps of a double tap.
const BETWEEN_TAPS: u64 = 80;

/// Milliseconds between two touch events of a drag.
const FRAME: u64 = 16;

/// A simulated phone with its own paused runtime.
pub(crate) struct Fixture {
    runtime: tokio::runtime::Runtime,
    driver: RecordingDriver,
    folder: PathBuf,
}

/// What a run saves and gives.
struct RunArtifacts {
    screenshots: Vec<(String, Vec<u8>)>,
    refs: Refs,
}

impl Artifacts for RunArtifacts {
    fn keep_screenshot(&mut self, path: Option<&str>, file: &[u8]) -> Result<String, String> {
        let path = path.unwrap_or("screenshot.png").to_owned();
        if path.starts_with("/unwritable/") {
            return Err("the folder is not writable".to_owned());
        }
        self.screenshots.push((path.clone(), file.to_vec()));
        Ok(path)
    }

    fn refs(&self) -> Option<Refs> {
        Some(self.refs.clone())
    }
}

impl Fixture {
    /// Starts the phone of a case.
    pub(crate) fn start(setup: &Setup) -> Result<Self, String> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let fixture = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!("clawperator-proving-{}-{fixture}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .map_err(|error| error.to_string())?;
        let mut options = setup.options()?;
        options.recordings.clone_from(&folder);
        let (driver, epoch) = {
            let _inside = runtime.enter();
            (SimDriver::new(options), Instant::now())
        };
        let mut driver = driver.map_err(|error| error.to_string())?;
        if let Some(app) = setup.app.as_ref().filter(|_| !setup.faults.is_empty()) {
            drop(driver.phone_mut().open_app(app));
        }
        Ok(Self {
            runtime,
            driver: RecordingDriver::new(driver, epoch),
            folder,
        })
    }

    pub(crate) const fn phone(&mut self) -> &mut Phone {
        self.driver.phone()
    }

    /// The references of the elements on the screen, with their nodes.
    pub(crate) fn refs_on_screen(&mut self) -> Vec<(String, NodeId)> {
        let Some(seen) = self.phone().peek() else {
            return Vec::new();
        };
        let widgets = self.phone().widget_identities(seen.revision);
        self.driver
            .with_refs(|refs| refs.on_screen(&seen.tree, &widgets))
    }

    /// The number of the last reference that was given.
    pub(crate) fn last_ref(&self) -> u32 {
        self.driver.with_refs(KnownRefs::last)
    }

    pub(crate) fn journal(&mut self) -> &[JournalEntry] {
        self.driver.phone().journal()
    }

    /// Executes an operation; returns the record of a plan.
    pub(crate) fn execute(&mut self, op: &Op) -> Option<Run> {
        self.catch_up();
        match op {
            Op::Tap { x, y } => self.phone().tap(Point::new(*x, *y)),
            Op::DoubleTap { x, y } => {
                self.phone().tap(Point::new(*x, *y));
                self.wait(BETWEEN_TAPS);
                self.phone().tap(Point::new(*x, *y));
            }
            Op::Drag { from, to, ms, up } => self.drag(*from, *to, *ms, *up),
            Op::Key(key) => {
                if let Some(key) = contract::Key::parse(key) {
                    self.phone().press_key(driver_key(key));
                }
            }
            Op::Type(text) => self.phone().type_text(text),
            Op::Wait(ms) => self.wait(*ms),
            Op::Turn(to) => self.phone().rotate(*to),
            Op::Theme(theme) => self.phone().set_theme(*theme),
            Op::FontScale(scale) => self.phone().set_font_scale(*scale),
            Op::Language(tag) => {
                // An invalid tag is ignored by the phone; cases contain one on purpose.
                let _ignored = self.phone().set_language(tag);
            }
            Op::Shade => self.phone().open_shade(),
            Op::Run {
                payload,
                cancel,
                budget,
            } => return Some(self.run_plan(payload, *cancel, *budget)),
        }
        None
    }

    /// Advances the phone's clock to the runtime's.
    fn catch_up(&mut self) {
        let now = self.runtime.block_on(async { Instant::now() });
        self.driver.catch_up(now);
    }

    fn wait(&mut self, ms: u64) {
        self.runtime
            .block_on(async { tokio::time::sleep(Duration::from_millis(ms)).await });
        self.catch_up();
    }

    fn drag(&mut self, from: (i32, i32), to: (i32, i32), ms: u64, up: bool) {
        self.phone().touch_down(Point::new(from.0, from.1));
        let frames = (ms / FRAME).clamp(1, 100) as i32;
        for frame in 1..=frames {
            self.wait(FRAME);
            let along = |a: i32, b: i32| a + (b - a) * frame / frames;
            let at = Point::new(along(from.0, to.0), along(from.1, to.1));
            self.phone().touch_move(at);
        }
        if up {
            self.phone().touch_up(Point::new(to.0, to.1));
        }
    }

    fn run_plan(&mut self, payload: &Value, cancel: Option<u64>, budget: Option<u64>) -> Run {
        let text = payload.to_string();
        let parsed = match Execution::parse(text.as_bytes()) {
            Ok(parsed) => parsed,
            Err(invalid) => return Run::rejected(payload, &invalid),
        };
        let execution = parsed.execution;
        let references = execution.actions().iter();
        let references = references.flat_map(|action| action.params().references());
        let references = references.map(str::to_owned).collect();
        let recorder = Recorder::start_run(&mut self.driver, references);
        let mut artifacts = RunArtifacts {
            screenshots: Vec::new(),
            refs: recorder.ref_table(),
        };
        let driver = &mut self.driver;
        let event_recorder = recorder.clone();
        let (report, duration) = self.runtime.block_on(async {
            let started = Instant::now();
            let token = CancellationToken::new();
            let plan_timeout = execution.timeout().to_duration();
            let budget = budget.map_or(plan_timeout, Duration::from_millis);
            let cx = Cx::new(budget, token.clone());
            let mut listen = |event: &engine::Event<'_>| event_recorder.record_event(event);
            let cancellation = cancel.map(|after| {
                let token = token.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(after)).await;
                    token.cancel();
                })
            });
            let report = engine::run(driver, &execution, &mut artifacts, &cx, &mut listen).await;
            if let Some(cancellation) = cancellation {
                cancellation.abort();
            }
            (report, started.elapsed())
        });
        let journal_after = self.journal().len();
        let (calls, marks, moved_refs) = recorder.finish_run(journal_after);
        Run {
            payload: payload.clone(),
            execution: Some(execution),
            parse_error: None,
            report: Some(report),
            warnings: parsed.warnings,
            calls,
            marks,
            observe_settles: self.driver.info().capabilities.observe_settles,
            duration,
            budget: budget.map(Duration::from_millis),
            cancel_after: cancel.map(Duration::from_millis),
            screenshots: artifacts.screenshots,
            moved_refs,
        }
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        // The folder exists only if the case recorded something.
        let _ignored = std::fs::remove_dir_all(&self.folder);
    }
}
