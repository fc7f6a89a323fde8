//! Reads a session file strictly, line by line; errors have line numbers.

use serde_json::{Map, Value};

use super::event::{Event, EventKind, EventNode, Header, Place};
use super::{SCHEMA_VERSION, is_session_id};
use crate::error::{ErrorBody, ErrorCode};
use crate::words::{Direction, Key};

/// Reads the lines of one session file, in order.
#[derive(Debug, Default)]
pub struct Reader {
    line: u64,
    header: Option<Header>,
}

/// The result of parsing a line.
type Read<T> = Result<T, String>;

impl Reader {
    /// A reader before the first line.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of the last line read, from 1.
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// Reads the next line, with or without its line end. The header and blank lines return no event.
    ///
    /// # Errors
    /// `RECORDING_PARSE_FAILED` with the line number, `RECORDING_SCHEMA_VERSION_UNSUPPORTED`.
    pub fn take(&mut self, line: &[u8]) -> Result<Option<Event>, ErrorBody> {
        self.line += 1;
        let line = line.trim_ascii();
        // An editor may have added a byte order mark.
        let line = match self.line {
            1 => line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line),
            _ => line,
        };
        if line.is_empty() {
            return Ok(None);
        }
        let fields = object(line).map_err(|why| self.refused(&why))?;
        if self.header.is_some() {
            return event(&fields).map(Some).map_err(|why| self.refused(&why));
        }
        let (header, version) = header(&fields).map_err(|why| self.refused(&why))?;
        if version != Some(SCHEMA_VERSION) {
            let shown = fields.get("schemaVersion").unwrap_or(&Value::Null);
            let message =
                format!("the recording has schema version {shown}; expected {SCHEMA_VERSION}");
            return Err(
                ErrorBody::new(ErrorCode::RecordingSchemaVersionUnsupported, message)
                    .with_default_hint()
                    .with_detail("schemaVersion", shown.clone()),
            );
        }
        self.header = Some(header);
        Ok(None)
    }

    /// Ends the file and returns its header.
    ///
    /// # Errors
    /// `RECORDING_PARSE_FAILED` if there was no line.
    pub fn end(self) -> Result<Header, ErrorBody> {
        self.header.ok_or_else(|| {
            ErrorBody::new(ErrorCode::RecordingParseFailed, "the recording is empty")
                .with_default_hint()
        })
    }

    /// The error for the last line read.
    pub fn refused(&self, why: &str) -> ErrorBody {
        ErrorBody::new(
            ErrorCode::RecordingParseFailed,
            format!("line {}: {why}", self.line),
        )
        .with_default_hint()
        .with_detail("line", self.line)
    }
}

/// The snapshot in the line of an event.
pub fn snapshot_of(line: &[u8]) -> Result<Option<String>, String> {
    Ok(match object(line.trim_ascii())?.remove("snapshot") {
        Some(Value::String(snapshot)) => Some(snapshot),
        _ => None,
    })
}

fn object(line: &[u8]) -> Read<Map<String, Value>> {
    let text = std::str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned())?;
    match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err("it is not a JSON object".to_owned()),
        Err(error) if error.is_eof() => {
            Err("the JSON object is incomplete; the recording or its copy was truncated".to_owned())
        }
        Err(error) => Err(format!("it is not JSON, at column {}", error.column())),
    }
}

fn header(fields: &Map<String, Value>) -> Read<(Header, Option<u64>)> {
    if fields.get("type").and_then(Value::as_str) != Some("recording_header") {
        return Err("the first line must be the header, with type `recording_header`".to_owned());
    }
    let header = Header {
        session_id: text(fields, "sessionId")?,
        started_at: number(fields, "startedAt")?,
        operator_package: text(fields, "operatorPackage")?,
        recorder: optional(fields, "recorder")?,
    };
    if !is_session_id(&header.session_id) {
        return Err("`sessionId` must have only letters, digits, `_` and `-`".to_owned());
    }
    let version = number(fields, "schemaVersion")?;
    let whole = version >= 0.0 && version.fract() == 0.0 && version < 1e15;
    Ok((header, whole.then_some(version as u64)))
}

fn event(fields: &Map<String, Value>) -> Read<Event> {
    if fields.get("type").and_then(Value::as_str) == Some("recording_header") {
        return Err("there is a second header".to_owned());
    }
    let (ts, seq) = (number(fields, "ts")?, number(fields, "seq")?);
    let has_snapshot = match fields.get("snapshot") {
        None | Some(Value::Null) => false,
        Some(Value::String(_)) => true,
        Some(_) => return Err("`snapshot` must be a string or null".to_owned()),
    };
    let kind = text(fields, "type")?;
    let kind = match kind.as_str() {
        "window_change" => EventKind::Window {
            package: text(fields, "packageName")?,
            title: optional(fields, "title")?,
        },
        "click" => EventKind::Click {
            node: EventNode {
                package: text(fields, "packageName")?,
                resource_id: nullable(fields, "resourceId")?,
                text: nullable(fields, "text")?,
                content_desc: nullable(fields, "contentDesc")?,
            },
            bounds: bounds(fields)?,
            long: fields.get("clickType").and_then(Value::as_str) == Some("long_click"),
            at: point(fields)?,
        },
        "scroll" => EventKind::Scroll {
            node: container(fields)?,
            offset: (number(fields, "scrollX")?, number(fields, "scrollY")?),
            most: (number(fields, "maxScrollX")?, number(fields, "maxScrollY")?),
            direction: word(fields, "direction", Direction::parse)?,
        },
        "press_key" => EventKind::Key(
            word(fields, "key", Key::parse)?.ok_or_else(|| "`key` is missing".to_owned())?,
        ),
        "text_change" => EventKind::Text {
            node: container(fields)?,
            text: text(fields, "text")?,
            password: fields.get("password") == Some(&Value::Bool(true)),
        },
        "gap" => EventKind::Gap {
            reason: text(fields, "reason")?,
        },
        other => {
            let shown = escape::truncate(other, 40);
            return Err(format!("unknown `type` {shown:?}"));
        }
    };
    Ok(Event {
        ts,
        seq,
        has_snapshot,
        kind,
    })
}

fn container(fields: &Map<String, Value>) -> Read<EventNode> {
    Ok(EventNode {
        package: text(fields, "packageName")?,
        resource_id: nullable(fields, "resourceId")?,
        text: None,
        content_desc: None,
    })
}

fn bounds(fields: &Map<String, Value>) -> Read<Place> {
    let Some(Value::Object(edges)) = fields.get("bounds") else {
        return Err("`bounds` must be an object with four edges".to_owned());
    };
    let edge = |name: &str| number(edges, name).map_err(|why| format!("bounds: {why}"));
    Ok(Place {
        left: edge("left")?,
        top: edge("top")?,
        right: edge("right")?,
        bottom: edge("bottom")?,
    })
}

fn point(fields: &Map<String, Value>) -> Read<Option<(i32, i32)>> {
    let Some(Value::Object(at)) = fields.get("coordinate") else {
        return Ok(None);
    };
    let along = |name: &str| {
        let number = number(at, name).map_err(|why| format!("coordinate: {why}"))?;
        Ok::<_, String>(number as i32)
    };
    Ok(Some((along("x")?, along("y")?)))
}

fn text(fields: &Map<String, Value>, key: &str) -> Read<String> {
    match fields.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(format!("`{key}` must be a string")),
        None => Err(format!("`{key}` is missing")),
    }
}

/// A required string or null.
fn nullable(fields: &Map<String, Value>, key: &str) -> Read<Option<String>> {
    match fields.get(key) {
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Null) => Ok(None),
        Some(_) => Err(format!("`{key}` must be a string or null")),
        None => Err(format!("`{key}` is missing")),
    }
}

/// An optional string or null.
fn optional(fields: &Map<String, Value>, key: &str) -> Read<Option<String>> {
    match fields.contains_key(key) {
        true => nullable(fields, key),
        false => Ok(None),
    }
}

fn number(fields: &Map<String, Value>, key: &str) -> Read<f64> {
    match fields.get(key) {
        Some(value) => value
            .as_f64()
            .filter(|number| number.is_finite())
            .ok_or_else(|| format!("`{key}` must be a number")),
        None => Err(format!("`{key}` is missing")),
    }
}

fn word<T>(fields: &Map<String, Value>, key: &str, read: fn(&str) -> Option<T>) -> Read<Option<T>> {
    let Some(word) = optional(fields, key)? else {
        return Ok(None);
    };
    read(&word).map(Some).ok_or_else(|| {
        let shown = escape::truncate(&word, 40);
        format!("unknown `{key}` {shown:?}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"type":"recording_header","schemaVersion":1,"sessionId":"s-1","startedAt":1767258000000,"operatorPackage":"com.x"}"#;

    fn read(lines: &[&str]) -> Result<Vec<Event>, ErrorBody> {
        let mut reader = Reader::new();
        let mut events = Vec::new();
        for line in lines {
            events.extend(reader.take(line.as_bytes())?);
        }
        reader.end().map(|_| events)
    }

    #[test]
    fn every_event_type_is_parsed() {
        let events = read(&[
            HEADER,
            "",
            r#"{"ts":1,"seq":0,"snapshot":"<x/>","packageName":"p","className":null,"title":"T","type":"window_change"}"#,
            r#"{"ts":2,"seq":1,"snapshot":null,"packageName":"p","resourceId":"r","text":"t","contentDesc":null,"bounds":{"left":1,"top":2,"right":3,"bottom":4},"type":"click"}"#,
            r#"{"ts":3,"seq":2,"snapshot":null,"packageName":"p","resourceId":null,"scrollX":0,"scrollY":40,"maxScrollX":0,"maxScrollY":90,"type":"scroll"}"#,
            r#"{"ts":4,"seq":3,"snapshot":null,"key":"back","type":"press_key"}"#,
            r#"{"ts":5,"seq":4,"snapshot":null,"packageName":"p","resourceId":null,"text":"abc","type":"text_change"}"#,
            r#"{"ts":6,"seq":5,"snapshot":null,"reason":"the screen never rested","type":"gap"}"#,
        ])
        .unwrap();
        let names: Vec<&str> = events.iter().map(|event| event.kind.name()).collect();
        assert_eq!(
            names,
            [
                "window_change",
                "click",
                "scroll",
                "press_key",
                "text_change",
                "gap"
            ]
        );
        assert!(events[0].has_snapshot && !events[1].has_snapshot);
    }

    #[test]
    fn errors_have_line_numbers() {
        let event = |fields: &str| format!("{{\"ts\":1,\"seq\":1,{fields}}}");
        for (line, why) in [
            ("{".to_owned(), "is incomplete"),
            ("[]".to_owned(), "not a JSON object"),
            ("{'a'}".to_owned(), "not JSON"),
            (
                r#"{"seq":1,"type":"gap","reason":"x"}"#.to_owned(),
                "`ts` is missing",
            ),
            (
                r#"{"ts":"1","seq":1,"type":"gap"}"#.to_owned(),
                "`ts` must be a number",
            ),
            (event(r#""reason":"x""#), "`type` is missing"),
            (event(r#""type":"fling""#), "unknown `type` \"fling\""),
            (
                event(r#""type":"window_change""#),
                "`packageName` is missing",
            ),
            (
                event(
                    r#""type":"click","packageName":"p","resourceId":1,"text":null,"contentDesc":null"#,
                ),
                "`resourceId` must be a string or null",
            ),
            (
                event(
                    r#""type":"click","packageName":"p","resourceId":null,"text":null,"contentDesc":null,"bounds":{"left":1}"#,
                ),
                "bounds: `top` is missing",
            ),
            (
                event(r#""type":"press_key","key":"warp""#),
                "unknown `key` \"warp\"",
            ),
            (event(r#""type":"press_key""#), "`key` is missing"),
            (
                event(r#""type":"text_change","packageName":"p","resourceId":null"#),
                "`text` is missing",
            ),
            (
                event(r#""type":"gap","reason":"x","snapshot":1"#),
                "`snapshot` must be",
            ),
            (HEADER.to_owned(), "second header"),
        ] {
            let error = read(&[HEADER, "", &line]).unwrap_err();
            assert_eq!(error.code, ErrorCode::RecordingParseFailed);
            assert!(error.message.starts_with("line 3: "), "{}", error.message);
            assert!(error.message.contains(why), "{}", error.message);
            assert_eq!(error.detail("line"), Some(&Value::from(3)));
        }
    }

    #[test]
    fn headers_are_validated() {
        assert_eq!(read(&[]).unwrap_err().code, ErrorCode::RecordingParseFailed);
        assert_eq!(
            read(&["", " "]).unwrap_err().code,
            ErrorCode::RecordingParseFailed
        );
        for line in [
            r#"{"ts":1,"seq":1,"type":"gap","reason":"x"}"#,
            r#"{"type":"recording_header","schemaVersion":1,"sessionId":"../s","startedAt":1,"operatorPackage":"c"}"#,
            r#"{"type":"recording_header","schemaVersion":1,"sessionId":"s","startedAt":1}"#,
            r#"{"type":"recording_header","sessionId":"s","startedAt":1,"operatorPackage":"c"}"#,
        ] {
            let error = read(&[line]).unwrap_err();
            assert_eq!(error.code, ErrorCode::RecordingParseFailed, "{line}");
            assert!(error.message.starts_with("line 1: "), "{}", error.message);
        }
        for version in ["2", "0", "1.5", "-1"] {
            let line = HEADER.replace(
                "\"schemaVersion\":1",
                &format!("\"schemaVersion\":{version}"),
            );
            let error = read(&[&line]).unwrap_err();
            assert_eq!(error.code, ErrorCode::RecordingSchemaVersionUnsupported);
        }
    }

    #[test]
    fn snapshot_is_extracted_from_line() {
        let line = br#"{"ts":1,"seq":0,"snapshot":"<a b=\"c\"/>","type":"gap","reason":"x"}"#;
        assert_eq!(snapshot_of(line).unwrap().as_deref(), Some("<a b=\"c\"/>"));
        assert_eq!(snapshot_of(b"{\"snapshot\":null}").unwrap(), None);
        assert!(snapshot_of(b"nothing").is_err());
    }
}
