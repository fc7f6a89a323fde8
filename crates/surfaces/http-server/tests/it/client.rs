//! A test server and a minimal HTTP client.

use std::net::SocketAddr;
use std::time::Duration;

use http_server::{Limits, Origin, ServeOptions, Server, Token};
use serde_json::{Value, json};
use service::device_pool::{DevicePool, PoolOptions};
use service::{Options, Paths};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

/// The time limit of a read.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A server that stops when it is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) stop: CancellationToken,
    pub(crate) now: CancellationToken,
    pub(crate) served: tokio::task::JoinHandle<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.now.cancel();
    }
}

/// The options of a test server.
#[derive(Default)]
pub(crate) struct Setup {
    pub(crate) service: Options,
    pub(crate) token: Option<&'static str>,
    pub(crate) limits: Option<Limits>,
    pub(crate) origins: &'static [&'static str],
    pub(crate) mount: Option<(&'static str, http_server::MountedService)>,
}

/// Starts a server with simulated phones; the default device is `sim`.
pub(crate) async fn serve(setup: Setup) -> Running {
    // As the command `serve` without folders.
    let restricted = |paths: Paths| match paths {
        Paths::Anywhere => Paths::nowhere(),
        named => named,
    };
    let pool = DevicePool::new(PoolOptions {
        service: Options {
            adb: no_adb(),
            screenshot_paths: restricted(setup.service.screenshot_paths),
            upload_paths: restricted(setup.service.upload_paths),
            app_paths: restricted(setup.service.app_paths),
            ..setup.service
        },
        device: Some("sim".to_owned()),
        ..PoolOptions::default()
    });
    let options = ServeOptions {
        port: 0,
        token: setup.token.and_then(Token::new),
        origins: setup
            .origins
            .iter()
            .filter_map(|origin| Origin::new(origin))
            .collect(),
        limits: setup.limits.unwrap_or_default(),
        ..ServeOptions::default()
    };
    let mut server = Server::bind(pool, options).await.unwrap();
    if let Some((path, surface)) = setup.mount {
        server = server.mount(path, surface);
    }
    let (stop, now) = (CancellationToken::new(), CancellationToken::new());
    let address = server.address();
    let served = tokio::spawn(server.serve(stop.clone(), now.clone()));
    Running {
        address,
        stop,
        now,
        served,
    }
}

/// A setup without adb, which keeps phones of this computer out.
pub(crate) fn no_adb() -> service::AdbSetup {
    let mut setup = Options::default().adb;
    setup.places = Default::default();
    setup.server = Ok(adb::client::server::Address {
        host: "127.0.0.1".to_owned(),
        port: testkit::closed_port(),
    });
    setup
}

/// Options of simulated phones in real time, so that a run takes time.
pub(crate) fn real_time() -> Options {
    let mut options = Options::default();
    options.sim.time("real").unwrap();
    options
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find_map(|(key, value)| key.eq_ignore_ascii_case(name).then_some(value.as_str()))
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"));
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// Asserts that the answer is an error with this status; returns its code.
    #[track_caller]
    pub(crate) fn refusal(&self, status: u16) -> String {
        let body = self.json();
        assert_eq!(self.status, status, "{body}");
        assert_eq!(body["ok"], false, "{body}");
        let error = &body["error"];
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty()),
            "{body}"
        );
        assert!(
            error["hint"].is_string() || error["details"].is_object(),
            "{body}"
        );
        error["code"].as_str().unwrap().to_owned()
    }
}

/// A connection to a server.
pub(crate) struct Client {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Client {
    pub(crate) async fn new(server: &Running) -> Self {
        Self {
            stream: TcpStream::connect(server.address).await.unwrap(),
            read: Vec::new(),
        }
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.unwrap();
    }

    /// Reads more bytes; `false` at the end.
    async fn more(&mut self) -> bool {
        let mut buffer = [0; 16 * 1024];
        let count = tokio::time::timeout(TIME_LIMIT, self.stream.read(&mut buffer)).await;
        // A reset is an end, too.
        let count = count.expect("the server sends bytes in time").unwrap_or(0);
        self.read.extend_from_slice(&buffer[..count]);
        count > 0
    }

    /// Reads up to a mark and drops the mark; `None` if the connection ends first.
    pub(crate) async fn until(&mut self, mark: &str) -> Option<String> {
        loop {
            let mark = mark.as_bytes();
            let at = self.read.windows(mark.len()).position(|part| part == mark);
            if let Some(at) = at {
                let taken: Vec<u8> = self.read.drain(..at + mark.len()).collect();
                return Some(String::from_utf8(taken[..at].to_vec()).unwrap());
            }
            if !self.more().await {
                return None;
            }
        }
    }

    async fn exactly(&mut self, count: usize) -> Vec<u8> {
        while self.read.len() < count {
            assert!(self.more().await, "the response is truncated");
        }
        self.read.drain(..count).collect()
    }

    /// Reads the head of the next response; `None` if the connection has ended.
    pub(crate) async fn head(&mut self) -> Option<Answer> {
        let head = self.until("\r\n\r\n").await?;
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        Some(Answer {
            status,
            headers,
            body: Vec::new(),
        })
    }

    /// Reads the next response.
    pub(crate) async fn answer(&mut self) -> Option<Answer> {
        let mut answer = self.head().await?;
        let length = answer
            .header("content-length")
            .map(|it| it.parse().unwrap());
        answer.body = self.exactly(length.unwrap_or(0)).await;
        Some(answer)
    }

    /// Sends a request and reads the response.
    pub(crate) async fn call(&mut self, request: impl AsRef<[u8]>) -> Answer {
        self.send(request).await;
        self.answer().await.expect("the server responds")
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.call(bare("GET", path, "")).await
    }

    pub(crate) async fn delete(&mut self, path: &str) -> Answer {
        self.call(bare("DELETE", path, "")).await
    }

    pub(crate) async fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.call(post(path, &[], &body.to_string())).await
    }
}

/// A request without a body; each header ends with `\r\n`.
pub(crate) fn bare(method: &str, path: &str, headers: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n")
}

/// A request with a JSON body.
pub(crate) fn post(path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let headers: String = headers
        .iter()
        .map(|(key, value)| format!("{key}: {value}\r\n"))
        .collect();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
}

/// The body of a request for a plan that sleeps.
pub(crate) fn sleeping(name: &str, millis: u32) -> Value {
    let sleep = json!([{"id": "s", "type": "sleep", "params": {"durationMs": millis}}]);
    json!({ "execution": testkit::plan(name, sleep) })
}
