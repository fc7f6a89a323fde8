//! The world in which a case is played: a phone, its runtime in paused time, and what was seen of it.

mod story;
mod trial;
mod witness;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use contract::Execution;
use driver::{Cx, Driver as _, Key};
use driver_sim::{JournalEntry, Phone, SimDriver};
use engine::Artifacts;
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uitree::Point;

pub(crate) use trial::{Call, DriverReply, DriverRequest, Mark, Trial};

use crate::case::{Case, Op, Setup};
use crate::judge::{Violation, judge};
use story::{Scene, Story};
use witness::{Log, Witness};

/// How many milliseconds lie between the two taps of a double tap.
const BETWEEN_TAPS: u64 = 80;

/// A finger is seen about sixty times a second.
const FRAME: u64 = 16;

/// A phone in a paused runtime of its own.
pub(crate) struct World {
    runtime: tokio::runtime::Runtime,
    driver: Witness,
    folder: PathBuf,
}

/// The pictures of a run.
#[derive(Default)]
struct Album(Vec<(String, Vec<u8>)>);

impl Artifacts for Album {
    fn keep_screenshot(&mut self, path: Option<&str>, png: &[u8]) -> Result<String, String> {
        let path = path.unwrap_or("screenshot.png").to_owned();
        if path.starts_with("/unwritable/") {
            return Err("the folder cannot be written".to_owned());
        }
        self.0.push((path.clone(), png.to_vec()));
        Ok(path)
    }
}

impl World {
    /// Starts the phone of a case.
    ///
    /// # Errors
    /// A sentence that says why it does not start.
    pub(crate) fn start(setup: &Setup) -> Result<Self, String> {
        static WORLDS: AtomicU64 = AtomicU64::new(0);
        let world = WORLDS.fetch_add(1, Ordering::Relaxed);
        let name = format!("clawperator-proving-{}-{world}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .map_err(|error| error.to_string())?;
        let mut options = setup.options()?;
        options.recordings.clone_from(&folder);
        let mut driver = {
            let _inside = runtime.enter();
            SimDriver::new(options).map_err(|error| error.to_string())?
        };
        if let Some(app) = setup.app.as_ref().filter(|_| !setup.faults.is_empty()) {
            drop(driver.phone_mut().open_app(app));
        }
        let epoch = {
            let _inside = runtime.enter();
            Instant::now()
        };
        Ok(Self {
            runtime,
            driver: Witness::new(driver, epoch),
            folder,
        })
    }

    /// The phone itself.
    pub(crate) const fn phone(&mut self) -> &mut Phone {
        self.driver.phone()
    }

    /// Everything that has happened on it.
    pub(crate) fn journal(&mut self) -> &[JournalEntry] {
        self.driver.phone().journal()
    }

    /// Does one thing; a plan gives the trial that the judge looks at.
    pub(crate) fn act(&mut self, op: &Op) -> Option<Trial> {
        match op {
            Op::Tap { x, y } => {
                self.catch_up();
                self.phone().tap(Point::new(*x, *y));
            }
            Op::DoubleTap { x, y } => {
                self.catch_up();
                self.phone().tap(Point::new(*x, *y));
                self.wait(BETWEEN_TAPS);
                self.phone().tap(Point::new(*x, *y));
            }
            Op::Drag { from, to, ms, up } => self.drag(*from, *to, *ms, *up),
            Op::Key(key) => {
                self.catch_up();
                if let Some(key) = contract::Key::parse(key) {
                    self.phone().press_key(driver_key(key));
                }
            }
            Op::Type(text) => {
                self.catch_up();
                self.phone().type_text(text);
            }
            Op::Wait(ms) => self.wait(*ms),
            Op::Turn(to) => {
                self.catch_up();
                self.phone().rotate(*to);
            }
            Op::Theme(theme) => {
                self.catch_up();
                self.phone().set_theme(*theme);
            }
            Op::FontScale(scale) => {
                self.catch_up();
                self.phone().set_font_scale(*scale);
            }
            Op::Language(tag) => {
                self.catch_up();
                // A tag that is none changes nothing, which is one more thing to be seen.
                let _known = self.phone().set_language(tag);
            }
            Op::Shade => {
                self.catch_up();
                self.phone().open_shade();
            }
            Op::Run {
                payload,
                cancel,
                budget,
            } => return Some(self.run(payload, *cancel, *budget)),
        }
        None
    }

    /// The phone's time is the runtime's.
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
        self.catch_up();
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

    fn run(&mut self, payload: &Value, cancel: Option<u64>, budget: Option<u64>) -> Trial {
        // What the phone has to do until now belongs to the time before the plan.
        self.catch_up();
        let log = Log::begin(&mut self.driver);
        let text = payload.to_string();
        let parsed = match Execution::parse(text.as_bytes()) {
            Ok(parsed) => parsed,
            Err(invalid) => return Trial::refused(payload, &invalid),
        };
        let execution = parsed.execution;
        let mut album = Album::default();
        let driver = &mut self.driver;
        let marks = log.clone();
        let (report, took) = self.runtime.block_on(async {
            let begun = Instant::now();
            let token = CancellationToken::new();
            let own = execution.timeout().to_duration();
            let budget = budget.map_or(own, Duration::from_millis);
            let cx = Cx::new(budget, token.clone());
            let mut listen = |event: &engine::Event<'_>| marks.mark(event);
            let calls_off = cancel.map(|after| {
                let token = token.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(after)).await;
                    token.cancel();
                })
            });
            let report = engine::run(driver, &execution, &mut album, &cx, &mut listen).await;
            if let Some(calls_off) = calls_off {
                calls_off.abort();
            }
            (report, begun.elapsed())
        });
        let journal_after = self.journal().len();
        let (calls, marks) = log.end(journal_after);
        Trial {
            payload: payload.clone(),
            execution: Some(execution),
            refusal: None,
            report: Some(report),
            warnings: parsed.warnings,
            calls,
            marks,
            rested_looks: self.driver.info().capabilities.observe_settles,
            took,
            budget: budget.map(Duration::from_millis),
            cancel: cancel.map(Duration::from_millis),
            album: album.0,
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // Most cases record nothing, and then there is no folder.
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

/// A key of the contract as the phone takes it.
pub(crate) const fn driver_key(key: contract::Key) -> Key {
    match key {
        contract::Key::Back => Key::Back,
        contract::Key::Home => Key::Home,
        contract::Key::Recents => Key::Recents,
        contract::Key::Enter => Key::Enter,
        contract::Key::Delete => Key::Delete,
        contract::Key::Tab => Key::Tab,
        contract::Key::Escape => Key::Escape,
        contract::Key::VolumeUp => Key::VolumeUp,
        contract::Key::VolumeDown => Key::VolumeDown,
        contract::Key::Power => Key::Power,
        contract::Key::Menu => Key::Menu,
        contract::Key::Search => Key::Search,
    }
}

/// What playing a case came to.
#[derive(Debug)]
pub struct Played {
    /// What was found wrong, at most one plan's worth: the case ends there.
    pub violations: Vec<Violation>,
    /// The phone's journal, one line for each entry.
    pub journal: Vec<String>,
    /// The answers to the plans.
    pub answers: Vec<Value>,
    /// All of it in the order of time, line by line, for somebody who has never seen the case.
    pub story: Vec<String>,
}

/// Plays a case that was made before.
pub fn replay(case: &Case) -> Played {
    let mut played = Played {
        violations: Vec::new(),
        journal: Vec::new(),
        answers: Vec::new(),
        story: Vec::new(),
    };
    let mut story = Story::of(case);
    let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        play_into(case, &mut played, &mut story);
    }));
    if let Err(panic) = tried {
        played.violations.push(Violation::panic(panic.as_ref()));
        story.ends_with(&played.violations);
    }
    played.story = story.into_lines();
    played
}

fn play_into(case: &Case, played: &mut Played, story: &mut Story) {
    let mut world = match World::start(&case.setup) {
        Ok(world) => world,
        Err(error) => {
            played.violations.push(Violation::new("start", error));
            story.ends_with(&played.violations);
            return;
        }
    };
    for op in &case.ops {
        let at = world.phone().now();
        let trial = world.act(op);
        if let Some(trial) = &trial {
            played.violations = judge(trial, world.journal()).violations;
            played.answers.push(trial.answer());
        }
        story.add(&Scene {
            op,
            at,
            trial: trial.as_ref(),
            journal: world.journal(),
            violations: &played.violations,
        });
        if !played.violations.is_empty() {
            break;
        }
    }
    played.journal = world.journal().iter().map(ToString::to_string).collect();
}
