//! Endpoints of browsers: their URLs, and the minimal HTTP to look up the WebSocket URL.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::transport::{READ_BUFFER, Reader, Writer, over_web_socket};
use crate::{Error, Result};

/// The URL scheme of a Unix socket.
const SOCKET: &str = "unix://";

/// The maximum size of an HTTP answer; a list of a thousand tabs is a few hundred kilobytes.
const HTTP_LIMIT: u64 = 16 << 20;

/// A browser's endpoint: `http://host:port`, `ws://host:port/devtools/browser/<id>` or `unix:///path`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    url: String,
    place: Location,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Location {
    /// A port.
    Port(Port),
    /// A Unix socket.
    Socket(std::path::PathBuf),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Port {
    host: String,
    port: u16,
    /// The path of the WebSocket; `None` if it has to be looked up.
    path: Option<String>,
}

/// The version answer of a browser over HTTP.
#[derive(Clone, Debug, Deserialize)]
pub struct Version {
    /// Its name and version, such as `Chrome/140.0.0.0`.
    #[serde(rename = "Browser")]
    pub browser: String,
    /// The URL of its WebSocket.
    #[serde(rename = "webSocketDebuggerUrl")]
    pub web_socket: String,
}

impl Endpoint {
    /// Reads `http://host:port`, `ws://host:port/path`, `host:port` or `unix:///path`.
    pub fn parse(url: &str) -> Result<Self> {
        let place = match url.strip_prefix(SOCKET) {
            Some(path) => socket_at(path),
            None => Port::parse(url).map(Location::Port),
        };
        let place = place.map_err(|message| Error::Connect {
            url: url.to_owned(),
            message: message.to_owned(),
        })?;
        Ok(Self {
            url: url.to_owned(),
            place,
        })
    }

    /// The endpoint of a Unix socket. `None` if the path is not absolute, not Unicode, or has control
    /// characters.
    pub fn from_socket(path: &std::path::Path) -> Option<Self> {
        Self::parse(&format!("{SOCKET}{}", path.to_str()?)).ok()
    }

    /// Whether it is a Unix socket.
    pub const fn is_socket(&self) -> bool {
        !matches!(self.place, Location::Port(_))
    }

    /// The URL as given.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The URL for connections: as given, or the WebSocket URL looked up over HTTP. Host and port are always
    /// as given, since a browser behind a tunnel knows others.
    pub async fn connection_url(&self) -> Result<String> {
        let port = match &self.place {
            Location::Port(port) => port,
            Location::Socket(_) => return Ok(self.url.clone()),
        };
        let path = match &port.path {
            Some(path) => path.clone(),
            None => {
                let version: Version = get_json(self, "/json/version").await?;
                match Self::parse(&version.web_socket)?.place {
                    Location::Port(Port {
                        path: Some(path), ..
                    }) => path,
                    _ => return Err(self.error("it does not report its WebSocket URL")),
                }
            }
        };
        Ok(format!("ws://{}{path}", port.authority()))
    }

    fn error(&self, message: impl ToString) -> Error {
        Error::Connect {
            url: self.url.clone(),
            message: message.to_string(),
        }
    }

    /// Connects to the port, and returns the address that accepted.
    async fn connect(&self) -> Result<(TcpStream, String)> {
        let port = match &self.place {
            Location::Port(port) => port,
            Location::Socket(_) => return Err(self.error("a Unix socket does not speak HTTP")),
        };
        let connected = TcpStream::connect((&*port.host, port.port)).await;
        let stream = connected.map_err(|error| self.error(error))?;
        // A call waits for the previous answer: no write may be delayed.
        stream
            .set_nodelay(true)
            .map_err(|error| self.error(error))?;
        // Browsers accept requests for IP addresses and localhost only, as protection against DNS rebinding.
        let peer = stream.peer_addr().map_err(|error| self.error(error))?;
        Ok((stream, peer.to_string()))
    }

    /// Opens a connection.
    pub(crate) async fn open(&self) -> Result<(Reader, Writer)> {
        match &self.place {
            Location::Socket(path) => {
                let connected = tokio::net::UnixStream::connect(path).await;
                let socket = connected.map_err(|error| self.error(error))?;
                Ok(crate::transport::over_socket(socket))
            }
            Location::Port(_) => self.web_socket().await,
        }
    }

    async fn web_socket(&self) -> Result<(Reader, Writer)> {
        let url = Self::parse(&self.connection_url().await?)?;
        let (stream, host) = url.connect().await?;
        let path = match &url.place {
            Location::Port(Port {
                path: Some(path), ..
            }) => path,
            _ => "/",
        };
        // Trees and screenshots of large pages have no known maximum size.
        let config = WebSocketConfig::default()
            .max_message_size(None)
            .max_frame_size(None)
            .read_buffer_size(READ_BUFFER);
        let request = format!("ws://{host}{path}");
        tokio_tungstenite::client_async_with_config(request, stream, Some(config))
            .await
            .map(|(socket, _)| over_web_socket(socket))
            .map_err(|error| self.error(error))
    }
}

fn socket_at(path: &str) -> std::result::Result<Location, &'static str> {
    if !path.starts_with('/') || path.chars().any(char::is_control) {
        return Err("the url has to be of the form unix:///path");
    }
    Ok(Location::Socket(path.into()))
}

impl Port {
    fn parse(url: &str) -> std::result::Result<Self, &'static str> {
        let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
        let (authority, path) = match rest.find('/') {
            Some(slash) => rest.split_at(slash),
            None => (rest, ""),
        };
        let path = match scheme {
            "http" => None,
            "ws" => Some(path).filter(|path| path.len() > 1),
            "https" | "wss" => {
                return Err("browsers speak this protocol without TLS; use http:// or ws://");
            }
            _ => return Err("the url has to begin with http://, ws:// or unix://"),
        };
        if authority.contains('@') || url.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err("the url has to be of the form http://host:port");
        }
        let port_at = authority
            .rfind(':')
            .filter(|colon| !authority[*colon..].contains(']'));
        let (host, port) = match port_at {
            Some(colon) => {
                let port = authority[colon + 1..].parse();
                (
                    &authority[..colon],
                    port.map_err(|_| "its port is not a number from 1 to 65535")?,
                )
            }
            None => (authority, 80),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() || port == 0 {
            return Err("the url has to be of the form http://host:port");
        }
        Ok(Self {
            host: host.to_owned(),
            port,
            path: path.map(str::to_owned),
        })
    }

    fn authority(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

/// Sends an HTTP request to a browser, such as `/json/version`.
pub async fn get_json<A: DeserializeOwned>(endpoint: &Endpoint, path: &str) -> Result<A> {
    let failed = |message: String| endpoint.error(message);
    let (mut stream, host) = endpoint.connect().await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream
        .write_all(request.as_bytes())
        .await
        .map_err(|error| failed(error.to_string()))?;
    let body = answer(&mut stream).await.map_err(failed)?;
    serde_json::from_slice(&body).map_err(|error| failed(format!("{path}: {error}")))
}

/// The body of an answer; browsers send its length and may keep the connection open.
async fn answer(stream: &mut TcpStream) -> std::result::Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut length = None;
    loop {
        if let Some((head, body)) = split_head(&bytes) {
            if length.is_none() {
                length = Some(content_length(head)?);
            }
            if let Some(Some(length)) = length
                && body.len() >= length
            {
                return Ok(body[..length].to_vec());
            }
        }
        if bytes.len() as u64 > HTTP_LIMIT {
            return Err("its answer is larger than 16 MiB".to_owned());
        }
        let read = stream.read_buf(&mut bytes).await;
        if read.map_err(|error| error.to_string())? == 0 {
            return match (split_head(&bytes), length) {
                // Without a length the body ends with the connection.
                (Some((_, body)), Some(None)) => Ok(body.to_vec()),
                _ => Err("it closed the connection within its answer".to_owned()),
            };
        }
    }
}

fn split_head(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some((&bytes[..end], &bytes[end + 4..]))
}

/// The content length in an HTTP header; an error unless the status is 200.
fn content_length(head: &[u8]) -> std::result::Result<Option<usize>, String> {
    let head = String::from_utf8_lossy(head);
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap_or_default();
    if !status.starts_with("HTTP/") || status.split(' ').nth(1) != Some("200") {
        return Err(format!("it answered \"{status}\""));
    }
    for line in lines {
        if let Some((key, value)) = line.split_once(':')
            && key.eq_ignore_ascii_case("content-length")
        {
            let value = value.trim();
            return value
                .parse()
                .map(Some)
                .map_err(|_| format!("it sent the invalid Content-Length \"{value}\""));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoint_is_parsed_in_all_forms() {
        let parts = |url: &str| Port::parse(url).map(|port| (port.host, port.port, port.path));
        let of = |host: &str, port, path: Option<&str>| {
            Ok((host.to_owned(), port, path.map(str::to_owned)))
        };
        assert_eq!(parts("http://localhost:9222"), of("localhost", 9222, None));
        assert_eq!(parts("http://[::1]:9222/"), of("::1", 9222, None));
        assert_eq!(parts("127.0.0.1:9222"), of("127.0.0.1", 9222, None));
        assert_eq!(
            parts("ws://h:1/devtools/browser/a-b"),
            of("h", 1, Some("/devtools/browser/a-b"))
        );
        assert_eq!(parts("ws://h:1/"), of("h", 1, None));
        for wrong in [
            "",
            "http://",
            "wss://h:1",
            "ftp://h:1",
            "h:x",
            "h:0",
            "h:70000",
            "http://u@h:1",
            "http://h:1/\r\nHost: x",
            "h :1",
        ] {
            assert!(parts(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn socket_url_has_absolute_path() {
        let endpoint = Endpoint::parse("unix:///run/user/0/a b.socket").unwrap();
        assert_eq!(
            endpoint.place,
            Location::Socket("/run/user/0/a b.socket".into())
        );
        for wrong in ["unix://", "unix://a/b", "unix:/a", "unix:///a\nb"] {
            assert!(Endpoint::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn http_error_is_reported_with_its_status() {
        assert_eq!(
            content_length(b"HTTP/1.1 200 OK\r\nContent-Length: 5"),
            Ok(Some(5))
        );
        assert_eq!(content_length(b"HTTP/1.1 200 OK"), Ok(None));
        assert_eq!(
            content_length(b"HTTP/1.1 500 Internal Server Error"),
            Err("it answered \"HTTP/1.1 500 Internal Server Error\"".to_owned())
        );
        assert!(content_length(b"SSH-2.0").is_err());
        assert!(content_length(b"HTTP/1.1 200 OK\r\nContent-Length: x").is_err());
    }
}
