//! The commands' side of the daemon.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode, Execution, ParsedExecution};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio_util::sync::CancellationToken;

use super::protocol::{Reply, Request, Task};
use super::{DaemonMode, DaemonRecord, Environment};
use crate::Event;
use crate::background::{Liveness, Stream, reap};
use crate::chrome::browser_record::{open_folder, records};
use crate::chrome::{CHROME, ChromeSetup, is_chrome};
use crate::runtime::PrivateFolder;

/// How long connecting to the daemon may take.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(500);
/// How long past the timeout of a plan its outcome may arrive: the daemon itself ends the run at the timeout.
const REPLY_GRACE: Duration = Duration::from_secs(120);

/// Has the daemon of a device's browser run a plan; `None` if nothing was done, and the command has to do it itself.
pub(crate) async fn run(
    setup: &ChromeSetup,
    device: Option<&str>,
    parsed: &ParsedExecution,
    task: Task,
    cancel: &CancellationToken,
    on_event: &mut (dyn FnMut(&Event<'_>) + Send),
) -> Option<Result<Reply, ErrorBody>> {
    let DaemonMode::StartedBy(_) = &setup.daemon else {
        return None;
    };
    let device = match device {
        Some(device) => Some(device).filter(|device| is_chrome(device))?,
        None => Some(CHROME).filter(|_| setup.named_by_flag)?,
    };
    // With several browsers, the command resolves the tab itself.
    let folder = open_folder(setup).ok()??;
    let [browser] = &*records(&folder).ok()? else {
        return None;
    };
    let url = &*browser.url;
    if setup
        .endpoint
        .as_ref()
        .is_some_and(|named| !browser.is_at(named))
    {
        return None;
    }
    let record = DaemonRecord::read(&folder, url)?;
    if Environment::current()? != record.environment {
        return None;
    }
    let request = Request {
        secret: record.process.secret.clone(),
        device: device.to_owned(),
        execution: with_absolute_paths(&parsed.execution)?,
        warnings: parsed.warnings.clone(),
        task: task.clone(),
    };
    let socket = send(&folder, &record, &request).await?;
    let timeout = parsed.execution.timeout().to_duration() + REPLY_GRACE;
    let reply = tokio::time::timeout(timeout, receive(socket, cancel, on_event)).await;
    match reply.ok().flatten() {
        Some(reply) => Some(Ok(reply)),
        // A search changes nothing and can be repeated.
        None if !matches!(task, Task::Run) => None,
        None => Some(Err(outcome_unknown(&record, device, parsed))),
    }
}

/// Sends a request; `None` if the daemon did not receive the whole line, which it then ignores.
async fn send(folder: &PrivateFolder, record: &DaemonRecord, request: &Request) -> Option<Stream> {
    let mut line = serde_json::to_vec(request).ok()?;
    line.push(b'\n');
    let connected = record.process.connect(folder);
    let mut socket = tokio::time::timeout(CONNECT_TIMEOUT, connected)
        .await
        .ok()?
        .ok()?;
    socket.write_all(&line).await.ok()?;
    Some(socket)
}

/// Reports the events of the run and returns its outcome; `None` if the daemon closes the connection before.
async fn receive(
    socket: Stream,
    cancel: &CancellationToken,
    on_event: &mut (dyn FnMut(&Event<'_>) + Send),
) -> Option<Reply> {
    let (read, mut write) = socket.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut cancelled = false;
    loop {
        let line = tokio::select! {
            biased;
            line = lines.next_line() => line.ok()??,
            () = cancel.cancelled(), if !cancelled => {
                cancelled = true;
                // Closing the write side cancels the run. The outcome still arrives.
                let _ = write.shutdown().await;
                continue;
            }
        };
        let reply: Reply = serde_json::from_str(&line).ok()?;
        match reply.event() {
            Some(event) => on_event(&event),
            None => return Some(reply),
        }
    }
}

/// The plan with absolute paths: the daemon runs in another folder.
fn with_absolute_paths(execution: &Execution) -> Option<Execution> {
    let mut plan = serde_json::to_value(execution).ok()?;
    for action in plan.get_mut("actions")?.as_array_mut()? {
        let params = action.get_mut("params").and_then(Value::as_object_mut);
        for (key, value) in params.into_iter().flatten() {
            let paths = match (key.as_str(), value) {
                ("path", path) => std::slice::from_mut(path),
                ("files", Value::Array(files)) => files.as_mut_slice(),
                _ => continue,
            };
            for path in paths {
                if let Value::String(path) = path {
                    *path = std::path::absolute(&*path).ok()?.to_str()?.to_owned();
                }
            }
        }
    }
    serde_json::from_value(plan).ok()
}

/// The error of a run whose daemon ended before the outcome arrived.
fn outcome_unknown(record: &DaemonRecord, device: &str, parsed: &ParsedExecution) -> ErrorBody {
    let message = format!(
        "the daemon that drives {device}, process {}, ended before it reported the outcome of the plan",
        record.process.pid
    );
    ErrorBody::new(ErrorCode::DeviceLost, message)
        .with_hint(
            "Take a snapshot before you send the plan again: any part of it may have been done",
        )
        .with_detail("deviceId", device)
        .with_detail("commandId", parsed.execution.command_id())
        .with_detail("dispatch", json!("unknown"))
}

/// Starts a daemon for a recorded browser unless one with the same environment runs.
pub(crate) async fn ensure(setup: &ChromeSetup, url: &str) {
    let DaemonMode::StartedBy(launcher) = &setup.daemon else {
        return;
    };
    let Ok(Some(folder)) = open_folder(setup) else {
        return;
    };
    let browsers = records(&folder).unwrap_or_default();
    let is_recorded = browsers.iter().any(|record| record.url == url);
    let Some(current) = Environment::current().filter(|_| is_recorded) else {
        return;
    };
    if let Some(record) = DaemonRecord::read(&folder, url) {
        if record.environment != current {
            // The new daemon waits until this one has stopped.
            let sent = record.process.send_stop(&folder);
            drop(tokio::time::timeout(CONNECT_TIMEOUT, sent).await);
        } else if record.process.liveness(&folder).await == Liveness::Alive(()) {
            return;
        }
    }
    let mut command = launcher.command();
    command.args(["--cdp", url]).current_dir(folder.path());
    match command.spawn() {
        Ok(child) => reap(child),
        Err(error) => tracing::warn!(
            name: "chrome.daemon.not_started",
            target: crate::log::TARGET,
            %error,
            "no daemon could be started for the browser; every command attaches to its pages again"
        ),
    }
}
