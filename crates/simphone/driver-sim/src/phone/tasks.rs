//! The running apps: their state, their screens, and the app in the foreground.

use std::sync::Arc;
use std::time::Duration;

use uitree::Rect;

use sim_format::LAUNCHER;
use sim_format::app::{App, Page, PageKind};
use sim_format::expr::{Scope, Vars};
use sim_format::widget::Spec;
use sim_view::env::Local;
use sim_view::layout::Cache;

use super::lifecycle::ResumedScreen;
use super::navigate::Entry;

#[derive(Debug)]
pub(crate) struct Tasks {
    /// The most recently used app is last.
    running: Vec<Task>,
    front: Arc<str>,
    /// The app from which the list of recent apps was opened.
    recents_from: Option<Arc<str>>,
    starts: u64,
    windows: u64,
    /// The active window when it was last determined.
    active: Option<u64>,
    /// The screen whose `on_resume` ran last.
    pub(super) resumed: Option<ResumedScreen>,
}

impl Tasks {
    /// Creates an empty list; the launcher will be in the foreground.
    pub(super) fn new() -> Self {
        Self {
            running: Vec::new(),
            front: Arc::from(LAUNCHER),
            recents_from: None,
            starts: 0,
            windows: 0,
            active: None,
            resumed: None,
        }
    }

    pub(crate) const fn front(&self) -> &Arc<str> {
        &self.front
    }

    /// Sets the app in the foreground and returns the previous one.
    pub(crate) fn set_front(&mut self, package: Arc<str>) -> Arc<str> {
        std::mem::replace(&mut self.front, package)
    }

    /// The running apps, the most recently used last.
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Task> {
        self.running.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Task> {
        self.running.iter_mut()
    }

    pub(crate) fn get(&self, package: &str) -> Option<&Task> {
        self.iter().find(|task| &*task.package == package)
    }

    pub(crate) fn get_mut(&mut self, package: &str) -> Option<&mut Task> {
        self.iter_mut().find(|task| &*task.package == package)
    }

    pub(crate) fn of_window(&self, window: u64) -> Option<&Task> {
        self.iter().find(|task| task.find(window).is_some())
    }

    /// A new number for the start of an app.
    pub(super) const fn next_start(&mut self) -> u64 {
        self.starts += 1;
        self.starts
    }

    pub(super) const fn next_window(&mut self) -> u64 {
        self.windows += 1;
        self.windows
    }

    /// Sets the active window; returns whether it changed.
    pub(super) fn set_active(&mut self, window: Option<u64>) -> bool {
        let changed = self.active != window;
        self.active = window;
        changed
    }

    /// Adds an app as the most recently used.
    pub(super) fn add(&mut self, task: Task) {
        self.running.push(task);
    }

    /// Adds an app as the least recently used.
    pub(super) fn add_oldest(&mut self, task: Task) {
        self.running.insert(0, task);
    }

    pub(super) fn remove(&mut self, package: &str) -> Option<Task> {
        let place = self.iter().position(|task| &*task.package == package)?;
        Some(self.running.remove(place))
    }

    /// Sets the app from which the list of recent apps was opened.
    pub(super) fn set_recents_from(&mut self, package: Option<Arc<str>>) {
        self.recents_from = package;
    }

    /// Takes the app from which the list of recent apps was opened.
    pub(super) const fn take_recents_from(&mut self) -> Option<Arc<str>> {
        self.recents_from.take()
    }
}

#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) package: Arc<str>,
    pub(crate) app: Arc<App>,
    pub(crate) vars: Vars,
    pub(crate) stack: Vec<Activity>,
    pub(crate) ready: bool,
    pub(crate) entry: Entry,
    pub(super) start: u64,
}

#[derive(Debug)]
pub(crate) struct Activity {
    pub(crate) open: Open,
    pub(crate) dialogs: Vec<Open>,
    pub(crate) snackbar: Option<Snackbar>,
}

#[derive(Debug)]
pub(crate) struct Open {
    /// Its window number, which is never reused.
    pub(crate) id: u64,
    pub(crate) page: Arc<Page>,
    pub(crate) scope: Arc<Scope>,
    pub(crate) since: Duration,
    /// The bounds of the widget that a popup is anchored to.
    pub(crate) anchor: Option<Rect>,
    pub(crate) local: Local,
    pub(crate) cache: Cache,
}

impl Activity {
    /// How many dialogs are below or equal to the topmost window that is no banner.
    pub(crate) fn top_depth(&self) -> usize {
        match self.dialogs.last() {
            Some(open) if open.page.kind != PageKind::Banner => self.dialogs.len(),
            _ => 0,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Snackbar {
    pub(crate) root: Arc<Spec>,
    pub(crate) scope: Arc<Scope>,
}

impl Task {
    /// The topmost screen or dialog; a banner above the screen leaves it usable.
    pub(crate) fn top(&self) -> Option<&Open> {
        let activity = self.stack.last()?;
        let dialog = activity.top_depth().checked_sub(1);
        match dialog {
            Some(dialog) => activity.dialogs.get(dialog),
            None => Some(&activity.open),
        }
    }

    pub(crate) fn opens(&self) -> impl Iterator<Item = &Open> {
        let activities = self.stack.iter();
        activities.flat_map(|each| std::iter::once(&each.open).chain(&each.dialogs))
    }

    pub(super) fn opens_mut(&mut self) -> impl Iterator<Item = &mut Open> {
        let activities = self.stack.iter_mut();
        activities.flat_map(|each| std::iter::once(&mut each.open).chain(&mut each.dialogs))
    }

    pub(crate) fn find(&self, window: u64) -> Option<&Open> {
        self.opens().find(|open| open.id == window)
    }

    pub(super) fn find_mut(&mut self, window: u64) -> Option<&mut Open> {
        self.opens_mut().find(|open| open.id == window)
    }

    /// Invalidates every layout; the focused field is scrolled into view again.
    pub(super) fn invalidate_layout(&mut self) {
        for open in self.opens_mut() {
            open.cache = Cache::default();
            open.local.reveal |= open.local.focus.is_some();
        }
    }
}
