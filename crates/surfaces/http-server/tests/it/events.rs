//! The stream of events: content, order, and resuming.

use std::time::Duration;

use http_server::Limits;
use serde_json::{Value, json};

use crate::client::{Client, Running, Setup, bare, serve, sleeping};

/// Opens a stream of events.
async fn follow(server: &Running, headers: &str) -> Client {
    follow_path(server, "/events", headers).await
}

async fn follow_path(server: &Running, path: &str, headers: &str) -> Client {
    let mut client = Client::new(server).await;
    client.send(bare("GET", path, headers)).await;
    let head = client.head().await.unwrap();
    assert_eq!(head.status, 200);
    assert_eq!(head.header("content-type"), Some("text/event-stream"));
    assert_eq!(head.header("cache-control"), Some("no-cache"));
    client
}

/// Reads the next event: id, name, data.
async fn next(client: &mut Client) -> (String, String, Value) {
    let text = client.until("\n\n").await.expect("an event");
    // Skips the lines of the chunked encoding.
    let line = |key: &str| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(key));
        lines.next().unwrap_or_default().to_owned()
    };
    let data = line("data: ");
    let data = serde_json::from_str(&data).unwrap_or_else(|error| panic!("{error}: {text}"));
    (line("id: "), line("event: "), data)
}

#[tokio::test(flavor = "multi_thread")]
async fn events_report_each_step() {
    let server = serve(Setup::default()).await;
    let mut follower = follow(&server, "").await;
    let (_, name, data) = next(&mut follower).await;
    assert_eq!(
        (name.as_str(), &data["code"]),
        ("heartbeat", &json!("CONNECTED"))
    );
    let mut client = Client::new(&server).await;
    let answer = client.post("/execute", &sleeping("told", 5)).await.json();
    let mut names = Vec::new();
    let mut all = Vec::new();
    for _ in 0..4 {
        let (id, name, data) = next(&mut follower).await;
        assert!(!id.is_empty());
        names.push(name);
        all.push(data);
    }
    assert_eq!(
        names,
        [
            "clawperator:started",
            "clawperator:step",
            "clawperator:result",
            "clawperator:execution"
        ]
    );
    assert_eq!(all[0]["commandId"], "told");
    assert_eq!(all[0]["actionCount"], 1);
    assert_eq!(all[1]["step"]["actionType"], "sleep");
    assert_eq!((&all[1]["index"], &all[1]["of"]), (&json!(0), &json!(1)));
    assert_eq!(all[2]["envelope"], answer["envelope"]);
    assert_eq!(all[3]["result"], answer);
    assert_eq!(all[3]["input"]["commandId"], "told");
    // A refused plan is an event if it names a device.
    let refused = json!({"execution": {"commandId": 5}, "deviceId": "sim"});
    let refused = client.post("/execute", &refused).await.json();
    let (_, name, data) = next(&mut follower).await;
    assert_eq!(name, "clawperator:execution");
    assert_eq!(
        data,
        json!({"deviceId": "sim", "input": {"commandId": 5}, "result": refused})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn event_stream_resumes() {
    let server = serve(Setup::default()).await;
    let mut follower = follow(&server, "").await;
    next(&mut follower).await;
    let mut client = Client::new(&server).await;
    client.post("/execute", &sleeping("one", 1)).await;
    let (first, name, _) = next(&mut follower).await;
    assert_eq!(name, "clawperator:started");
    drop(follower);
    client.post("/execute", &sleeping("two", 1)).await;
    for mut resumed in [
        follow(&server, &format!("last-event-id: {first}\r\n")).await,
        follow_path(&server, &format!("/events?lastEventId={first}"), "").await,
    ] {
        assert_eq!(next(&mut resumed).await.1, "heartbeat");
        let mut names = Vec::new();
        for _ in 0..7 {
            names.push(next(&mut resumed).await.1.replace("clawperator:", ""));
        }
        assert_eq!(
            names,
            [
                "step",
                "result",
                "execution",
                "started",
                "step",
                "result",
                "execution"
            ]
        );
    }
    // After an id of another process all kept events are sent.
    let mut follower = follow(&server, "last-event-id: 00000000-7\r\n").await;
    next(&mut follower).await;
    assert_eq!(next(&mut follower).await.0, first);
    for wrong in ["7", "a-", "a-b", "-"] {
        let mut client = Client::new(&server).await;
        let header = format!("last-event-id: {wrong}\r\n");
        let refused = client.call(bare("GET", "/events", &header)).await;
        assert_eq!(refused.refusal(400), "INVALID_HEADER", "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn event_stream_filters_by_device_and_sends_heartbeats() {
    let server = serve(Setup {
        limits: Some(Limits {
            heartbeat: Duration::from_millis(30),
            ..Limits::default()
        }),
        ..Setup::default()
    })
    .await;
    let mut client = Client::new(&server).await;
    let mut follower = follow_path(&server, "/events?deviceId=sim%23b", "").await;
    next(&mut follower).await;
    assert_eq!(next(&mut follower).await.2, json!({"code": "ALIVE"}));
    for device in ["sim#a", "sim#b"] {
        let mut body = sleeping("c", 1);
        body["deviceId"] = json!(device);
        client.post("/execute", &body).await;
    }
    let mut names = Vec::new();
    while names.len() < 5 {
        let (_, name, data) = next(&mut follower).await;
        if name != "heartbeat" {
            assert_eq!(data["deviceId"], "sim#b");
            names.push(name.replace("clawperator:", ""));
        }
    }
    assert_eq!(names, ["device", "started", "step", "result", "execution"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn hundred_event_clients_miss_nothing() {
    let server = serve(Setup::default()).await;
    let mut followers = Vec::new();
    for _ in 0..100 {
        let mut follower = follow(&server, "").await;
        next(&mut follower).await;
        followers.push(follower);
    }
    let mut client = Client::new(&server).await;
    for run in 0..25 {
        client
            .post("/execute", &sleeping(&format!("run-{run}"), 1))
            .await;
    }
    for follower in &mut followers {
        let mut last = 0;
        for _ in 0..100 {
            let (id, name, _) = next(follower).await;
            let (_, number) = id.split_once('-').unwrap();
            let number: u64 = number.parse().unwrap();
            assert_eq!(number, last + 1, "{name}");
            last = number;
        }
    }
}
