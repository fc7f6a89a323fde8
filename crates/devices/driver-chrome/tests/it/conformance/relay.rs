//! A relay between a driver and its browser that breaks around an input on demand.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use testkit::conformance::Break;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// A relay; its connections end with it.
pub(crate) struct Relay {
    url: String,
    next: Arc<Mutex<Option<Break>>>,
    serving: tokio::task::JoinHandle<()>,
}

impl Relay {
    /// Starts a relay to the browser with this WebSocket URL.
    pub(crate) async fn start(to: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}/relay", listener.local_addr().unwrap());
        let next = Arc::new(Mutex::new(None));
        let (to, breaks) = (to.to_owned(), Arc::clone(&next));
        let serving = tokio::spawn(async move {
            let mut passing = tokio::task::JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                passing.spawn(pass(stream, to.clone(), Arc::clone(&breaks)));
            }
        });
        Self { url, next, serving }
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Breaks around the next input.
    pub(crate) fn break_next(&self, when: Break) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = Some(when);
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// The state of a connection.
enum ForwardingState {
    /// Forwards everything.
    Open,
    /// An input was sent: nothing is forwarded back any more, and the answer to its last call ends the
    /// connection.
    Until(Option<u64>),
}

/// Forwards messages in both directions until one side ends or the connection is to break. Then both are
/// dropped.
async fn pass(stream: TcpStream, to: String, next: Arc<Mutex<Option<Break>>>) {
    let unlimited = || {
        WebSocketConfig::default()
            .max_message_size(None)
            .max_frame_size(None)
    };
    let near = tokio_tungstenite::accept_async_with_config(stream, Some(unlimited()));
    let far = tokio_tungstenite::connect_async_with_config(to, Some(unlimited()), true);
    let (mut near, (mut far, _)) = (near.await.unwrap(), far.await.unwrap());
    let mut state = ForwardingState::Open;
    loop {
        tokio::select! {
            message = near.next() => {
                let Some(Ok(message)) = message else { return };
                if let Message::Text(text) = &message && text.contains("\"Input.") {
                    let when = next.lock().unwrap_or_else(PoisonError::into_inner).take();
                    match when {
                        Some(Break::Before) => return,
                        Some(Break::Done) => state = ForwardingState::Until(None),
                        None => {}
                    }
                    if let ForwardingState::Until(last) = &mut state && text.contains("\"mouseReleased\"") {
                        let call: Value = serde_json::from_str(text).unwrap();
                        *last = call["id"].as_u64();
                    }
                }
                if far.send(message).await.is_err() { return }
            }
            message = far.next() => {
                let Some(Ok(message)) = message else { return };
                match &state {
                    ForwardingState::Open => if near.send(message).await.is_err() { return },
                    ForwardingState::Until(last) => if let Message::Text(text) = &message {
                        let answer: Value = serde_json::from_str(text).unwrap();
                        if last.is_some() && answer["id"].as_u64() == *last { return }
                    },
                }
            }
        }
    }
}
