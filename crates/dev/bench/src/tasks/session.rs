//! A session over MCP with a server in this process.

use serde_json::{Value, json};
use service::Roots;
use service::device_pool::DevicePool;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

use crate::tokenizer::tokens;

/// The bytes that wait in one direction at most.
const BUFFER: usize = 1 << 20;

pub(super) struct Session {
    from: BufReader<ReadHalf<DuplexStream>>,
    to: WriteHalf<DuplexStream>,
    server: JoinHandle<Result<(), String>>,
    calls: u32,
}

/// A reply to `act`.
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) whole: usize,
    /// The tokens of its text about the step.
    pub(super) line: usize,
}

impl Reply {
    pub(super) fn new(text: String) -> Self {
        let line = text.split("\nscreen data").next().unwrap_or_default();
        Self {
            whole: tokens(&text),
            line: tokens(line),
            text,
        }
    }
}

impl Session {
    pub(super) async fn start(pool: DevicePool) -> Result<Self, String> {
        let (client, server) = tokio::io::duplex(BUFFER);
        let (read, write) = tokio::io::split(server);
        let server = tokio::spawn(mcp_server::serve_on(pool, Roots::default(), read, write));
        let (from, to) = tokio::io::split(client);
        let mut session = Self {
            from: BufReader::new(from),
            to,
            server,
            calls: 0,
        };
        let client = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "bench", "version": "1" },
        });
        session.request("initialize", client).await?;
        session
            .send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .await?;
        Ok(session)
    }

    async fn send(&mut self, message: &Value) -> Result<(), String> {
        let line = format!("{message}\n");
        let sent = self.to.write_all(line.as_bytes()).await;
        sent.map_err(|error| error.to_string())
    }

    async fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.calls += 1;
        let id = self.calls;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
            .await?;
        loop {
            let mut line = String::new();
            let read = self.from.read_line(&mut line).await;
            if read.map_err(|error| error.to_string())? == 0 {
                return Err("the server ended".to_owned());
            }
            let message: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
            if message["id"] == id {
                return Ok(message["result"].clone());
            }
        }
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Result<String, String> {
        let result = self
            .request(
                "tools/call",
                json!({ "name": tool, "arguments": arguments }),
            )
            .await?;
        let text = result["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        match result["isError"] == true {
            false => Ok(text),
            true => Err(text),
        }
    }

    pub(super) async fn act(&mut self, action: &Value, observe: &str) -> Result<Reply, String> {
        let text = self
            .call("act", json!({ "actions": [action], "observe": observe }))
            .await?;
        Ok(Reply::new(text))
    }

    pub(super) async fn screen(&mut self) -> Result<String, String> {
        self.call("snapshot", json!({})).await
    }

    pub(super) async fn tokens_of_tools(&mut self) -> Result<usize, String> {
        Ok(tokens(
            &self.request("tools/list", json!({})).await?.to_string(),
        ))
    }

    pub(super) async fn end(self) -> Result<(), String> {
        let Self {
            from, to, server, ..
        } = self;
        drop(from.into_inner().unsplit(to));
        server.await.map_err(|error| error.to_string())?
    }
}
