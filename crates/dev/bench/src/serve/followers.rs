//! Measures many followers of events.

use std::collections::HashMap;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};
use tokio::task::JoinSet;

use super::client::{Client, ServerProcess, post};

const FOLLOWERS: usize = 1_000;
/// The number of runs before memory is measured first, and afterwards: the bounded buffers of runs and events
/// are full by then.
const RUNS: (usize, usize) = (1_100, 1_000);

#[derive(Debug)]
pub(super) struct FollowResult {
    /// The number of events that did not reach a follower.
    pub(super) missed: usize,
    /// The server's memory in megabytes: with all followers, when warm, and at the end.
    pub(super) memory: [f64; 3],
    /// The server's processor time per event and follower, in microseconds.
    pub(super) cpu_seconds: f64,
}

/// Runs plans with many followers.
pub(super) async fn follow(served: &ServerProcess) -> Result<FollowResult, String> {
    const KINDS: [&str; 4] = ["started", "step", "result", "execution"];
    let all = RUNS.0 + RUNS.1;
    let mut following = JoinSet::new();
    for _ in 0..FOLLOWERS {
        let mut client = Client::new(&served.address).await?;
        let request = b"GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n";
        let sent = client.stream.get_mut().write_all(request).await;
        sent.map_err(|error| error.to_string())?;
        let mut line = String::new();
        while !line.contains("CONNECTED") {
            line.clear();
            let read = client.stream.read_line(&mut line).await;
            if read.map_err(|error| error.to_string())? == 0 {
                return Err("the server rejects followers".to_owned());
            }
        }
        following.spawn(async move {
            let mut seen: HashMap<String, usize> = HashMap::new();
            let mut line = Vec::new();
            while seen.get("execution").copied().unwrap_or(0) < all {
                line.clear();
                let read = client.stream.read_until(b'\n', &mut line).await;
                if !matches!(read, Ok(count) if count > 0) {
                    break;
                }
                if let Some(name) = line.strip_prefix(b"event: clawperator:") {
                    let name = String::from_utf8_lossy(name.trim_ascii());
                    match seen.get_mut(&*name) {
                        Some(count) => *count += 1,
                        None => {
                            seen.insert(name.into_owned(), 1);
                        }
                    }
                }
            }
            let missed = KINDS.map(|kind| all.abs_diff(seen.get(kind).copied().unwrap_or(0)));
            missed.iter().sum::<usize>()
        });
    }
    let mut client = Client::new(&served.address).await?;
    let mut memory = [served.memory(); 3];
    let before = served.cpu_seconds();
    for run in 0..all {
        if run == RUNS.0 {
            memory[1] = served.memory();
        }
        let actions = json!([{ "id": "s", "type": "sleep", "params": { "durationMs": 1 } }]);
        let body = json!({ "execution": testkit::plan(&format!("run-{run}"), actions) });
        let answer = client.request(&post("/execute", &body)).await;
        answer.map_err(|error| error.to_string())?;
    }
    let mut missed = 0;
    while let Some(done) = following.join_next().await {
        missed += done.map_err(|error| error.to_string())?;
    }
    memory[2] = served.memory();
    let events = (all * KINDS.len() * FOLLOWERS) as f64;
    Ok(FollowResult {
        missed,
        memory,
        cpu_seconds: (served.cpu_seconds() - before) * 1e6 / events,
    })
}
