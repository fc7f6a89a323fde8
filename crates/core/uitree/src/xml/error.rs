//! Errors in documents, with positions.

use std::fmt;

/// Kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum XmlErrorKind {
    /// Empty document.
    Empty,
    /// The dump tool found no window.
    NullRootNode,
    /// The dump tool timed out waiting for idle.
    NotIdle,
    /// The dump file does not exist.
    NoSuchFile,
    /// The dump tool was killed.
    Killed,
    /// Not XML.
    NotXml,
    /// XML, but no screen.
    NotHierarchy,
    /// Truncated.
    Truncated,
    /// Invalid XML, or an invalid value.
    Malformed,
    /// Nested too deeply.
    TooDeep,
    /// Too large.
    TooLarge,
    /// Complete, but without nodes.
    NoNode,
}

/// Position and cause of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlError {
    /// Kind.
    pub kind: XmlErrorKind,
    /// Line in the original document, from 1.
    pub line: u32,
    /// Character in the line, from 1.
    pub column: u32,
    /// Message.
    pub message: String,
}

impl fmt::Display for XmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind: _,
            line,
            column,
            message,
        } = self;
        write!(f, "{message} (line {line}, column {column})")
    }
}

impl std::error::Error for XmlError {}

impl XmlError {
    /// An error at byte `at` of `text`.
    pub(super) fn at(text: &str, at: usize, kind: XmlErrorKind, message: String) -> Self {
        let (line, column) = position(text, at);
        Self {
            kind,
            line,
            column,
            message,
        }
    }
}

/// Line and column, from 1, of byte `at` of `text`.
pub(crate) fn position(text: &str, at: usize) -> (u32, u32) {
    let at = text.floor_char_boundary(at.min(text.len()));
    let before = &text[..at];
    let line = memchr::memchr_iter(b'\n', before.as_bytes()).count();
    let start = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |newline| newline + 1);
    let column = before[start..].chars().count();
    (line as u32 + 1, column as u32 + 1)
}
