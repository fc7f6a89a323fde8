//! A server of a test and a client of a few lines: bytes out, answers in.

use std::net::SocketAddr;
use std::time::Duration;

use http_server::{Limits, Origin, ServeOptions, Server, Token};
use serde_json::{Value, json};
use service::device_pool::{DevicePool, PoolOptions};
use service::{Options, Paths};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

/// How long anything may take before a test is given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that runs until the test is over.
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

/// How a server of a test is set up.
#[derive(Default)]
pub(crate) struct Setup {
    pub(crate) service: Options,
    pub(crate) token: Option<&'static str>,
    pub(crate) limits: Option<Limits>,
    pub(crate) origins: &'static [&'static str],
    pub(crate) mount: Option<(&'static str, http_server::MountedService)>,
}

/// A server with simulated phones, `sim` where a request names no device.
pub(crate) async fn serve(setup: Setup) -> Running {
    // As `serve` sets it up where no folders are named.
    let closed = |paths: Paths| match paths {
        Paths::Anywhere => Paths::nowhere(),
        named => named,
    };
    let hub = DevicePool::new(PoolOptions {
        service: Options {
            adb: no_adb(),
            screenshot_paths: closed(setup.service.screenshot_paths),
            upload_paths: closed(setup.service.upload_paths),
            app_paths: closed(setup.service.app_paths),
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
    let mut server = Server::bind(hub, options).await.unwrap();
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

/// Nobody's phones are touched.
pub(crate) fn no_adb() -> service::AdbSetup {
    let mut setup = Options::default().adb;
    setup.places = Default::default();
    setup.server = Ok(adb::client::server::Address {
        host: "127.0.0.1".to_owned(),
        port: testkit::closed_port(),
    });
    setup
}

/// Options whose simulated phones live in the time of the world, so that a run can be under way.
pub(crate) fn slow() -> Options {
    let mut options = Options::default();
    options.sim.time("real").unwrap();
    options
}

/// An answer.
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

    /// The code of an answer that must be an error with this status.
    #[track_caller]
    pub(crate) fn refusal(&self, status: u16) -> String {
        let body = self.json();
        assert_eq!(self.status, status, "{body}");
        assert_eq!(body["ok"], false, "{body}");
        let error = &body["error"];
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|said| !said.is_empty()),
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

    /// More bytes; `false` at the end.
    async fn more(&mut self) -> bool {
        let mut buffer = [0; 16 * 1024];
        let count = tokio::time::timeout(PATIENCE, self.stream.read(&mut buffer)).await;
        // A connection that was reset has ended, too.
        let count = count.expect("nothing comes").unwrap_or(0);
        self.read.extend_from_slice(&buffer[..count]);
        count > 0
    }

    /// What stands before a mark, which is taken away; `None` where the other end ends first.
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
            assert!(self.more().await, "the answer breaks off");
        }
        self.read.drain(..count).collect()
    }

    /// The head of the next answer; `None` where the connection has ended.
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

    /// The next answer.
    pub(crate) async fn answer(&mut self) -> Option<Answer> {
        let mut answer = self.head().await?;
        let length = answer
            .header("content-length")
            .map(|it| it.parse().unwrap());
        answer.body = self.exactly(length.unwrap_or(0)).await;
        Some(answer)
    }

    /// Asks and waits for the answer.
    pub(crate) async fn ask(&mut self, request: impl AsRef<[u8]>) -> Answer {
        self.send(request).await;
        self.answer().await.expect("an answer")
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.ask(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n"))
            .await
    }

    pub(crate) async fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.ask(post(path, &[], &body.to_string())).await
    }
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

/// A plan of these actions.
pub(crate) fn plan(name: &str, actions: Value) -> Value {
    json!({
        "commandId": name, "taskId": "task", "source": "test",
        "expectedFormat": "android-ui-automator", "timeoutMs": 30000, "actions": actions,
    })
}

/// The body of a request for a plan that sleeps.
pub(crate) fn sleeping(name: &str, millis: u32) -> Value {
    let sleep = json!([{"id": "s", "type": "sleep", "params": {"durationMs": millis}}]);
    json!({ "execution": plan(name, sleep) })
}
