//! Processes of this program that live on by themselves take one order from others on this machine: to end. Whoever knows
//! the secret of such a process, from a record that only its user can read, may give it.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::runtime::secret;

/// How long another process of this machine is given to say something.
pub(crate) const ANSWER: Duration = Duration::from_secs(5);
/// How long nothing is accepted after that has failed.
const BREATH: Duration = Duration::from_millis(50);
/// What is said before the secret.
const STOP: &str = "stop ";
/// The longest order, in bytes.
const LONGEST: u64 = 256;

/// Where orders come in.
#[derive(Debug)]
pub(crate) struct Control {
    listener: TcpListener,
    port: u16,
    secret: String,
}

impl Control {
    /// Listens on a port of loopback that is free.
    pub(crate) async fn open() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        Ok(Self {
            listener,
            port,
            secret: secret(),
        })
    }

    /// Its port.
    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// What proves that an order comes from the user.
    pub(crate) fn secret(&self) -> &str {
        &self.secret
    }

    /// Waits for the order to end; gives the connection on which it is to be answered.
    pub(crate) async fn ordered(&self) -> TcpStream {
        loop {
            let Ok((mut socket, _)) = self.listener.accept().await else {
                // Too many files are open, or the other side has gone already: the next may do better.
                tokio::time::sleep(BREATH).await;
                continue;
            };
            // Who says nothing for long, or something else, is not listened to any more.
            if let Ok(true) = tokio::time::timeout(ANSWER, self.is_order(&mut socket)).await {
                return socket;
            }
        }
    }

    async fn is_order(&self, socket: &mut TcpStream) -> bool {
        let mut line = String::new();
        let read = BufReader::new(socket.take(LONGEST))
            .read_line(&mut line)
            .await;
        read.is_ok() && line.trim_end().strip_prefix(STOP) == Some(self.secret.as_str())
    }
}

/// Tells the process behind a port to end, and gives what it says when it has.
pub(crate) async fn order(port: u16, secret: &str) -> io::Result<String> {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).await?;
    socket
        .write_all(format!("{STOP}{secret}\n").as_bytes())
        .await?;
    let mut said = String::new();
    socket.read_to_string(&mut said).await?;
    Ok(said)
}

/// Whether a process is there that takes orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum There {
    Yes,
    /// Nobody listens: it has ended without a word.
    Gone,
    /// The system does not say.
    Unknown,
}

/// Looks whether somebody listens behind a port.
pub(crate) async fn is_there(port: u16) -> There {
    let there = TcpStream::connect(("127.0.0.1", port));
    match tokio::time::timeout(ANSWER, there).await {
        Ok(Ok(_)) => There::Yes,
        Ok(Err(_)) => There::Gone,
        Err(_) => There::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_who_knows_the_secret_is_obeyed() {
        let control = Control::open().await.unwrap();
        let (port, secret) = (control.port(), control.secret().to_owned());
        assert_eq!(is_there(port).await, There::Yes);
        let asked = tokio::spawn(async move {
            let refused = order(port, "a guess").await;
            (refused, order(port, &secret).await)
        });
        let mut socket = control.ordered().await;
        socket.write_all(b"done").await.unwrap();
        drop(socket);
        let (refused, said) = asked.await.unwrap();
        assert!(refused.is_err() || refused.is_ok_and(|said| said.is_empty()));
        assert_eq!(said.unwrap(), "done");
        drop(control);
        // A port that is free again may be given to another test at once.
        let mut gone = is_there(port).await;
        for _ in 0..10 {
            if gone == There::Gone {
                break;
            }
            let port = Control::open().await.unwrap().port();
            gone = is_there(port).await;
        }
        assert_eq!(gone, There::Gone);
    }
}
