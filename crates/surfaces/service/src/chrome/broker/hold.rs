//! The side of the process that holds the pipe.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::Duration;

use cdp::{Broker, Endpoint};
use contract::{ErrorBody, ErrorCode};
use driver_chrome::browser::Window;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::UnixListener;
use tokio::net::unix::pipe::Receiver;
use tokio::process::Child;
use tokio::task::JoinSet;

use crate::chrome::launch::{Prepared, discard, not_recorded, prepare};
use crate::chrome::record::{ANSWER, LOOK, Record, make_folder, socket_file};
use crate::chrome::start_record::record as record_start;
use crate::chrome::{ChromeSetup, StartOptions, not_started, process};
use crate::random::secret;
use crate::runtime::PrivateFolder;

/// How long nothing is accepted after that has failed.
const BREATH: Duration = Duration::from_millis(50);

/// Starts the browser that a command asks for on standard input, answers on standard output when it is ready, and shares it
/// until it ends or `ends` is ready. Then nothing is left of it.
///
/// # Errors
/// `INTERNAL_ERROR` when standard input or output cannot be used. Why the browser does not start is the answer to the command.
pub async fn run_broker(
    setup: ChromeSetup,
    ends: impl Future<Output = ()>,
) -> Result<(), ErrorBody> {
    let unusable = |error: io::Error| {
        ErrorBody::new(
            ErrorCode::InternalError,
            format!("no command has started this process: {error}"),
        )
    };
    let order = io::stdin().as_fd().try_clone_to_owned();
    let order = order.and_then(Receiver::from_owned_fd).map_err(unusable)?;
    let mut order = BufReader::new(order);
    let mut line = String::new();
    order.read_line(&mut line).await.map_err(unusable)?;
    let starting = serde_json::from_str(&line).map_err(|error| unusable(error.into()))?;
    let command_ends = async {
        // Nothing more is said; reading ends with the command.
        let _ = order.read_to_end(&mut Vec::new()).await;
    };
    match Held::start(&setup, &starting, command_ends).await {
        Ok(held) => match answer(&Ok(&held.record)) {
            Ok(()) => held.share(ends).await,
            // Nobody would ever know of the browser.
            Err(_) => held.end(JoinSet::new()).await,
        },
        Err(error) => {
            // A command that has ended needs no answer.
            let _ = answer(&Err(&error));
        }
    }
    Ok(())
}

fn answer(answer: &Result<&Record, &ErrorBody>) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

/// A browser that runs, and its pipe.
struct Held {
    record: Record,
    folder: PrivateFolder,
    child: Child,
    broker: Broker,
    listener: UnixListener,
}

impl Held {
    /// Starts the browser; gives up when the command that waits for it ends.
    async fn start(
        setup: &ChromeSetup,
        starting: &StartOptions,
        command_ends: impl Future<Output = ()>,
    ) -> Result<Self, ErrorBody> {
        let folder = make_folder(setup)?;
        // Half of a secret is enough to be unlike all others, and the path of a socket must be short.
        let name = socket_file(&secret()[..16]);
        let (listener, url) = listen(&folder, &name).map_err(|error| not_shared(&error))?;
        let started = async {
            let Prepared {
                launch,
                own_profile,
            } = prepare(setup, starting)?;
            let mut start_record = None;
            let mut begun = |pid| {
                let written = folder
                    .try_clone()
                    .and_then(|folder| record_start(folder, pid, &launch.profile, own_profile));
                start_record = Some(written);
            };
            let started = tokio::select! {
                started = launch.start_with_pipe(&mut begun) => {
                    started.map_err(|error| not_started(&error))
                }
                () = command_ends => Err(abandoned()),
            };
            let recorded = started.and_then(|started| {
                if let Some(Err(error)) = &start_record {
                    return Err(not_recorded(error));
                }
                let record = Record {
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
            // A browser that was started ends with its pipe.
            if recorded.is_err() && own_profile {
                discard(&launch.profile).await;
            }
            recorded
        };
        match started.await {
            Ok((record, started)) => Ok(Self {
                broker: Broker::new(started.pipe.from_browser, started.pipe.to_browser),
                child: started.child,
                record,
                folder,
                listener,
            }),
            Err(error) => {
                // A socket that stays is one that nobody knows of.
                let _ = folder.remove(&name);
                Err(error)
            }
        }
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
                accepted = self.listener.accept() => match accepted {
                    Ok((socket, _)) => {
                        let broker = self.broker.clone();
                        clients.spawn(async move { broker.serve(socket).await });
                    }
                    // Too many files are open, or the other side has gone already: the next may do better.
                    Err(_) => tokio::time::sleep(BREATH).await,
                },
            }
        }
        self.end(clients).await;
    }

    /// Ends the browser if it still runs, and removes what is left of it.
    async fn end(mut self, mut clients: JoinSet<()>) {
        // What cannot be removed, or does not end in time, is left to the next command.
        let _ = self.folder.remove(&socket_file(self.record.id()));
        drop(self.listener);
        self.broker.close();
        let told = async { while clients.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(ANSWER, told).await;
        if tokio::time::timeout(ANSWER, self.child.wait())
            .await
            .is_err()
        {
            let _ = process::kill(self.record.pid);
            let _ = tokio::time::timeout(ANSWER, self.child.wait()).await;
        }
        let removed = async {
            while !self.record.remove(&self.folder) {
                tokio::time::sleep(LOOK).await;
            }
        };
        let _ = tokio::time::timeout(ANSWER, removed).await;
    }
}

/// Makes the socket, and gives its url.
fn listen(folder: &PrivateFolder, name: &str) -> io::Result<(UnixListener, String)> {
    let path = std::path::absolute(folder.path().join(name))?;
    let endpoint = Endpoint::of_socket(&path).ok_or(io::ErrorKind::InvalidFilename)?;
    let listener = UnixListener::bind(&path)?;
    folder.restrict(name)?;
    Ok((listener, endpoint.url().to_owned()))
}

fn not_shared(error: &io::Error) -> ErrorBody {
    let message = format!("the socket of the browser cannot be made: {error}");
    ErrorBody::new(ErrorCode::InternalError, message)
        .with_hint("Set XDG_RUNTIME_DIR to a folder that you can write into, with a short path")
}

fn abandoned() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ExecutionCancelled,
        "the command that started the browser has ended",
    )
}
