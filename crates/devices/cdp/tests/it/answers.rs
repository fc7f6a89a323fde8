//! Answers are matched to their calls.

use cdp::protocol::browser::GetVersion;
use cdp::protocol::page::Navigate;
use cdp::{Dispatch, Error, GoneReason};
use serde_json::json;

use crate::peer::pair;

fn version(product: &str) -> serde_json::Value {
    json!({"protocolVersion": "1.3", "product": product, "userAgent": "u"})
}

#[tokio::test]
async fn calls_are_sent_in_order_and_answered_in_any() {
    let (connection, mut peer) = pair().await;
    let browser = connection.browser();
    let calls: Vec<_> = (0..3).map(|_| browser.call(&GetVersion {})).collect();
    let mut received = Vec::new();
    for _ in 0..3 {
        received.push(peer.call().await);
    }
    let ids: Vec<u64> = received
        .iter()
        .map(|call| call["id"].as_u64().unwrap())
        .collect();
    assert!(ids.is_sorted(), "{ids:?}");
    for (index, call) in received.iter().enumerate().rev() {
        assert_eq!(call["method"], "Browser.getVersion");
        assert!(call.get("sessionId").is_none());
        peer.answer(call, version(&format!("answer {index}"))).await;
    }
    for (index, call) in calls.into_iter().enumerate() {
        assert_eq!(call.await.unwrap().product, format!("answer {index}"));
    }
}

#[tokio::test]
async fn session_call_has_its_id_and_omits_unset_fields() {
    let (connection, mut peer) = pair().await;
    let page = peer.page(&connection, "S1").await;
    let call = page.call(&Navigate {
        url: "http://a.test/\"\n".to_owned(),
        frame_id: None,
    });
    let received = peer.call().await;
    assert_eq!(received["sessionId"], "S1");
    assert_eq!(received["params"], json!({"url": "http://a.test/\"\n"}));
    let answer = json!({"frameId": "F", "loaderId": "L", "somethingNew": {"id": 1}});
    peer.answer(&received, answer).await;
    let navigated = call.await.unwrap();
    assert_eq!(navigated.frame_id.as_str(), "F");
    assert_eq!(navigated.error_text, None);
}

#[tokio::test]
async fn unrelated_messages_are_ignored() {
    let (connection, mut peer) = pair().await;
    let call = connection
        .browser()
        .call_raw("Any.thing", &json!({"a": [1]}));
    let received = peer.call().await;
    peer.write(r#"{"id":4711,"result":{}}"#).await;
    peer.write(r#"{"error":{"code":-32700,"message":"Message must be in JSON format"}}"#)
        .await;
    peer.write("this is no JSON").await;
    peer.write(r#"{"id":"1","result":{}}"#).await;
    peer.ping().await;
    peer.answer(&received, json!({"fine": true})).await;
    assert_eq!(call.await.unwrap(), json!({"fine": true}));
    assert!(peer.pong().await);
}

#[tokio::test]
async fn refusal_has_code_and_message() {
    let (connection, mut peer) = pair().await;
    let page = peer.page(&connection, "S").await;
    let call = page.call_raw("DOM.focus", &json!({}));
    let received = peer.call().await;
    peer.refuse(&received, -32000, "No node with given id found")
        .await;
    let error = call.await.unwrap_err();
    assert_eq!(
        error,
        Error::Protocol {
            method: "DOM.focus",
            code: -32000,
            message: "No node with given id found".to_owned()
        }
    );
    assert!(error.is_missing());
    assert_eq!(error.dispatch(), Dispatch::Sent);
    assert_eq!(error.to_string(), "DOM.focus: No node with given id found");
}

#[tokio::test]
async fn unknown_session_means_not_sent() {
    let (connection, mut peer) = pair().await;
    let page = peer.page(&connection, "S").await;
    let call = page.call_raw("Input.insertText", &json!({"text": "x"}));
    let received = peer.call().await;
    peer.refuse(&received, -32001, "Session with given id not found.")
        .await;
    assert_eq!(
        call.await.unwrap_err(),
        Error::Gone {
            method: "Input.insertText",
            reason: GoneReason::Detached,
            dispatch: Dispatch::NotSent
        }
    );
}

#[tokio::test]
async fn malformed_answer_error_has_position() {
    let (connection, mut peer) = pair().await;
    let browser = connection.browser();
    let (first, second) = (browser.call(&GetVersion {}), browser.call(&GetVersion {}));
    let received = peer.call().await;
    peer.answer(&received, json!({"product": 5})).await;
    let error = first.await.unwrap_err();
    let Error::Malformed { method, message } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(*method, "Browser.getVersion");
    assert!(message.contains("expected a string"), "{message}");
    let received = peer.call().await;
    peer.write(format!("{{\"id\":{}}}", received["id"])).await;
    let error = second.await.unwrap_err().to_string();
    assert!(error.contains("neither a result nor an error"), "{error}");
}

#[tokio::test]
async fn sixty_megabyte_message_passes_both_ways() {
    let (connection, mut peer) = pair().await;
    let large = "å".repeat(30 << 20);
    let call = connection
        .browser()
        .call_raw("Any.thing", &json!({"text": large}));
    let received = peer.call().await;
    assert_eq!(received["params"]["text"].as_str().unwrap().len(), 60 << 20);
    peer.answer(&received, json!({"text": large})).await;
    assert_eq!(
        call.await.unwrap()["text"].as_str().unwrap().len(),
        60 << 20
    );
}

#[tokio::test]
async fn dropped_call_is_still_sent() {
    let (connection, mut peer) = pair().await;
    let browser = connection.browser();
    drop(browser.call_raw("Any.first", &json!({})));
    let second = browser.call_raw("Any.second", &json!({}));
    let first = peer.call().await;
    assert_eq!(first["method"], "Any.first");
    peer.answer(&first, json!({})).await;
    let received = peer.call().await;
    peer.answer(&received, json!({"fine": true})).await;
    assert_eq!(second.await.unwrap(), json!({"fine": true}));
}
