//! Reads and writes `hierarchy_xml` documents.
//!
//! The reader takes documents of UI Automator, Appium and this project, also as shells and tools alter them.
//! It is no general XML reader: errors have line and column of the original file, raw control characters and
//! line breaks in values are kept, and a raw `<` in a value is refused, since it indicates missing data.

mod attributes;
mod decode;
mod defaults;
mod error;
mod read;
mod scan;
mod tools;
mod write;

pub use error::{XmlError, XmlErrorKind};

/// Maximum depth.
const MAX_DEPTH: usize = 10_000;

/// Maximum number of nodes.
const MAX_NODES: usize = 1_000_000;

/// Maximum number of bytes of a document.
const MAX_BYTES: usize = 256 * 1024 * 1024;
