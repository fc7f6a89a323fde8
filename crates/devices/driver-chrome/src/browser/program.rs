//! Finds the browser program: the configured one, or the first on `PATH` or at a usual path.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Names of browsers on `PATH`, the most suitable first.
const PROGRAM_NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "google-chrome-beta",
    "google-chrome-unstable",
    "microsoft-edge",
    "brave-browser",
    "chrome-headless-shell",
];

/// Usual places of browsers that are not on `PATH`.
#[cfg(target_os = "macos")]
const USUAL_PATHS: &[&str] = &[
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "/Applications/Google Chrome Canary.app/Contents/MacOS/Google Chrome Canary",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
];
#[cfg(all(unix, not(target_os = "macos")))]
const USUAL_PATHS: &[&str] = &[
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/opt/google/chrome/chrome",
    "/usr/lib/chromium/chromium",
    "/snap/bin/chromium",
];
/// Places below the program folders of the system and the user.
#[cfg(windows)]
const USUAL_PATHS: &[&str] = &[
    "Google\\Chrome\\Application\\chrome.exe",
    "Chromium\\Application\\chrome.exe",
    "Microsoft\\Edge\\Application\\msedge.exe",
    "BraveSoftware\\Brave-Browser\\Application\\brave.exe",
];

/// Environment variables and paths that locate a browser.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramSearch {
    /// `CLAWPERATOR_CHROME`: only this program.
    pub named: Option<OsString>,
    /// `PATH`.
    pub path: Option<OsString>,
    /// Usual places of browsers that are not on `PATH`.
    pub fixed: Vec<PathBuf>,
}

/// An existing, executable program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program(PathBuf);

/// Why no program was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// The configured one does not exist.
    #[error("CLAWPERATOR_CHROME is {0}, which is not a program")]
    Named(String),
    /// There is none in the usual places.
    #[error("no Chrome or Chromium was found on PATH or in {0}")]
    Nowhere(String),
}

impl ProgramSearch {
    /// The values of this process. Empty variables count as missing.
    pub fn from_env() -> Self {
        let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        Self {
            named: var("CLAWPERATOR_CHROME"),
            path: var("PATH"),
            fixed: fixed(var),
        }
    }

    /// The browser.
    pub fn find(&self) -> Result<Program, ProgramError> {
        if let Some(named) = &self.named {
            let named = Path::new(named);
            // A name without a path is searched in `PATH`.
            let found = if named.components().count() == 1 {
                self.on_path(named)
            } else {
                is_program(named).then(|| named.to_owned())
            };
            return found
                .map(Program)
                .ok_or_else(|| ProgramError::Named(named.display().to_string()));
        }
        let suffix = std::env::consts::EXE_SUFFIX;
        let on_path = || {
            PROGRAM_NAMES
                .iter()
                .find_map(|name| self.on_path(Path::new(&format!("{name}{suffix}"))))
        };
        let fixed = || self.fixed.iter().find(|place| is_program(place)).cloned();
        on_path().or_else(fixed).map(Program).ok_or_else(|| {
            let places: Vec<String> = self
                .fixed
                .iter()
                .map(|place| place.display().to_string())
                .collect();
            ProgramError::Nowhere(places.join(", "))
        })
    }

    fn on_path(&self, name: &Path) -> Option<PathBuf> {
        let path = self.path.as_ref()?;
        std::env::split_paths(path)
            .map(|folder| folder.join(name))
            .find(|program| is_program(program))
    }
}

#[cfg(not(windows))]
fn fixed(var: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let mut fixed: Vec<PathBuf> = USUAL_PATHS.iter().map(PathBuf::from).collect();
    if cfg!(target_os = "macos")
        && let Some(home) = var("HOME")
    {
        // Apps of a single user are in the same folders below the home folder.
        let home = PathBuf::from(home);
        fixed.extend(
            USUAL_PATHS
                .iter()
                .filter_map(|place| place.strip_prefix('/'))
                .map(|place| home.join(place)),
        );
    }
    fixed
}

#[cfg(windows)]
fn fixed(var: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"]
        .into_iter()
        .filter_map(var)
        .flat_map(|folder| {
            USUAL_PATHS
                .iter()
                .map(move |place| PathBuf::from(&folder).join(place))
        })
        .collect()
}

impl Program {
    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path)
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these programs.
    fn folder(name: &str, programs: &[&str]) -> PathBuf {
        let name = format!("clawperator-program-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        for program in programs {
            let path = folder.join(program);
            std::fs::write(&path, "").unwrap();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let run = std::fs::Permissions::from_mode(0o755);
                std::fs::set_permissions(&path, run).unwrap();
            }
        }
        folder
    }

    #[cfg(unix)]
    #[test]
    fn configured_program_is_used_exclusively() {
        let folder = folder("named", &["my-chrome", "chromium"]);
        let places = |named: Option<&Path>| ProgramSearch {
            named: named.map(|named| named.as_os_str().to_owned()),
            path: Some(folder.clone().into_os_string()),
            fixed: Vec::new(),
        };
        let found = |named| places(named).find().map(|program| program.0);
        assert_eq!(
            found(Some(Path::new("my-chrome"))),
            Ok(folder.join("my-chrome"))
        );
        let whole = folder.join("my-chrome");
        assert_eq!(found(Some(&whole)), Ok(whole.clone()));
        assert_eq!(found(None), Ok(folder.join("chromium")));
        let wrong = folder.join("nothing");
        assert_eq!(
            found(Some(&wrong)).unwrap_err().to_string(),
            format!(
                "CLAWPERATOR_CHROME is {}, which is not a program",
                wrong.display()
            )
        );
        // Folders and files that are not executable do not count.
        assert!(found(Some(&folder)).is_err());
        std::fs::write(folder.join("text"), "").unwrap();
        assert!(found(Some(&folder.join("text"))).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn path_wins_over_usual_places() {
        let on_path = folder("path", &["google-chrome"]);
        let usual = folder("usual", &["chromium"]);
        let mut places = ProgramSearch {
            named: None,
            path: Some(on_path.clone().into_os_string()),
            fixed: vec![usual.join("gone"), usual.join("chromium")],
        };
        assert_eq!(places.find().unwrap().path(), on_path.join("google-chrome"));
        places.path = None;
        assert_eq!(places.find().unwrap().path(), usual.join("chromium"));
        places.fixed.truncate(1);
        let error = places.find().unwrap_err().to_string();
        assert!(
            error.starts_with("no Chrome or Chromium was found on PATH or in "),
            "{error}"
        );
        assert!(error.ends_with("gone"), "{error}");
        for folder in [on_path, usual] {
            std::fs::remove_dir_all(folder).unwrap();
        }
    }
}
