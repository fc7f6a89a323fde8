//! Browsers that exit, pages that crash: calls fail at once and report their progress.

use cdp::protocol::target::GetTargets;
use cdp::{Connection, Dispatch, Error, GoneReason, Signal};
use serde_json::json;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

use crate::peer::pair;

#[tokio::test]
async fn dead_browser_fails_calls_with_progress() {
    let (connection, mut peer) = pair().await;
    let browser = connection.browser();
    let read = browser.call_raw("Any.read", &json!({}));
    let later = browser.call_raw("Any.later", &json!({}));
    peer.call().await;
    let received = peer.call().await;
    peer.answer(&received, json!({})).await;
    later.await.unwrap();
    let perhaps = browser.call_raw("Any.perhaps", &json!({}));
    peer.call().await;
    drop(peer);
    let lost = |error| match error {
        Error::Lost { dispatch, .. } => dispatch,
        other => panic!("{other:?}"),
    };
    assert_eq!(lost(read.await.unwrap_err()), Dispatch::Sent);
    assert_eq!(lost(perhaps.await.unwrap_err()), Dispatch::Unknown);
    // From now on nothing is written.
    let after = browser.call(&GetTargets {}).await.unwrap_err();
    assert_eq!(lost(after), Dispatch::NotSent);
    assert!(!browser.is_open());
    assert_eq!(connection.ended().await, connection.lost().unwrap());
}

#[tokio::test]
async fn truncated_message_is_dropped() {
    let (connection, mut peer) = pair().await;
    let call = connection.browser().call_raw("Any.thing", &json!({}));
    peer.call().await;
    // A text frame that announces 100 bytes.
    let mut frame = vec![0x81, 100];
    frame.extend_from_slice(b"{\"id\":1,\"result\":{\"half\":");
    peer.raw(&frame).await;
    drop(peer);
    let error = call.await.unwrap_err();
    assert_eq!(error.dispatch(), Dispatch::Unknown);
    assert!(matches!(error, Error::Lost { .. }), "{error:?}");
}

#[tokio::test]
async fn invalid_websocket_bytes_end_the_connection() {
    let (connection, mut peer) = pair().await;
    let call = connection.browser().call_raw("Any.thing", &json!({}));
    peer.call().await;
    peer.raw(&b"HTTP/1.1 400 Bad Request\r\n".repeat(9)).await;
    let error = call.await.unwrap_err();
    assert!(matches!(error, Error::Lost { .. }), "{error:?}");
}

#[tokio::test]
async fn clean_close_ends_the_connection() {
    let (connection, peer) = pair().await;
    let signals = Arc::new(Mutex::new(Vec::new()));
    let _subscription = connection.listen({
        let signals = Arc::clone(&signals);
        Arc::new(move |_: &Connection, signal: Signal<'_>| {
            if let Signal::Lost(why) = signal {
                signals.lock().unwrap().push(why.to_owned());
            }
        })
    });
    peer.close().await;
    assert_eq!(&*connection.ended().await, "the browser closed it");
    assert_eq!(*signals.lock().unwrap(), ["the browser closed it"]);
    // A late listener is notified, too.
    let late = Arc::clone(&signals);
    let _late = connection.listen(Arc::new(move |_: &Connection, _: Signal<'_>| {
        late.lock().unwrap().push("late".to_owned());
    }));
    assert_eq!(signals.lock().unwrap().last().unwrap(), "late");
}

#[tokio::test]
async fn detached_session_fails_only_its_calls() {
    let (connection, mut peer) = pair().await;
    let one = peer.page(&connection, "S1").await;
    let two = peer.page(&connection, "S2").await;
    let of_one = one.call_raw("Any.one", &json!({}));
    let of_two = two.call_raw("Any.two", &json!({}));
    peer.call().await;
    let received = peer.call().await;
    let gone = json!({"sessionId": "S1", "targetId": "T1"});
    peer.event(None, "Target.detachedFromTarget", gone).await;
    assert_eq!(
        of_one.await.unwrap_err(),
        Error::Gone {
            method: "Any.one",
            reason: GoneReason::Detached,
            dispatch: Dispatch::Unknown
        }
    );
    assert_eq!(
        one.call_raw("Any.after", &json!({})).await.unwrap_err(),
        Error::Gone {
            method: "Any.after",
            reason: GoneReason::Detached,
            dispatch: Dispatch::NotSent
        }
    );
    assert!(!one.is_open());
    peer.answer(&received, json!({"fine": true})).await;
    assert_eq!(of_two.await.unwrap(), json!({"fine": true}));
    assert!(two.is_open());
}

#[tokio::test]
async fn crash_fails_calls_but_keeps_session() {
    for (from, method, params) in [
        (Some("S1"), "Inspector.targetCrashed", json!({})),
        (
            None,
            "Target.targetCrashed",
            json!({"targetId": "T", "status": "crashed", "errorCode": 5}),
        ),
    ] {
        let (connection, mut peer) = pair().await;
        let page = peer.page(&connection, "S1").await;
        let call = page.call_raw("Any.thing", &json!({}));
        peer.call().await;
        peer.event(from, method, params).await;
        let error = call.await.unwrap_err();
        assert!(
            matches!(
                error,
                Error::Gone {
                    reason: GoneReason::Crashed,
                    dispatch: Dispatch::Unknown,
                    ..
                }
            ),
            "{error:?}"
        );
        // The page can be reloaded.
        let again = page.call_raw("Page.reload", &json!({}));
        let received = peer.call().await;
        peer.answer(&received, json!({})).await;
        again.await.unwrap();
    }
}

#[tokio::test]
async fn closed_port_is_reported_as_not_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let url = format!("ws://{address}/devtools/browser/x");
    let error = Connection::open(&url).await.unwrap_err();
    assert!(
        error.to_string().starts_with(&format!("{url} does not")),
        "{error}"
    );
    assert_eq!(error.dispatch(), Dispatch::NotSent);
}

#[tokio::test]
async fn last_handle_ends_the_connection() {
    let (connection, mut peer) = pair().await;
    let page = peer.page(&connection, "S").await;
    drop(connection);
    assert!(page.is_open());
    drop(page);
    // The browser detects the end.
    assert!(!peer.pong().await);
}
