//! What is wrong with an app file, and where.

use std::fmt;

/// One thing that is wrong with an app file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where in the file's structure, for example `screens.login.body.2.field`.
    pub path: String,
    /// The line, from 1; 0 when it is not known.
    pub line: u32,
    /// The column, from 1; 0 when it is not known.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// What to do about a file with nothing in it.
const EMPTY: &str = "`clawperator sim new <file> --force` writes an app to begin with";

/// An app file that cannot be used, and everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppError {
    /// The name of the file.
    pub name: String,
    /// What is wrong with it, in the order of the file.
    pub problems: Vec<Problem>,
    /// The remedy, if it is not fixing the problems.
    pub hint: Option<&'static str>,
}

impl AppError {
    /// An error that concerns the file as a whole.
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

    /// What is wrong inside of a file with this text.
    pub fn inside(name: &str, text: &str, problems: Vec<Problem>) -> Self {
        Self {
            name: name.to_owned(),
            problems,
            hint: text.trim().is_empty().then_some(EMPTY),
        }
    }

    /// The same with what to do about it.
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
