//! The two transports: a WebSocket, and a Unix socket with messages ended by NUL.

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use {
    tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, BufWriter},
    tokio::net::UnixStream,
    tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf},
};

pub(crate) type WebSocket = WebSocketStream<TcpStream>;

/// The read buffer of a socket.
pub(crate) const READ_BUFFER: usize = 256 << 10;

/// The write half.
pub(crate) enum Writer {
    WebSocket(SplitSink<WebSocket, Message>),
    Socket(BufWriter<OwnedWriteHalf>),
}

/// The read half.
pub(crate) enum Reader {
    WebSocket(SplitStream<WebSocket>),
    Socket(BufReader<OwnedReadHalf>),
}

pub(crate) fn over_web_socket(socket: WebSocket) -> (Reader, Writer) {
    let (sink, stream) = socket.split();
    (Reader::WebSocket(stream), Writer::WebSocket(sink))
}

pub(crate) fn over_socket(socket: UnixStream) -> (Reader, Writer) {
    let (read, write) = socket.into_split();
    (
        Reader::Socket(BufReader::with_capacity(READ_BUFFER, read)),
        Writer::Socket(BufWriter::new(write)),
    )
}

impl Writer {
    /// Writes a message, which may be buffered until [`flush`](Self::flush).
    pub(crate) async fn feed(&mut self, text: Utf8Bytes) -> Result<(), String> {
        match self {
            Self::WebSocket(sink) => sink.feed(Message::Text(text)).await.map_err(error_text),
            Self::Socket(socket) => {
                socket
                    .write_all(text.as_bytes())
                    .await
                    .map_err(error_text)?;
                socket.write_all(&[0]).await.map_err(error_text)
            }
        }
    }

    /// Flushes the buffer.
    pub(crate) async fn flush(&mut self) -> Result<(), String> {
        match self {
            Self::WebSocket(sink) => sink.flush().await.map_err(error_text),
            Self::Socket(socket) => socket.flush().await.map_err(error_text),
        }
    }
}

impl Reader {
    /// The next message.
    ///
    /// # Errors
    /// The reason for the end of the connection; `None` if the other side closed it without one.
    pub(crate) async fn next(&mut self) -> Result<Utf8Bytes, Option<String>> {
        match self {
            Self::WebSocket(stream) => loop {
                match stream.next().await {
                    Some(Ok(Message::Text(text))) => return Ok(text),
                    Some(Ok(Message::Close(frame))) => {
                        let reason = frame.map(|frame| frame.reason.to_string());
                        return Err(reason.filter(|reason| !reason.is_empty()));
                    }
                    // The protocol is text; the library answers pings.
                    Some(Ok(
                        Message::Binary(_)
                        | Message::Ping(_)
                        | Message::Pong(_)
                        | Message::Frame(_),
                    )) => {}
                    Some(Err(error)) => return Err(Some(error.to_string())),
                    None => return Err(None),
                }
            },
            Self::Socket(socket) => {
                let mut message = Vec::new();
                let read = socket.read_until(0, &mut message).await;
                read.map_err(|error| Some(error.to_string()))?;
                // Without its NUL the message is incomplete.
                if message.pop() != Some(0) {
                    return Err(None);
                }
                let text = String::from_utf8(message);
                text.map(Utf8Bytes::from)
                    .map_err(|error| Some(error.to_string()))
            }
        }
    }
}

fn error_text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
