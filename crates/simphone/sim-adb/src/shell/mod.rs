//! The phone's shell: what its text means, how it runs, and a terminal for people.

pub(crate) mod io;
mod own;
pub(crate) mod parse;
pub(crate) mod run;
pub(crate) mod session;
mod sum;
mod word;

pub(crate) use run::Shell;
