//! Finds the id and session of a message without parsing its content: trees of large pages are tens of
//! megabytes.

use std::ops::Range;

use serde_json::{Map, Value};

/// A message with its id, if any, first and its session, if any, last. Browsers and this crate write this
/// order; other messages are rewritten.
#[derive(Debug)]
pub(super) struct Frame {
    bytes: Vec<u8>,
    /// The id of the call or answer, and where the text continues after it.
    id: Option<(u64, usize)>,
    /// The range of the session id.
    session: Option<Range<usize>>,
}

const ID: &[u8] = b"{\"id\":";
const METHOD: &[u8] = b"{\"method\":\"";
const SESSION: &[u8] = b",\"sessionId\":\"";
const END: &[u8] = b"\"}";

impl Frame {
    /// `None` if it is not a message of the protocol.
    pub(super) fn parse(bytes: Vec<u8>) -> Option<Self> {
        let frame = Self::from_ends(bytes);
        let in_order = match frame.id {
            Some(_) => true,
            // An event without a session at its end is the browser's own, or has it elsewhere.
            None => frame.bytes.starts_with(METHOD) && frame.session.is_some(),
        };
        if in_order {
            Some(frame)
        } else {
            normalize(&frame.bytes).map(Self::from_ends)
        }
    }

    fn from_ends(bytes: Vec<u8>) -> Self {
        Self {
            id: leading_id(&bytes),
            session: trailing_session(&bytes),
            bytes,
        }
    }

    /// The id of the call or answer.
    pub(super) fn id(&self) -> Option<u64> {
        self.id.map(|(id, _)| id)
    }

    /// Its session; `None` for the browser itself.
    pub(super) fn session(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes[self.session.clone()?]).ok()
    }

    /// Whether it is an event with this name.
    pub(super) fn is_event(&self, name: &str) -> bool {
        let rest = self.bytes.strip_prefix(METHOD);
        let rest = rest.and_then(|rest| rest.strip_prefix(name.as_bytes()));
        rest.is_some_and(|rest| rest.starts_with(b"\""))
    }

    /// The whole message.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same message with this id, if it has one, and this session.
    pub(super) fn with_ids(self, id: u64, session: Option<&str>) -> Message {
        let (head, from) = match self.id {
            Some((_, behind)) => (format!("{{\"id\":{id}"), behind),
            None => (String::new(), 0),
        };
        let to = match &self.session {
            Some(session) => session.start - SESSION.len(),
            None => self.bytes.len() - 1,
        };
        let tail = match session {
            Some(session) => format!(",\"sessionId\":\"{session}\"}}\0"),
            None => "}\0".to_owned(),
        };
        Message {
            head,
            bytes: self.bytes,
            content: from..to,
            tail,
        }
    }
}

/// A message to be written, with NUL at its end. It shares the content of the original frame.
#[derive(Debug)]
pub(super) struct Message {
    head: String,
    bytes: Vec<u8>,
    content: Range<usize>,
    tail: String,
}

impl Message {
    /// The parts to write, in order.
    pub(super) fn parts(&self) -> [&[u8]; 3] {
        [
            self.head.as_bytes(),
            &self.bytes[self.content.clone()],
            self.tail.as_bytes(),
        ]
    }

    pub(super) fn len(&self) -> usize {
        self.parts().iter().map(|part| part.len()).sum()
    }
}

/// A call of the broker itself.
impl From<String> for Message {
    fn from(call: String) -> Self {
        Self {
            content: 0..0,
            bytes: Vec::new(),
            head: call,
            tail: "\0".to_owned(),
        }
    }
}

fn leading_id(bytes: &[u8]) -> Option<(u64, usize)> {
    let digits = bytes.strip_prefix(ID)?;
    let count = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    if digits[count] != b',' || !bytes.ends_with(b"}") {
        return None;
    }
    let id = std::str::from_utf8(&digits[..count]).ok()?.parse().ok()?;
    Some((id, ID.len() + count))
}

/// The session at the end of a message. A quote after a colon is not escaped, so it opens a string, which ends
/// with the message: the match is a member of the outermost object, whatever the content.
fn trailing_session(bytes: &[u8]) -> Option<Range<usize>> {
    let rest = bytes.strip_suffix(END)?;
    let is_of_id = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let count = rest.iter().rev().take_while(|byte| is_of_id(byte)).count();
    let start = rest.len() - count;
    rest[..start]
        .ends_with(SESSION)
        .then_some(start..rest.len())
}

/// The same message with its id first and its session last.
fn normalize(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut rest: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
    let mut ordered = Map::new();
    for first in ["id", "method"] {
        ordered.extend(rest.remove_entry(first));
    }
    let session = rest.remove_entry("sessionId");
    ordered.extend(rest);
    ordered.extend(session);
    serde_json::to_vec(&ordered).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Frame> {
        Frame::parse(text.as_bytes().to_vec())
    }

    fn text(message: &Message) -> String {
        let bytes: Vec<u8> = message.parts().concat();
        assert_eq!(bytes.len(), message.len());
        let text = String::from_utf8(bytes).unwrap();
        text.strip_suffix('\0').unwrap().to_owned()
    }

    #[test]
    fn id_and_session_are_replaced_at_any_position() {
        for answer in [
            r#"{"id":7,"result":{"a":[1]},"sessionId":"S-1"}"#,
            r#"{"sessionId":"S-1","result":{"a":[1]},"id":7}"#,
            r#"{ "id": 7, "sessionId": "S-1", "result": {"a": [1]} }"#,
        ] {
            let frame = parse(answer).unwrap();
            assert_eq!((frame.id(), frame.session()), (Some(7), Some("S-1")));
            let other = text(&frame.with_ids(12, Some("T")));
            assert_eq!(other, r#"{"id":12,"result":{"a":[1]},"sessionId":"T"}"#);
        }
        let root = parse(r#"{"id":7,"result":{}}"#).unwrap();
        assert_eq!((root.id(), root.session()), (Some(7), None));
        assert_eq!(text(&root.with_ids(8, None)), r#"{"id":8,"result":{}}"#);
        let event = parse(r#"{"params":{},"sessionId":"S","method":"A.b"}"#).unwrap();
        assert!(event.is_event("A.b") && !event.is_event("A"));
        assert_eq!((event.id(), event.session()), (None, Some("S")));
        assert_eq!(
            text(&event.with_ids(0, None)),
            r#"{"method":"A.b","params":{}}"#
        );
    }

    #[test]
    fn session_inside_content_is_ignored() {
        for text in [
            r#"{"id":1,"result":{"a":1,"sessionId":"S"}}"#,
            r#"{"id":1,"result":"x\",\"sessionId\":\"S"}"#,
            r#"{"id":1,"result":[{"a":1,"sessionId":"S"}]}"#,
            r#"{"method":"Target.attachedToTarget","params":{"a":1,"sessionId":"S"}}"#,
            r#"{"method":"A.b","params":"{\"a\":1,\"sessionId\":\"S\"}"}"#,
        ] {
            assert_eq!(parse(text).unwrap().session(), None, "{text}");
        }
    }

    #[test]
    fn non_objects_are_not_messages() {
        for text in ["", "{", "[]", "7", "{\"id\":1", "\"}", "{\"id\":1,"] {
            assert!(parse(text).is_none(), "{text}");
        }
    }
}
