//! Apps of the simulated phone without a run: finding their files, checking them, telling what is wrong.

use std::path::{Path, PathBuf};

use contract::{ErrorBody, ErrorCode};
use driver_sim::AppError;
use serde::Serialize;

/// One thing that is wrong with an app file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SimProblem {
    /// The file.
    pub file: String,
    /// The line, from 1; absent when the problem concerns the file as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Where in the file's structure, for example `screens.login.body.2.field`; empty for the file as a whole.
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

/// An app file that cannot be used, with everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimError {
    /// What is wrong, in the order of the file.
    pub problems: Vec<SimProblem>,
}

impl SimError {
    /// An error of the file as a whole.
    fn whole(file: &Path, message: impl Into<String>) -> Self {
        Self {
            problems: vec![SimProblem {
                file: file.display().to_string(),
                line: None,
                column: None,
                path: String::new(),
                message: message.into(),
            }],
        }
    }
}

impl From<AppError> for SimError {
    fn from(error: AppError) -> Self {
        let AppError { name, problems } = error;
        let known = |number: u32| (number > 0).then_some(number);
        let problems = problems
            .into_iter()
            .map(|problem| SimProblem {
                file: name.clone(),
                line: known(problem.line),
                column: known(problem.column),
                path: problem.path,
                message: problem.message,
            })
            .collect();
        Self { problems }
    }
}

/// The app files that a path means: the file itself, or those of the folder whose names end in `.yaml` or `.yml`, in
/// the order of their names.
///
/// # Errors
/// Nothing is there, it cannot be read, or the folder holds no app file.
pub fn app_files(path: &Path) -> Result<Vec<PathBuf>, SimError> {
    let unreadable = |error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => SimError::whole(path, "there is no such file or folder"),
        _ => SimError::whole(path, format!("cannot be read: {error}")),
    };
    let meta = std::fs::metadata(path).map_err(|error| unreadable(&error))?;
    if !meta.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|error| unreadable(&error))? {
        let file = entry.map_err(|error| unreadable(&error))?.path();
        let is_app = file
            .extension()
            .is_some_and(|extension| extension == "yaml" || extension == "yml");
        if is_app && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(SimError::whole(
            path,
            "the folder holds no app: no file whose name ends in .yaml",
        ));
    }
    Ok(files)
}

/// The answer of a command that was given apps that cannot be used.
pub fn refused(errors: &[SimError]) -> ErrorBody {
    let problems: Vec<&SimProblem> = errors.iter().flat_map(|error| &error.problems).collect();
    let message = match problems.as_slice() {
        [] => "an app cannot be used".to_owned(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    };
    ErrorBody::new(ErrorCode::SimAppInvalid, message)
        .with_default_hint()
        .with_detail("problems", serde_json::json!(problems))
}
