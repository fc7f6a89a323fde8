//! Messages of an MCP client: every answer is JSON-RPC, and the session ends with the client.

use mcp_server::{LineTransport, Server};
use rmcp::ServiceExt;
use serde_json::{Value, json};
use service::device_pool::{DevicePool, PoolOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{block_on, promise};
use crate::Target;
use crate::mutate::mutated_json;

/// One message on each line. The seeds name no browser, and no adb server listens where the pool looks for one.
pub(super) const MCP: Target = Target {
    name: "mcp",
    seeds: || {
        let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}});
        let opening = [
            json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        ];
        let calls = [
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": "clawperator://actions/click"}}),
            json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "snapshot", "arguments": {"device": "sim"}}}),
            json!({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "act", "arguments": {"device": "sim", "actions": [{"type": "press_key", "key": "back"}]}}}),
            json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "inspect_element", "arguments": {"device": "sim", "description": "the settings icon"}}}),
        ];
        let seed = |call: &Value| {
            let lines: Vec<String> = opening.iter().chain([call]).map(Value::to_string).collect();
            lines.join("\n").into_bytes()
        };
        calls.iter().map(seed).collect()
    },
    make: mutated_json,
    check: |input| {
        let mut lines = input.to_vec();
        lines.push(b'\n');
        // Skips input that may touch files or browsers of this computer.
        let text = String::from_utf8_lossy(&lines).to_lowercase();
        if text.contains("chrome") || text.contains("path") {
            return Ok(());
        }
        block_on(async move { check(lines).await })
    },
};

async fn check(lines: Vec<u8>) -> Result<(), String> {
    let mut options = PoolOptions::default();
    options.service.adb.server = Ok(adb::client::server::Address {
        host: "127.0.0.1".to_owned(),
        port: testkit::closed_port(),
    });
    options.service.adb.places = adb::client::locate::ProgramSearch::default();
    let pool = DevicePool::new(options);
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (mut from, mut to) = tokio::io::split(ours);
    let (read, write) = tokio::io::split(theirs);
    let server = tokio::spawn({
        let server = Server::new(pool.clone());
        async move {
            // A client that does not open a session is refused; that is not a finding.
            if let Ok(session) = server.serve(LineTransport::new(read, write)).await {
                drop(session.waiting().await);
            }
        }
    });
    let write = async move {
        // A server at its limit disconnects first; dropping this end closes the connection.
        let written = to.write_all(&lines).await.is_ok();
        written && to.shutdown().await.is_ok()
    };
    let mut answers = Vec::new();
    let (_, read) = tokio::join!(write, from.read_to_end(&mut answers));
    read.map_err(|error| error.to_string())?;
    server.await.map_err(|error| error.to_string())?;
    pool.cancel_all();
    pool.drain().await;
    for line in answers
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        let answer: Value = serde_json::from_slice(line)
            .map_err(|error| format!("an answer is not JSON: {error}"))?;
        promise(answer["jsonrpc"] == "2.0", || {
            format!("an answer is not JSON-RPC: {answer}")
        })?;
    }
    Ok(())
}
