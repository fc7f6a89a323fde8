//! Directories in which server requests may name files.

use std::path::PathBuf;

use contract::ErrorBody;
use service::{Folders, Options, Paths, Roots};

use crate::errors::usage;
use crate::run::options;
use crate::table::{Arguments, Flag, FlagValue, Globals, flags};

flags! {
    SCREENSHOTS = "--screenshots", FlagValue::Path("<dir>"),
        "The directory for screenshots, below which requests may name files; without it, screenshots go to the temporary \
        directory and requests cannot name files";
    SIM_APPS = "--sim-apps", FlagValue::Path("<dir>"),
        "The directory of app files that requests may use, as in `sim:app.yaml`; without it, requests cannot name app files";
    UPLOADS = "--uploads", FlagValue::Path("<dir>"),
        "The directory of files that requests may give to web pages; without it, requests cannot name files to upload";
}

/// The directories from the flags.
pub(crate) struct AllowedDirs {
    screenshots: Option<PathBuf>,
    apps: Option<PathBuf>,
    uploads: Option<PathBuf>,
}

impl AllowedDirs {
    /// Reads the flags.
    pub(super) fn from_arguments(arguments: &Arguments) -> Result<Self, ErrorBody> {
        let folder = |flag: &'static Flag| -> Result<Option<PathBuf>, ErrorBody> {
            let Some(folder) = arguments.strict(flag)? else {
                return Ok(None);
            };
            match std::fs::canonicalize(folder) {
                Ok(path) if path.is_dir() => Ok(Some(path)),
                Ok(_) | Err(_) => Err(usage(format!(
                    "{} requires an existing directory, not {:?}",
                    flag.name,
                    escape::truncate_input(folder)
                ))),
            }
        };
        Ok(Self {
            screenshots: folder(&SCREENSHOTS)?,
            apps: folder(&SIM_APPS)?,
            uploads: folder(&UPLOADS)?,
        })
    }

    /// The options of a server that restricts files to these directories and the client's roots.
    pub(super) fn options(&self, globals: &Globals, roots: &Roots) -> Options {
        let within = |folder: &Option<PathBuf>, file: Option<&str>| {
            Paths::Within(Folders {
                folders: folder.iter().cloned().collect(),
                roots: roots.clone(),
                file: file.map(str::to_owned),
            })
        };
        // The app in `--device` is the user's choice and allowed.
        let own = globals.device.as_deref();
        let own = own.and_then(|device| device.strip_prefix("sim:"));
        Options {
            screenshots: self.screenshots.clone(),
            screenshot_paths: within(&self.screenshots, None),
            upload_paths: within(&self.uploads, None),
            app_paths: within(&self.apps, own),
            ..options(globals)
        }
    }
}
