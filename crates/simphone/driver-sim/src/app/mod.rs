//! The app format: reads app files and keeps what they say.
//!
//! An app file is strict YAML; `assets/apps/README.md` documents it. Everything that can be wrong with a file is
//! found when it is read and named with its path, line and column: nothing is looked up by a name that may not exist
//! while the phone runs.

mod above;
mod check;
mod components;
mod data;
mod dims;
mod effects;
mod expr;
mod expr_parse;
mod extent;
mod faults;
mod functions;
mod loops;
mod menu;
mod model;
mod names;
mod packed;
mod page;
mod parse;
mod pictures;
mod read;
mod schema;
mod still;
mod strings;
mod styles;
mod template;
mod value;
mod vars;
mod yaml;
mod yaml_error;

use std::fmt;

pub(crate) use check::check_in;
pub use check::{PageSummary, Summary, check};
pub(crate) use components::expand;
pub(crate) use data::changed;
pub(crate) use dims::{Corners, Dim, Frame, Ink, Sides, Stand, read_way};
pub(crate) use effects::{
    Appended, Call, Computed, Configure, Effect, Effects, Fetch, Notify, PermissionRequest, Permit,
    Snackbar, Update, none as no_effects, read as read_effects, take as take_effects,
};
pub(crate) use expr::{Expr, Function, GRANTED, Lookup, Op, order};
pub(crate) use model::{App, Header, Orientation, Page, PageKind};
pub(crate) use page::LARGE;
pub(crate) use parse::{SIDES, is_package, parse, parse_in};
pub use pictures::read_picture;
pub(crate) use read::{Fields, Located, Reader};
pub(crate) use schema::{Topic, ValueKind, widget_names};
pub use schema::{app_reference, app_schema};
pub(crate) use still::Still;
pub(crate) use template::Template;
pub(crate) use value::{ENTRIES, ENTRY, Record, Value, entry_number, same_entry};
pub(crate) use vars::{CONFIG, Names, Scope, Vars};
pub(crate) use yaml::{Document, Yaml};

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
    pub(crate) fn whole(name: &str, message: String) -> Self {
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
    pub(crate) fn inside(name: &str, text: &str, problems: Vec<Problem>) -> Self {
        Self {
            name: name.to_owned(),
            problems,
            hint: text.trim().is_empty().then_some(EMPTY),
        }
    }

    /// The same with what to do about it.
    pub(crate) const fn with_hint(mut self, hint: &'static str) -> Self {
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
