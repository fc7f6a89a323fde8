//! Input from files and standard input: executions, and text to enter.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use contract::{ErrorBody, limits};

use crate::errors::invalid;
use crate::truncate;

/// The argument for standard input.
const STDIN: &str = "-";

/// A payload's text and its source.
#[derive(Debug, PartialEq)]
pub(crate) struct Payload {
    /// The text, in UTF-8 unless the source was none.
    pub(crate) text: Vec<u8>,
    /// The file, where it was one.
    pub(crate) file: Option<String>,
}

impl Payload {
    /// The error with the payload's file.
    pub(crate) fn blame(&self, error: ErrorBody) -> ErrorBody {
        match &self.file {
            Some(file) => error.with_detail("file", file.as_str()),
            None => error,
        }
    }
}

/// Reads the payload of an argument.
///
/// # Errors
///
/// A source that is blank, empty, missing, not a file, or unreadable. The content is not checked.
pub(crate) fn read(source: &str) -> Result<Payload, ErrorBody> {
    let source = source.trim();
    if source.starts_with('{') {
        return Ok(Payload {
            text: source.as_bytes().to_vec(),
            file: None,
        });
    }
    if source.starts_with('[') && !Path::new(source).exists() {
        // Not an execution; the contract reports it better.
        return Ok(Payload {
            text: source.as_bytes().to_vec(),
            file: None,
        });
    }
    if source.is_empty() {
        return Err(invalid("the execution must not be blank"));
    }
    if source == STDIN {
        let bytes = bounded(io::stdin().lock())
            .map_err(|error| invalid(format!("cannot read standard input: {error}")))?;
        let text = decode(bytes)
            .ok_or_else(|| invalid("standard input is neither UTF-8 nor valid UTF-16"))?;
        if text.iter().all(u8::is_ascii_whitespace) {
            return Err(invalid("standard input is empty").with_hint(
                "Pipe the execution into the command: `clawperator exec - < plan.json`",
            ));
        }
        return Ok(Payload { text, file: None });
    }
    from_file(source)
}

/// Reads the text of a file, or of standard input for `-`, without one newline at its end.
///
/// # Errors
///
/// A source that is unreadable, empty, or neither UTF-8 nor UTF-16 with a byte order mark. The text is not shown.
pub(crate) fn read_text(source: &str) -> Result<String, ErrorBody> {
    let (name, bytes) = if source == STDIN {
        ("standard input".to_owned(), bounded(io::stdin().lock()))
    } else {
        (
            escape::truncate_input(source),
            File::open(source).and_then(bounded),
        )
    };
    let blame = |error: ErrorBody| match source {
        STDIN => error,
        path => error.with_detail("file", truncate::path(path)),
    };
    let bytes = bytes.map_err(|error| blame(invalid(format!("cannot read {name}: {error}"))))?;
    let text = decode(bytes)
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(|| blame(invalid(format!("{name} is neither UTF-8 nor valid UTF-16"))))?;
    let line = text.strip_suffix('\n').unwrap_or(&text);
    let line = match line.strip_suffix('\r') {
        Some(before) if line.len() < text.len() => before,
        _ => line,
    };
    if line.is_empty() {
        return Err(blame(invalid(format!(
            "{name} is empty; it must contain the text to enter"
        ))));
    }
    Ok(line.to_owned())
}

fn from_file(path: &str) -> Result<Payload, ErrorBody> {
    let name = escape::truncate_input(path);
    let blame = |message: String, hint: &str| {
        Err(invalid(message)
            .with_hint(hint)
            .with_detail("file", truncate::path(path)))
    };
    if Path::new(path).is_dir() {
        return blame(
            format!("{name} is a directory, not a file"),
            "Pass the path of a file in it",
        );
    }
    let bytes = match File::open(path).and_then(bounded) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return blame(
                format!("file not found: {name}"),
                "Paths are relative to the current directory. Inline JSON starts with {, and - reads standard input",
            );
        }
        Err(error) => {
            return blame(
                format!("cannot read {name}: {error}"),
                "Check the file and its permissions",
            );
        }
    };
    match decode(bytes) {
        None => blame(
            format!("{name} has a UTF-16 byte order mark but is not valid UTF-16"),
            "Save the file as UTF-8",
        ),
        Some(text) if text.iter().all(u8::is_ascii_whitespace) => blame(
            format!("{name} is empty"),
            "Write an execution to it; see examples/",
        ),
        Some(text) => Ok(Payload {
            text,
            file: Some(path.to_owned()),
        }),
    }
}

/// Reads one byte more than the limit, so that the contract reports payloads that are too large.
fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let max_bytes = u64::try_from(limits::MAX_TEXT_BYTES).unwrap_or(u64::MAX);
    source
        .take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text as UTF-8 without its byte order mark; `None` for invalid UTF-16.
fn decode(bytes: Vec<u8>) -> Option<Vec<u8>> {
    let utf16 = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, odd) = rest.as_chunks::<2>();
        if !odd.is_empty() {
            return None;
        }
        let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
        String::from_utf16(&units).ok().map(String::into_bytes)
    };
    match bytes.as_slice() {
        [0xEF, 0xBB, 0xBF, rest @ ..] => Some(rest.to_vec()),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => Some(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_marks_are_handled() {
        assert_eq!(decode(b"{}".to_vec()).as_deref(), Some(&b"{}"[..]));
        assert_eq!(
            decode(b"\xEF\xBB\xBF{}".to_vec()).as_deref(),
            Some(&b"{}"[..])
        );
        assert_eq!(
            decode(b"\xFF\xFE{\0}\0".to_vec()).as_deref(),
            Some(&b"{}"[..])
        );
        assert_eq!(
            decode(b"\xFE\xFF\0{\0}".to_vec()).as_deref(),
            Some(&b"{}"[..])
        );
        assert_eq!(decode(b"\xFF\xFE{\0}".to_vec()), None);
        assert_eq!(decode(b"\xFF\xFE\0\xD8".to_vec()), None);
        assert_eq!(decode(b"\xC3(".to_vec()).as_deref(), Some(&b"\xC3("[..]));
    }

    #[test]
    fn inline_json_is_used_unchanged() {
        assert_eq!(read(" {} ").unwrap().text, b"{}");
        assert_eq!(read("[1]").unwrap().text, b"[1]");
        assert_eq!(read("[1]").unwrap().file, None);
        assert!(read(" ").is_err());
    }
}
