//! The installed packages, the apps that open a URI, and the focused window.

use std::sync::Arc;
use std::time::Duration;

use crate::phone::clock::EPOCH_MS;
use sim_format::catalog::{BUILT_IN, InstalledApp};
use sim_format::expr::Record;
use sim_format::{AppError, LAUNCHER, Permission, SystemWindow, app};

use super::Phone;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageInfo {
    pub package: Arc<str>,
    pub label: Arc<str>,
    pub built_in: bool,
    pub running: bool,
    /// The classes of its activities without duplicates, that of its start screen first.
    pub activities: Vec<Arc<str>>,
    pub links: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FocusedWindow {
    /// Its number; window numbers are never reused.
    pub id: u64,
    pub package: Arc<str>,
    /// The class of its activity; the title for windows of the system.
    pub name: String,
    /// Whether `name` is the class of an activity.
    pub activity: bool,
}

impl Phone {
    /// The package and the name of the screen or dialog that is used.
    pub fn focused_screen(&self) -> Option<(Arc<str>, Arc<str>)> {
        let page = &self.active()?.page;
        let owner = page.owner.as_ref().unwrap_or_else(|| self.tasks.front());
        Some((Arc::clone(owner), Arc::clone(&page.name)))
    }

    /// Every installed app, the launcher first. Reads app files that were not read before; an invalid one has neither
    /// activities nor links.
    pub fn packages(&self) -> Vec<PackageInfo> {
        let installed = self.installed.iter();
        installed.map(|each| self.package_info(each)).collect()
    }

    /// The packages of the installed apps; reads no file.
    pub fn package_names(&self) -> impl Iterator<Item = &str> {
        self.installed.iter().map(|each| &*each.package)
    }

    pub fn package(&self, package: &str) -> Option<PackageInfo> {
        let installed = self.installed(package)?;
        Some(self.package_info(installed))
    }

    fn package_info(&self, installed: &InstalledApp) -> PackageInfo {
        let mut activities: Vec<Arc<str>> = Vec::new();
        let mut links = Vec::new();
        if let Ok(app) = installed.app() {
            let first = app.screens.get(&app.start);
            for page in first.into_iter().chain(app.screens.values()) {
                if !page.class.is_empty() && !activities.contains(&page.class) {
                    activities.push(Arc::clone(&page.class));
                }
            }
            links = app.links.iter().map(ToString::to_string).collect();
        }
        PackageInfo {
            package: Arc::clone(&installed.package),
            label: Arc::clone(&installed.label),
            built_in: installed.built_in.is_some(),
            running: self.task(&installed.package).is_some(),
            activities,
            links,
        }
    }

    /// The apps that open a URI, in the order of installation.
    pub fn openers(&self, uri: &str) -> Vec<Arc<str>> {
        let opens = |each: &&InstalledApp| {
            each.app()
                .is_ok_and(|app| app.links.iter().any(|link| link.match_uri(uri).is_some()))
        };
        let all = self.installed.iter().filter(opens);
        all.map(|each| Arc::clone(&each.package)).collect()
    }

    /// Installs an app file and returns its package; ends and replaces an app of the same package.
    pub fn install(&mut self, name: &str, yaml: &str) -> Result<Arc<str>, AppError> {
        let app = app::parse(name, yaml)?;
        let package = Arc::clone(&app.package);
        if &*package == LAUNCHER {
            let message = "the home screen cannot be replaced while the phone runs".to_owned();
            return Err(AppError::whole(name, message));
        }
        self.put_app(InstalledApp::read(app));
        Ok(package)
    }

    /// Removes an app that is not built in, and restores a built-in app that it replaced. Returns whether the package
    /// was installed.
    pub fn uninstall(&mut self, package: &str) -> bool {
        let own = |each: &InstalledApp| &*each.package == package && each.built_in.is_none();
        let place = self.installed.iter().position(own);
        let Some(place) = place else { return false };
        self.end_app(package);
        match BUILT_IN.iter().find(|of| of.package == package) {
            Some(of) => self.put_app(InstalledApp::built_in(of)),
            None => {
                self.installed.remove(place);
                self.permissions.forget(package);
                self.update_apps();
            }
        }
        true
    }

    fn put_app(&mut self, new: InstalledApp) {
        self.end_app(&Arc::clone(&new.package));
        let mut installed = self.installed.iter_mut();
        match installed.find(|each| each.package == new.package) {
            Some(old) => *old = new,
            None => self.installed.push(new),
        }
        self.update_apps();
    }

    fn end_app(&mut self, package: &str) {
        // Fails only if the app is not installed, so that it does not run either.
        let _ = self.close_app(package);
    }

    fn update_apps(&mut self) {
        self.system.apps = app_records(&self.installed);
        self.system.version += 1;
        self.bump();
        self.settle();
    }

    /// Grants or revokes a permission without a prompt. Returns whether the app is installed.
    pub fn set_permission(
        &mut self,
        package: &str,
        permission: Permission,
        grant: sim_format::Grant,
    ) -> bool {
        let installed = self.installed(package);
        let Some(name) = installed.map(|each| Arc::clone(&each.package)) else {
            return false;
        };
        self.report_permission_answer(&name, permission, grant == sim_format::Grant::Allowed);
        self.settle();
        true
    }

    /// The window with the input focus; `None` while the screen is off or an app starts.
    pub fn focused_window(&self) -> Option<FocusedWindow> {
        if !self.awake {
            return None;
        }
        let Some(window) = self.system_window() else {
            return self.resumed_activity();
        };
        let overlay = self.overlays.get(window);
        let (name, activity) = match overlay.map(|each| &each.what) {
            None => ("NotificationShade".to_owned(), false),
            Some(SystemWindow::Crash { app }) => (format!("Application Error: {app}"), false),
            Some(SystemWindow::NotResponding { app }) => {
                (format!("Application Not Responding: {app}"), false)
            }
            Some(SystemWindow::Permission { .. }) => {
                let class =
                    "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity";
                (class.to_owned(), true)
            }
            Some(SystemWindow::Update { .. } | SystemWindow::Banner { .. }) => {
                ("com.android.vending.UpdateActivity".to_owned(), true)
            }
        };
        let package = self.overlay_owner(window);
        Some(FocusedWindow {
            id: window,
            package: package.unwrap_or_else(|| Arc::from(sim_view::window::SYSTEM_UI)),
            name,
            activity,
        })
    }

    /// The activity of the app in the foreground, below dialogs and windows of the system; `None` while it starts.
    pub fn resumed_activity(&self) -> Option<FocusedWindow> {
        let task = self.front_task().filter(|task| task.ready)?;
        let top = task.top()?;
        let activity = &task.stack.last()?.open;
        Some(FocusedWindow {
            id: top.id,
            package: Arc::clone(&task.package),
            name: activity.page.class.to_string(),
            activity: true,
        })
    }

    pub const fn keyboard_is_up(&self) -> bool {
        self.editor.keyboard.is_some()
    }

    pub const fn density(&self) -> f32 {
        self.theme.density
    }

    pub const fn upright_screen(&self) -> uitree::Size {
        self.display.upright()
    }

    pub fn still_for(&self) -> Duration {
        self.clock.now().saturating_sub(self.frames.drawn())
    }

    /// The wall-clock time, in milliseconds since 1970.
    pub fn wall_clock_ms(&self) -> u64 {
        let now = u64::try_from(self.clock.now().as_millis()).unwrap_or(u64::MAX / 2);
        EPOCH_MS.saturating_add(now)
    }
}

pub(super) fn app_records(installed: &[InstalledApp]) -> Arc<Vec<Record>> {
    let listed = installed.iter().filter(|each| &*each.package != LAUNCHER);
    Arc::new(listed.map(InstalledApp::record).collect())
}
