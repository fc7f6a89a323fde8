//! The phone's shell: parser, interpreter, commands and interactive sessions.

mod builtins;
mod command;
pub(crate) mod io;
pub(crate) mod parse;
pub(crate) mod run;
pub(crate) mod session;

pub(crate) use command::{bar_trees, press_code, second_display};
pub(crate) use run::Shell;
