//! The side of the process that stays.

use std::fs::{File, TryLockError};
use std::sync::Arc;
use std::time::Duration;

use cdp::Endpoint;
use contract::{ErrorBody, ErrorCode, Parsed};
use driver_chrome::browser::Browser;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::protocol::{Command, Reply, RunOrder, Task};
use super::{DaemonMode, Environment, Record};
use crate::chrome::record::{daemon_file, daemon_lock, make_folder};
use crate::chrome::{ConnectionCache, DialogPolicy, unreachable};
use crate::control::ANSWER;
use crate::random::secret;
use crate::runtime::{Listener, OwnedReadHalf, PrivateFolder, Stream};
use crate::{Event, Options, Service};

/// The longest line, in bytes: a plan of the greatest size with every letter escaped.
const LONGEST: u64 = 8 << 20;
/// How long nothing is accepted after that has failed.
const BREATH: Duration = Duration::from_millis(50);

/// Drives the tabs of the browser at this url for the commands that ask for it, until the browser ends, `ends` is ready, or
/// a command comes that was started in other surroundings. Returns at once where another does it already.
///
/// # Errors
/// `CHROME_UNREACHABLE` when the browser does not answer, `INTERNAL_ERROR` when nobody could ever find this process.
pub async fn run_daemon(
    url: &str,
    mut options: Options,
    ends: impl Future<Output = ()>,
) -> Result<(), ErrorBody> {
    let folder = make_folder(&options.chrome)?;
    let not_found = |why: std::io::Error| {
        ErrorBody::new(
            ErrorCode::InternalError,
            format!("no command could find this process: {why}"),
        )
        .with_hint("Set XDG_RUNTIME_DIR to a folder that can be written")
    };
    let environment =
        Environment::own().ok_or_else(|| not_found(std::io::ErrorKind::NotFound.into()))?;
    let Some(_alone) = alone(&folder, url, &environment).await.map_err(not_found)? else {
        return Ok(());
    };
    let endpoint = Endpoint::parse(url).map_err(|error| unreachable(&error))?;
    let browser = Browser::connect(&endpoint)
        .await
        .map_err(|error| unreachable(&error))?;
    options.chrome.connections = ConnectionCache::between_runs(DialogPolicy::Dismiss);
    options.chrome.connections.keep(url, &browser);
    options.chrome.daemon = DaemonMode::Off;
    let listener = Listener::open(&folder).await.map_err(not_found)?;
    let record = Record {
        pid: std::process::id(),
        address: listener.address().clone(),
        secret: secret(),
        environment,
    };
    folder
        .write_record(&daemon_file(url), &record)
        .map_err(not_found)?;
    let service = Arc::new(Service::new(options));
    let told_to_end = CancellationToken::new();
    let mut runs = JoinSet::new();
    let mut ends = std::pin::pin!(ends);
    loop {
        tokio::select! {
            biased;
            _ = browser.connection().ended() => break,
            () = told_to_end.cancelled() => break,
            () = &mut ends => break,
            Some(_) = runs.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok(socket) => {
                    let (service, end) = (Arc::clone(&service), told_to_end.clone());
                    let secret = record.secret.clone();
                    runs.spawn(async move { hear(&service, socket, &secret, &end).await });
                }
                // Too many files are open, or the other side has gone already: the next may do better.
                Err(_) => tokio::time::sleep(BREATH).await,
            },
        }
    }
    // Nobody finds it any more; who was heard is told what came of it.
    drop(listener);
    if Record::read(&folder, url).is_some_and(|own| own == record) {
        // A record that stays names a socket that is gone.
        let _ = folder.remove(&daemon_file(url));
    }
    while runs.join_next().await.is_some() {}
    Ok(())
}

/// Has this process be the only one beside a browser, as long as the file is kept; `None` where another is that was started
/// in the same surroundings. One that was not has been told to end, and is waited for.
async fn alone(
    folder: &PrivateFolder,
    url: &str,
    environment: &Environment,
) -> std::io::Result<Option<File>> {
    let file = folder.lock_file(&daemon_lock(url))?;
    match file.try_lock() {
        Ok(()) => return Ok(Some(file)),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(why)) => return Err(why),
    }
    let other = Record::read(folder, url);
    if other.is_none_or(|other| other.environment == *environment) {
        return Ok(None);
    }
    let locked = tokio::task::spawn_blocking(move || file.lock().map(|()| file)).await;
    locked.map_err(std::io::Error::other)?.map(Some)
}

/// Hears one command out, and does what it asks.
async fn hear(
    service: &Arc<Service>,
    socket: Stream,
    secret: &str,
    told_to_end: &CancellationToken,
) {
    let (read, mut write) = socket.into_split();
    let mut line = Vec::new();
    let mut read = BufReader::new(read);
    let mut begin = (&mut read).take(LONGEST);
    let whole = begin.read_until(b'\n', &mut line);
    // Who says nothing for long, or something else, is not listened to any more.
    if !matches!(tokio::time::timeout(ANSWER, whole).await, Ok(Ok(_))) {
        return;
    }
    let order = match serde_json::from_slice(&line) {
        Ok(Command::Drive(order)) if order.secret == secret => order,
        Ok(Command::End { secret: said }) if said == secret => return told_to_end.cancel(),
        Ok(_) | Err(_) => return,
    };
    let cancel = CancellationToken::new();
    let (tell, mut told) = unbounded_channel();
    let run = tokio::spawn(perform(Arc::clone(service), *order, cancel.clone(), tell));
    let gone = tokio::spawn(called_off(read, cancel));
    while let Some(said) = told.recv().await {
        let Ok(mut line) = serde_json::to_vec(&said) else {
            break;
        };
        line.push(b'\n');
        // Who does not listen any more has gone, which calls the run off.
        if write.write_all(&line).await.is_err() {
            break;
        }
    }
    let _ = run.await;
    gone.abort();
}

/// Calls a run off once the command says that nothing more will be said, or goes.
async fn called_off(mut read: BufReader<OwnedReadHalf>, cancel: CancellationToken) {
    let mut more = [0; 64];
    while !matches!(read.read(&mut more).await, Ok(0) | Err(_)) {}
    cancel.cancel();
}

/// Does it, and tells what happens and what came of it.
async fn perform(
    service: Arc<Service>,
    order: RunOrder,
    cancel: CancellationToken,
    tell: UnboundedSender<Reply>,
) {
    let device = Some(&*order.device);
    let parsed = Parsed {
        execution: order.execution,
        warnings: order.warnings,
    };
    let mut on_event = |event: &Event<'_>| {
        // Nobody may be left to listen.
        let _ = tell.send(Reply::moment(event));
    };
    let failed = |error| Reply::Failed(Box::new(error));
    let said = match &order.task {
        Task::Run => {
            let answer = service.execute(device, parsed, cancel, &mut on_event).await;
            answer.map_or_else(failed, |answer| Reply::Answer(Box::new(answer)))
        }
        Task::Find(sought) => {
            let found = service.find(device, parsed, sought, cancel, &mut on_event);
            let found = found.await;
            found.map_or_else(failed, |found| Reply::Found(Box::new(found)))
        }
    };
    let _ = tell.send(said);
}
