//! Where processes of one user reach each other: sockets in private folders, to which nobody else can connect and whose place
//! nobody else can take. Windows has ports of loopback instead.

use std::io;

use serde::{Deserialize, Serialize};

use super::PrivateFolder;
use crate::random::secret;

#[cfg(unix)]
mod imp {
    pub(crate) use tokio::net::UnixListener as Inner;
    pub(crate) use tokio::net::UnixStream as Stream;
    pub(crate) use tokio::net::unix::OwnedReadHalf;
}
#[cfg(not(unix))]
mod imp {
    pub(crate) use tokio::net::TcpListener as Inner;
    pub(crate) use tokio::net::TcpStream as Stream;
    pub(crate) use tokio::net::tcp::OwnedReadHalf;
}

pub(crate) use imp::{OwnedReadHalf, Stream};

/// The address of a process, as its record has it: the name of a socket, on Windows a port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Address(String);

/// Listens at an address of its own, until it is dropped.
#[derive(Debug)]
pub(crate) struct Listener {
    inner: imp::Inner,
    folder: PrivateFolder,
    address: Address,
}

impl Listener {
    /// Listens at a new address in a folder.
    #[cfg(unix)]
    pub(crate) async fn open(folder: &PrivateFolder) -> io::Result<Self> {
        let digits = secret();
        let name = format!("{}.sock", digits.get(..16).unwrap_or(&digits));
        let inner = imp::Inner::bind(folder.socket_path(&name))?;
        folder.restrict(&name)?;
        Ok(Self {
            inner,
            folder: folder.try_clone()?,
            address: Address(name),
        })
    }

    /// Listens at a new address in a folder.
    #[cfg(not(unix))]
    pub(crate) async fn open(folder: &PrivateFolder) -> io::Result<Self> {
        let inner = imp::Inner::bind(("127.0.0.1", 0)).await?;
        let port = inner.local_addr()?.port();
        Ok(Self {
            inner,
            folder: folder.try_clone()?,
            address: Address(port.to_string()),
        })
    }

    pub(crate) const fn address(&self) -> &Address {
        &self.address
    }

    pub(crate) async fn accept(&self) -> io::Result<Stream> {
        Ok(self.inner.accept().await?.0)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // What stays is removed with the record.
        let _ = self.address.remove(&self.folder);
    }
}

impl Address {
    /// Connects to the process that listens here.
    ///
    /// # Errors
    /// `NotFound` and `ConnectionRefused` where no process does.
    pub(crate) async fn connect(&self, folder: &PrivateFolder) -> io::Result<Stream> {
        #[cfg(unix)]
        {
            Stream::connect(folder.socket_path(&self.0)).await
        }
        #[cfg(not(unix))]
        {
            let _ = folder;
            let port = self.0.parse().map_err(io::Error::other)?;
            Stream::connect(("127.0.0.1", port)).await
        }
    }

    /// Removes what a process has left that was killed.
    pub(crate) fn remove(&self, folder: &PrivateFolder) -> io::Result<()> {
        if cfg!(unix) {
            folder.remove(&self.0)?;
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[tokio::test]
    async fn a_socket_is_for_its_user_alone_and_goes_with_its_listener() {
        // A path that is too long for the name of a socket.
        let root = std::env::temp_dir().join(format!("sockets-{}", std::process::id()));
        let deep = root.join("a".repeat(60)).join("b".repeat(60));
        for path in [root.join("short"), deep] {
            let folder = PrivateFolder::make(&path).unwrap();
            let listener = Listener::open(&folder).await.unwrap();
            let address = listener.address().clone();
            let mode = std::fs::metadata(path.join(&address.0)).unwrap();
            assert_eq!(mode.permissions().mode() & 0o777, 0o600);
            let (accepted, connected) = tokio::join!(listener.accept(), address.connect(&folder));
            accepted.unwrap();
            connected.unwrap();
            drop(listener);
            assert_eq!(folder.names().unwrap(), [""; 0]);
            let gone = address.connect(&folder).await.unwrap_err();
            assert_eq!(gone.kind(), io::ErrorKind::NotFound);
        }
        std::fs::remove_dir_all(root).unwrap();
    }
}
