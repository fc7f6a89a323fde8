//! The stop order for background processes of this program. The order carries the secret of the process, which stands in a
//! record that only its user can read.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

use crate::random::secret;
use crate::runtime::{Address, Listener, PrivateFolder, Stream};

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
    listener: Listener,
    secret: String,
}

impl Control {
    /// Listens at an address in a folder.
    pub(crate) async fn open(folder: &PrivateFolder) -> io::Result<Self> {
        Ok(Self {
            listener: Listener::open(folder).await?,
            secret: secret(),
        })
    }

    /// Its address.
    pub(crate) const fn address(&self) -> &Address {
        self.listener.address()
    }

    /// What proves that an order comes from the user.
    pub(crate) fn secret(&self) -> &str {
        &self.secret
    }

    /// Waits for the order to end; gives the connection on which it is to be answered.
    pub(crate) async fn ordered(&self) -> Stream {
        loop {
            let Ok(mut socket) = self.listener.accept().await else {
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

    async fn is_order(&self, socket: &mut Stream) -> bool {
        let mut line = String::new();
        let read = BufReader::new(socket.take(LONGEST))
            .read_line(&mut line)
            .await;
        read.is_ok() && line.trim_end().strip_prefix(STOP) == Some(self.secret.as_str())
    }
}

/// Tells the process at an address to end, and gives what it says when it has.
pub(crate) async fn order(
    folder: &PrivateFolder,
    address: &Address,
    secret: &str,
) -> io::Result<String> {
    let mut socket = address.connect(folder).await?;
    socket
        .write_all(format!("{STOP}{secret}\n").as_bytes())
        .await?;
    let mut said = String::new();
    socket.read_to_string(&mut said).await?;
    Ok(said)
}

/// Whether a process is there that takes orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Liveness {
    Alive,
    /// No process listens: it has ended without a word.
    Gone,
    /// The system does not say.
    Unknown,
}

/// Looks whether a process listens at an address.
pub(crate) async fn is_there(folder: &PrivateFolder, address: &Address) -> Liveness {
    match tokio::time::timeout(ANSWER, address.connect(folder)).await {
        Ok(Ok(_)) => Liveness::Alive,
        Ok(Err(error)) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => Liveness::Gone,
            _ => Liveness::Unknown,
        },
        Err(_) => Liveness::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_who_knows_the_secret_is_obeyed() {
        let root = std::env::temp_dir().join(format!("control-{}", std::process::id()));
        let folder = PrivateFolder::make(&root).unwrap();
        let control = Control::open(&folder).await.unwrap();
        let (address, secret) = (control.address().clone(), control.secret().to_owned());
        assert_eq!(is_there(&folder, &address).await, Liveness::Alive);
        let asked = tokio::spawn(async move {
            let refused = order(&folder, &address, "a guess").await;
            let obeyed = order(&folder, &address, &secret).await;
            (refused, obeyed, folder, address)
        });
        let mut socket = control.ordered().await;
        socket.write_all(b"done").await.unwrap();
        drop(socket);
        let (refused, said, folder, address) = asked.await.unwrap();
        assert!(refused.is_err() || refused.is_ok_and(|said| said.is_empty()));
        assert_eq!(said.unwrap(), "done");
        drop(control);
        assert_eq!(is_there(&folder, &address).await, Liveness::Gone);
        std::fs::remove_dir_all(root).unwrap();
    }
}
