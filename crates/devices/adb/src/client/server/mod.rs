//! A client of the adb server, over its own socket protocol instead of an adb process per command.

mod address;
mod link;
mod list;

use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::client::locate::{self, ProgramSearch};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::server::{request, status, text};
use list::read_list;

pub use address::{Address, DEFAULT_PORT};
pub use link::ServerLink;
pub use list::{DeviceTracker, ListedDevice};

/// Timeout of connecting to a local server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout of requests that a server answers from memory.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout of the server's connection to a phone at an address.
const ATTACH_TIMEOUT: Duration = Duration::from_secs(60);

/// An adb server.
#[derive(Clone, Debug)]
pub struct Server {
    address: Address,
}

impl Server {
    /// The server at an address; sends nothing yet.
    pub const fn at(address: Address) -> Self {
        Self { address }
    }

    pub const fn address(&self) -> &Address {
        &self.address
    }

    /// Ensures that the server runs: starts it with the adb program if nothing listens at a local address.
    /// Returns whether it was started.
    ///
    /// # Errors
    /// `NoProgram`, `NotStarted`, `NoServer`.
    pub async fn ensure(&self, places: &ProgramSearch) -> Result<bool> {
        match self.connect().await {
            Ok(_) => return Ok(false),
            Err(error) if !self.address.is_local() => return Err(error),
            Err(_) => {}
        }
        locate::start(&places.find()?, &self.address).await?;
        self.connect().await?;
        Ok(true)
    }

    async fn connect(&self) -> Result<TcpStream> {
        let no_server = |why: String| {
            let address = self.address.to_string();
            Error::from(ErrorKind::NoServer { address, why })
        };
        let to = (self.address.host.as_str(), self.address.port);
        let socket = tokio::time::timeout(CONNECT_TIMEOUT, TcpStream::connect(to))
            .await
            .map_err(|_| no_server(format!("no connection within {CONNECT_TIMEOUT:?}")))?
            .map_err(|error| no_server(error.to_string()))?;
        // A request is a single small packet.
        socket.set_nodelay(true)?;
        Ok(socket)
    }

    /// Sends a request on a new connection and returns the connection after its `OKAY`.
    async fn open(&self, service: &str) -> Result<TcpStream> {
        let request = request(service)?;
        let mut socket = self.connect().await?;
        socket.write_all(&request).await?;
        status(&mut socket).await?;
        Ok(socket)
    }

    /// The protocol version: 41 since 2018.
    pub async fn version(&self) -> Result<u32> {
        let answer =
            with_timeout(async { text(&mut self.open("host:version").await?).await }).await?;
        u32::from_str_radix(answer.trim(), 16)
            .map_err(|_| Error::protocol(format!("the server's version is {answer:?}")))
    }

    /// Every phone that it knows, ready or not.
    pub async fn devices(&self) -> Result<Vec<ListedDevice>> {
        let answer =
            with_timeout(async { text(&mut self.open("host:devices-l").await?).await }).await?;
        Ok(read_list(&answer))
    }

    /// Follows the list: the current list first, then every change.
    pub async fn track(&self) -> Result<DeviceTracker> {
        Ok(DeviceTracker {
            socket: with_timeout(self.open("host:track-devices-l")).await?,
        })
    }

    /// Connects the server to a phone at `host:port` and returns its message.
    ///
    /// # Errors
    /// `Refused` if it failed, `NoServer`, and errors of the connection.
    pub async fn attach(&self, to: &str) -> Result<String> {
        let service = format!("host:connect:{to}");
        let pending = async { text(&mut self.open(&service).await?).await };
        // A healthy server gives up by itself; this is for one that hangs.
        let message = tokio::time::timeout(ATTACH_TIMEOUT, pending)
            .await
            .unwrap_or_else(|_| Err(ErrorKind::Silent(ATTACH_TIMEOUT).into()))?;
        // The server answers OKAY in either case.
        if message.starts_with("connected to") || message.starts_with("already connected") {
            Ok(message)
        } else {
            Err(ErrorKind::Refused(message).into())
        }
    }

    /// Disconnects the server from a phone at `host:port`.
    ///
    /// # Errors
    /// `Refused` if it is not connected, `NoServer`, and errors of the connection.
    pub async fn detach(&self, from: &str) -> Result<String> {
        let service = format!("host:disconnect:{from}");
        with_timeout(async { text(&mut self.open(&service).await?).await }).await
    }

    /// Reconnects the server to all offline phones.
    pub async fn reconnect_offline(&self) -> Result<String> {
        with_timeout(async { text(&mut self.open("host:reconnect-offline").await?).await }).await
    }

    /// The connection to one of its phones.
    pub fn link(&self, serial: &str) -> ServerLink {
        ServerLink::new(self.clone(), serial, None)
    }

    /// The connection to one of its phones. If the server ends after the phone was reached, it is started again, and a phone
    /// with an address is connected again.
    pub fn lasting_link(&self, serial: &str, places: ProgramSearch) -> ServerLink {
        ServerLink::new(self.clone(), serial, Some(places))
    }
}

/// Applies the timeout of requests that a server answers from memory.
async fn with_timeout<T>(answer: impl Future<Output = Result<T>>) -> Result<T> {
    let silent = |_| Err(ErrorKind::Silent(ANSWER_TIMEOUT).into());
    tokio::time::timeout(ANSWER_TIMEOUT, answer)
        .await
        .unwrap_or_else(silent)
}

/// Maps the server's refusal to the state of the phone.
fn device_error(error: Error, serial: &str) -> Error {
    let Error {
        kind: ErrorKind::Refused(message),
        reach,
    } = error
    else {
        return error;
    };
    let serial = serial.to_owned();
    let not_ready = |state: &str| ErrorKind::NotReady {
        serial: serial.clone(),
        state: state.to_owned(),
    };
    let kind = if message.contains("not found") && message.contains("device") {
        ErrorKind::UnknownDevice(serial)
    } else if message.contains("unauthorized") {
        not_ready("unauthorized")
    } else if message.contains("still authorizing") {
        not_ready("authorizing")
    } else if message.contains("still connecting") {
        not_ready("connecting")
    } else if message.contains("offline") {
        not_ready("offline")
    } else {
        ErrorKind::Refused(message)
    };
    Error { kind, reach }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_mapped_to_device_states() {
        let message =
            |message: &str| device_error(ErrorKind::Refused(message.to_owned()).into(), "X");
        assert_eq!(
            message("device 'X' not found").to_string(),
            "adb knows no device \"X\""
        );
        let error = message("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set");
        assert_eq!(error.to_string(), "device \"X\" is unauthorized");
        assert_eq!(
            message("device offline").to_string(),
            "device \"X\" is offline"
        );
        assert_eq!(message("closed").to_string(), "closed");
    }
}
