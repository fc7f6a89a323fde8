//! The apps that are installed, read when they are first needed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use uitree::Size;

use crate::app::{self, App, AppError, Record, Value};
use crate::driver::Start;

/// Where an app comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppSource {
    /// The apps that are part of the phone, except for the launcher, which is always there.
    BuiltIn,
    /// An app file that is already in memory.
    Text {
        /// What errors call it.
        name: String,
        /// The app file.
        yaml: String,
    },
    /// An app file on disk.
    File(PathBuf),
}

/// The package of the home screen.
pub(crate) const LAUNCHER: &str = "com.android.launcher3";

/// An app of the phone itself: what its icon shows is known without reading its file.
#[derive(Debug)]
pub(crate) struct BuiltIn {
    pub(crate) package: &'static str,
    pub(crate) label: &'static str,
    icon: &'static str,
    file: &'static str,
    /// The app file.
    pub(crate) yaml: &'static str,
}

macro_rules! built_in {
    ($($package:literal, $label:literal, $icon:literal, $file:literal;)+) => {
        pub(crate) const BUILT_IN: &[BuiltIn] = &[$(BuiltIn {
            package: $package,
            label: $label,
            icon: $icon,
            file: $file,
            yaml: include_str!(concat!("../assets/apps/", $file)),
        },)+];
    };
}

built_in! {
    "com.android.launcher3", "Launcher", "home", "launcher.yaml";
    "com.android.settings", "Settings", "settings", "settings.yaml";
    "com.android.browser", "Browser", "globe", "browser.yaml";
    "com.example.shop", "Shop", "bag", "shop.yaml";
}

/// The built-in app files, each with its name.
#[cfg(test)]
pub(crate) fn built_in_files() -> impl Iterator<Item = (&'static str, &'static str)> {
    BUILT_IN.iter().map(|of| (of.file, of.yaml))
}

/// An installed app.
#[derive(Debug)]
pub(crate) struct Installed {
    pub(crate) package: Arc<str>,
    pub(crate) label: Arc<str>,
    pub(crate) icon: Arc<str>,
    built_in: Option<&'static BuiltIn>,
    app: OnceLock<Result<Arc<App>, AppError>>,
}

impl Installed {
    fn built_in(of: &'static BuiltIn) -> Self {
        Self {
            package: Arc::from(of.package),
            label: Arc::from(of.label),
            icon: Arc::from(of.icon),
            built_in: Some(of),
            app: OnceLock::new(),
        }
    }

    fn read(app: App) -> Self {
        Self {
            package: Arc::clone(&app.package),
            label: Arc::clone(&app.label),
            icon: Arc::clone(&app.icon),
            built_in: None,
            app: OnceLock::from(Ok(Arc::new(app))),
        }
    }

    /// The app, read now if it was not read before.
    pub(crate) fn app(&self) -> Result<Arc<App>, AppError> {
        self.app
            .get_or_init(|| match self.built_in {
                Some(of) => app::parse(of.file, of.yaml).map(Arc::new),
                None => Err(AppError::whole(
                    &self.package,
                    "the app has no file".to_owned(),
                )),
            })
            .clone()
    }

    /// What a list of apps shows of it.
    pub(crate) fn record(&self) -> Record {
        let entry =
            |name: &str, value: &Arc<str>| (Arc::from(name), Value::Text(Arc::clone(value)));
        Arc::new(vec![
            entry("package", &self.package),
            entry("label", &self.label),
            entry("icon", &self.icon),
        ])
    }
}

/// Every installed app, the launcher first. An app of the user's own replaces a built-in one of the same package.
pub(crate) fn install(sources: &[AppSource]) -> Result<Vec<Installed>, AppError> {
    let mut installed: Vec<Installed> = BUILT_IN
        .iter()
        .filter(|of| of.package == LAUNCHER || sources.contains(&AppSource::BuiltIn))
        .map(Installed::built_in)
        .collect();
    for source in sources {
        let mut folder = None;
        let (name, yaml) = match source {
            AppSource::BuiltIn => continue,
            AppSource::Text { name, yaml } => (name.clone(), yaml.clone()),
            AppSource::File(path) => {
                folder = Some(path.parent().unwrap_or(Path::new("")));
                let name = path.display().to_string();
                let yaml = std::fs::read_to_string(path)
                    .map_err(|error| AppError::whole(&name, format!("cannot be read: {error}")))?;
                (name, yaml)
            }
        };
        let app = app::parse_in(&name, &yaml, folder)?;
        let place = installed
            .iter()
            .position(|each| each.package == app.package);
        match place.and_then(|place| installed.get_mut(place)) {
            Some(old) if old.built_in.is_some() => *old = Installed::read(app),
            Some(_) => {
                let message = format!("the package {} is installed twice", app.package);
                return Err(AppError::whole(&name, message));
            }
            None => installed.push(Installed::read(app)),
        }
    }
    Ok(installed)
}

/// The size of the screen that the app is made for in which the phone starts.
pub(crate) fn screen_for(installed: &[Installed], start: &Start) -> Result<Option<Size>, AppError> {
    let app = match start {
        Start::Launcher | Start::Uri(_) => None,
        Start::App(package) => installed.iter().find(|each| *each.package == **package),
        Start::Own => only_own(installed),
    };
    Ok(app
        .map(Installed::app)
        .transpose()?
        .and_then(|app| app.screen))
}

/// The one app that is not the phone's own.
pub(crate) fn only_own(installed: &[Installed]) -> Option<&Installed> {
    let mut own = installed.iter().filter(|each| each.built_in.is_none());
    own.next().filter(|_| own.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_app_is_valid_and_what_the_table_says() {
        for of in BUILT_IN {
            let app = app::parse(of.file, of.yaml).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(
                (&*app.package, &*app.label, &*app.icon),
                (of.package, of.label, of.icon),
                "{}",
                of.file
            );
        }
    }

    #[test]
    fn every_icon_that_a_built_in_app_names_exists() {
        let names = crate::draw::icon_names();
        for of in BUILT_IN {
            assert!(names.contains(&of.icon), "{}: no icon {}", of.file, of.icon);
        }
    }
}
