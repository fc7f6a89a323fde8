//! Several clients of one browser: each has its own calls, sessions and events, and a slow one does not affect
//! others.

use std::time::Duration;

use cdp::Broker;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;

/// Timeout of expected messages.
const PATIENCE: Duration = Duration::from_secs(60);

/// One end of a message stream.
struct End {
    read: BufReader<ReadHalf<DuplexStream>>,
    write: WriteHalf<DuplexStream>,
}

impl End {
    fn over(stream: DuplexStream) -> Self {
        let (read, write) = tokio::io::split(stream);
        Self {
            read: BufReader::new(read),
            write,
        }
    }

    async fn write(&mut self, message: impl ToString) {
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.write.write_all(&bytes).await.unwrap();
    }

    /// The next message; `None` at the end.
    async fn read(&mut self) -> Option<Value> {
        let mut bytes = Vec::new();
        let read = self.read.read_until(0, &mut bytes);
        tokio::time::timeout(PATIENCE, read).await.unwrap().unwrap();
        (bytes.pop() == Some(0)).then(|| serde_json::from_slice(&bytes).unwrap())
    }

    async fn next(&mut self) -> Value {
        self.read().await.unwrap()
    }
}

/// A scripted browser, and the broker in front of it.
struct ScriptedBrowser {
    broker: Broker,
    browser: End,
}

impl ScriptedBrowser {
    fn new() -> Self {
        let (ours, browser) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(ours);
        Self {
            broker: Broker::new(read, write),
            browser: End::over(browser),
        }
    }

    /// A client with this browser session.
    async fn client(&mut self, session: &str) -> (End, JoinHandle<()>) {
        let (client, stream) = tokio::io::duplex(1 << 16);
        let broker = self.broker.clone();
        let served = tokio::spawn(async move { broker.serve(stream).await });
        let attach = self.browser.next().await;
        assert_eq!(attach["method"], "Target.attachToBrowserTarget");
        self.answer(&attach, &json!({ "sessionId": session })).await;
        (End::over(client), served)
    }

    async fn answer(&mut self, call: &Value, result: &Value) {
        let id = &call["id"];
        let answer = match call["sessionId"].as_str() {
            None => format!("{{\"id\":{id},\"result\":{result}}}"),
            Some(session) => {
                format!("{{\"id\":{id},\"result\":{result},\"sessionId\":\"{session}\"}}")
            }
        };
        self.browser.write(answer).await;
    }

    async fn event(&mut self, session: &str, method: &str, params: &Value) {
        let event = json!({ "method": method, "params": params, "sessionId": session });
        self.browser.write(event).await;
    }

    /// Attaches a child session.
    async fn attach(&mut self, parent: &str, session: &str) {
        let params = json!({ "sessionId": session, "targetInfo": {} });
        self.event(parent, "Target.attachedToTarget", &params).await;
    }
}

#[tokio::test]
async fn clients_get_their_own_answers_and_events() {
    let mut stage = ScriptedBrowser::new();
    let (mut one, _) = stage.client("B1").await;
    let (mut two, _) = stage.client("B2").await;
    // Both clients use the same ids.
    one.write(json!({ "id": 1, "method": "A.one" })).await;
    let of_one = stage.browser.next().await;
    two.write(json!({ "id": 1, "method": "A.two", "params": {} }))
        .await;
    let of_two = stage.browser.next().await;
    assert_eq!(
        (&of_one["method"], &of_one["sessionId"]),
        (&json!("A.one"), &json!("B1"))
    );
    assert_eq!(
        (&of_two["method"], &of_two["sessionId"]),
        (&json!("A.two"), &json!("B2"))
    );
    assert_ne!(of_one["id"], of_two["id"]);
    stage.answer(&of_two, &json!({ "to": 2 })).await;
    stage.answer(&of_one, &json!({ "to": 1 })).await;
    // The browser session is the client's connection and invisible to it.
    assert_eq!(one.next().await, json!({ "id": 1, "result": { "to": 1 } }));
    assert_eq!(two.next().await, json!({ "id": 1, "result": { "to": 2 } }));
    stage.event("B2", "A.happened", &json!({})).await;
    stage.attach("B1", "P").await;
    stage.event("P", "A.inside", &json!({})).await;
    let attached = one.next().await;
    assert_eq!(attached["method"], "Target.attachedToTarget");
    assert_eq!(attached.get("sessionId"), None);
    let inside = one.next().await;
    assert_eq!(
        (&inside["method"], &inside["sessionId"]),
        (&json!("A.inside"), &json!("P"))
    );
    assert_eq!(
        two.next().await,
        json!({ "method": "A.happened", "params": {} })
    );
}

#[tokio::test]
async fn session_of_another_client_does_not_exist() {
    let mut stage = ScriptedBrowser::new();
    let (mut one, _) = stage.client("B1").await;
    let (mut two, _) = stage.client("B2").await;
    stage.attach("B1", "P").await;
    one.next().await;
    for (client, session) in [(&mut two, "none"), (&mut one, "P")] {
        let call = json!({ "id": 9, "method": "A.b", "sessionId": "P" });
        client.write(call).await;
        let passed_on = stage.browser.next().await;
        assert_eq!(passed_on["sessionId"], session);
    }
    // Nor a detached one with its child sessions.
    stage.attach("P", "Q").await;
    let gone = json!({ "sessionId": "P" });
    stage.event("B1", "Target.detachedFromTarget", &gone).await;
    one.next().await;
    one.next().await;
    one.write(json!({ "id": 10, "method": "A.b", "sessionId": "Q" }))
        .await;
    assert_eq!(stage.browser.next().await["sessionId"], "none");
}

#[tokio::test]
async fn disconnected_or_invalid_client_is_detached() {
    let mut stage = ScriptedBrowser::new();
    let (mut one, served) = stage.client("B1").await;
    // Its earlier calls are still forwarded.
    one.write(json!({ "id": 1, "method": "A.last" })).await;
    drop(one);
    let last = stage.browser.next().await;
    assert_eq!(last["method"], "A.last");
    let detach = stage.browser.next().await;
    assert_eq!(
        (&detach["method"], &detach["params"]),
        (
            &json!("Target.detachFromTarget"),
            &json!({ "sessionId": "B1" })
        )
    );
    served.await.unwrap();
    // A late answer is dropped.
    stage.answer(&last, &json!({})).await;
    for nonsense in [
        "GET / HTTP/1.1",
        "{}",
        "[1]",
        "{\"id\":-1,\"method\":\"A.b\"}",
    ] {
        let (mut client, served) = stage.client("B2").await;
        client.write(nonsense).await;
        let detach = stage.browser.next().await;
        assert_eq!(detach["params"]["sessionId"], "B2", "{nonsense}");
        served.await.unwrap();
        assert_eq!(client.read().await, None);
    }
}

#[tokio::test]
async fn slow_client_is_disconnected_without_blocking_others() {
    let mut stage = ScriptedBrowser::new();
    let (mut slow, served) = stage.client("B1").await;
    let (mut quick, _) = stage.client("B2").await;
    let large = json!({ "text": "x".repeat(32 << 20) });
    let reads = async {
        for _ in 0..12 {
            assert_eq!(quick.next().await["method"], "A.small");
        }
    };
    let writes = async {
        for _ in 0..12 {
            stage.event("B1", "A.large", &large).await;
            stage.event("B2", "A.small", &json!({})).await;
        }
    };
    tokio::join!(reads, writes);
    let detach = stage.browser.next().await;
    assert_eq!(detach["params"]["sessionId"], "B1");
    served.await.unwrap();
    // No message was truncated and taken for complete.
    let mut rest = Vec::new();
    slow.read.read_to_end(&mut rest).await.unwrap();
    assert!(!rest.contains(&0));
    quick.write(json!({ "id": 1, "method": "A.b" })).await;
    assert_eq!(stage.browser.next().await["sessionId"], "B2");
}

#[tokio::test]
async fn browser_exit_disconnects_clients_after_last_messages() {
    let mut stage = ScriptedBrowser::new();
    let (mut client, served) = stage.client("B").await;
    client
        .write(json!({ "id": 1, "method": "Browser.close" }))
        .await;
    let close = stage.browser.next().await;
    stage
        .answer(&close, &json!({ "text": "x".repeat(1 << 20) }))
        .await;
    drop(stage.browser);
    stage.broker.ended().await;
    assert_eq!(client.next().await["id"], 1);
    assert_eq!(client.read().await, None);
    served.await.unwrap();
    // A later client is refused at once.
    let (late, stream) = tokio::io::duplex(1 << 10);
    stage.broker.serve(stream).await;
    assert_eq!(End::over(late).read().await, None);
}
