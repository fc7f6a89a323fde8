//! The broker's side.

use std::io::{self, Write};
use std::os::fd::AsFd;

use cdp::{Broker, Endpoint};
use contract::{ErrorBody, ErrorCode};
use driver_chrome::browser::Window;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::unix::pipe::Receiver;
use tokio::process::Child;
use tokio::task::JoinSet;

use crate::background::{Listener, REPLY_TIMEOUT};
use crate::chrome::browser_record::{BrowserRecord, SOCKET, make_folder};
use crate::chrome::launch::{PreparedLaunch, discard, not_recorded, prepare};
use crate::chrome::{ChromeSetup, StartOptions, browser_start_record, not_started, process};
use crate::runtime::PrivateFolder;

/// Starts a browser with the options from standard input, writes its record to standard output, and shares the browser until
/// it ends or `ends` is ready. Then removes its files.
///
/// # Errors
/// `INTERNAL_ERROR` when standard input or output cannot be used. An error of the start is written to standard output.
pub async fn run_broker(
    setup: ChromeSetup,
    ends: impl Future<Output = ()>,
) -> Result<(), ErrorBody> {
    let unusable = |error: io::Error| {
        ErrorBody::new(
            ErrorCode::InternalError,
            format!("this process is started by `chrome start`: {error}"),
        )
    };
    let input = io::stdin().as_fd().try_clone_to_owned();
    let input = input.and_then(Receiver::from_owned_fd).map_err(unusable)?;
    let mut input = BufReader::new(input);
    let mut line = String::new();
    input.read_line(&mut line).await.map_err(unusable)?;
    let starting = serde_json::from_str(&line).map_err(|error| unusable(error.into()))?;
    let command_ends = async {
        // Standard input ends with the command.
        let _ = input.read_to_end(&mut Vec::new()).await;
    };
    match SharedBrowser::start(&setup, &starting, command_ends).await {
        Ok(browser) => match write_answer(&Ok(&browser.record)) {
            Ok(()) => browser.share(ends).await,
            // The command has ended.
            Err(_) => browser.end(JoinSet::new()).await,
        },
        Err(error) => {
            // A command that has ended needs no answer.
            let _ = write_answer(&Err(&error));
        }
    }
    Ok(())
}

fn write_answer(answer: &Result<&BrowserRecord, &ErrorBody>) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

/// A browser, its pipe, and the socket that shares it.
struct SharedBrowser {
    record: BrowserRecord,
    folder: PrivateFolder,
    child: Child,
    broker: Broker,
    listener: Listener,
}

impl SharedBrowser {
    /// Starts the browser; fails when the command that waits for it ends.
    async fn start(
        setup: &ChromeSetup,
        starting: &StartOptions,
        command_ends: impl Future<Output = ()>,
    ) -> Result<Self, ErrorBody> {
        let folder = make_folder(setup)?;
        let (listener, url) = listen(&folder).map_err(|error| not_shared(&error))?;
        let PreparedLaunch {
            launch,
            own_profile,
        } = prepare(setup, starting)?;
        let mut start_file = None;
        let mut on_process = |pid| {
            let written = browser_start_record::write(&folder, pid, &launch.profile, own_profile);
            start_file = Some(written);
        };
        let started = tokio::select! {
            started = launch.start_with_pipe(&mut on_process) => {
                started.map_err(|error| not_started(&error))
            }
            () = command_ends => Err(command_ended()),
        };
        let recorded = started.and_then(|started| {
            if let Some(Err(error)) = &start_file {
                return Err(not_recorded(error));
            }
            let record = BrowserRecord {
                url,
                port: started.endpoint.as_ref().map(|port| port.url().to_owned()),
                pid: started.child.id().unwrap_or_default(),
                headless: starting.window == Window::Headless,
                product: started.product.clone(),
                profile: launch.profile.clone(),
                own_profile,
            };
            record
                .write(&folder)
                .map_err(|error| not_recorded(&error))?;
            Ok((record, started))
        });
        // On an error the browser ends, because its pipe was dropped.
        if recorded.is_err() && own_profile {
            discard(&launch.profile).await;
        }
        let (record, started) = recorded?;
        // The record replaces the start record.
        drop(start_file);
        Ok(Self {
            broker: Broker::new(started.pipe.from_browser, started.pipe.to_browser),
            child: started.child,
            record,
            folder,
            listener,
        })
    }

    /// Serves clients until the browser ends or `ends` is ready.
    async fn share(self, ends: impl Future<Output = ()>) {
        let mut clients = JoinSet::new();
        let mut ends = std::pin::pin!(ends);
        loop {
            tokio::select! {
                biased;
                () = self.broker.ended() => break,
                () = &mut ends => break,
                Some(_) = clients.join_next() => {}
                socket = self.listener.accept() => {
                    let broker = self.broker.clone();
                    clients.spawn(async move { broker.serve(socket).await });
                }
            }
        }
        self.end(clients).await;
    }

    /// Ends the browser if it still runs, and removes its files. What fails or takes too long is left to the next command.
    async fn end(mut self, mut clients: JoinSet<()>) {
        drop(self.listener);
        self.broker.close();
        let served = async { while clients.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(REPLY_TIMEOUT, served).await;
        if tokio::time::timeout(REPLY_TIMEOUT, self.child.wait())
            .await
            .is_err()
        {
            let _ = process::kill(self.record.pid);
            let _ = tokio::time::timeout(REPLY_TIMEOUT, self.child.wait()).await;
        }
        self.record.remove_files(&self.folder).await;
    }
}

/// Opens the socket that clients connect to by its url.
fn listen(folder: &PrivateFolder) -> io::Result<(Listener, String)> {
    let (listener, path) = Listener::open_path(folder, SOCKET)?;
    let endpoint = Endpoint::from_socket(&path).ok_or(io::ErrorKind::InvalidFilename)?;
    Ok((listener, endpoint.url().to_owned()))
}

fn not_shared(error: &io::Error) -> ErrorBody {
    let message = format!("the socket of the browser cannot be created: {error}");
    ErrorBody::new(ErrorCode::InternalError, message)
        .with_hint("Set XDG_RUNTIME_DIR to a writable folder with a short path")
}

fn command_ended() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ExecutionCancelled,
        "the command that started the browser exited",
    )
}
