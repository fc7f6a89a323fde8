//! What can be wrong with a document, and where.

use std::fmt;

/// What is wrong with a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum XmlErrorKind {
    /// There is nothing in it.
    Empty,
    /// The dump tool found no window to dump and said so.
    NullRootNode,
    /// The dump tool gave up waiting for the screen to be still and said so.
    NotIdle,
    /// A shell found no file where the dump was expected.
    NoSuchFile,
    /// The dump tool was killed before it wrote anything.
    Killed,
    /// It is text of some other kind.
    NotXml,
    /// It is XML, but not of a screen.
    NotHierarchy,
    /// It ends before it is complete.
    Truncated,
    /// It breaks a rule of XML, or a value that matters cannot be read.
    Malformed,
    /// Its elements are nested deeper than any screen.
    TooDeep,
    /// It is larger than any screen.
    TooLarge,
    /// It is complete and holds no node.
    NoNode,
}

/// Why a document could not be read, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlError {
    /// What is wrong.
    pub kind: XmlErrorKind,
    /// The line, from 1, in the document as it was given.
    pub line: u32,
    /// The character in that line, from 1.
    pub column: u32,
    /// What is wrong, in words.
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
    /// An error at the byte `at` of `text`.
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

/// The line and column, both from 1, of the byte `at` of `text`.
pub(crate) fn position(text: &str, at: usize) -> (u32, u32) {
    let at = text.floor_char_boundary(at.min(text.len()));
    let before = &text[..at];
    let line = memchr::memchr_iter(b'\n', before.as_bytes()).count();
    let start = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |newline| newline + 1);
    let column = before[start..].chars().count();
    (line as u32 + 1, column as u32 + 1)
}
