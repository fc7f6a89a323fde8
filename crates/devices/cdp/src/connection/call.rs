//! Pending calls.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use serde::de::DeserializeOwned;
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::{Connection, Progress};
use crate::wire::Answer;
use crate::{Dispatch, Error, GoneReason, Result};

/// The outcome of a call, before its answer is parsed.
pub(super) type Outcome = std::result::Result<Utf8Bytes, Error>;

/// A pending call; await it for the answer. Dropping it discards the answer but does not cancel the call.
#[derive(Debug)]
#[must_use = "a call is sent at once, but only its answer says whether it worked"]
pub struct Call<A> {
    pub(super) method: &'static str,
    pub(super) id: u64,
    pub(super) progress: Arc<Progress>,
    pub(super) connection: Connection,
    pub(super) outcome: oneshot::Receiver<Outcome>,
    pub(super) answer: PhantomData<fn() -> A>,
}

impl<A> Call<A> {
    fn dispatch(&self) -> Dispatch {
        self.connection.inner.dispatch_of(self.id, &self.progress)
    }
}

impl<A: DeserializeOwned> Call<A> {
    /// The unparsed answer, which can be compared with an earlier one at little cost.
    pub async fn raw(mut self) -> Result<RawAnswer<A>> {
        let method = self.method;
        match (&mut self.outcome).await {
            Ok(Ok(text)) => Ok(RawAnswer {
                method,
                text,
                answer: PhantomData,
            }),
            Ok(Err(error)) => Err(error),
            // The tasks of the connection were dropped with their runtime.
            Err(_) => Err(Error::Lost {
                method,
                message: "it was dropped".to_owned(),
                dispatch: self.dispatch(),
            }),
        }
    }
}

/// An unparsed answer.
#[derive(Debug)]
pub struct RawAnswer<A> {
    method: &'static str,
    text: Utf8Bytes,
    answer: PhantomData<fn() -> A>,
}

impl<A> Clone for RawAnswer<A> {
    fn clone(&self) -> Self {
        Self {
            method: self.method,
            text: self.text.clone(),
            answer: PhantomData,
        }
    }
}

impl<A: DeserializeOwned> RawAnswer<A> {
    /// Parses the answer.
    pub fn read(&self) -> Result<A> {
        read(self.method, &self.text)
    }

    /// Whether another call got the same answer, byte for byte.
    pub fn is_same_as(&self, other: &Self) -> bool {
        match (content(&self.text), content(&other.text)) {
            (Some(own), Some(others)) => own == others,
            _ => false,
        }
    }
}

/// A message without its id, which browsers write first.
fn content(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("{\"id\":")?;
    rest.split_once(',').map(|(_, content)| content)
}

impl<A: DeserializeOwned> Future for Call<A> {
    type Output = Result<A>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let method = self.method;
        Pin::new(&mut self.outcome)
            .poll(cx)
            .map(|outcome| match outcome {
                Ok(Ok(text)) => read(method, &text),
                Ok(Err(error)) => Err(error),
                // The tasks of the connection were dropped with their runtime.
                Err(_) => Err(Error::Lost {
                    method,
                    message: "it was dropped".to_owned(),
                    dispatch: self.dispatch(),
                }),
            })
    }
}

impl<A> Drop for Call<A> {
    fn drop(&mut self) {
        self.connection.inner.cancel(self.id);
    }
}

/// The protocol's error code for an unknown session.
const UNKNOWN_SESSION: i64 = -32001;

fn read<A: DeserializeOwned>(method: &'static str, text: &str) -> Result<A> {
    let malformed = |message: String| Error::Malformed { method, message };
    let answer: Answer<A> =
        serde_json::from_str(text).map_err(|error| malformed(error.to_string()))?;
    if let Some(refusal) = answer.error {
        let gone = |reason, dispatch| Error::Gone {
            method,
            reason,
            dispatch,
        };
        return Err(match &*refusal.message {
            _ if refusal.code == UNKNOWN_SESSION => gone(GoneReason::Detached, Dispatch::NotSent),
            "Target crashed" => gone(GoneReason::Crashed, Dispatch::Unknown),
            "Target closed" => gone(GoneReason::Detached, Dispatch::Unknown),
            "Inspected target navigated or closed" => {
                gone(GoneReason::Navigated, Dispatch::Unknown)
            }
            _ => Error::Protocol {
                method,
                code: refusal.code,
                message: match refusal.data {
                    Some(serde_json::Value::String(more)) if !more.is_empty() => {
                        format!("{} ({more})", refusal.message)
                    }
                    _ => refusal.message,
                },
            },
        });
    }
    answer
        .result
        .ok_or_else(|| malformed("it has neither a result nor an error".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_compare_without_ids() {
        let came = |text: &'static str| RawAnswer::<serde_json::Value> {
            method: "A.b",
            text: text.into(),
            answer: PhantomData,
        };
        let first = came(r#"{"id":7,"result":{"a":1}}"#);
        assert!(first.is_same_as(&came(r#"{"id":18,"result":{"a":1}}"#)));
        assert!(!first.is_same_as(&came(r#"{"id":7,"result":{"a":2}}"#)));
        // A message that does not begin with its id never counts as the same.
        let other = came(r#"{"result":{"a":1},"id":7}"#);
        assert!(!other.is_same_as(&other));
        assert_eq!(first.read().unwrap(), serde_json::json!({"a": 1}));
        let refused = came(r#"{"id":8,"error":{"code":-1,"message":"no"}}"#);
        assert!(matches!(refused.read(), Err(Error::Protocol { .. })));
    }
}
