//! The server under load, and a lightweight client: it shares the processor with the server.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// The server, which exits when this is dropped.
pub(super) struct ServerProcess {
    child: Child,
    pub(super) address: String,
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl ServerProcess {
    /// Starts it; simulated phones may use the app files in a folder.
    pub(super) fn start(program: &Path, apps: &Path) -> Result<Self, String> {
        use std::io::BufRead;
        let mut child = Command::new(program)
            .args(["serve", "--port", "0", "--device", "sim"])
            .args(["--log-level", "error", "--sim-apps"])
            .arg(apps)
            .env(
                "CLAWPERATOR_LOG_DIR",
                std::env::temp_dir().join("clawperator-bench-log"),
            )
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let out = child.stdout.take().ok_or("standard output is not piped")?;
        let mut line = String::new();
        let read = std::io::BufReader::new(out).read_line(&mut line);
        let mut served = Self {
            child,
            address: String::new(),
        };
        read.map_err(|error| error.to_string())?;
        let value: Value =
            serde_json::from_str(&line).map_err(|_| format!("unexpected output: {line:?}"))?;
        let url = value["url"].as_str().ok_or("the server names no url")?;
        url.trim_start_matches("http://")
            .clone_into(&mut served.address);
        Ok(served)
    }

    /// Its memory in megabytes; NaN if the system does not report it.
    pub(super) fn memory(&self) -> f64 {
        let read = || {
            let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
            let status = status.ok()?;
            let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
            let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
            Some(kilobytes / 1024.0)
        };
        read().unwrap_or(f64::NAN)
    }

    /// Its processor time in seconds; NaN if the system does not report it.
    pub(super) fn cpu_seconds(&self) -> f64 {
        let read = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
            // The program name, in parentheses, may contain spaces; user and system time are fields 14 and 15.
            let (_, fields) = stat.rsplit_once(')')?;
            let mut fields = fields.split_whitespace().skip(11);
            let mut next = || fields.next()?.parse::<f64>().ok();
            // The unit is 1/100 s on Linux.
            Some((next()? + next()?) / 100.0)
        };
        read().unwrap_or(f64::NAN)
    }
}

/// A connection that sends one request at a time.
pub(super) struct Client {
    pub(super) stream: BufReader<TcpStream>,
    line: String,
}

impl Client {
    pub(super) async fn new(address: &str) -> Result<Self, String> {
        let stream = TcpStream::connect(address).await;
        let stream = stream.map_err(|error| error.to_string())?;
        stream
            .set_nodelay(true)
            .map_err(|error| error.to_string())?;
        Ok(Self {
            stream: BufReader::new(stream),
            line: String::new(),
        })
    }

    /// Sends a request and waits for its answer: status and body.
    pub(super) async fn request(&mut self, request: &[u8]) -> std::io::Result<(u16, Vec<u8>)> {
        self.stream.get_mut().write_all(request).await?;
        self.head_line().await?;
        let status = self.line.split(' ').nth(1);
        let status = status.and_then(|status| status.parse().ok());
        let mut length = 0;
        loop {
            self.head_line().await?;
            if self.line.trim().is_empty() {
                break;
            }
            if let Some(value) = self.line.strip_prefix("content-length: ") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        Ok((status.unwrap_or(0), body))
    }

    async fn head_line(&mut self) -> std::io::Result<()> {
        self.line.clear();
        match self.stream.read_line(&mut self.line).await? {
            0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

pub(super) fn post(path: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
