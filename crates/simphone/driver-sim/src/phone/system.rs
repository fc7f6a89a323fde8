//! System windows above the apps: crash and "not responding" dialogs, permission prompts, update sheets, heads-up
//! notifications.
//!
//! `assets/apps/system.yaml`, an app that is never installed, defines their layout. This module defines what a press
//! on them does, by the resource ids that Android gives their buttons.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use uitree::WindowKind;

use crate::journal::Event;
use crate::phone::clock::TimerKind;
use sim_format::app::App;
use sim_format::effects::Effects;
use sim_format::expr::{Record, Scope, Value};
use sim_format::{AppError, Grant, Permission, SystemWindow};
use sim_view::widget::Element;
use sim_view::window::{SYSTEM_UI, ScreenWindow, Toast};

use super::{Activity, Entry, Open, Phone, Task};

const BANNER: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(crate) struct Overlay {
    pub(crate) window: u64,
    pub(crate) what: SystemWindow,
    /// The key of a banner's notification.
    pub(crate) notification: u64,
}

#[derive(Debug, Default)]
pub(super) struct Overlays {
    /// The topmost window is last.
    open: Vec<Overlay>,
    crashed: BTreeSet<Arc<str>>,
    pub(super) toast: Option<Toast>,
}

impl Overlays {
    pub(super) fn get(&self, window: u64) -> Option<&Overlay> {
        self.open.iter().find(|each| each.window == window)
    }
}

/// The app file of the system windows, read when the first of them opens.
fn system_app() -> Result<Arc<App>, AppError> {
    static APP: OnceLock<Result<Arc<App>, AppError>> = OnceLock::new();
    APP.get_or_init(|| sim_format::system_app().map(Arc::new))
        .clone()
}

impl Phone {
    /// Shows a system window above all others. A touch in progress is cancelled, unless the window is a banner. A
    /// window about an app that is not installed, or that needs a running app and has none, is not shown.
    pub fn show_system(&mut self, what: SystemWindow) {
        let Some(installed) = self.installed(what.app()) else {
            return;
        };
        let package = Arc::clone(&installed.package);
        let mut record = (*installed.record()).clone();
        if what.belongs_to_app() && self.task(&package).is_none() {
            return;
        }
        self.start_system();
        if let SystemWindow::Banner { title, text, .. } = &what {
            let content = (Arc::from(title.as_str()), Arc::from(text.as_str()));
            let key = self.post(&package, content, Effects::default(), Arc::default());
            if self.shade.window().is_none() {
                self.show_banner(&package, title, text, key);
            }
            return;
        }
        self.close_shade();
        self.touch_cancel();
        self.hide_keyboard();
        let mut again = false;
        if matches!(what, SystemWindow::Crash { .. }) {
            again = !self.overlays.crashed.insert(Arc::clone(&package));
            self.note(Event::Crashed(Arc::clone(&package)));
            self.end_task(&package);
        }
        // A prompt replaces an equal one.
        let same = self.overlays.open.iter().find(|each| each.what == what);
        if let Some(window) = same.map(|each| each.window) {
            self.end_overlay(window);
        }
        record.push((Arc::from("again"), Value::Bool(again)));
        let (mut asks, mut for_use) = ("", false);
        if let SystemWindow::Permission { permission, .. } = &what {
            let icon;
            (icon, asks) = permission.asks();
            for_use = permission.for_use();
            record.retain(|(name, _)| &**name != "icon");
            record.push((Arc::from("icon"), Value::text(icon)));
        }
        record.push((Arc::from("asks"), Value::text(asks)));
        record.push((Arc::from("for_use"), Value::Bool(for_use)));
        self.open_overlay(what, record, 0);
        self.settle();
    }

    /// Shows a heads-up notification, in place of the current one.
    pub(super) fn show_banner(&mut self, app: &Arc<str>, title: &str, text: &str, key: u64) {
        for window in self.banners() {
            self.end_overlay(window);
        }
        let sender = self.installed(app);
        let Some(mut record) = sender.map(|sender| (*sender.record()).clone()) else {
            return;
        };
        record.push((Arc::from("title"), Value::text(title)));
        record.push((Arc::from("text"), Value::text(text)));
        let what = SystemWindow::Banner {
            app: app.to_string(),
            title: title.to_owned(),
            text: text.to_owned(),
        };
        if let Some(window) = self.open_overlay(what, record, key) {
            self.clock.add_in(BANNER, TimerKind::BannerEnds(window));
        }
        self.settle();
    }

    /// Starts the task of the system windows, which never comes to the foreground and never ends.
    pub(super) fn start_system(&mut self) {
        if self.task(SYSTEM_UI).is_some() {
            return;
        }
        let app = system_app();
        debug_assert!(app.is_ok(), "it is valid");
        if let Ok(app) = app {
            let mut vars = self.first_vars(&app);
            vars.set_screen(self.display.size(), self.theme.density);
            let task = Task {
                start: 0,
                package: Arc::clone(&app.package),
                vars,
                app,
                stack: Vec::new(),
                ready: false,
                entry: Entry::Start,
            };
            self.tasks.add_oldest(task);
        }
    }

    fn open_overlay(
        &mut self,
        what: SystemWindow,
        record: Vec<(Arc<str>, Value)>,
        notification: u64,
    ) -> Option<u64> {
        let window = self.open_system_page(what.page(), Arc::new(record))?;
        self.overlays.open.push(Overlay {
            window,
            what,
            notification,
        });
        Some(window)
    }

    /// Opens a page of the system's app file and returns its window.
    pub(super) fn open_system_page(&mut self, name: &str, record: Record) -> Option<u64> {
        let system: Arc<str> = Arc::from(SYSTEM_UI);
        let page = self.task(&system)?.app.dialogs.get(name).cloned()?;
        let open = self.open_page(&system, Arc::clone(&page), Scope::of(record));
        let window = open.id;
        self.task_mut(&system)?.stack.push(Activity {
            open,
            dialogs: Vec::new(),
            snackbar: None,
        });
        self.opened(&system, window, &page);
        Some(window)
    }

    pub(super) fn end_system_page(&mut self, window: u64) {
        let task = self.task_mut(SYSTEM_UI);
        let closed = task.and_then(|task| {
            let place = task.stack.iter().position(|each| each.open.id == window)?;
            Some(task.stack.remove(place))
        });
        if let Some(activity) = closed {
            self.closed(&Arc::from(SYSTEM_UI), &activity.open);
        }
    }

    pub(crate) fn system_window(&self) -> Option<u64> {
        self.shade
            .window()
            .or_else(|| self.modal().map(|overlay| overlay.window))
    }

    pub(crate) fn modal(&self) -> Option<&Overlay> {
        self.overlays.open.iter().rev().find(|overlay| {
            !overlay.what.is_banner()
                && (!overlay.what.belongs_to_app() || *overlay.what.app() == **self.tasks.front())
        })
    }

    /// The banners, the topmost last.
    pub(super) fn banners(&self) -> Vec<u64> {
        let banners = self
            .overlays
            .open
            .iter()
            .filter(|each| each.what.is_banner());
        banners.map(|each| each.window).collect()
    }

    /// The system windows on the screen, the topmost last, and whether each is modal.
    pub(crate) fn overlays_shown(&self) -> Vec<(u64, bool)> {
        self.overlays
            .open
            .iter()
            .filter(|each| !each.what.belongs_to_app() || *each.what.app() == **self.tasks.front())
            .map(|each| (each.window, !each.what.is_banner()))
            .collect()
    }

    pub(crate) fn overlay_open(&self, window: u64) -> Option<&Open> {
        self.task(SYSTEM_UI)?.find(window)
    }

    /// The package that a system window reports.
    pub(super) fn overlay_owner(&self, window: u64) -> Option<Arc<str>> {
        let open = self.overlay_open(window)?;
        let owner = open.page.owner.as_ref();
        Some(owner.map_or_else(|| Arc::from(SYSTEM_UI), Arc::clone))
    }

    pub(crate) fn overlay_window(&mut self, window: u64) -> Option<ScreenWindow> {
        let stack = &self.task(SYSTEM_UI)?.stack;
        let level = stack.iter().position(|each| each.open.id == window)?;
        let found = self.overlays.open.iter().enumerate();
        let overlay = found.clone().find(|(_, each)| each.window == window);
        let (place, kind, active) = overlay.map_or(
            // The shade is the topmost.
            (self.overlays.open.len(), WindowKind::System, true),
            |(place, each)| (place, each.what.window_kind(), !each.what.is_banner()),
        );
        let mut shown = self.page_window(SYSTEM_UI, Some(level), 0)?;
        shown.kind = kind;
        shown.active = active;
        shown.layer = OVERLAY_LAYERS + i32::try_from(place).unwrap_or(0);
        Some(shown)
    }

    pub(crate) fn end_overlay(&mut self, window: u64) {
        self.overlays.open.retain(|each| each.window != window);
        self.end_system_page(window);
    }

    /// Closes the system windows about an app that has ended, except its crash dialog.
    pub(super) fn drop_overlays_of(&mut self, app: &str) {
        let about: Vec<u64> = self
            .overlays
            .open
            .iter()
            .filter(|each| *each.what.app() == *app)
            .filter(|each| !matches!(each.what, SystemWindow::Crash { .. }))
            .map(|each| each.window)
            .collect();
        for window in about {
            self.end_overlay(window);
        }
        self.forget_notifications_of(app);
    }

    /// Handles the back key in a system window; returns whether one is active.
    pub(super) fn back_in_system(&mut self) -> bool {
        if self.shade.window().is_some() {
            self.close_shade();
            return true;
        }
        let Some((window, what)) = self.modal().map(|each| (each.window, each.what.clone())) else {
            return false;
        };
        match what {
            SystemWindow::Permission { app, permission } => {
                self.answer_permission(window, &app, permission, Grant::Denied);
            }
            SystemWindow::Update { .. } => self.end_overlay(window),
            // Back does not close the others.
            _ => {}
        }
        true
    }

    /// Handles a press on a system window; returns whether it needs no further handling.
    pub(crate) fn press_system(&mut self, window: u64, element: &Element) -> bool {
        if self.is_shade(window) {
            // The effects of its page run too.
            self.press_in_shade(element);
            return false;
        }
        let notification = self.banner_notification(window);
        let overlay = self.overlays.get(window);
        let Some(what) = overlay.map(|each| each.what.clone()) else {
            return false;
        };
        let id = element.spec.id.rsplit('/').next().unwrap_or_default();
        match what {
            SystemWindow::Crash { app } | SystemWindow::NotResponding { app } => {
                if ["aerr_restart", "aerr_app_info", "aerr_close", "aerr_wait"].contains(&id) {
                    self.end_overlay(window);
                }
                match id {
                    "aerr_restart" => self.open_or_toast(&app),
                    "aerr_app_info" => self.open_or_toast(SETTINGS),
                    "aerr_close" => self.end_task(&app),
                    _ => {}
                }
            }
            SystemWindow::Permission { app, permission } => {
                let grant = match id {
                    "permission_allow_button"
                    | "permission_allow_foreground_only_button"
                    | "permission_allow_one_time_button" => Some(Grant::Allowed),
                    "permission_deny_button" => Some(Grant::Denied),
                    _ => None,
                };
                if let Some(grant) = grant {
                    self.answer_permission(window, &app, permission, grant);
                }
            }
            SystemWindow::Update { app } => match id {
                "update_button" => {
                    // The update is installed at once; the app restarts.
                    self.end_overlay(window);
                    self.end_task(&app);
                    self.open_or_toast(&app);
                }
                "no_thanks_button" | "touch_outside" => self.end_overlay(window),
                _ => {}
            },
            SystemWindow::Banner { .. } => {
                self.end_overlay(window);
                if let Some(key) = notification {
                    self.follow_notification(key);
                }
            }
        }
        true
    }

    fn answer_permission(&mut self, window: u64, app: &str, permission: Permission, grant: Grant) {
        self.end_overlay(window);
        let app: Arc<str> = Arc::from(app);
        let granted = grant == Grant::Allowed;
        self.note(Event::PermissionAnswered {
            app: Arc::clone(&app),
            permission,
            granted,
        });
        self.report_permission_answer(&app, permission, granted);
    }

    pub(in crate::phone) fn end_task(&mut self, app: &str) {
        let closed = self.close_app(app);
        debug_assert!(closed.is_ok(), "it is installed");
    }

    /// Brings an app to the foreground, or shows the error in a toast.
    pub(super) fn open_or_toast(&mut self, app: &str) {
        if let Err(error) = self.open_app(app) {
            self.show_error(&error);
        }
    }
}

/// The lowest layer of system windows, above those of apps and the keyboard.
const OVERLAY_LAYERS: i32 = 20;

/// The settings app, which shows the details of other apps.
pub(super) const SETTINGS: &str = "com.android.settings";
