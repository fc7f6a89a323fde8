//! Messages of a browser: every call ends with an answer or with an error that has a message.

use cdp::protocol::target::{GetTargetInfo, TargetCreated};
use cdp::{Connection, NextEvent};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::net::TcpListener;
use tokio_tungstenite::tungstenite::Message;

use super::{block_on, promise};
use crate::Target;
use crate::mutate::mutated_json;

/// One frame of text on each line.
pub(super) const CDP: Target = Target {
    name: "cdp",
    seeds: || {
        let info = json!({"targetId": "T", "type": "page", "title": "x", "url": "https://example.com/", "attached": true, "canAccessOpener": false});
        let attached = json!({"method": "Target.attachedToTarget", "params": {"sessionId": "S", "targetInfo": info, "waitingForDebugger": false}});
        let created = json!({"method": "Target.targetCreated", "params": {"targetInfo": info}});
        let detached = json!({"method": "Target.detachedFromTarget", "params": {"sessionId": "S", "targetId": "T"}});
        let first = json!({"id": 1, "result": {"product": "Chrome/140.0"}});
        let second = json!({"id": 2, "result": {"targetInfo": info}});
        let refused = json!({"id": 2, "error": {"code": -32000, "message": "No target with given id found", "data": "x"}});
        let lines = |values: &[&serde_json::Value]| {
            let lines: Vec<String> = values.iter().map(ToString::to_string).collect();
            lines.join("\n").into_bytes()
        };
        vec![
            lines(&[&first, &attached, &second]),
            lines(&[&created, &refused, &first]),
            lines(&[&attached, &detached, &first, &refused]),
        ]
    },
    make: mutated_json,
    check: |input| {
        let frames: Vec<String> = String::from_utf8_lossy(input)
            .lines()
            .map(str::to_owned)
            .collect();
        block_on(async move { check(frames).await })
    },
};

async fn check(frames: Vec<String>) -> Result<(), String> {
    let shown = |error: std::io::Error| error.to_string();
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(shown)?;
    let url = format!(
        "ws://{}/devtools/browser/x",
        listener.local_addr().map_err(shown)?
    );
    let browser = tokio::spawn(async move {
        let (stream, _) = listener.accept().await?;
        let mut socket = tokio_tungstenite::accept_async(stream)
            .await
            .map_err(std::io::Error::other)?;
        // It reads both calls before it answers.
        for _ in 0..2 {
            socket.next().await;
        }
        for frame in frames {
            if socket.send(Message::text(frame)).await.is_err() {
                break;
            }
        }
        std::io::Result::Ok(())
    });
    let connection = Connection::open(&url)
        .await
        .map_err(|error| error.to_string())?;
    let session = connection.browser();
    let mut events = session.events();
    let version = session.call_raw("Browser.getVersion", &json!({}));
    let info = session.call(&GetTargetInfo::default());
    let (version, info) = tokio::join!(version, info);
    for error in [version.err(), info.err()].into_iter().flatten() {
        promise(!error.to_string().trim().is_empty(), || {
            format!("{error:?} has no message")
        })?;
    }
    while let NextEvent::Event(event) = events.next().await {
        if let Some(Err(error)) = event.read::<TargetCreated>() {
            promise(!error.to_string().trim().is_empty(), || {
                format!("{error:?} has no message")
            })?;
        }
    }
    browser
        .await
        .map_err(|error| error.to_string())?
        .map_err(shown)
}
