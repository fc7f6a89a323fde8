//! App files of the simulated phone: the format, its parser, and the built-in apps.
//!
//! [`yaml`] parses text to values with positions, [`reader`] reads typed values from them, [`expr`], [`effects`] and
//! [`widget`] are what they describe, and [`app`] is a whole file. Names are resolved when a file is read.
//! `assets/apps/README.md` documents the format, `schema/format.txt` is the table of its keys.

pub mod app;
mod bundled;
pub mod catalog;
mod choices;
pub mod effects;
pub mod expr;
pub mod fault;
pub mod import;
mod language;
#[cfg(test)]
mod parse_examples;
mod problem;
mod prompt;
mod reader;
mod schema;
pub mod style;
mod units;
pub mod widget;
pub mod words;
mod yaml;

pub use bundled::system_app;
pub use choices::{
    AnimationChoice, LAUNCHER, PaceChoice, Rotation, Start, ThemeChoice, TimeChoice, Toolkit,
};
pub use language::{UnknownLanguage, canonical, flow, is_language};
pub use problem::{AppError, Problem};
pub use prompt::{Grant, Permission, SystemWindow};
pub use schema::app_reference;
#[doc(hidden)]
pub use serde;
pub use units::FRAME;
pub use words::Words;
