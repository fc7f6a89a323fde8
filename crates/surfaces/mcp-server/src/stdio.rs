//! The line transport of MCP. rmcp silently drops lines that are not JSON, which leaves the client waiting; here such a
//! line gets an error response.

use std::io::{self, ErrorKind};
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use crate::json_rpc;

/// Maximum length of a line in bytes.
const MAX_LINE_BYTES: usize = 16 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

type Message = RxJsonRpcMessage<RoleServer>;

/// A client with one message per line.
pub struct LineTransport<R, W> {
    lines: LineReader<R>,
    writer: SharedWriter<W>,
    /// The pending response, which is written before the next line is read.
    answer: Option<JoinHandle<io::Result<()>>>,
}

/// `None` once the transport is closed.
type SharedWriter<W> = Arc<Mutex<Option<W>>>;

impl<R: AsyncRead, W> LineTransport<R, W> {
    /// Reads lines from `read` and writes them to `write`.
    pub fn new(read: R, write: W) -> Self {
        Self {
            lines: LineReader::new(read, MAX_LINE_BYTES),
            writer: Arc::new(Mutex::new(Some(write))),
            answer: None,
        }
    }
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        write_line(Arc::clone(&self.writer), serde_json::to_vec(&message))
    }

    /// Cancel safe: partial lines stay in `lines`, and a task writes responses.
    async fn receive(&mut self) -> Option<Message> {
        loop {
            if let Some(answer) = &mut self.answer {
                let written = answer.await;
                self.answer = None;
                written.ok()?.ok()?;
            }
            let answer = match self.lines.next().await.ok()?? {
                Line::Whole(line) => match read_message(&line) {
                    Ok(Some(message)) => return Some(message),
                    Ok(None) => continue,
                    Err(answer) => answer,
                },
                Line::TooLong => json_rpc::too_long(self.lines.limit),
            };
            let line = serde_json::to_vec(&answer);
            self.answer = Some(tokio::spawn(write_line(Arc::clone(&self.writer), line)));
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        *self.writer.lock().await = None;
        Ok(())
    }
}

async fn write_line<W: AsyncWrite + Unpin>(
    writer: SharedWriter<W>,
    line: serde_json::Result<Vec<u8>>,
) -> io::Result<()> {
    let mut line = line?;
    line.push(b'\n');
    let mut writer = writer.lock().await;
    let writer = writer
        .as_mut()
        .ok_or_else(|| io::Error::new(ErrorKind::NotConnected, "the transport is closed"))?;
    writer.write_all(&line).await?;
    writer.flush().await
}

/// The message of a line, nothing for a line without a response, or the error response to an invalid line.
fn read_message(line: &[u8]) -> Result<Option<Message>, Value> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return Ok(None);
    }
    match serde_json::from_slice(line) {
        Ok(message) => Ok(Some(message)),
        Err(_) if is_notification(line) => Ok(None),
        Err(_) => Err(json_rpc::unreadable(line)),
    }
}

/// Whether a line is a notification, which never gets a response.
fn is_notification(line: &[u8]) -> bool {
    serde_json::from_slice::<Value>(line)
        .is_ok_and(|message| message["method"].is_string() && message.get("id").is_none())
}

#[derive(Debug, PartialEq, Eq)]
enum Line {
    Whole(Vec<u8>),
    /// It exceeded the limit and was discarded.
    TooLong,
}

/// Reads lines of limited length. An unterminated last line is ignored.
struct LineReader<R> {
    read: BufReader<R>,
    limit: usize,
    /// The partial line.
    line: Vec<u8>,
    /// Whether the partial line exceeds the limit; it is discarded then.
    is_too_long: bool,
}

impl<R: AsyncRead> LineReader<R> {
    fn new(read: R, limit: usize) -> Self {
        Self {
            read: BufReader::new(read),
            limit,
            line: Vec::new(),
            is_too_long: false,
        }
    }
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// The next line; `None` at the end of the input. Cancel safe: the only await does not consume input.
    async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let read = self.read.fill_buf().await?;
            if read.is_empty() {
                return Ok(None);
            }
            let end = read.iter().position(|byte| *byte == b'\n');
            let part = &read[..end.unwrap_or(read.len())];
            if self.is_too_long || self.line.len() + part.len() > self.limit {
                self.is_too_long = true;
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            let taken = part.len() + usize::from(end.is_some());
            self.read.consume(taken);
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                return Ok(Some(match std::mem::take(&mut self.is_too_long) {
                    true => Line::TooLong,
                    false => Line::Whole(line),
                }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::JsonRpcMessage;
    use serde_json::json;
    use tokio::io::{AsyncReadExt, DuplexStream, ReadHalf, WriteHalf};

    use super::*;

    const PING: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

    type Transported = LineTransport<ReadHalf<DuplexStream>, WriteHalf<DuplexStream>>;

    fn pair(room: usize) -> (DuplexStream, Transported) {
        let (client, server) = tokio::io::duplex(room);
        let (read, write) = tokio::io::split(server);
        (client, LineTransport::new(read, write))
    }

    /// The ids of the requests and the responses for an input.
    async fn exchange(input: &[u8]) -> (Vec<String>, Vec<Value>) {
        let (client, mut server) = pair(1 << 16);
        let (mut from, mut to) = tokio::io::split(client);
        let input = input.to_vec();
        let write = tokio::spawn(async move {
            to.write_all(&input).await.unwrap();
            to.shutdown().await.unwrap();
        });
        let mut requests = Vec::new();
        while let Some(message) = server.receive().await {
            if let JsonRpcMessage::Request(request) = message {
                requests.push(request.id.to_string());
            }
        }
        write.await.unwrap();
        server.close().await.unwrap();
        drop(server);
        let mut answers = String::new();
        from.read_to_string(&mut answers).await.unwrap();
        let answers = answers.lines().map(serde_json::from_str);
        (requests, answers.collect::<Result<_, _>>().unwrap())
    }

    #[tokio::test]
    async fn invalid_line_gets_error_and_next_line_is_read() {
        for (line, code, id) in [
            (&b"this is no JSON"[..], -32_700, Value::Null),
            (b"{", -32_700, Value::Null),
            (b"\xff\xfe", -32_700, Value::Null),
            (&b"[".repeat(100_000), -32_700, Value::Null),
            (b"[]", -32_600, Value::Null),
            (b"7", -32_600, Value::Null),
            (br#"{"method":3}"#, -32_600, Value::Null),
            (br#"{"id":3}"#, -32_600, json!(3)),
            (
                br#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#,
                -32_600,
                json!("a"),
            ),
        ] {
            let input = [line, b"\n", PING.as_bytes(), b"\n"].concat();
            let (requests, answers) = exchange(&input).await;
            let shown = String::from_utf8_lossy(&line[..line.len().min(50)]);
            assert_eq!(requests, ["7"], "{shown}");
            assert_eq!(answers.len(), 1, "{shown}");
            assert_eq!(answers[0]["jsonrpc"], "2.0", "{shown}");
            assert_eq!(answers[0]["error"]["code"], code, "{shown}");
            assert_eq!(answers[0].get("id"), Some(&id), "{shown}");
        }
    }

    #[tokio::test]
    async fn notifications_get_no_response() {
        for line in [
            "",
            "\r",
            "  ",
            "\u{feff}",
            r#"{"jsonrpc":"2.0","method":"notifications/unknown"}"#,
            r#"{"method":"$/setTrace","params":{"value":"off"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#,
            // The answer itself: two that echo each other must not do so for ever.
            &json_rpc::unreadable(b"{").to_string(),
        ] {
            let input = format!("{line}\n\u{feff}{PING}\r\n");
            let (requests, answers) = exchange(input.as_bytes()).await;
            assert_eq!(
                (requests, answers),
                (vec!["7".to_owned()], vec![]),
                "{line}"
            );
        }
    }

    #[tokio::test]
    async fn unterminated_last_line_is_ignored() {
        let (requests, answers) = exchange(format!("{PING}\n{{").as_bytes()).await;
        assert_eq!((requests, answers), (vec!["7".to_owned()], vec![]));
    }

    #[tokio::test]
    async fn oversized_line_gets_one_error() {
        let mut input = vec![b'x'; MAX_LINE_BYTES + 1];
        input.extend(format!("\n{PING}\n").as_bytes());
        let (requests, answers) = exchange(&input).await;
        assert_eq!(requests, ["7"]);
        assert_eq!(answers, [json_rpc::too_long(MAX_LINE_BYTES)]);
    }

    #[tokio::test]
    async fn oversized_line_is_not_buffered() {
        let (mut client, server) = tokio::io::duplex(1 << 20);
        let mut lines = LineReader::new(server, 4);
        client.write_all(b"1234\n12345678").await.unwrap();
        assert_eq!(
            lines.next().await.unwrap(),
            Some(Line::Whole(b"1234".to_vec()))
        );
        for _ in 0..3 {
            client.write_all(&[b'x'; 1_000]).await.unwrap();
            // There is no line yet.
            let next = tokio::time::timeout(std::time::Duration::ZERO, lines.next());
            next.await.unwrap_err();
            assert_eq!(lines.line.capacity(), 0);
        }
        client.write_all(b"\nab\n").await.unwrap();
        assert_eq!(lines.next().await.unwrap(), Some(Line::TooLong));
        assert_eq!(
            lines.next().await.unwrap(),
            Some(Line::Whole(b"ab".to_vec()))
        );
        drop(client);
        assert_eq!(lines.next().await.unwrap(), None);
    }

    #[tokio::test]
    async fn receive_is_cancel_safe() {
        // An answer does not fit into the pipe at once, so it is dropped within one, too.
        let (client, mut server) = pair(16);
        let (mut from, mut to) = tokio::io::split(client);
        let answers = tokio::spawn(async move {
            let mut answers = String::new();
            from.read_to_string(&mut answers).await.unwrap();
            answers
        });
        let mut messages = 0;
        let input = format!("no\n{PING}\n[]\n{PING}\n");
        for byte in input.bytes() {
            to.write_all(&[byte]).await.unwrap();
            let received = tokio::time::timeout(std::time::Duration::ZERO, server.receive());
            messages += usize::from(received.await.is_ok());
        }
        to.shutdown().await.unwrap();
        while server.receive().await.is_some() {
            messages += 1;
        }
        server.close().await.unwrap();
        drop(server);
        assert_eq!(messages, 2);
        let expected = [json_rpc::unreadable(b"no"), json_rpc::unreadable(b"[]")];
        let expected: String = expected.map(|answer| format!("{answer}\n")).concat();
        assert_eq!(answers.await.unwrap(), expected);
    }
}
