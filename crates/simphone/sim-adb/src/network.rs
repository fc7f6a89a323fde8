//! The phone's own network: what listens on it, for streams from outside (`forward`) and from its programs (`nc`).

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

/// The port of the echo service. Source: RFC 862.
pub(crate) const ECHO: &str = "tcp:7";
/// The first port that is given to who asks for any.
const FIRST_FREE: u16 = 37_001;

/// Bytes in both directions.
pub(crate) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// A stream to something that listens.
pub(crate) type Stream = Pin<Box<dyn Duplex>>;

/// A port that leads back to the computer.
#[derive(Clone, Debug)]
struct Reverse {
    /// The connection that asked for it.
    connection: u64,
    /// Where it leads, as the computer names it.
    to: String,
    /// Takes what connects to it.
    calls: mpsc::Sender<Call>,
}

/// Something on the phone connects to the computer.
pub(crate) struct Call {
    /// What it connects to.
    pub(crate) to: String,
    /// Its end.
    pub(crate) stream: Stream,
}

/// What listens on one phone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Network {
    reverses: Arc<Mutex<BTreeMap<String, Reverse>>>,
}

impl Network {
    fn reverses(&self) -> MutexGuard<'_, BTreeMap<String, Reverse>> {
        self.reverses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Connects a stream to what listens under this name, and copies until either side ends; whether anything listens is
    /// known at once.
    pub(crate) async fn connect(&self, name: &str) -> Option<Stream> {
        let (near, far) = tokio::io::duplex(64 * 1024);
        if name == ECHO || name == "localabstract:echo" {
            tokio::spawn(echo(far));
            return Some(Box::pin(near));
        }
        let reverse = self.reverses().get(name).cloned()?;
        let call = Call {
            to: reverse.to,
            stream: Box::pin(far),
        };
        reverse.calls.send(call).await.ok()?;
        Some(Box::pin(near))
    }

    /// Listens under a name for a computer; gives the name, which has a port of its own where the asked one was 0.
    pub(crate) fn listen(
        &self,
        name: &str,
        to: &str,
        keep: Keep,
        connection: u64,
        calls: mpsc::Sender<Call>,
    ) -> Result<String, String> {
        let mut reverses = self.reverses();
        let name = if name == "tcp:0" {
            let mut ports = (FIRST_FREE..=u16::MAX).map(|port| format!("tcp:{port}"));
            let free = ports.find(|name| !reverses.contains_key(name));
            free.ok_or_else(|| "no port is free".to_owned())?
        } else {
            name.to_owned()
        };
        if name == ECHO {
            return Err("cannot bind listener: Permission denied".to_owned());
        }
        if keep == Keep::Old && reverses.contains_key(&name) {
            return Err("cannot rebind existing socket".to_owned());
        }
        let reverse = Reverse {
            connection,
            to: to.to_owned(),
            calls,
        };
        reverses.insert(name.clone(), reverse);
        Ok(name)
    }

    /// Stops listening under a name; whether it did.
    pub(crate) fn unlisten(&self, name: &str, connection: u64) -> bool {
        let mut reverses = self.reverses();
        let own = reverses
            .get(name)
            .is_some_and(|each| each.connection == connection);
        if own {
            reverses.remove(name);
        }
        own
    }

    /// Stops listening for a computer.
    pub(crate) fn forget(&self, connection: u64) {
        self.reverses()
            .retain(|_, each| each.connection != connection);
    }

    /// Names and where they lead, for a computer.
    pub(crate) fn list(&self, connection: u64) -> Vec<(String, String)> {
        let reverses = self.reverses();
        let own = reverses
            .iter()
            .filter(|(_, each)| each.connection == connection);
        own.map(|(name, each)| (name.clone(), each.to.clone()))
            .collect()
    }
}

/// What becomes of a listener that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// It stays, and the new one is refused.
    Old,
    /// The new one takes its place.
    New,
}

/// Gives back what comes, until it ends.
async fn echo(mut stream: impl Duplex) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
        let bytes = buffer.get(..read).unwrap_or_default();
        if stream.write_all(bytes).await.is_err() {
            return;
        }
    }
}
