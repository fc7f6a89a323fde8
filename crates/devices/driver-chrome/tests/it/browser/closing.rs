//! A tab that closes while it is being attached, on a scripted browser behind a Unix socket.

use cdp::{Endpoint, TargetId};
use driver_chrome::browser::{Browser, TabStatus};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixListener;

/// Answers calls; the answer to an attachment and the end of that session arrive in one write.
async fn serve_closing_tab(listener: UnixListener) {
    let (stream, _) = listener.accept().await.unwrap();
    let mut stream = BufReader::new(stream);
    let mut message = Vec::new();
    while stream.read_until(0, &mut message).await.unwrap() > 0 {
        message.pop();
        let call: Value = serde_json::from_slice(&message).unwrap();
        message.clear();
        let attach = call["method"] == "Target.attachToTarget";
        let result = match call["method"].as_str() {
            Some("Target.attachToTarget") => json!({ "sessionId": "S" }),
            Some("Browser.getVersion") => json!({
                "protocolVersion": "1.3", "product": "Chrome/140.0.0.0", "revision": "@1",
                "userAgent": "Mozilla/5.0", "jsVersion": "14.0",
            }),
            _ => json!({}),
        };
        let mut answer = format!("{{\"id\":{},\"result\":{result}}}\0", call["id"]);
        if attach {
            let info = json!({ "targetId": "T", "type": "page", "title": "", "url": "" });
            let params = json!({ "sessionId": "S", "targetInfo": info });
            let event = json!({ "method": "Target.attachedToTarget", "params": params });
            answer.insert_str(0, &format!("{event}\0"));
            let params = json!({ "sessionId": "S", "targetId": "T" });
            let event = json!({ "method": "Target.detachedFromTarget", "params": params });
            answer.push_str(&format!("{event}\0"));
        }
        stream.write_all(answer.as_bytes()).await.unwrap();
    }
}

fn tab_id() -> TargetId {
    serde_json::from_value(json!("T")).unwrap()
}

#[tokio::test]
async fn tab_closed_before_listening_is_closed() {
    let folder = testkit::browser_profile("closing");
    let socket = folder.join("browser");
    let listener = UnixListener::bind(&socket).unwrap();
    let server = tokio::spawn(serve_closing_tab(listener));
    let endpoint = Endpoint::parse(&format!("unix://{}", socket.display())).unwrap();
    let browser = Browser::connect(&endpoint).await.unwrap();
    let tab = browser.attach(&tab_id()).await.unwrap();
    let state = testkit::within("the state of the tab", tab.ready()).await;
    assert_eq!(state.status, TabStatus::Closed);
    server.abort();
    std::fs::remove_dir_all(folder).unwrap();
}
