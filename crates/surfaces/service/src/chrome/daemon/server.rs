//! The daemon's side.

use std::fs::{File, TryLockError};
use std::sync::Arc;

use cdp::Endpoint;
use contract::{ErrorBody, ErrorCode, ParsedExecution};
use driver_chrome::browser::Browser;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::protocol::{Reply, Request, Task};
use super::ref_numbers::RefNumbers;
use super::{DaemonMode, DaemonRecord, Environment};
use crate::background::{
    ControlSocket, OwnedReadHalf, REPLY_TIMEOUT, RecordFile, Stream, is_stop_order,
};
use crate::chrome::browser_record::{daemon_file, daemon_lock, make_folder};
use crate::chrome::{ConnectionCache, tabs, unreachable};
use crate::runtime::PrivateFolder;
use crate::{Event, Options, Service};

/// The longest request, in bytes: a plan of the maximal size with every character escaped.
const MAX_REQUEST: u64 = 8 << 20;

/// Runs the plans of commands on the tabs of a browser until the browser ends, a stop order arrives, or `ends` is ready.
/// Returns at once if the browser has a daemon with the same environment.
///
/// # Errors
/// `CHROME_UNREACHABLE` when the browser does not answer, `INTERNAL_ERROR` when the record cannot be written.
pub async fn run_daemon(
    url: &str,
    mut options: Options,
    ends: impl Future<Output = ()>,
) -> Result<(), ErrorBody> {
    let folder = make_folder(&options.chrome)?;
    let not_recorded = |error: std::io::Error| {
        ErrorBody::new(
            ErrorCode::InternalError,
            format!("the record of the daemon cannot be written: {error}"),
        )
        .with_hint("Set XDG_RUNTIME_DIR to a writable folder")
    };
    let environment =
        Environment::current().ok_or_else(|| not_recorded(std::io::ErrorKind::NotFound.into()))?;
    let locked = lock(&folder, url, &environment).await;
    let Some(_lock) = locked.map_err(not_recorded)? else {
        return Ok(());
    };
    let endpoint = Endpoint::parse(url).map_err(|error| unreachable(&error))?;
    let browser = Browser::connect(&endpoint)
        .await
        .map_err(|error| unreachable(&error))?;
    options.chrome.connections = ConnectionCache::between_runs();
    options.chrome.connections.keep(url, &browser);
    options.chrome.daemon = DaemonMode::Off;
    options.gives_refs = true;
    // Before its record is there, since commands rely on it from then on.
    tabs::park_last_tab(&options.chrome, &browser).await;
    let control = ControlSocket::open(&folder).await.map_err(not_recorded)?;
    let record = DaemonRecord {
        process: control.process(),
        environment,
    };
    let file = RecordFile::write(&folder, daemon_file(url), &record).map_err(not_recorded)?;
    let (numbers, last) = RefNumbers::reserve(&folder, url).map_err(not_recorded)?;
    let numbers = Arc::new(numbers);
    let setup = options.chrome.clone();
    let service = Arc::new(Service::new(options).with_refs_after(last));
    let stop = CancellationToken::new();
    let mut runs = JoinSet::new();
    let mut ends = std::pin::pin!(ends);
    loop {
        tokio::select! {
            biased;
            _ = browser.connection().ended() => break,
            () = stop.cancelled() => break,
            () = &mut ends => break,
            Some(_) = runs.join_next() => {}
            socket = control.accept() => {
                let (service, stop) = (Arc::clone(&service), stop.clone());
                let numbers = Arc::clone(&numbers);
                let secret = record.process.secret.clone();
                runs.spawn(async move { serve(&service, &numbers, socket, &secret, &stop).await });
            }
        }
    }
    // No new requests arrive; those that did are answered.
    drop((control, file));
    while runs.join_next().await.is_some() {}
    setup.connections.end().await;
    Ok(())
}

/// Locks a browser for this daemon; `None` if it has a daemon with the same environment. Another daemon was sent a stop order,
/// and its end is awaited.
async fn lock(
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
    let other = DaemonRecord::read(folder, url);
    if other.is_none_or(|other| other.environment == *environment) {
        return Ok(None);
    }
    let locked = tokio::task::spawn_blocking(move || file.lock().map(|()| file)).await;
    locked.map_err(std::io::Error::other)?.map(Some)
}

/// Serves one connection.
async fn serve(
    service: &Arc<Service>,
    numbers: &Arc<RefNumbers>,
    socket: Stream,
    secret: &str,
    stop: &CancellationToken,
) {
    let (read, mut write) = socket.into_split();
    let mut line = Vec::new();
    let mut read = BufReader::new(read);
    let mut limited = (&mut read).take(MAX_REQUEST);
    let received = limited.read_until(b'\n', &mut line);
    if !matches!(
        tokio::time::timeout(REPLY_TIMEOUT, received).await,
        Ok(Ok(_))
    ) {
        return;
    }
    if is_stop_order(&line, secret) {
        return stop.cancel();
    }
    let request = match serde_json::from_slice::<Request>(&line) {
        Ok(request) if request.secret == secret => request,
        Ok(_) | Err(_) => return,
    };
    let cancel = CancellationToken::new();
    let (sender, mut replies) = unbounded_channel();
    let run = tokio::spawn(run(
        Arc::clone(service),
        Arc::clone(numbers),
        request,
        cancel.clone(),
        sender,
    ));
    let closed = tokio::spawn(cancel_when_closed(read, cancel));
    while let Some(reply) = replies.recv().await {
        let Ok(mut line) = serde_json::to_vec(&reply) else {
            break;
        };
        line.push(b'\n');
        // A client that is gone also cancels the run.
        if write.write_all(&line).await.is_err() {
            break;
        }
    }
    let _ = run.await;
    closed.abort();
}

/// Cancels a run when the client closes its side of the connection.
async fn cancel_when_closed(mut read: BufReader<OwnedReadHalf>, cancel: CancellationToken) {
    let mut buffer = [0; 64];
    while !matches!(read.read(&mut buffer).await, Ok(0) | Err(_)) {}
    cancel.cancel();
}

/// Runs a request; sends its events and its outcome.
async fn run(
    service: Arc<Service>,
    numbers: Arc<RefNumbers>,
    request: Request,
    cancel: CancellationToken,
    replies: UnboundedSender<Reply>,
) {
    let device = Some(&*request.device);
    let parsed = ParsedExecution {
        execution: request.execution,
        warnings: request.warnings,
    };
    let mut on_event = |event: &Event<'_>| {
        // Sending fails when the client is gone.
        let _ = replies.send(Reply::from_event(event));
    };
    let failed = |error| Reply::Failed(Box::new(error));
    let reply = match &request.task {
        Task::Run => {
            let answer = service.execute(device, parsed, cancel, &mut on_event).await;
            answer.map_or_else(failed, |answer| Reply::Answer(Box::new(answer)))
        }
        Task::Find(target) => {
            let found = service.find(device, parsed, target, cancel, &mut on_event);
            let found = found.await;
            found.map_or_else(failed, |found| Reply::Found(Box::new(found)))
        }
    };
    if let Err(error) = numbers.keep_ahead_of(service.last_ref()) {
        tracing::warn!(
            name: "chrome.daemon.refs_not_reserved",
            target: crate::log::TARGET,
            %error,
            "the numbers of references cannot be recorded; another daemon may give them again"
        );
    }
    let _ = replies.send(reply);
}
