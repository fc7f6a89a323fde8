//! The side of the commands.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode, Execution, Parsed};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio_util::sync::CancellationToken;

use super::protocol::{Command, Reply, RunOrder, Task};
use super::{DaemonMode, Environment, Record};
use crate::Event;
use crate::chrome::record::{open_folder, records};
use crate::chrome::{CHROME, ChromeSetup, is_chrome};
use crate::runtime::{PrivateFolder, Stream};

/// How long it is waited for somebody who is there.
const THERE: Duration = Duration::from_millis(500);
/// How long past the time of a plan its end is waited for: whoever runs it ends it at its time.
const LATE: Duration = Duration::from_secs(120);

/// Has the process that stays do something, if there is one for this device; what came of it. `None`: nothing was done, and
/// the command does it itself.
pub(crate) async fn ask(
    setup: &ChromeSetup,
    device: Option<&str>,
    parsed: &Parsed,
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
    // Which of several browsers is meant, their tabs decide.
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
    let record = Record::read(&folder, url)?;
    if Environment::own()? != record.environment {
        return None;
    }
    let order = Command::Drive(Box::new(RunOrder {
        secret: record.secret.clone(),
        device: device.to_owned(),
        execution: in_this_folder(&parsed.execution)?,
        warnings: parsed.warnings.clone(),
        task: task.clone(),
    }));
    let socket = tell(&folder, &record, &order).await?;
    let patience = parsed.execution.timeout().to_duration() + LATE;
    let said = tokio::time::timeout(patience, listen(socket, cancel, on_event)).await;
    match said.ok().flatten() {
        Some(said) => Some(Ok(said)),
        // Who only looks has done nothing.
        None if !matches!(task, Task::Run) => None,
        None => Some(Err(unknown(&record, device, parsed))),
    }
}

/// Says something to the process that stays; `None` where nobody is there, who then has heard nothing.
async fn tell(folder: &PrivateFolder, record: &Record, said: &Command) -> Option<Stream> {
    let mut line = serde_json::to_vec(said).ok()?;
    line.push(b'\n');
    let connected = record.address.connect(folder);
    let mut socket = tokio::time::timeout(THERE, connected).await.ok()?.ok()?;
    // A line that is not whole is none.
    socket.write_all(&line).await.ok()?;
    Some(socket)
}

/// Hears of the run until its end; `None` when the other side goes before.
async fn listen(
    socket: Stream,
    cancel: &CancellationToken,
    on_event: &mut (dyn FnMut(&Event<'_>) + Send),
) -> Option<Reply> {
    let (read, mut write) = socket.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut called_off = false;
    loop {
        let line = tokio::select! {
            biased;
            line = lines.next_line() => line.ok()??,
            () = cancel.cancelled(), if !called_off => {
                called_off = true;
                // That nothing more will be said calls it off; what came of it is told all the same.
                let _ = write.shutdown().await;
                continue;
            }
        };
        let said: Reply = serde_json::from_str(&line).ok()?;
        match said.event() {
            Some(event) => on_event(&event),
            None => return Some(said),
        }
    }
}

/// A plan whose files are named from this command's folder, and not from that of another process.
fn in_this_folder(execution: &Execution) -> Option<Execution> {
    let mut plan = serde_json::to_value(execution).ok()?;
    for action in plan.get_mut("actions")?.as_array_mut()? {
        if let Some(Value::String(path)) = action.pointer_mut("/params/path") {
            *path = std::path::absolute(&*path).ok()?.to_str()?.to_owned();
        }
    }
    serde_json::from_value(plan).ok()
}

/// The end of a run of which nobody tells.
fn unknown(record: &Record, device: &str, parsed: &Parsed) -> ErrorBody {
    let message = format!(
        "the process {} that drives {device} for commands went before it told what came of the plan",
        record.pid
    );
    ErrorBody::new(ErrorCode::DeviceLost, message)
        .with_hint(
            "Look at the page before you send the plan again: how much of it was done is not known",
        )
        .with_detail("deviceId", device)
        .with_detail("commandId", parsed.execution.command_id())
        .with_detail("dispatch", json!("unknown"))
}

/// Sees to it that such a process stays beside a browser that was recorded, for the commands that come after this one.
pub(crate) async fn ensure(setup: &ChromeSetup, url: &str) {
    let DaemonMode::StartedBy(launcher) = &setup.daemon else {
        return;
    };
    let Ok(Some(folder)) = open_folder(setup) else {
        return;
    };
    let recorded = records(&folder).unwrap_or_default();
    let is_known = recorded.iter().any(|record| record.url == url);
    let Some(own) = Environment::own().filter(|_| is_known) else {
        return;
    };
    if let Some(record) = Record::read(&folder, url) {
        let secret = record.secret.clone();
        if record.environment != own {
            drop(tell(&folder, &record, &Command::End { secret }).await);
        } else if record.address.connect(&folder).await.is_ok() {
            return;
        }
    }
    let mut command = launcher.command();
    // The folder of whoever comes first is nothing to it.
    command.args(["--cdp", url]).current_dir(folder.path());
    let started = command.spawn();
    match started {
        // Who stays longer than it must not keep what is left of it.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(why) => crate::log::event(
            crate::log::Level::Warn,
            "chrome.resident.not_started",
            "no process stays beside the browser, so that every command attaches to its pages anew",
            &[("error", why.to_string().into())],
        ),
    }
}
