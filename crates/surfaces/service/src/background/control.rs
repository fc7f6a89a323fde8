//! The stop order, a line with the secret of the process, and its answer, a line of JSON.

use std::io;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

use super::{Listener, ProcessRecord, REPLY_TIMEOUT, Stream};
use crate::random::secret;
use crate::runtime::PrivateFolder;

/// The first word of a stop order; the secret follows.
const STOP: &str = "stop ";
/// The longest order, in bytes.
const MAX_ORDER: u64 = 256;

/// The socket of a background process, and the secret that its clients must know.
#[derive(Debug)]
pub(crate) struct ControlSocket {
    listener: Listener,
    secret: String,
}

impl ControlSocket {
    /// Listens at a new address in a folder.
    pub(crate) async fn open(folder: &PrivateFolder) -> io::Result<Self> {
        Ok(Self {
            listener: Listener::open(folder)?,
            secret: secret(),
        })
    }

    /// The part of the record that lets clients reach this process.
    pub(crate) fn process(&self) -> ProcessRecord {
        ProcessRecord {
            pid: std::process::id(),
            address: self.listener.address().clone(),
            secret: self.secret.clone(),
        }
    }

    /// The next connection.
    pub(crate) async fn accept(&self) -> Stream {
        self.listener.accept().await
    }

    /// Waits for a stop order. Other requests are dropped.
    pub(crate) async fn stop_request(&self) -> StopRequest {
        loop {
            let mut socket = self.accept().await;
            let order = tokio::time::timeout(REPLY_TIMEOUT, self.read_order(&mut socket));
            if let Ok(true) = order.await {
                return StopRequest(socket);
            }
        }
    }

    async fn read_order(&self, socket: &mut Stream) -> bool {
        let mut line = Vec::new();
        let read = BufReader::new(socket.take(MAX_ORDER))
            .read_until(b'\n', &mut line)
            .await;
        read.is_ok() && is_stop_order(&line, &self.secret)
    }
}

pub(crate) fn is_stop_order(line: &[u8], secret: &str) -> bool {
    let given = line.trim_ascii_end().strip_prefix(STOP.as_bytes());
    given == Some(secret.as_bytes())
}

/// A client that waits for the process to stop.
#[derive(Debug)]
pub(crate) struct StopRequest(Stream);

impl StopRequest {
    /// Answers the client. One that is gone needs no answer.
    pub(crate) async fn answer(mut self, answer: &impl Serialize) {
        let line = serde_json::to_vec(answer).unwrap_or_default();
        let _ = self.0.write_all(&line).await;
        let _ = self.0.shutdown().await;
    }
}

/// Why a stop order has no answer.
#[derive(Debug)]
pub(crate) enum StopError {
    /// The process does not take the order, or something else listens at its address.
    Failed(io::Error),
    /// The process took the order and does not answer in time.
    TimedOut,
}

impl std::fmt::Display for StopError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Failed(error) => error.fmt(f),
            Self::TimedOut => f.write_str("it does not answer"),
        }
    }
}

impl ProcessRecord {
    /// Sends the stop order, without waiting for the process.
    pub(crate) async fn send_stop(&self, folder: &PrivateFolder) -> io::Result<Stream> {
        let mut socket = self.connect(folder).await?;
        let order = format!("{STOP}{}\n", self.secret);
        socket.write_all(order.as_bytes()).await?;
        Ok(socket)
    }

    /// Stops the process and returns its answer.
    pub(crate) async fn stop<T: DeserializeOwned>(
        &self,
        folder: &PrivateFolder,
        timeout: Duration,
    ) -> Result<T, StopError> {
        let answer = async {
            let mut answer = Vec::new();
            let mut socket = self.send_stop(folder).await?;
            socket.read_to_end(&mut answer).await?;
            if answer.is_empty() {
                return Err(io::Error::other(
                    "it closed the connection without an answer",
                ));
            }
            serde_json::from_slice(&answer)
                .map_err(|_| io::Error::other("another process listens at its address"))
        };
        match tokio::time::timeout(timeout, answer).await {
            Ok(answer) => answer.map_err(StopError::Failed),
            Err(_) => Err(StopError::TimedOut),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::Liveness;

    #[tokio::test]
    async fn stop_requires_the_secret() {
        let root = testkit::TempFolder::new("control");
        let folder = PrivateFolder::make(&root).unwrap();
        let control = ControlSocket::open(&folder).await.unwrap();
        let process = control.process();
        assert_eq!(process.liveness(&folder).await, Liveness::Alive(()));
        let client = tokio::spawn(async move {
            let guess = ProcessRecord {
                secret: "a guess".to_owned(),
                ..process.clone()
            };
            let refused = guess.stop::<String>(&folder, REPLY_TIMEOUT).await;
            let stopped = process.stop::<String>(&folder, REPLY_TIMEOUT).await;
            (refused, stopped, folder, process)
        });
        control.stop_request().await.answer(&"done").await;
        let (refused, stopped, folder, process) = client.await.unwrap();
        assert!(matches!(refused, Err(StopError::Failed(_))), "{refused:?}");
        assert_eq!(stopped.unwrap(), "done");
        drop(control);
        assert_eq!(process.liveness(&folder).await, Liveness::Gone);
    }
}
