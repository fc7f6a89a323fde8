//! Events of a browser.

use std::sync::Arc;

use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::protocol::EventKind;
use crate::wire::Content;
use crate::{Error, Result, SessionId};

/// An event. Its parameters are parsed on demand.
#[derive(Clone, Debug)]
pub struct Event {
    method: Arc<str>,
    session: Option<SessionId>,
    text: Utf8Bytes,
}

impl Event {
    pub(crate) fn new(method: &str, session: Option<SessionId>, text: Utf8Bytes) -> Self {
        Self {
            method: method.into(),
            session,
            text,
        }
    }

    /// Its name, such as `Page.frameNavigated`.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Its session; `None` for the browser's own events.
    pub const fn session(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    /// Its parameters if it is of type `K`; `None` for other types, an error if they cannot be parsed.
    pub fn read<K: EventKind>(&self) -> Option<Result<K>> {
        (*self.method == *K::NAME).then(|| {
            serde_json::from_str::<Content<K>>(&self.text)
                .map(|content| content.params)
                .map_err(|error| Error::Malformed {
                    method: K::NAME,
                    message: error.to_string(),
                })
        })
    }
}
