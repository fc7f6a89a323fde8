//! Problems of app files, with their positions.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The path in the file's structure, for example `screens.login.body.2.field`.
    pub path: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    pub message: String,
}

/// The hint for an empty file.
const EMPTY: &str = "`clawperator sim new <file> --force` writes an app to begin with";

/// An invalid app file with all of its problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppError {
    pub name: String,
    /// The problems, in file order.
    pub problems: Vec<Problem>,
    /// A hint, if the messages are not enough.
    pub hint: Option<&'static str>,
}

impl AppError {
    pub fn whole(name: &str, message: String) -> Self {
        Self {
            name: name.to_owned(),
            problems: vec![Problem {
                path: String::new(),
                line: 0,
                column: 0,
                message,
            }],
            hint: None,
        }
    }

    /// Creates an error from the problems of a file with this text.
    pub fn inside(name: &str, text: &str, problems: Vec<Problem>) -> Self {
        Self {
            name: name.to_owned(),
            problems,
            hint: text.trim().is_empty().then_some(EMPTY),
        }
    }

    pub const fn with_hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }
}

impl std::error::Error for AppError {}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&self.name)?;
            if problem.line > 0 {
                write!(f, ":{}:{}", problem.line, problem.column)?;
            }
            if !problem.path.is_empty() {
                write!(f, ": {}", problem.path)?;
            }
            write!(f, ": {}", problem.message)?;
        }
        Ok(())
    }
}
