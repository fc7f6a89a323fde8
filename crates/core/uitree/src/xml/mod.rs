//! `hierarchy_xml`: the document in which screens are handed over, read and written.
//!
//! The reader takes what UI Automator, Appium and this project write, and what shells and tools make of it on the way.
//! It is a scanner of its own and not a general XML reader for three reasons: every problem is reported with the line
//! and column in the file as it was given, raw control characters and line breaks in values are kept instead of being
//! refused or turned into spaces, and a raw `<` inside a value is refused, which is how a document that lost a piece
//! shows itself.

mod attributes;
mod decode;
mod defaults;
mod error;
mod read;
mod scan;
mod tools;
mod write;

pub use error::{XmlError, XmlErrorKind};

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 10_000;

/// The most nodes that are read.
const MAX_NODES: usize = 1_000_000;

/// The largest document that is read, in bytes.
const MAX_BYTES: usize = 256 * 1024 * 1024;
