//! Navigation: starting and leaving apps, launcher, back stacks, recent apps, deep links.

use std::sync::Arc;

use driver::{DriverError, Key};

use super::motion::Side;
use crate::journal::Event;
use crate::phone::clock::TimerKind;
use sim_format::app::{Page, PageKind};
use sim_format::catalog::only_own;
use sim_format::effects::ValueSource;
use sim_format::expr::{Names, Record, Scope};
use sim_format::{AppError, LAUNCHER};
use sim_view::env::Local;
use sim_view::layout::Cache;

use super::pull::Drawer;
use super::{Context, Open, Phone, Task};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Start,
    /// With the screen of a deep link only.
    Link,
}

const RECENTS: &str = "recents";

impl Phone {
    pub(super) fn boot(&mut self) -> Result<(), AppError> {
        let package: Arc<str> = Arc::from(LAUNCHER);
        self.start_task(&package, Entry::Start)?;
        self.settle();
        Ok(())
    }

    /// Creates the task of an app, without bringing it to the foreground.
    fn start_task(&mut self, package: &Arc<str>, entry: Entry) -> Result<(), AppError> {
        let missing = || AppError::whole(package, "the app is not installed".to_owned());
        let installed = self.installed(package);
        let app = installed.ok_or_else(missing)?.app()?;
        let mut vars = self.first_vars(&app);
        vars.set_screen(self.display.size(), self.theme.density);
        let delay = self.slow_start(package);
        let start = self.tasks.next_start();
        self.tasks.add(Task {
            start,
            package: Arc::clone(package),
            vars,
            app,
            stack: Vec::new(),
            ready: false,
            entry,
        });
        self.note(Event::Started(Arc::clone(package)));
        self.faults_of_app(package);
        if delay.is_zero() {
            // Brought to the foreground first, so that its start screen can focus a field.
            self.bring_to_front(package);
            self.ready(package);
        } else {
            self.clock
                .add_in(delay, TimerKind::Ready(Arc::clone(package)));
        }
        Ok(())
    }

    /// Ends the start of an app: opens its start screen, unless a deep link has opened another one.
    pub(super) fn ready(&mut self, package: &Arc<str>) {
        let Some(task) = self.task_mut(package) else {
            return;
        };
        task.ready = true;
        let first = task.stack.is_empty() && task.entry == Entry::Start;
        let start = first.then(|| Arc::clone(&task.app.start));
        if let Some(start) = start {
            self.push_screen(package, &start, Arc::default());
        }
        self.bump();
    }

    /// Brings an app to the foreground and starts it if it does not run.
    pub fn open_app(&mut self, package: &str) -> Result<(), DriverError> {
        if package == LAUNCHER {
            self.go_home();
            return Ok(());
        }
        let package = self.launch(package, Entry::Start)?;
        self.bring_to_front(&package);
        self.settle();
        Ok(())
    }

    /// Opens the only app that is not built in. The home screen stays if there is not exactly one, or if it fails to
    /// launch.
    pub(crate) fn open_own_app(&mut self) -> Result<(), DriverError> {
        let Some(own) = only_own(&self.installed) else {
            return Ok(());
        };
        let package = Arc::clone(&own.package);
        match self.open_app(&package) {
            Err(DriverError::LaunchFailed(_)) => Ok(()),
            opened => opened,
        }
    }

    pub(super) fn launch(&mut self, package: &str, entry: Entry) -> Result<Arc<str>, DriverError> {
        let installed = self.installed(package);
        let installed = installed.ok_or_else(|| DriverError::NotInstalled(package.to_owned()))?;
        let name = Arc::clone(&installed.package);
        if self.task(package).is_none() {
            if self.launch_fault(&name) || self.start_task(&name, entry).is_err() {
                self.note(Event::LaunchFailed(name));
                return Err(DriverError::LaunchFailed(package.to_owned()));
            }
        } else if let Some(task) = self.task_mut(package)
            && task.ready
            && task.stack.is_empty()
        {
            task.entry = entry;
            self.ready(&name);
        }
        Ok(name)
    }

    pub(super) fn bring_to_front(&mut self, package: &Arc<str>) {
        let Some(task) = self.tasks.remove(package) else {
            return;
        };
        self.tasks.add(task);
        if *self.tasks.front() != *package {
            self.hide_keyboard();
            self.gestures.drop_finger();
            self.tasks.set_front(Arc::clone(package));
            self.close_shade();
            self.note(Event::Front(Arc::clone(package)));
        }
        if &**package != LAUNCHER {
            self.leave_recents();
        }
        self.update_recents();
        self.bump();
    }

    fn update_recents(&mut self) {
        let recents: Vec<Record> = self
            .tasks
            .iter()
            .rev()
            .filter(|task| &*task.package != LAUNCHER && !(task.ready && task.stack.is_empty()))
            .filter_map(|task| {
                let installed = self.installed(&task.package);
                installed.map(sim_format::catalog::InstalledApp::record)
            })
            .collect();
        self.system.recents = Arc::new(recents);
        self.system.version += 1;
    }

    /// Opens a URI with the app that declares it; of several, the one with the most specific pattern.
    pub fn open_uri(&mut self, uri: &str) -> Result<(), DriverError> {
        let mut best: Option<(usize, Arc<str>, usize, Record)> = None;
        for installed in self.installed.iter().filter(|each| each.may_take(uri)) {
            let Ok(app) = installed.app() else { continue };
            for (index, link) in app.links.iter().enumerate() {
                let Some(found) = link.match_uri(uri) else {
                    continue;
                };
                let weight = link.weight();
                if best.as_ref().is_none_or(|(known, ..)| weight > *known) {
                    best = Some((weight, Arc::clone(&installed.package), index, found));
                }
            }
        }
        let unhandled = || DriverError::NotHandled(uri.to_owned());
        let (_, package, index, found) = best.ok_or_else(unhandled)?;
        let package = self.launch(&package, Entry::Link)?;
        self.note(Event::UriOpened {
            uri: Arc::from(uri),
            app: Arc::clone(&package),
        });
        self.follow_link(&package, index, &Scope::of(found));
        self.bring_to_front(&package);
        self.settle();
        Ok(())
    }

    fn follow_link(&mut self, package: &Arc<str>, index: usize, scope: &Arc<Scope>) {
        let Some(task) = self.task(package) else {
            return;
        };
        let Some(link) = task.app.links.get(index) else {
            return;
        };
        let names = Names {
            vars: &task.vars,
            scope,
        };
        let all = |pairs: &[(Arc<str>, ValueSource)]| -> Vec<_> {
            pairs
                .iter()
                .map(|(name, value)| (Arc::clone(name), value.value(&names)))
                .collect()
        };
        let (set, with) = (all(&link.set), all(&link.with));
        let screen = Arc::clone(&link.screen);
        for (name, value) in set {
            self.set(package, &name, value);
        }
        let same = self
            .task(package)
            .and_then(Task::top)
            .is_some_and(|top| top.page.name == screen && top.page.kind == PageKind::Screen);
        if same {
            self.close_top_screen(package);
        }
        self.push_screen(package, &screen, Scope::of(Arc::new(with)));
    }

    pub fn close_app(&mut self, package: &str) -> Result<(), DriverError> {
        let installed = self.installed(package);
        let installed = installed.ok_or_else(|| DriverError::NotInstalled(package.to_owned()))?;
        let name = Arc::clone(&installed.package);
        if self.task(&name).is_some() && *self.tasks.front() == name {
            self.hide_keyboard();
            self.gestures.drop_finger();
        }
        if let Some(task) = self.tasks.remove(&name) {
            self.clock.forget_app(&name);
            for open in task.opens() {
                self.clock.forget_window(open.id);
            }
            self.drop_overlays_of(&name);
            self.forget_requests(&name);
            self.note(Event::Stopped(Arc::clone(&name)));
            if &*name == LAUNCHER {
                // The system restarts its home screen at once.
                let started = self.start_task(&name, Entry::Start);
                debug_assert!(started.is_ok(), "it was running");
            }
            if *self.tasks.front() == name {
                self.bring_to_front(&Arc::from(LAUNCHER));
            }
            self.update_recents();
            self.bump();
        }
        self.settle();
        Ok(())
    }

    /// Opens a page, without putting it on a stack.
    pub(super) fn open_page(&mut self, app: &Arc<str>, page: Arc<Page>, scope: Arc<Scope>) -> Open {
        let id = self.window_id();
        for moment in &page.moments {
            self.clock.add_in(*moment, TimerKind::Moment(id));
        }
        for timer in &page.timers {
            let due = TimerKind::Effects {
                app: Arc::clone(app),
                window: Some(id),
                effects: Arc::clone(&timer.effects),
                scope: Arc::clone(&scope),
                every: timer.repeats.then_some(timer.delay),
            };
            self.clock.add_in(timer.delay, due);
        }
        Open {
            id,
            page,
            scope,
            since: self.clock.now(),
            anchor: None,
            local: Local::default(),
            cache: Cache::default(),
        }
    }

    /// Handles a page that was put on its stack.
    pub(super) fn opened(&mut self, app: &Arc<str>, window: u64, page: &Arc<Page>) {
        self.note(Event::Opened {
            app: Arc::clone(page.owner.as_ref().unwrap_or(app)),
            screen: Arc::clone(&page.name),
        });
        if *self.tasks.front() == *app {
            self.hide_keyboard();
        }
        match page.kind {
            PageKind::Screen => self.window_enters(app, window, Side::Right),
            _ => self.window_enters(app, window, Side::Below),
        }
        self.bump();
        if page.auto_focus {
            self.auto_focus(window);
        }
        if !page.on_open.is_empty() {
            let scope = self.open_mut(window).map(|open| Arc::clone(&open.scope));
            let context = Context {
                app: Arc::clone(app),
                scope: scope.unwrap_or_default(),
            };
            self.run(&context, &page.on_open);
        }
    }

    /// Handles a page that was taken from its stack.
    pub(super) fn closed(&mut self, app: &Arc<str>, open: &Open) {
        let id = open.id;
        self.clock.forget_window(id);
        if self
            .editor
            .keyboard
            .as_ref()
            .is_some_and(|keyboard| keyboard.window == id)
        {
            self.hide_keyboard();
        }
        self.note(Event::Closed {
            app: Arc::clone(open.page.owner.as_ref().unwrap_or(app)),
            screen: Arc::clone(&open.page.name),
        });
        self.bump();
    }

    /// Closes the topmost screen of an app and its dialogs.
    pub(super) fn close_top_screen(&mut self, app: &Arc<str>) {
        let Some(activity) = self.task_mut(app).and_then(|task| task.stack.pop()) else {
            return;
        };
        for dialog in activity.dialogs.iter().rev() {
            self.closed(app, dialog);
        }
        self.closed(app, &activity.open);
    }

    /// Leaves the topmost screen. Leaving the last one leaves the app: its start screen stays open in the background, a
    /// screen opened by a deep link is closed.
    pub(super) fn pop(&mut self, app: &Arc<str>) {
        let Some(task) = self.task(app) else { return };
        let last = task.stack.len() <= 1;
        let stays = last
            && task
                .top()
                .is_some_and(|top| top.page.name == task.app.start);
        if !stays {
            self.close_top_screen(app);
            self.screen_returns(app);
        }
        if last && *self.tasks.front() == *app && &**app != LAUNCHER {
            self.go_home();
        }
    }

    pub fn go_home(&mut self) {
        self.close_shade();
        let launcher: Arc<str> = Arc::from(LAUNCHER);
        self.leave_recents();
        while self.task(&launcher).is_some_and(|task| {
            task.stack.len() > 1 || task.stack.last().is_some_and(|top| !top.dialogs.is_empty())
        }) {
            if self
                .task(&launcher)
                .and_then(|task| task.stack.last())
                .is_some_and(|top| !top.dialogs.is_empty())
            {
                self.dismiss(&launcher);
            } else {
                self.close_top_screen(&launcher);
            }
        }
        self.bring_to_front(&launcher);
        self.settle();
    }

    fn shows_recents(&self) -> bool {
        &**self.tasks.front() == LAUNCHER
            && self
                .front_top()
                .is_some_and(|open| &*open.page.name == RECENTS)
    }

    fn leave_recents(&mut self) {
        let launcher: Arc<str> = Arc::from(LAUNCHER);
        let open = self
            .task(&launcher)
            .and_then(Task::top)
            .is_some_and(|top| &*top.page.name == RECENTS);
        if open {
            self.close_top_screen(&launcher);
        }
        self.tasks.set_recents_from(None);
    }

    fn open_recents(&mut self) {
        if self.shows_recents() {
            return;
        }
        let from = Arc::clone(self.tasks.front());
        let launcher: Arc<str> = Arc::from(LAUNCHER);
        self.bring_to_front(&launcher);
        self.push_screen(&launcher, RECENTS, Arc::default());
        self.tasks
            .set_recents_from((&*from != LAUNCHER).then_some(from));
    }

    fn back(&mut self) {
        if self.editor.keyboard.is_some() {
            self.hide_keyboard();
            return;
        }
        if self.back_in_system() {
            return;
        }
        if self.shows_recents() {
            match self.tasks.take_recents_from() {
                Some(from) => self.bring_to_front(&from),
                None => self.leave_recents(),
            }
            return;
        }
        if self.run_on_back() {
            return;
        }
        let front = Arc::clone(self.tasks.front());
        let drawer = self.active().filter(|open| open.local.drawer);
        if let Some(window) = drawer.map(|open| open.id) {
            self.move_drawer(window, Drawer::Closed);
            return;
        }
        match self.active().map(|open| open.page.kind) {
            Some(PageKind::Screen) => self.pop(&front),
            Some(kind) if kind.cancelable() => self.dismiss(&front),
            Some(_) => {}
            None if &*front != LAUNCHER => self.go_home(),
            None => {}
        }
    }

    pub fn press_key(&mut self, key: Key) {
        if !self.awake && key != Key::Power {
            return;
        }
        self.note(Event::KeyPressed(key));
        if key == Key::Back {
            self.record_back();
        }
        match key {
            Key::Back => self.back(),
            Key::Home => self.go_home(),
            Key::Recents => self.open_recents(),
            Key::Enter => {
                if !self.press_focused() {
                    self.enter();
                }
            }
            Key::Delete => self.delete_character(),
            Key::Tab => self.focus_next(),
            Key::Escape => {
                let front = Arc::clone(self.tasks.front());
                let dialog = self.active().map(|open| open.page.kind);
                if self.editor.keyboard.is_some() {
                    self.hide_keyboard();
                } else if !self.back_in_system() && dialog.is_some_and(PageKind::cancelable) {
                    self.dismiss(&front);
                }
            }
            Key::Power => self.switch_screen(),
            // No app has an effect for these keys.
            Key::VolumeUp | Key::VolumeDown | Key::Menu | Key::Search => {}
        }
        self.settle();
    }

    fn switch_screen(&mut self) {
        self.awake = !self.awake;
        self.gestures.drop_finger();
        self.hide_keyboard();
        self.note(Event::Power { on: self.awake });
        self.bump();
    }

    pub(crate) fn turn_screen_off(&mut self) {
        if self.awake {
            self.switch_screen();
        }
    }

    /// Updates what depends on the active window, after every change.
    pub(crate) fn settle(&mut self) {
        self.update_lifecycle();
        self.update_rotation();
        let active = self.active_id();
        if self.tasks.set_active(active) {
            self.drop_touch_outside(active);
            self.stop_flings_outside(active);
            self.record_window();
        }
        self.schedule_frame();
    }
}
