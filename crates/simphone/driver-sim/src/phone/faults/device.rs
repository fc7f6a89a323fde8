//! Faults that change the phone itself, and how faults are set.

use std::sync::Arc;
use std::time::Duration;

use driver::{Gesture, Target};
use uitree::Point;

use super::armed::{FrozenInput, QueuedInput};
use super::{FaultId, Faults};
use crate::journal::Event;
use crate::phone::Phone;
use crate::phone::clock::TimerKind;
use crate::seeded_rng::SeededRng;
use sim_format::expr::Value;
use sim_format::fault::{
    Calls, Fault, FaultDuration, FaultError, FaultKind, Input, KilledProcesses, SETUP, Start,
};
use sim_format::words::nearest;
use sim_format::{AppError, LAUNCHER, SystemWindow};

const STEPS: i32 = 8;

impl Phone {
    pub const fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Sets a fault, which counts calls and times from now on.
    pub fn add_fault(&mut self, fault: Fault) -> Result<FaultId, FaultError> {
        let moment = fault.own_moment();
        let id = self.faults.add(fault, self.clock.now())?;
        if let Some(moment) = moment {
            self.clock.add_in(moment, TimerKind::Fault(id.number()));
        }
        Ok(id)
    }

    /// Checks that the app in a fault's condition is installed.
    pub(crate) fn check_app_of(&self, fault: &Fault) -> Result<(), AppError> {
        let Some(app) = &fault.when.app else {
            return Ok(());
        };
        let known = || self.installed.iter().map(|each| &*each.package);
        if known().any(|package| package == app) {
            return Ok(());
        }
        let hint = nearest(app, known());
        let message = format!("`{fault}`: there is no app `{app}` on the phone{hint}");
        Err(AppError::whole(SETUP, message))
    }

    /// Sets a fault that an app requests; a failure is noted in the journal.
    fn add_of_app(&mut self, fault: Fault) {
        let name = fault.kind.name();
        if let Err(error) = self.add_fault(fault) {
            self.note(Event::FaultNotSet {
                name,
                why: error.message,
            });
        }
    }

    /// Sets the faults in an app's file, when it starts for the first time.
    pub(crate) fn faults_of_app(&mut self, package: &Arc<str>) {
        let faults = self
            .task(package)
            .map(|task| task.app.faults.clone())
            .unwrap_or_default();
        if faults.is_empty() || !self.faults.apps.insert(Arc::clone(package)) {
            return;
        }
        for mut fault in faults {
            fault.when.app.get_or_insert_with(|| package.to_string());
            self.add_of_app(fault);
        }
    }

    /// Handles a fault that an app requests: faults of the phone apply at once unless they have a condition.
    pub(crate) fn request_fault(&mut self, fault: &Fault) {
        if fault.kind.row().moment
            && fault.when.start == Start::AtOnce
            && fault.when.chance.is_none()
        {
            let rng = SeededRng::new(self.seed(), fault.kind.name());
            let lasts = fault.when.lasts.unwrap_or(fault.kind.row().lasts);
            self.apply_to_phone(&fault.kind, lasts, rng);
        } else {
            self.add_of_app(fault.clone());
        }
    }

    pub(crate) fn fault_due(&mut self, id: u64) {
        let front = Arc::clone(self.tasks.front());
        if let Some((kind, lasts, rng)) = self.faults.fire_scheduled(id, self.clock.now(), &front) {
            self.apply_to_phone(&kind, lasts, rng);
        }
    }

    /// Fires the first of the `wanted` faults inside the phone, such as one of the keyboard.
    pub(crate) fn fire_inside(
        &mut self,
        calls: Calls,
        app: &str,
        matches: impl Fn(&FaultKind) -> bool,
    ) -> Option<(FaultKind, SeededRng)> {
        if self.faults.is_empty() {
            return None;
        }
        let fired = self.faults.fire(self.clock.now(), calls, app, matches);
        let (kind, _, rng) = fired.into_iter().next()?;
        self.note_fault(&kind, None);
        Some((kind, rng))
    }

    pub(crate) fn note_fault(&mut self, kind: &FaultKind, more: Option<String>) {
        self.note(Event::Fault {
            name: kind.name(),
            details: Arc::from(more.unwrap_or_else(|| kind.to_string())),
        });
    }

    pub(crate) fn slow_start(&mut self, package: &str) -> Duration {
        let slow = |kind: &FaultKind| matches!(kind, FaultKind::SlowStart { .. });
        match self.fire_inside(Calls::OPEN, package, slow) {
            Some((FaultKind::SlowStart { least, most }, mut rng)) => rng.between(least, most),
            _ => Duration::ZERO,
        }
    }

    pub(crate) fn launch_fault(&mut self, package: &str) -> bool {
        let fails = |kind: &FaultKind| matches!(kind, FaultKind::LaunchFails);
        self.fire_inside(Calls::OPEN, package, fails).is_some()
    }

    pub(crate) fn keyboard_fault(&mut self) -> bool {
        let front = Arc::clone(self.tasks.front());
        let none = |kind: &FaultKind| matches!(kind, FaultKind::NoKeyboard);
        self.fire_inside(Calls::ALL, &front, none).is_some()
    }

    pub(crate) fn apply_to_phone(
        &mut self,
        kind: &FaultKind,
        lasts: FaultDuration,
        mut rng: SeededRng,
    ) {
        self.note_fault(kind, None);
        let front = Arc::clone(self.tasks.front());
        let app = front.to_string();
        let home = &*front == LAUNCHER;
        match kind {
            // Faults of the app in the foreground do nothing on the home screen.
            FaultKind::Crash if !home => self.show_system(SystemWindow::Crash { app }),
            FaultKind::NotResponding if !home => {
                self.show_system(SystemWindow::NotResponding { app });
            }
            FaultKind::Permission(permission) if !home => {
                let permission = *permission;
                self.show_system(SystemWindow::Permission { app, permission });
            }
            FaultKind::Update if !home => self.show_system(SystemWindow::Update { app }),
            FaultKind::Banner { title, text } => {
                let (title, text) = (title.clone(), text.clone());
                self.show_system(SystemWindow::Banner { app, title, text });
            }
            FaultKind::Rotate(held) => self.rotate(*held),
            FaultKind::Fold(display) => {
                let folded = self.resize(display.size(), self.theme.density);
                debug_assert!(folded.is_ok(), "both sizes are in range");
            }
            FaultKind::LowMemory(killed) => {
                let packages = self.tasks.iter().map(|task| Arc::clone(&task.package));
                let mut doomed: Vec<_> = packages.collect();
                doomed.retain(|package| match killed {
                    KilledProcesses::Background => *package != front,
                    KilledProcesses::Front => *package == front,
                    KilledProcesses::All => true,
                });
                for package in doomed {
                    // System windows and the home screen stay.
                    if &*package != LAUNCHER && self.installed(&package).is_some() {
                        self.end_task(&package);
                    }
                }
            }
            FaultKind::Freeze(input) => {
                let until = match lasts {
                    FaultDuration::For(time) => Some(self.clock.now().saturating_add(time)),
                    FaultDuration::Once | FaultDuration::Good => None,
                };
                let frozen = self.faults.frozen.take();
                self.faults.frozen = Some(FrozenInput {
                    until,
                    input: *input,
                    queued: frozen.map_or_else(Vec::new, |frozen| frozen.queued),
                });
            }
            FaultKind::Reorder => self.reorder(&mut rng),
            FaultKind::Interrupt { app } if self.open_app(app).is_err() => self.go_home(),
            FaultKind::Interrupt { .. } => {}
            FaultKind::ScreenOff => self.turn_screen_off(),
            // The others fire on calls.
            _ => {}
        }
        self.settle();
    }

    /// Rotates every list of the app in the foreground, so that each starts with another entry.
    fn reorder(&mut self, rng: &mut SeededRng) {
        let front = Arc::clone(self.tasks.front());
        let Some(task) = self.task(&front) else {
            return;
        };
        let names = task.app.state.iter().map(|(name, _)| Arc::clone(name));
        for name in names.collect::<Vec<_>>() {
            if let Some(Value::List(list)) = self.variable(&front, &name)
                && list.len() > 1
            {
                let by = 1 + usize::try_from(rng.below(list.len() as u64 - 1)).unwrap_or(0);
                let mut list = (*list).clone();
                list.rotate_left(by);
                self.set(&front, &name, Value::List(Arc::new(list)));
            }
        }
    }

    pub(crate) fn thaws_at(&self) -> Option<Duration> {
        self.faults.frozen.as_ref()?.until
    }

    /// Thaws the screen and performs the queued input.
    pub(crate) fn thaw(&mut self) {
        let Some(frozen) = self.faults.frozen.take() else {
            return;
        };
        for input in frozen.queued {
            match input {
                // No caller waits for these answers any more.
                QueuedInput::Act(node, act) => drop(self.act(node, &act)),
                QueuedInput::Open(Target::App(app)) => drop(self.open_app(&app)),
                QueuedInput::Open(Target::Uri(uri)) => drop(self.open_uri(&uri)),
                QueuedInput::Touch(gesture) => self.perform_at_once(&gesture),
                QueuedInput::Key(key) => self.press_key(key),
                QueuedInput::Text(text) => self.type_text(&text),
                QueuedInput::Code(code) => self.press_keycode(code),
            }
        }
    }

    /// Queues or drops an input if the screen is frozen, and returns whether it is.
    pub(super) fn queue_if_frozen(&mut self, input: QueuedInput) -> bool {
        let Some(frozen) = &mut self.faults.frozen else {
            return false;
        };
        if frozen.input == Input::Queued {
            frozen.queued.push(input);
        }
        true
    }

    /// Performs a queued gesture without its delays.
    fn perform_at_once(&mut self, gesture: &Gesture) {
        match *gesture {
            Gesture::Tap { at } => self.tap(at),
            Gesture::DoubleTap { at } => {
                self.tap(at);
                self.tap(at);
            }
            Gesture::LongPress { at } => self.move_at_once(at, at, true),
            Gesture::Swipe { from, to, .. } => self.move_at_once(from, to, false),
            Gesture::Drag { from, to, .. } => self.move_at_once(from, to, true),
        }
    }

    /// Moves the finger and lifts it, without delays.
    fn move_at_once(&mut self, from: Point, to: Point, long: bool) {
        self.touch_down(from);
        if long {
            self.long_press();
        }
        for step in (1..=STEPS).filter(|_| from != to) {
            let along = |a: i32, b: i32| a + (b - a) * step / STEPS;
            self.touch_move(Point::new(along(from.x, to.x), along(from.y, to.y)));
        }
        self.touch_up(to);
    }
}
