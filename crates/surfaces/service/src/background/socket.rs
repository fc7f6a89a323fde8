//! Sockets in private folders, which only their user can connect to or replace.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::net::UnixListener;
pub(crate) use tokio::net::UnixStream as Stream;
pub(crate) use tokio::net::unix::OwnedReadHalf;

use crate::random::secret;
use crate::runtime::PrivateFolder;

/// The pause after an accept that failed.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The address of a process in its record: the name of a socket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Address(String);

/// A listening socket, removed on drop.
#[derive(Debug)]
pub(crate) struct Listener {
    inner: UnixListener,
    folder: PrivateFolder,
    address: Address,
}

impl Listener {
    /// Listens at a new address in a folder.
    pub(crate) fn open(folder: &PrivateFolder) -> io::Result<Self> {
        let name = format!("{}.sock", short_id());
        let path = folder.socket_path(&name);
        Self::bind(folder, name, &path)
    }

    /// Listens at a new address in a folder, for clients that connect by the path.
    pub(crate) fn open_path(folder: &PrivateFolder, suffix: &str) -> io::Result<(Self, PathBuf)> {
        let name = format!("{}{suffix}", short_id());
        let path = std::path::absolute(folder.path().join(&name))?;
        Ok((Self::bind(folder, name, &path)?, path))
    }

    fn bind(folder: &PrivateFolder, name: String, path: &Path) -> io::Result<Self> {
        let listener = Self {
            inner: UnixListener::bind(path)?,
            folder: folder.try_clone()?,
            address: Address(name),
        };
        folder.restrict(&listener.address.0)?;
        Ok(listener)
    }

    pub(crate) const fn address(&self) -> &Address {
        &self.address
    }

    /// The next connection. Accepting fails when too many files are open or the client is gone; it is tried again.
    pub(crate) async fn accept(&self) -> Stream {
        loop {
            match self.inner.accept().await {
                Ok((socket, _)) => return socket,
                Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
            }
        }
    }
}

/// Half of a secret: unique, and short, because the path of a socket must be.
fn short_id() -> String {
    let mut digits = secret();
    digits.truncate(16);
    digits
}

impl Drop for Listener {
    fn drop(&mut self) {
        // A socket that stays is removed with the record.
        let _ = self.address.remove(&self.folder);
    }
}

impl Address {
    /// Connects to the process that listens here.
    ///
    /// # Errors
    /// `NotFound` and `ConnectionRefused` if none does.
    pub(super) async fn connect(&self, folder: &PrivateFolder) -> io::Result<Stream> {
        Stream::connect(folder.socket_path(&self.0)).await
    }

    /// Removes the socket of a process that was killed.
    pub(super) fn remove(&self, folder: &PrivateFolder) -> io::Result<()> {
        folder.remove(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[tokio::test]
    async fn socket_is_private_and_removed_with_its_listener() {
        // The second path is too long for the name of a socket.
        let root = testkit::TempFolder::new("sockets");
        let deep = root.join("a".repeat(60)).join("b".repeat(60));
        for path in [root.join("short"), deep] {
            let folder = PrivateFolder::make(&path).unwrap();
            let listener = Listener::open(&folder).unwrap();
            let address = listener.address().clone();
            let mode = std::fs::metadata(path.join(&address.0)).unwrap();
            assert_eq!(mode.permissions().mode() & 0o777, 0o600);
            let (_, connected) = tokio::join!(listener.accept(), address.connect(&folder));
            connected.unwrap();
            drop(listener);
            assert_eq!(folder.names().unwrap(), [""; 0]);
            let gone = address.connect(&folder).await.unwrap_err();
            assert_eq!(gone.kind(), io::ErrorKind::NotFound);
        }
    }
}
