//! Where a browser listens: urls of endpoints, and the little HTTP by which a browser tells its WebSocket's.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::{Error, Result};

/// The largest answer to a question over HTTP; a list of a thousand tabs is a few hundred kilobytes.
const HTTP_LIMIT: u64 = 16 << 20;

/// A browser's endpoint: `http://host:port` or `ws://host:port/devtools/browser/<id>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    url: String,
    host: String,
    port: u16,
    /// The path of the WebSocket; `None` when it has to be asked for.
    path: Option<String>,
}

/// What a browser says of itself over HTTP.
#[derive(Clone, Debug, Deserialize)]
pub struct Version {
    /// Its name and version, as `Chrome/140.0.0.0`.
    #[serde(rename = "Browser")]
    pub browser: String,
    /// Where its WebSocket is.
    #[serde(rename = "webSocketDebuggerUrl")]
    pub web_socket: String,
}

impl Endpoint {
    /// Reads `http://host:port`, `ws://host:port/path`, or `host:port`.
    pub fn parse(url: &str) -> Result<Self> {
        let wrong = |message: &str| Error::Connect {
            url: url.to_owned(),
            message: message.to_owned(),
        };
        let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
        let (authority, path) = match rest.find('/') {
            Some(slash) => rest.split_at(slash),
            None => (rest, ""),
        };
        let path = match scheme {
            "http" => None,
            "ws" => Some(path).filter(|path| path.len() > 1),
            "https" | "wss" => {
                return Err(wrong(
                    "browsers speak this protocol without TLS; use http:// or ws://",
                ));
            }
            _ => return Err(wrong("the url has to begin with http:// or ws://")),
        };
        if authority.contains('@') || url.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(wrong("the url has to be of the form http://host:port"));
        }
        let port_at = authority
            .rfind(':')
            .filter(|colon| !authority[*colon..].contains(']'));
        let (host, port) = match port_at {
            Some(colon) => {
                let port = authority[colon + 1..].parse();
                (
                    &authority[..colon],
                    port.map_err(|_| wrong("its port is not a number from 1 to 65535"))?,
                )
            }
            None => (authority, 80),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() || port == 0 {
            return Err(wrong("the url has to be of the form http://host:port"));
        }
        Ok(Self {
            url: url.to_owned(),
            host: host.to_owned(),
            port,
            path: path.map(str::to_owned),
        })
    }

    /// The endpoint of a browser on this computer.
    pub fn local(port: u16, path: &str) -> Self {
        Self {
            url: format!("ws://127.0.0.1:{port}{path}"),
            host: "127.0.0.1".to_owned(),
            port,
            path: Some(path.to_owned()),
        }
    }

    /// As it was given.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The url of the WebSocket: as it was given, or as the browser tells it over HTTP. Host and port are always those
    /// that were given: behind a tunnel the browser knows others.
    pub async fn web_socket_url(&self) -> Result<String> {
        let path = match &self.path {
            Some(path) => path.clone(),
            None => {
                let version: Version = get_json(self, "/json/version").await?;
                Self::parse(&version.web_socket)?.path.ok_or_else(|| {
                    self.error("it does not say where its WebSocket is".to_owned())
                })?
            }
        };
        Ok(format!("ws://{}{path}", self.authority()))
    }

    fn authority(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }

    fn error(&self, message: String) -> Error {
        Error::Connect {
            url: self.url.clone(),
            message,
        }
    }

    async fn connect(&self) -> Result<(TcpStream, String)> {
        let connected = TcpStream::connect((&*self.host, self.port)).await;
        let stream = connected.map_err(|error| self.error(error.to_string()))?;
        // A call waits for the answer to the one before it: nothing may wait to be sent together with something later.
        stream
            .set_nodelay(true)
            .map_err(|error| self.error(error.to_string()))?;
        // Browsers take requests for addresses and for localhost only, so that no page can reach them by a name of its own.
        let peer = stream
            .peer_addr()
            .map_err(|error| self.error(error.to_string()))?;
        Ok((stream, peer.to_string()))
    }

    pub(crate) async fn web_socket(&self) -> Result<WebSocketStream<TcpStream>> {
        let url = match &self.path {
            Some(_) => self.clone(),
            None => Self::parse(&self.web_socket_url().await?)?,
        };
        let (stream, host) = self.connect().await?;
        let path = url.path.as_deref().unwrap_or("/");
        // Trees of large pages and pictures of long ones have no size that could be given here.
        let config = WebSocketConfig::default()
            .max_message_size(None)
            .max_frame_size(None)
            .read_buffer_size(256 << 10);
        let request = format!("ws://{host}{path}");
        tokio_tungstenite::client_async_with_config(request, stream, Some(config))
            .await
            .map(|(socket, _)| socket)
            .map_err(|error| self.error(error.to_string()))
    }
}

/// Asks a browser something over HTTP, such as `/json/version`.
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

/// The body of an answer; browsers give its length and do not always close behind it.
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
            return Err("its answer does not end".to_owned());
        }
        let read = stream.read_buf(&mut bytes).await;
        if read.map_err(|error| error.to_string())? == 0 {
            return match (split_head(&bytes), length) {
                // Without a length the end of the connection is the end of the body.
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

/// The length that a head of HTTP gives; an error when it is not one of a good answer.
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
                .map_err(|_| format!("it answered with the length \"{value}\""));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_read_in_its_three_forms() {
        let parts = |url: &str| {
            Endpoint::parse(url).map(|endpoint| (endpoint.host, endpoint.port, endpoint.path))
        };
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
    fn an_answer_that_is_no_good_one_is_told_in_its_words() {
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
