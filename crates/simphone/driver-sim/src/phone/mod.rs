//! The phone: apps, back stacks, the home screen and all other state, in virtual time.
//!
//! Everything is synchronous; time passes only in [`Phone::advance_to`].

pub(crate) mod clock;
mod config;
mod effects;
pub(crate) mod faults;
mod identity;
pub(crate) mod input;
mod lifecycle;
mod lists;
pub(crate) mod motion;
mod navigate;
mod network;
mod packages;
mod paint;
mod permission;
pub(crate) mod popup;
mod pull;
pub(crate) mod recording;
mod rotation;
mod shade;
mod static_screen;
mod system;
mod tasks;
mod tree;
mod view;
mod window_bounds;

use std::sync::Arc;
use std::time::Duration;

use clock::{Clock, TimerKind};
use faults::Faults;
use input::{Editor, Gestures};
use motion::Motions;
use permission::Permissions;
use recording::Recorder;
use uitree::Size;

use crate::journal::{Event, Journal, JournalEntry, Retention};
use crate::seeded_rng::Randomness;
use draw::Theme;
use sim_format::catalog::InstalledApp;
use sim_format::{AnimationChoice, AppError};
use sim_view::env::System;
use sim_view::ruler::Ruler;

pub(crate) use config::Config;
pub(crate) use effects::Context;
use effects::EffectBudget;
pub use identity::{OpenScreen, WidgetIdentity};
pub(crate) use navigate::Entry;
pub use packages::{FocusedWindow, PackageInfo};
use rotation::Display;
pub(crate) use rotation::check_screen;
use shade::Shade;
use system::Overlays;
use tasks::Tasks;
pub(crate) use tasks::{Activity, Open, Snackbar, Task};
use view::Frames;
pub(crate) use view::View;
pub(crate) use window_bounds::collapse_range;

#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) screen: Size,
    /// Device pixels per density-independent pixel.
    pub(crate) density: f32,
    pub(crate) config: Config,
    pub(crate) seed: u64,
    pub(crate) journal: Retention,
    pub(crate) animations: AnimationChoice,
}

#[derive(Debug)]
pub struct Phone {
    display: Display,
    config: Config,
    theme: Theme,
    clock: Clock,
    installed: Vec<InstalledApp>,
    tasks: Tasks,
    system: System,
    editor: Editor,
    awake: bool,
    gestures: Gestures,
    motions: Motions,
    ruler: Ruler,
    frames: Frames,
    journal: Journal,
    faults: Faults,
    recorder: Option<Recorder>,
    overlays: Overlays,
    shade: Shade,
    randomness: Randomness,
    effects: EffectBudget,
    permissions: Permissions,
}

impl Phone {
    /// Creates a phone with these apps, which shows the home screen.
    pub(crate) fn new(setup: &Setup, installed: Vec<InstalledApp>) -> Result<Self, AppError> {
        let apps = packages::app_records(&installed);
        let theme = setup.config.drawing_theme(setup.density);
        let mut phone = Self {
            display: Display::new(setup.screen),
            config: setup.config.clone(),
            theme,
            clock: Clock::default(),
            installed,
            tasks: Tasks::new(),
            system: System {
                apps,
                ..System::default()
            },
            editor: Editor::default(),
            awake: true,
            gestures: Gestures::default(),
            motions: Motions::new(setup.animations),
            ruler: Ruler::new(theme),
            frames: Frames::new(),
            journal: Journal::new(setup.journal),
            faults: Faults::new(setup.seed),
            recorder: None,
            overlays: Overlays::default(),
            shade: Shade::default(),
            randomness: Randomness::new(setup.seed),
            effects: EffectBudget::default(),
            permissions: Permissions::default(),
        };
        phone.boot()?;
        Ok(phone)
    }

    pub const fn now(&self) -> Duration {
        self.clock.now()
    }

    pub fn next_event(&self) -> Option<Duration> {
        if self.faults.frozen.is_some() {
            return self.thaws_at();
        }
        self.clock.next()
    }

    /// Advances time, never backwards; every event until then is handled at its own time.
    pub fn advance_to(&mut self, to: Duration) {
        loop {
            if self.faults.frozen.is_some() {
                // A frozen screen handles no events either.
                match self.thaws_at().filter(|thaws| *thaws <= to) {
                    Some(thaws) => {
                        self.clock.advance(thaws);
                        self.thaw();
                        self.settle();
                    }
                    None => break,
                }
            }
            let Some((at, due)) = self.clock.take(to) else {
                break;
            };
            self.clock.advance(at);
            self.run_event(due);
            self.settle();
        }
        self.clock.advance(to);
    }

    pub const fn revision(&self) -> u64 {
        self.frames.revision()
    }

    pub fn journal(&self) -> &[JournalEntry] {
        self.journal.entries()
    }

    /// The journal with its entry numbers, queries and JSON form.
    pub const fn log(&self) -> &Journal {
        &self.journal
    }

    pub const fn seed(&self) -> u64 {
        self.randomness.seed()
    }

    pub const fn is_awake(&self) -> bool {
        self.awake
    }

    pub const fn screen(&self) -> Size {
        self.display.size()
    }

    fn run_event(&mut self, due: TimerKind) {
        match due {
            TimerKind::Effects {
                app,
                window,
                effects,
                scope,
                every,
            } => {
                let context = Context {
                    app: Arc::clone(&app),
                    scope: Arc::clone(&scope),
                };
                if let Some(every) = every {
                    let again = TimerKind::Effects {
                        app,
                        window,
                        effects: Arc::clone(&effects),
                        scope,
                        every: Some(every),
                    };
                    self.clock.add_in(every, again);
                }
                self.run(&context, &effects);
            }
            TimerKind::Moment(window) => {
                // A covered window changes nothing on the screen.
                let view = self.frames.current();
                let shown = view.is_some_and(|view| {
                    let mut windows = view.windows.iter();
                    windows.any(|shown| shown.id == window)
                });
                if shown || self.active_id() == Some(window) {
                    self.bump();
                }
            }
            TimerKind::Ready(app) => self.ready(&app),
            TimerKind::Fetched {
                app,
                fetch,
                scope,
                ok,
                took,
            } => self.fetched(&Context { app, scope }, &fetch, ok, took),
            TimerKind::ToastEnds => {
                self.overlays.toast = None;
                self.bump();
            }
            TimerKind::SnackbarEnds(window) => self.end_snackbar(window),
            TimerKind::LongPress => self.long_press(),
            TimerKind::Frame => self.frame(),
            TimerKind::BannerEnds(window) => self.end_overlay(window),
            TimerKind::Fault(id) => self.fault_due(id),
        }
    }

    pub(crate) const fn bump(&mut self) {
        self.frames.bump(self.clock.now());
    }

    pub(crate) fn note(&mut self, what: Event) {
        self.journal.push(JournalEntry {
            at: self.clock.now(),
            what,
        });
    }

    pub(crate) const fn window_id(&mut self) -> u64 {
        self.tasks.next_window()
    }

    pub(crate) fn installed(&self, package: &str) -> Option<&InstalledApp> {
        self.installed.iter().find(|each| *each.package == *package)
    }

    pub(crate) fn task(&self, package: &str) -> Option<&Task> {
        self.tasks.get(package)
    }

    pub(crate) fn task_mut(&mut self, package: &str) -> Option<&mut Task> {
        self.tasks.get_mut(package)
    }

    pub(crate) fn front_task(&self) -> Option<&Task> {
        self.task(self.tasks.front())
    }

    /// The active screen or dialog; `None` while an app starts.
    pub(crate) fn active(&self) -> Option<&Open> {
        match self.system_window() {
            Some(window) => self.overlay_open(window),
            None => self.front_top(),
        }
    }

    /// The topmost screen or dialog of the app in the foreground, even below windows of the system.
    pub(crate) fn front_top(&self) -> Option<&Open> {
        self.front_task().filter(|task| task.ready)?.top()
    }

    pub(crate) fn active_id(&self) -> Option<u64> {
        self.active().map(|open| open.id)
    }

    pub(crate) fn open_mut(&mut self, window: u64) -> Option<&mut Open> {
        self.tasks.iter_mut().find_map(|task| task.find_mut(window))
    }
}
