//! What a single command asks of a phone whose agent runs: each process opens the phone anew.

use serde_json::{Value, json};
use service::{Options, Service, TransportChoice, TransportOptions};

use crate::hostile::{MemoryRecorder, commands, phone};
use crate::{execute, plan};

/// The lines of a phone's record until its connection ends.
async fn whole_record(seen: &MemoryRecorder) -> Vec<Value> {
    let mut lines = Vec::new();
    while !lines
        .iter()
        .any(|line: &Value| line["kind"] == "disconnected")
    {
        lines.extend(seen.take());
        tokio::task::yield_now().await;
    }
    lines
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn command_with_a_running_agent_asks_the_shell_once_and_starts_no_tool() {
    let (_adb_phone, seen, _, serial) = phone().await;
    let run = async |via, action: Value| {
        let service = Service::new(Options {
            adb: crate::adb_at(crate::no_server(), crate::scripted::locks(0)),
            transport: TransportOptions::from_flags(via, None),
            ..Options::default()
        });
        let answer = execute(&service, Some(&serial), plan("c", json!([action]))).await;
        let answer = answer.unwrap();
        assert_eq!(answer["envelope"]["status"], "success", "{answer}");
        let used = service.transport_used().unwrap().transport;
        assert_eq!(used, contract::Transport::Agent);
        drop(service);
        testkit::within("the end of the connection", whole_record(&seen)).await
    };
    let snapshot = json!({"id": "s", "type": "snapshot_ui"});
    let click = json!({"id": "c", "type": "click", "params": {
        "matcher": {"resourceId": "com.example.forms:id/full_name"}}});
    // The first one starts the agent.
    run(None, snapshot.clone()).await;
    for (via, action) in [
        (None, snapshot.clone()),
        (None, click.clone()),
        (Some(TransportChoice::Agent), snapshot),
        (Some(TransportChoice::Agent), click),
    ] {
        let lines = run(via, action.clone()).await;
        let streams = lines.iter().filter(|line| line["kind"] == "stream");
        let mut services: Vec<&str> = streams
            .filter_map(|line| line["service"].as_str())
            .collect();
        services.sort_unstable();
        assert_eq!(services, ["localabstract", "shell"], "{action}: {lines:?}");
        let started: Vec<String> = commands(&lines)
            .into_iter()
            .filter_map(|words| words.into_iter().next())
            .filter(|word| !matches!(&**word, "echo" | "getprop" | "kill" | "read"))
            .collect();
        assert_eq!(started, [""; 0], "{action}");
    }
}
