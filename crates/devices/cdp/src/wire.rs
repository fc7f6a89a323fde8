//! Encodes and decodes messages; answers are parsed only on demand.

use serde::{Deserialize, Serialize};

use crate::SessionId;

/// A call as it is written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request<'a, P> {
    pub(crate) id: u64,
    pub(crate) method: &'a str,
    pub(crate) params: &'a P,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<&'a SessionId>,
}

/// The type of a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// The answer to the call with this id.
    Answer(u64),
    /// An event.
    Event {
        method: String,
        session: Option<SessionId>,
    },
    /// An error without a call, or an unknown message.
    Other,
}

/// Determines the type of a message. `Err` if it is not JSON.
pub(crate) fn head(text: &str) -> Result<Head, serde_json::Error> {
    // Trees of large pages are tens of megabytes. Browsers write the id of an answer first, so the rest is not
    // parsed here but once by the caller, into the right type.
    if let Some(id) = leading_id(text) {
        return Ok(Head::Answer(id));
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Any {
        id: Option<u64>,
        method: Option<String>,
        session_id: Option<SessionId>,
    }
    let any: Any = serde_json::from_str(text)?;
    Ok(match (any.id, any.method) {
        (Some(id), _) => Head::Answer(id),
        (None, Some(method)) => Head::Event {
            method,
            session: any.session_id,
        },
        (None, None) => Head::Other,
    })
}

fn leading_id(text: &str) -> Option<u64> {
    let rest = text.strip_prefix("{\"id\":")?;
    let (digits, _) = rest.split_once(',')?;
    digits.parse().ok()
}

/// The content of an answer.
#[derive(Deserialize)]
pub(crate) struct Answer<A> {
    pub(crate) result: Option<A>,
    pub(crate) error: Option<ProtocolError>,
}

/// An error as the protocol writes it.
#[derive(Debug, Deserialize)]
pub(crate) struct ProtocolError {
    #[serde(default)]
    pub(crate) code: i64,
    #[serde(default)]
    pub(crate) message: String,
    #[serde(default)]
    pub(crate) data: Option<serde_json::Value>,
}

/// The content of an event.
#[derive(Deserialize)]
pub(crate) struct Content<P> {
    pub(crate) params: P,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_id_is_found_at_any_position() {
        assert_eq!(
            head(r#"{"id":7,"result":{"a":{"id":8}}}"#).unwrap(),
            Head::Answer(7)
        );
        assert_eq!(
            head(r#"{"result":{"id":8},"id":7}"#).unwrap(),
            Head::Answer(7)
        );
        assert_eq!(
            head(r#"{"method":"A.b","params":{"id":3},"sessionId":"S"}"#).unwrap(),
            Head::Event {
                method: "A.b".to_owned(),
                session: Some(SessionId::from("S"))
            }
        );
        assert_eq!(head(r#"{"error":{"code":1}}"#).unwrap(), Head::Other);
        assert!(head(r#"{"id":"#).is_err());
        assert!(head("").is_err());
    }
}
