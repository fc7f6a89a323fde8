//! A client of the adb server, over its own socket protocol instead of an adb process per command.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::locate::{self, ProgramSearch};
use crate::client::prompt::Prompt;
use crate::client::{Link, Pipe};
use crate::error::{Error, ErrorKind, Progress, Result};
use crate::wire::server::{request, status, text};

/// The default port of servers.
pub const DEFAULT_PORT: u16 = 5037;
/// Timeout of connecting to a local server.
const CONNECT: Duration = Duration::from_secs(5);
/// Timeout of requests that a server answers from memory.
const ANSWER: Duration = Duration::from_secs(10);
/// Timeout of the server's connection to a phone at an address.
const ATTACHED: Duration = Duration::from_secs(60);

/// The address of an adb server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// A host name or an IP address.
    pub host: String,
    /// Its port.
    pub port: u16,
}

impl Default for Address {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: DEFAULT_PORT,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

impl Address {
    /// The address from the environment: `ADB_SERVER_SOCKET` (`tcp:host:port`, `tcp:port`), or
    /// `ANDROID_ADB_SERVER_ADDRESS` and `ANDROID_ADB_SERVER_PORT`. Empty variables count as missing.
    ///
    /// # Errors
    /// A message with the invalid variable and the reason.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> std::result::Result<Self, String> {
        let var = |name: &str| var(name).filter(|value| !value.trim().is_empty());
        if let Some(socket) = var("ADB_SERVER_SOCKET") {
            return Self::from_socket(socket.trim());
        }
        let mut address = Self::default();
        if let Some(host) = var("ANDROID_ADB_SERVER_ADDRESS") {
            host.trim().clone_into(&mut address.host);
        }
        if let Some(port) = var("ANDROID_ADB_SERVER_PORT") {
            address.port = port_of(port.trim())
                .ok_or_else(|| format!("ANDROID_ADB_SERVER_PORT is {port:?}, not a port"))?;
        }
        Ok(address)
    }

    fn from_socket(socket: &str) -> std::result::Result<Self, String> {
        let wrong =
            || format!("ADB_SERVER_SOCKET is {socket:?}; expected `tcp:host:port` or `tcp:port`");
        let rest = socket.strip_prefix("tcp:").ok_or_else(wrong)?;
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) => (host.trim_start_matches('[').trim_end_matches(']'), port),
            None => ("127.0.0.1", rest),
        };
        let port = port_of(port).ok_or_else(wrong)?;
        if host.is_empty() {
            return Err(wrong());
        }
        Ok(Self {
            host: host.to_owned(),
            port,
        })
    }

    /// Whether it is on this machine.
    pub fn is_local(&self) -> bool {
        self.host == "localhost"
            || self
                .host
                .parse::<std::net::IpAddr>()
                .is_ok_and(|ip| ip.is_loopback())
    }
}

fn port_of(text: &str) -> Option<u16> {
    text.parse().ok().filter(|port| *port != 0)
}

/// A phone in the server's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedDevice {
    /// Its serial.
    pub serial: String,
    /// `device` if it is ready; `offline`, `unauthorized`, `authorizing`, `recovery`, `no permissions`, …
    pub state: String,
    /// Further fields: `product`, `model`, `device`, `transport_id`, `usb`.
    pub fields: Vec<(String, String)>,
}

impl ListedDevice {
    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        fields
            .find(|(its, _)| its == name)
            .map(|(_, value)| value.as_str())
    }

    /// Parses a line of `host:devices-l`. The serial ends at the first space and padding follows; states may
    /// contain spaces, fields have a colon.
    fn read(line: &str) -> Option<Self> {
        let (serial, rest) = line.split_once(['\t', ' '])?;
        let mut state = Vec::new();
        let mut fields = Vec::new();
        for word in rest.split_whitespace() {
            match word.split_once(':') {
                Some((name, value)) if is_field(name) => {
                    fields.push((name.to_owned(), value.to_owned()));
                }
                // A word of the state before the fields, such as in `no permissions (user in plugdev group;
                // …)`.
                _ if fields.is_empty() => state.push(word),
                _ => {}
            }
        }
        let state = state.join(" ");
        (!serial.is_empty() && !state.is_empty()).then(|| Self {
            serial: serial.to_owned(),
            state,
            fields,
        })
    }
}

fn is_field(name: &str) -> bool {
    matches!(
        name,
        "usb" | "product" | "model" | "device" | "features" | "transport_id"
    )
}

/// The phones in an answer of `host:devices-l`; invalid lines are skipped.
fn read_list(text: &str) -> Vec<ListedDevice> {
    text.lines()
        .filter_map(|line| ListedDevice::read(line.trim_end()))
        .collect()
}

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

    /// Its address.
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
        let socket = tokio::time::timeout(CONNECT, TcpStream::connect(to))
            .await
            .map_err(|_| no_server(format!("no connection within {CONNECT:?}")))?
            .map_err(|error| no_server(error.to_string()))?;
        // A request is a single small packet.
        socket.set_nodelay(true)?;
        Ok(socket)
    }

    /// Sends a request on a new connection and returns the connection after its `OKAY`.
    async fn ask(&self, service: &str) -> Result<TcpStream> {
        let request = request(service)?;
        let mut socket = self.connect().await?;
        socket.write_all(&request).await?;
        status(&mut socket).await?;
        Ok(socket)
    }

    /// The protocol version: 41 since 2018.
    ///
    /// # Errors
    /// `NoServer`, and errors of the connection.
    pub async fn version(&self) -> Result<u32> {
        let answer =
            with_timeout(async { text(&mut self.ask("host:version").await?).await }).await?;
        u32::from_str_radix(answer.trim(), 16)
            .map_err(|_| Error::protocol(format!("the server's version is {answer:?}")))
    }

    /// Every phone that it knows, ready or not.
    ///
    /// # Errors
    /// `NoServer`, and errors of the connection.
    pub async fn devices(&self) -> Result<Vec<ListedDevice>> {
        let answer =
            with_timeout(async { text(&mut self.ask("host:devices-l").await?).await }).await?;
        Ok(read_list(&answer))
    }

    /// Follows the list: the current list first, then every change.
    ///
    /// # Errors
    /// `NoServer`, and errors of the connection.
    pub async fn track(&self) -> Result<DeviceTracker> {
        Ok(DeviceTracker {
            socket: with_timeout(self.ask("host:track-devices-l")).await?,
        })
    }

    /// Connects the server to a phone at `host:port` and returns its message.
    ///
    /// # Errors
    /// `Refused` if it failed, `NoServer`, and errors of the connection.
    pub async fn attach(&self, to: &str) -> Result<String> {
        let service = format!("host:connect:{to}");
        let pending = async { text(&mut self.ask(&service).await?).await };
        // A healthy server gives up by itself; this is for one that hangs.
        let message = tokio::time::timeout(ATTACHED, pending)
            .await
            .unwrap_or_else(|_| Err(ErrorKind::Silent(ATTACHED).into()))?;
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
        with_timeout(async { text(&mut self.ask(&service).await?).await }).await
    }

    /// Reconnects the server to all offline phones.
    ///
    /// # Errors
    /// `NoServer`, and errors of the connection.
    pub async fn reconnect_offline(&self) -> Result<String> {
        with_timeout(async { text(&mut self.ask("host:reconnect-offline").await?).await }).await
    }

    /// Forwards connections to a local port to the phone, for example `tcp:0` to `tcp:8080`; returns the port
    /// if `local` left it open. Lasts until [`Server::unforward`], or until the server loses the phone.
    ///
    /// # Errors
    /// `Refused`, `NoServer`, and errors of the connection.
    pub async fn forward(&self, serial: &str, local: &str, remote: &str) -> Result<Option<u16>> {
        let service = format!("host-serial:{serial}:forward:{local};{remote}");
        let mut socket = self
            .ask(&service)
            .await
            .map_err(|error| device_error(error, serial))?;
        status(&mut socket).await?;
        if local != "tcp:0" {
            return Ok(None);
        }
        let port = text(&mut socket).await?;
        let port = port_of(port.trim())
            .ok_or_else(|| Error::protocol(format!("the server forwards port {port:?}")))?;
        Ok(Some(port))
    }

    /// Removes a forward.
    ///
    /// # Errors
    /// `Refused` if there is none, `NoServer`, and errors of the connection.
    pub async fn unforward(&self, serial: &str, local: &str) -> Result<()> {
        let service = format!("host-serial:{serial}:killforward:{local}");
        let mut socket = self
            .ask(&service)
            .await
            .map_err(|error| device_error(error, serial))?;
        status(&mut socket).await
    }

    /// The connection to one of its phones.
    pub fn link(&self, serial: &str) -> ServerLink {
        self.link_with(serial, None)
    }

    /// The connection to one of its phones. If the server ends after the phone was reached, it is started again, and a phone
    /// with an address is connected again.
    pub fn lasting_link(&self, serial: &str, places: ProgramSearch) -> ServerLink {
        self.link_with(serial, Some(places))
    }

    fn link_with(&self, serial: &str, places: Option<ProgramSearch>) -> ServerLink {
        ServerLink {
            way: Arc::new(ServerRoute {
                server: self.clone(),
                serial: serial.to_owned(),
                spare: Mutex::new(None),
                places,
                was_reached: AtomicBool::new(false),
            }),
        }
    }
}

impl ServerLink {
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

/// Follows the list of phones.
#[derive(Debug)]
pub struct DeviceTracker {
    socket: TcpStream,
}

impl DeviceTracker {
    /// The next list.
    ///
    /// # Errors
    /// `Closed` if the server ended.
    pub async fn next(&mut self) -> Result<Vec<ListedDevice>> {
        Ok(read_list(&text(&mut self.socket).await?))
    }
}

/// The connection to one phone through the server. A transport is opened in advance, so that a request needs
/// only one round trip.
#[derive(Clone, Debug)]
pub struct ServerLink {
    way: Arc<ServerRoute>,
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
        let asked = match (self.ask_for_transport().await, &self.places) {
            (Err(lost), Some(places)) if self.was_reached.load(Ordering::Relaxed) => {
                self.recover(lost, places).await?;
                self.ask_for_transport().await
            }
            (asked, _) => asked,
        };
        self.was_reached.fetch_or(asked.is_ok(), Ordering::Relaxed);
        asked
    }

    /// Starts a server that has ended. A new server does not know phones at addresses.
    async fn recover(&self, lost: Error, places: &ProgramSearch) -> Result<()> {
        if !matches!(lost.kind, ErrorKind::NoServer { .. }) {
            return Err(lost);
        }
        self.server.ensure(places).await?;
        if self.serial.contains(':') {
            let attached = tokio::time::timeout(CONNECT, self.server.attach(&self.serial)).await;
            attached.map_err(|_| Error::from(ErrorKind::Silent(CONNECT)))??;
        }
        Ok(())
    }

    async fn ask_for_transport(&self) -> Result<TcpStream> {
        let service = format!("host:transport:{}", self.serial);
        let pending = with_timeout(self.server.ask(&service)).await;
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
            let mut socket = self.way.server.ask(&service).await?;
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
}

/// Applies the timeout of requests that a server answers from memory.
async fn with_timeout<T>(answer: impl Future<Output = Result<T>>) -> Result<T> {
    let silent = |_| Err(ErrorKind::Silent(ANSWER).into());
    tokio::time::timeout(ANSWER, answer)
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

    fn env(pairs: &[(&str, &str)]) -> std::result::Result<String, String> {
        let var = |name: &str| {
            let mut pairs = pairs.iter();
            pairs
                .find(|(its, _)| *its == name)
                .map(|(_, value)| (*value).to_owned())
        };
        Address::from_env(var).map(|address| address.to_string())
    }

    #[test]
    fn server_address_comes_from_environment() {
        assert_eq!(env(&[]), Ok("127.0.0.1:5037".to_owned()));
        assert_eq!(
            env(&[("ANDROID_ADB_SERVER_PORT", "")]),
            Ok("127.0.0.1:5037".to_owned())
        );
        assert_eq!(
            env(&[("ANDROID_ADB_SERVER_PORT", "6000")]),
            Ok("127.0.0.1:6000".to_owned())
        );
        assert_eq!(
            env(&[("ADB_SERVER_SOCKET", "tcp:9000")]),
            Ok("127.0.0.1:9000".to_owned())
        );
        assert_eq!(
            env(&[("ADB_SERVER_SOCKET", "tcp:box:9000")]),
            Ok("box:9000".to_owned())
        );
        assert_eq!(
            env(&[("ADB_SERVER_SOCKET", "tcp:[::1]:9000")]),
            Ok("[::1]:9000".to_owned())
        );
        assert!(env(&[("ADB_SERVER_SOCKET", "localabstract:adb")]).is_err());
        assert!(env(&[("ANDROID_ADB_SERVER_PORT", "0")]).is_err());
        assert!(env(&[("ANDROID_ADB_SERVER_PORT", "70000")]).is_err());
    }

    #[test]
    fn device_list_is_parsed_completely() {
        let list = read_list(
            "emulator-5554          device product:sdk model:Pixel_7 device:emu64 transport_id:1\n\
             192.168.1.5:5555       offline transport_id:3\r\n\
             ABC                    unauthorized usb:1-2 transport_id:4\n\
             0123                   no permissions (user in plugdev group; are your udev rules wrong?); see [http://x] usb:1-1\n\
             \n* daemon started\n",
        );
        let short: Vec<(&str, &str)> = list
            .iter()
            .map(|one| (one.serial.as_str(), one.state.as_str()))
            .collect();
        assert_eq!(short[0], ("emulator-5554", "device"));
        assert_eq!(short[1], ("192.168.1.5:5555", "offline"));
        assert_eq!(short[2], ("ABC", "unauthorized"));
        assert!(short[3].1.starts_with("no permissions"), "{:?}", short[3]);
        assert_eq!(list[0].field("model"), Some("Pixel_7"));
        assert_eq!(list[2].field("usb"), Some("1-2"));
    }

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
