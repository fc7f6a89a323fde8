//! Busy devices, repeated requests, disconnected clients, shutdown.

use serde_json::{Value, json};

use crate::client::{Answer, Client, Running, Setup, bare, post, real_time, serve, sleeping};

async fn real_time_server() -> Running {
    serve(Setup {
        service: real_time(),
        ..Setup::default()
    })
    .await
}

/// Sends a run that sleeps; its response is not awaited.
async fn send_sleeping(client: &mut Client, path: &str, name: &str, millis: u32) {
    let body = sleeping(name, millis).to_string();
    client.send(post(path, &[], &body)).await;
}

/// A server on which a run of this name sleeps: the server, a second client, and the one that sent the run.
async fn busy_server(name: &str, millis: u32) -> (Running, Client, Client) {
    let server = real_time_server().await;
    let mut observer = Client::new(&server).await;
    let mut holder = Client::new(&server).await;
    send_sleeping(&mut holder, "/execute", name, millis).await;
    running(&mut observer, name).await;
    (server, observer, holder)
}

/// Waits until a run is in progress.
async fn running(client: &mut Client, name: &str) {
    let is_running = |found: &Answer| found.status == 200 && found.json()["state"] == "running";
    poll_until(client, name, is_running).await;
}

/// Polls a run until the response is the expected one.
async fn poll_until(client: &mut Client, name: &str, is_expected: impl Fn(&Answer) -> bool) {
    let path = format!("/executions/{name}");
    let polling = async {
        while !is_expected(&client.get(&path).await) {
            tokio::task::yield_now().await;
        }
    };
    testkit::within(&path, polling).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn busy_device_is_423_unless_request_waits() {
    let (server, mut observer, mut first) = busy_server("first", 60_000).await;
    let refused = observer.post("/execute", &sleeping("refused", 1)).await;
    assert_eq!(refused.refusal(423), "EXECUTION_CONFLICT_IN_FLIGHT");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(
        refused.json()["error"]["details"]["holderCommandId"],
        "first"
    );
    let impatient = observer
        .post("/execute?wait=20", &sleeping("impatient", 1))
        .await;
    assert_eq!(impatient.refusal(423), "EXECUTION_CONFLICT_IN_FLIGHT");
    // Waiting requests run in the order of their arrival.
    let mut waiting = Vec::new();
    for name in ["second", "third", "fourth"] {
        let mut client = Client::new(&server).await;
        send_sleeping(&mut client, "/execute?wait=60000", name, 1).await;
        poll_until(&mut observer, name, |found| {
            found.status == 200 && found.json()["deviceId"] == "sim"
        })
        .await;
        waiting.push(client);
    }
    let mut events = Client::new(&server).await;
    events.send(bare("GET", "/events", "")).await;
    assert!(events.until("CONNECTED").await.is_some());
    let cancelled = observer.delete("/executions/first").await.json();
    assert_eq!(cancelled["state"], "ended", "{cancelled}");
    assert_eq!(cancelled["result"]["error"]["code"], "EXECUTION_CANCELLED");
    assert_eq!(
        first.answer().await.unwrap().refusal(409),
        "EXECUTION_CANCELLED"
    );
    for client in &mut waiting {
        let answer = client.answer().await.unwrap();
        assert_eq!(answer.status, 200, "{:?}", answer.json());
    }
    for name in ["second", "third", "fourth"] {
        events.until("event: clawperator:started").await.unwrap();
        let data = events.until("\n\n").await.unwrap();
        assert!(
            data.contains(&format!("\"commandId\":\"{name}\"")),
            "{data}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn run_outlives_its_client() {
    let (_server, mut observer, gone) = busy_server("left", 200).await;
    drop(gone);
    let has_ended = |found: &Answer| found.json()["state"] == "ended";
    poll_until(&mut observer, "left", has_ended).await;
    let result = observer.get("/executions/left").await.json();
    assert_eq!(
        result["result"]["envelope"]["status"], "success",
        "{result}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn idempotent_retry_returns_first_response() {
    let server = real_time_server().await;
    let body = sleeping("once", 100).to_string();
    let keyed = post("/execute", &[("idempotency-key", "k-1")], &body);
    // All of them are sent before the first is answered.
    let mut clients = Vec::new();
    for _ in 0..8 {
        let mut client = Client::new(&server).await;
        client.send(&keyed).await;
        clients.push(client);
    }
    let mut answers = Vec::new();
    for client in &mut clients {
        answers.push(client.answer().await.unwrap());
    }
    let first = answers[0].json();
    assert_eq!(first["envelope"]["status"], "success", "{first}");
    assert!(answers.iter().all(|answer| answer.body == answers[0].body));
    let replayed = answers
        .iter()
        .filter(|answer| answer.header("idempotency-replayed").is_some());
    assert_eq!(replayed.count(), 7);
    let mut client = Client::new(&server).await;
    let again = client.call(&keyed).await;
    assert_eq!(again.body, answers[0].body);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let other = post(
        "/execute",
        &[("idempotency-key", "k-1")],
        &sleeping("twice", 1).to_string(),
    );
    assert_eq!(
        client.call(other).await.refusal(409),
        "IDEMPOTENCY_KEY_REUSED"
    );
    let query = post("/execute?wait=1", &[("idempotency-key", "k-1")], &body);
    assert_eq!(
        client.call(query).await.refusal(409),
        "IDEMPOTENCY_KEY_REUSED"
    );
    for key in ["", "\u{e9}"] {
        let invalid_key = post("/execute", &[("idempotency-key", key)], &body);
        assert_eq!(
            client.call(invalid_key).await.refusal(400),
            "INVALID_HEADER"
        );
        // An invalid key is refused even if nothing runs.
        let invalid_key = post("/execute?dryRun=1", &[("idempotency-key", key)], &body);
        assert_eq!(
            client.call(invalid_key).await.refusal(400),
            "INVALID_HEADER"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn idempotency_key_is_free_if_nothing_ran() {
    let (_server, mut observer, _holder) = busy_server("holder", 60_000).await;
    let keyed = post(
        "/execute",
        &[("idempotency-key", "k")],
        &sleeping("late", 1).to_string(),
    );
    assert_eq!(
        observer.call(&keyed).await.refusal(423),
        "EXECUTION_CONFLICT_IN_FLIGHT"
    );
    observer.delete("/executions/holder").await;
    assert_eq!(observer.call(&keyed).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn shutdown_finishes_running_requests() {
    let mut server = real_time_server().await;
    let mut observer = Client::new(&server).await;
    let mut client = Client::new(&server).await;
    let mut events = Client::new(&server).await;
    events.send(bare("GET", "/events", "")).await;
    events.until("CONNECTED").await.unwrap();
    send_sleeping(&mut client, "/execute", "last", 300).await;
    running(&mut observer, "last").await;
    server.stop.cancel();
    let answer = client.answer().await.unwrap();
    assert_eq!(answer.json()["envelope"]["status"], "success");
    assert!(client.answer().await.is_none(), "the connection ends");
    // The events of the last run arrive, then the stream ends.
    let text = events.until("event: clawperator:execution").await;
    assert!(text.is_some_and(|text| text.contains("clawperator:result")));
    assert!(events.until("0\r\n\r\n").await.is_some());
    assert!(observer.head().await.is_none());
    (&mut server.served).await.unwrap();
    let refused = tokio::net::TcpStream::connect(server.address).await;
    assert!(refused.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn second_signal_cancels_runs() {
    let (mut server, _observer, mut client) = busy_server("long", 110_000).await;
    server.stop.cancel();
    server.now.cancel();
    let answer = client
        .answer()
        .await
        .expect("the run that was cancelled is answered");
    assert_eq!(answer.refusal(409), "EXECUTION_CANCELLED");
    assert!(client.answer().await.is_none(), "the connection ends");
    (&mut server.served).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn devices_run_concurrently() {
    let (server, mut observer, _holder) = busy_server("holder", 60_000).await;
    let mut body: Value = sleeping("same", 1);
    body["deviceId"] = json!("sim#other");
    assert_eq!(observer.post("/execute", &body).await.status, 200);
    // The same name on two devices: the request must name the device.
    body["deviceId"] = json!("sim#third");
    body["execution"]["commandId"] = json!("holder");
    body["execution"]["actions"][0]["params"]["durationMs"] = json!(60_000);
    body["execution"]["timeoutMs"] = json!(120_000);
    let mut twin = Client::new(&server).await;
    twin.send(post("/execute", &[], &body.to_string())).await;
    poll_until(&mut observer, "holder", |found| found.status == 400).await;
    let several = observer.get("/executions/holder").await;
    assert_eq!(several.refusal(400), "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED");
    let devices = &several.json()["error"]["details"]["devices"];
    assert_eq!(*devices, json!(["sim", "sim#third"]));
    for device in ["sim%23third", "sim"] {
        let path = format!("/executions/holder?deviceId={device}");
        let ended = observer.delete(&path).await.json();
        assert_eq!(ended["state"], "ended", "{ended}");
    }
    // Also after their ends.
    let several = observer.get("/executions/holder").await;
    assert_eq!(several.refusal(400), "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED");
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_retry_does_not_replace_the_run() {
    let (server, mut observer, gone) = busy_server("send", 60_000).await;
    drop(gone);
    let retry = sleeping("send", 1);
    for path in ["/execute", "/execute?wait=1"] {
        let refused = observer.post(path, &retry).await;
        assert_eq!(refused.refusal(423), "EXECUTION_CONFLICT_IN_FLIGHT");
    }
    let ended = observer.delete("/executions/send").await.json();
    let found = observer.get("/executions/send").await.json();
    assert_eq!(found, ended);
    assert_eq!(found["result"]["error"]["code"], "EXECUTION_CANCELLED");
    // What was refused and never ran is found as well.
    let mut holder = Client::new(&server).await;
    send_sleeping(&mut holder, "/execute", "holder", 60_000).await;
    running(&mut observer, "holder").await;
    let refused = observer.post("/execute", &sleeping("late", 1)).await;
    assert_eq!(refused.refusal(423), "EXECUTION_CONFLICT_IN_FLIGHT");
    let found = observer.get("/executions/late").await.json();
    assert_eq!(
        found["result"]["error"]["code"],
        "EXECUTION_CONFLICT_IN_FLIGHT"
    );
}
