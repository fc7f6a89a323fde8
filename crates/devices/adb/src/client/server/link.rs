//! The connection to one phone through an adb server.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{CONNECT_TIMEOUT, Server, device_error, with_timeout};
use crate::client::locate::ProgramSearch;
use crate::client::prompt::Prompt;
use crate::client::{Link, Pipe};
use crate::error::{Error, ErrorKind, Progress, Result};
use crate::wire::server::{request, status};

/// The connection to one phone through the server. A transport is opened in advance, so that a request needs
/// only one round trip.
#[derive(Clone, Debug)]
pub struct ServerLink {
    way: Arc<ServerRoute>,
}

impl ServerLink {
    /// The connection; sends nothing yet. `places` is where the adb program is looked for when the server has ended.
    pub(super) fn new(server: Server, serial: &str, places: Option<ProgramSearch>) -> Self {
        Self {
            way: Arc::new(ServerRoute {
                server,
                serial: serial.to_owned(),
                spare: Mutex::new(None),
                places,
                was_reached: AtomicBool::new(false),
            }),
        }
    }

    /// Opens a transport to the phone in advance, for the next request: this checks that the phone is usable
    /// before anything is sent to it.
    ///
    /// # Errors
    /// `UnknownDevice`, `NotReady`, `Refused`, `NoServer`, and errors of the connection.
    pub async fn reach(&self) -> Result<()> {
        let socket = self.way.transport().await?;
        *self.way.spare_connection() = Some(socket);
        Ok(())
    }
}

#[derive(Debug)]
struct ServerRoute {
    server: Server,
    serial: String,
    spare: Mutex<Option<TcpStream>>,
    /// Where the adb program is looked for when the server has ended; `None` leaves it so.
    places: Option<ProgramSearch>,
    /// Whether a transport was open before.
    was_reached: AtomicBool,
}

impl ServerRoute {
    /// Opens a transport to the phone, with a new server if the one that reached it has ended.
    async fn transport(&self) -> Result<TcpStream> {
        let connection = match (self.ask_for_transport().await, &self.places) {
            (Err(lost), Some(places)) if self.was_reached.load(Ordering::Relaxed) => {
                self.recover(lost, places).await?;
                self.ask_for_transport().await
            }
            (connection, _) => connection,
        };
        self.was_reached
            .fetch_or(connection.is_ok(), Ordering::Relaxed);
        connection
    }

    /// Starts a server that has ended. A new server does not know phones at addresses.
    async fn recover(&self, lost: Error, places: &ProgramSearch) -> Result<()> {
        if !matches!(lost.kind, ErrorKind::NoServer { .. }) {
            return Err(lost);
        }
        self.server.ensure(places).await?;
        if self.serial.contains(':') {
            let attached =
                tokio::time::timeout(CONNECT_TIMEOUT, self.server.attach(&self.serial)).await;
            attached.map_err(|_| Error::from(ErrorKind::Silent(CONNECT_TIMEOUT)))??;
        }
        Ok(())
    }

    async fn ask_for_transport(&self) -> Result<TcpStream> {
        let service = format!("host:transport:{}", self.serial);
        let pending = with_timeout(self.server.open(&service)).await;
        pending.map_err(|error| device_error(error, &self.serial))
    }

    fn spare_connection(&self) -> std::sync::MutexGuard<'_, Option<TcpStream>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the spare transport, unless the server has closed it.
    fn take_spare(&self) -> Option<TcpStream> {
        let socket = self.spare_connection().take()?;
        // No data is expected, so readable means closed.
        let mut byte = [0; 1];
        match socket.try_read(&mut byte) {
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Some(socket),
            Ok(_) | Err(_) => None,
        }
    }
}

#[async_trait]
impl Link for ServerLink {
    async fn open(&self, service: &str) -> Result<Pipe> {
        let request = request(service)?;
        let mut socket = match self.way.take_spare() {
            Some(socket) => socket,
            None => self.way.transport().await?,
        };
        let maybe = |error: Error| error.after(Progress::Unknown);
        socket
            .write_all(&request)
            .await
            .map_err(|error| maybe(error.into()))?;
        match status(&mut socket).await {
            Ok(()) => {}
            // The server gives the same message for a phone that was lost meanwhile, which may have started.
            Err(error) if error.is_closed() => return Err(maybe(error)),
            // The server reports that it was not started.
            Err(error) if matches!(error.kind, ErrorKind::Refused(_)) => {
                return Err(device_error(error, &self.way.serial));
            }
            Err(error) => return Err(maybe(error)),
        }
        let way = Arc::clone(&self.way);
        tokio::spawn(async move {
            // Without a spare transport the next request opens one.
            if let Ok(socket) = way.transport().await {
                *way.spare_connection() = Some(socket);
            }
        });
        Ok(Box::new(Prompt::new(socket)))
    }

    async fn features(&self) -> Result<Vec<String>> {
        let serial = &self.way.serial;
        let service = format!("host-serial:{serial}:features");
        let pending = with_timeout(async {
            let mut socket = self.way.server.open(&service).await?;
            let mut bytes = Vec::new();
            // Some servers send a length before the list and some do not.
            socket.read_to_end(&mut bytes).await?;
            Ok(bytes)
        });
        let bytes = pending.await.map_err(|error| device_error(error, serial))?;
        let message = String::from_utf8_lossy(&bytes).into_owned();
        let message = match message
            .get(..4)
            .map(|digits| usize::from_str_radix(digits, 16))
        {
            Some(Ok(length)) if length + 4 == message.len() => message.get(4..).unwrap_or_default(),
            _ => message.as_str(),
        };
        let names = message.trim().split(',').filter(|name| !name.is_empty());
        Ok(names.map(str::to_owned).collect())
    }

    fn comes_back(&self) -> bool {
        true
    }
}
