//! Apps of the simulated phone: finding, checking, showing, creating and importing app files.

pub(crate) mod languages;
mod make;
mod operator;
pub(crate) mod process;
pub(crate) mod setup;
mod show;

use std::path::{Path, PathBuf};

use contract::{ErrorBody, ErrorCode};
use driver_sim::{
    AppError, AppSource, PageSummary, Preview, Problem, SimOptions, Summary, built_in_apps,
    check_source, is_built_in,
};
use serde::Serialize;

use crate::files;

pub use crate::sim_registry::{RunningOperator, RunningPhone};
pub use make::{CreatedApp, Dump, ImportedApp, create, import};
pub use operator::{Answers, OPERATOR_PACKAGE, OperatorSetup, operator_apk};
pub use process::{StartOptions, StopTarget, list as running, run, stop};
pub use show::{Picture, RenderedScreen, ScreenSelection, ShowOptions, picture_folder, show};

/// A problem of an app file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SimProblem {
    pub file: String,
    /// The line, from 1; absent for the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The path in the file, such as `screens.login.body.2.field`; empty for the whole file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for SimProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.file)?;
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, ":{line}:{column}")?;
        }
        if !self.path.is_empty() {
            write!(f, ": {}", self.path)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// An app file that cannot be used, with all its problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimError {
    /// The problems, in the order of the file.
    pub problems: Vec<SimProblem>,
    /// How to fix it, if the problems do not show it.
    pub hint: Option<&'static str>,
}

/// The maximal number of problems in an answer; the rest is counted.
const MAX_LISTED: usize = 50;

impl SimError {
    /// An error of the whole file.
    fn whole(file: &Path, message: impl Into<String>) -> Self {
        Self {
            problems: vec![SimProblem {
                file: file.display().to_string(),
                line: None,
                column: None,
                path: String::new(),
                message: message.into(),
            }],
            hint: None,
        }
    }
}

impl From<AppError> for SimError {
    fn from(error: AppError) -> Self {
        let AppError {
            name,
            problems,
            hint,
        } = error;
        Self {
            problems: problems_of(&name, problems),
            hint,
        }
    }
}

/// Converts the problems of a file.
fn problems_of(file: &str, problems: Vec<Problem>) -> Vec<SimProblem> {
    let known = |number: u32| (number > 0).then_some(number);
    problems
        .into_iter()
        .map(|problem| SimProblem {
            file: file.to_owned(),
            line: known(problem.line),
            column: known(problem.column),
            path: problem.path,
            message: problem.message,
        })
        .collect()
}

/// The app files of a path: the file, or those of the folder.
///
/// # Errors
/// The path does not exist, cannot be read, or is a folder without app files.
pub fn app_files(path: &Path) -> Result<Vec<PathBuf>, SimError> {
    driver_sim::app_files(path).map_err(SimError::from)
}

/// The error of a command with invalid apps.
pub fn refused(errors: &[SimError]) -> ErrorBody {
    let problems: Vec<&SimProblem> = errors.iter().flat_map(|error| &error.problems).collect();
    let message = match problems.as_slice() {
        [] => "an app is invalid".to_owned(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    };
    let body = ErrorBody::new(ErrorCode::SimAppInvalid, message);
    // Problems to fix take precedence over the hint.
    let have_hints = errors.iter().all(|error| error.hint.is_some());
    let body = match errors
        .first()
        .and_then(|error| error.hint)
        .filter(|_| have_hints)
    {
        Some(hint) => body.with_hint(hint),
        None => body.with_default_hint(),
    };
    let listed = problems.get(..MAX_LISTED).unwrap_or(&problems);
    let body = body.with_detail("problems", serde_json::json!(listed));
    match problems.len() - listed.len() {
        0 => body,
        more => body.with_detail("unlistedProblems", more),
    }
}

/// The content of an app file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedApp {
    pub file: String,
    /// The app's package.
    pub package: String,
    /// The label of its icon.
    pub label: String,
    /// Its first screen.
    pub start: String,
    pub screens: Vec<CheckedScreen>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dialogs: Vec<CheckedScreen>,
    /// The patterns of the uris that it handles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// Warnings, such as a screen that nothing opens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<SimProblem>,
}

/// A screen or dialog of an app file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedScreen {
    pub name: String,
    /// Its parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<String>,
}

/// A built-in app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SimApp {
    pub package: String,
    /// The label of its icon.
    pub label: String,
    pub purpose: String,
    /// The patterns of the uris that it handles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
}

/// The built-in apps of every simulated phone.
pub fn apps() -> Vec<SimApp> {
    let apps = built_in_apps().map(|app| SimApp {
        package: app.package.to_owned(),
        label: app.label.to_owned(),
        purpose: app.purpose,
        links: app.links,
    });
    apps.collect()
}

/// Checks app files and those of folders.
///
/// # Errors
/// `SIM_APP_INVALID` with all problems of all files.
pub fn check(paths: &[&str]) -> Result<Vec<CheckedApp>, ErrorBody> {
    let mut errors = Vec::new();
    let mut apps: Vec<CheckedApp> = Vec::new();
    for path in paths {
        let files = match app_files(Path::new(path)) {
            Ok(files) => files,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        for file in files {
            match check_source(&AppSource::File(file)) {
                Ok(held) => apps.extend(held.into_iter().map(CheckedApp::from)),
                Err(error) => errors.push(error.into()),
            }
        }
    }
    for (index, app) in apps.iter().enumerate() {
        let earlier = apps.iter().take(index);
        let twin = earlier.clone().find(|other| other.package == app.package);
        // The same file twice is one app.
        if let Some(twin) = twin.filter(|twin| twin.file != app.file) {
            let message = format!("{} has the same package, {}", twin.file, app.package);
            errors.push(SimError::whole(Path::new(&app.file), message));
        }
    }
    if errors.is_empty() {
        Ok(apps)
    } else {
        Err(refused(&errors))
    }
}

impl From<Summary> for CheckedApp {
    fn from(held: Summary) -> Self {
        let screen = |PageSummary { name, params, .. }| CheckedScreen { name, params };
        let mut warnings = problems_of(&held.name, held.warnings);
        if is_built_in(&held.package) {
            warnings.push(SimProblem {
                file: held.name.clone(),
                line: None,
                column: None,
                path: "app".to_owned(),
                message: format!(
                    "this app replaces the built-in one with the same package, {}",
                    held.package
                ),
            });
        }
        Self {
            warnings,
            file: held.name,
            package: held.package,
            label: held.label,
            start: held.start,
            screens: held.screens.into_iter().map(screen).collect(),
            dialogs: held.dialogs.into_iter().map(screen).collect(),
            links: held.links,
        }
    }
}

/// A preview of the app of a file.
fn preview(file: &Path, options: SimOptions) -> Result<Preview, SimError> {
    let mut options = options;
    options.apps.push(AppSource::File(file.to_owned()));
    Preview::load(options).map_err(SimError::from)
}

/// The error of a file that cannot be written.
fn not_written(path: &Path, why: impl std::fmt::Display) -> ErrorBody {
    let message = format!("{}: {why}", path.display());
    ErrorBody::new(ErrorCode::SimFileNotWritten, message).with_default_hint()
}

/// Writes a file; an existing one only if it may be replaced.
fn write_new(path: &Path, bytes: &[u8], replace: Replace) -> Result<(), ErrorBody> {
    let opened = match replace {
        Replace::Yes => files::create(path),
        Replace::No => files::create_new(path),
    };
    let opened = opened.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => not_written(path, "the file already exists")
            .with_hint("Choose another name, or overwrite the file with --force"),
        _ => not_written(path, error),
    });
    std::io::Write::write_all(&mut opened?, bytes).map_err(|error| not_written(path, error))
}

/// Whether an existing file may be replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replace {
    /// Keep it and fail.
    #[default]
    No,
    /// Replace it.
    Yes,
}
