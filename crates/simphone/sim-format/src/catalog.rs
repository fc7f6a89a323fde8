//! The catalog of installed apps; built-in apps are parsed on first use.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use uitree::Size;

use crate::app::{self, App, Summary};
use crate::bundled::BundledFile;
use crate::choices::{LAUNCHER, Start};
use crate::expr::{Record, Value};
use crate::problem::AppError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppSource {
    /// The built-in apps; the launcher is always installed.
    BuiltIn,
    Text {
        name: String,
        yaml: String,
    },
    /// An app file on disk; [`app_files`] finds those of a folder.
    File(PathBuf),
}

/// A built-in app, with the properties that are known without parsing its file.
#[derive(Debug)]
pub struct BuiltIn {
    pub package: &'static str,
    pub label: &'static str,
    icon: &'static str,
    /// The URI schemes of its links, each with its colon.
    schemes: &'static [&'static str],
    pub file: BundledFile,
}

macro_rules! built_in {
    ($($package:literal, $label:literal, $icon:literal, $file:literal, $schemes:expr;)+) => {
        pub const BUILT_IN: &[BuiltIn] = &[$(BuiltIn {
            package: $package,
            label: $label,
            icon: $icon,
            schemes: $schemes,
            file: crate::bundled::file!($file),
        },)+];
    };
}

built_in! {
    "com.android.launcher3", "Launcher", "home", "launcher.yaml", &[];
    "com.android.settings", "Settings", "settings", "settings.yaml", &["settings:"];
    "com.android.browser", "Browser", "globe", "browser.yaml", &["http:", "https:"];
    "com.example.shop", "Shop", "bag", "shop.yaml", &["https:", "shop:"];
    "com.example.forms", "Forms", "edit", "forms.yaml", &["forms:"];
    "com.example.mail", "Mail", "mail", "mail.yaml", &["mail:", "mailto:"];
    "com.example.chat", "Chat", "chat", "chat.yaml", &["chat:"];
    "com.example.torture", "Torture", "bolt", "torture.yaml", &["torture:"];
    "com.example.maps", "Maps", "map", "maps.yaml", &["geo:", "https:", "maps:"];
}

#[cfg(test)]
pub(crate) fn built_in_files() -> impl Iterator<Item = BundledFile> {
    BUILT_IN.iter().map(|of| of.file)
}

#[derive(Debug)]
pub struct InstalledApp {
    pub package: Arc<str>,
    pub label: Arc<str>,
    pub icon: Arc<str>,
    pub built_in: Option<&'static BuiltIn>,
    app: OnceLock<Result<Arc<App>, AppError>>,
}

/// Parsed built-in apps, shared by all phones of the process.
static SHARED: [OnceLock<Result<Arc<App>, AppError>>; BUILT_IN.len()] =
    [const { OnceLock::new() }; BUILT_IN.len()];

impl BuiltIn {
    pub fn app(&self) -> Result<Arc<App>, AppError> {
        let place = BUILT_IN
            .iter()
            .position(|each| each.package == self.package);
        let read = || self.file.app().map(Arc::new);
        match place.and_then(|place| SHARED.get(place)) {
            Some(shared) => shared.get_or_init(read).clone(),
            None => read(),
        }
    }
}

impl InstalledApp {
    pub fn built_in(of: &'static BuiltIn) -> Self {
        Self {
            package: Arc::from(of.package),
            label: Arc::from(of.label),
            icon: Arc::from(of.icon),
            built_in: Some(of),
            app: OnceLock::new(),
        }
    }

    pub fn read(app: App) -> Self {
        Self {
            package: Arc::clone(&app.package),
            label: Arc::clone(&app.label),
            icon: Arc::clone(&app.icon),
            built_in: None,
            app: OnceLock::from(Ok(Arc::new(app))),
        }
    }

    /// Returns the app, parsed on first use.
    pub fn app(&self) -> Result<Arc<App>, AppError> {
        let missing = || AppError::whole(&self.package, "the app has no file".to_owned());
        let read = || self.built_in.ok_or_else(missing)?.app();
        self.app.get_or_init(read).clone()
    }

    /// Whether one of its links may match a URI; if not, its file need not be parsed.
    pub fn may_take(&self, uri: &str) -> bool {
        let begins = |scheme: &&str| {
            let head = uri.get(..scheme.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(scheme))
        };
        self.built_in.is_none_or(|of| of.schemes.iter().any(begins))
    }

    /// Returns the record of the app in lists of apps.
    pub fn record(&self) -> Record {
        let entry =
            |name: &str, value: &Arc<str>| (Arc::from(name), Value::Text(Arc::clone(value)));
        Arc::new(vec![
            entry("package", &self.package),
            entry("label", &self.label),
            entry("icon", &self.icon),
        ])
    }
}

/// Returns all installed apps, the launcher first. A user's app replaces a built-in app of the same package.
pub fn install(sources: &[AppSource]) -> Result<Vec<InstalledApp>, AppError> {
    let mut installed: Vec<InstalledApp> = BUILT_IN
        .iter()
        .filter(|of| of.package == LAUNCHER || sources.contains(&AppSource::BuiltIn))
        .map(InstalledApp::built_in)
        .collect();
    for file in files(sources)? {
        let name = file.name;
        let app = app::parse_in(&name, &file.yaml, file.folder.as_deref())?;
        match installed
            .iter_mut()
            .find(|each| each.package == app.package)
        {
            Some(old) if old.built_in.is_some() => *old = InstalledApp::read(app),
            Some(_) => {
                let message = format!("the package {} is installed twice", app.package);
                return Err(AppError::whole(&name, message));
            }
            None => installed.push(InstalledApp::read(app)),
        }
    }
    Ok(installed)
}

pub fn screen_for(installed: &[InstalledApp], start: &Start) -> Result<Option<Size>, AppError> {
    let app = match start {
        Start::Launcher | Start::Uri(_) => None,
        Start::App(package) => installed.iter().find(|each| *each.package == **package),
        Start::Own => only_own(installed),
    };
    let app = app.map(InstalledApp::app).transpose()?;
    Ok(app.and_then(|app| app.screen))
}

/// Returns the only app that is not built in, if there is exactly one.
pub fn only_own(installed: &[InstalledApp]) -> Option<&InstalledApp> {
    let mut own = installed.iter().filter(|each| each.built_in.is_none());
    own.next().filter(|_| own.next().is_none())
}

/// Summarises the app files of a source. The error contains every problem of the first invalid file.
pub fn check_source(source: &AppSource) -> Result<Vec<Summary>, AppError> {
    let files = match source {
        AppSource::BuiltIn => {
            let checked = |of: &BuiltIn| app::check_in(of.file.name, of.file.text, None);
            return BUILT_IN.iter().map(checked).collect();
        }
        other => files(std::slice::from_ref(other))?,
    };
    let check = |file: &AppFile| app::check_in(&file.name, &file.yaml, file.folder.as_deref());
    files.iter().map(check).collect()
}

struct AppFile {
    name: String,
    yaml: String,
    folder: Option<PathBuf>,
}

fn files(sources: &[AppSource]) -> Result<Vec<AppFile>, AppError> {
    let mut files = Vec::new();
    for source in sources {
        match source {
            AppSource::BuiltIn => {}
            AppSource::Text { name, yaml } => files.push(AppFile {
                name: name.clone(),
                yaml: yaml.clone(),
                folder: None,
            }),
            AppSource::File(path) => files.push(file(path)?),
        }
    }
    Ok(files)
}

/// The maximum size of an app file in bytes.
pub const LARGEST: u64 = 8 << 20;

const MISSING: &str = "Check the path, which is seen from the current folder; `clawperator sim new app.yaml` writes an app to begin with";

const NO_TEXT: &str = "An app file is a text in UTF-8 of at most 8 MiB that this user may read";

fn file(path: &Path) -> Result<AppFile, AppError> {
    let name = path.display().to_string();
    let invalid = |message: String| AppError::whole(&name, message).with_hint(NO_TEXT);
    let unreadable = |error: std::io::Error| invalid(format!("cannot be read: {error}"));
    let mut bytes = Vec::new();
    // Reading is limited, because special files may be endless.
    let all = std::fs::File::open(path).map_err(unreadable)?;
    all.take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST {
        let size = std::fs::metadata(path).map_or(0, |meta| meta.len());
        let has = match size {
            0 => "has no end".to_owned(),
            size => format!("has {size} bytes"),
        };
        let message = format!("the file {has}, and an app file {LARGEST} bytes at most");
        return Err(invalid(message));
    }
    let yaml = String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        invalid(match error.as_bytes() {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "is a text in UTF-16, not in UTF-8".to_owned(),
            _ => format!("is not UTF-8 text: byte {place} is wrong"),
        })
    })?;
    Ok(AppFile {
        name,
        yaml,
        folder: Some(path.parent().unwrap_or(Path::new("")).to_owned()),
    })
}

/// Returns the app files at a path: the file itself, or the `.yaml` and `.yml` files of a folder, sorted by name.
///
/// # Errors
/// The path does not exist or cannot be read, or the folder has no app file.
pub fn app_files(path: &Path) -> Result<Vec<PathBuf>, AppError> {
    let invalid = |message: String| AppError::whole(&path.display().to_string(), message);
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            invalid("there is no such file or folder".to_owned()).with_hint(MISSING)
        }
        _ => invalid(format!("cannot be read: {error}")).with_hint(NO_TEXT),
    };
    if !std::fs::metadata(path).map_err(failed)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        let end = file.extension().and_then(|end| end.to_str());
        if matches!(end, Some("yaml" | "yml")) && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        let message = "the folder holds no app: no file whose name ends in .yaml or .yml";
        return Err(invalid(message.to_owned()).with_hint(MISSING));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn built_in_apps_are_valid_and_match_the_table() {
        for of in BUILT_IN {
            let app = of.app().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(
                (&*app.package, &*app.label, &*app.icon),
                (of.package, of.label, of.icon),
                "{}",
                of.file.name
            );
            let schemes: BTreeSet<String> = (app.links.iter())
                .filter_map(|link| Some(format!("{}:", link.to_string().split_once(':')?.0)))
                .collect();
            assert_eq!(
                schemes.iter().collect::<Vec<_>>(),
                of.schemes,
                "{}",
                of.file.name
            );
            assert!(app.links.iter().all(|link| link.to_string().contains(':')));
        }
    }

    #[test]
    fn phones_share_parsed_built_in_apps() {
        let sources = [AppSource::BuiltIn];
        let (one, two) = (install(&sources).unwrap(), install(&sources).unwrap());
        for (one, two) in one.iter().zip(&two) {
            assert!(Arc::ptr_eq(&one.app().unwrap(), &two.app().unwrap()));
        }
    }

    #[test]
    fn icons_of_built_in_apps_exist() {
        let names = draw::icon_names();
        for of in BUILT_IN {
            assert!(
                names.contains(&of.icon),
                "{}: no icon {}",
                of.file.name,
                of.icon
            );
        }
    }
}
