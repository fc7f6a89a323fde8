//! Replaces empty responses: hyper answers malformed requests with a bare status. The filter withholds them, so that
//! the server can send an error body instead.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream that withholds empty responses.
pub(crate) struct AutoResponseFilter<S> {
    stream: S,
    suppressed: Option<StatusCode>,
}

impl<S> AutoResponseFilter<S> {
    pub(crate) const fn new(stream: S) -> Self {
        Self {
            stream,
            suppressed: None,
        }
    }

    /// The stream, and the status of the withheld response.
    pub(crate) fn into_parts(self) -> (S, Option<StatusCode>) {
        (self.stream, self.suppressed)
    }
}

/// The status of an empty response. Responses of this server always have a body or another status.
fn auto_response_status(bytes: &[u8]) -> Option<StatusCode> {
    let rest = bytes
        .strip_prefix(b"HTTP/1.1 ")
        .or_else(|| bytes.strip_prefix(b"HTTP/1.0 "))?;
    let head = std::str::from_utf8(rest.strip_suffix(b"\r\n\r\n")?).ok()?;
    let mut lines = head.split("\r\n");
    let status = match lines.next()?.get(..3)? {
        "400" => StatusCode::BAD_REQUEST,
        "414" => StatusCode::URI_TOO_LONG,
        "431" => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        _ => return None,
    };
    lines
        .any(|line| line.eq_ignore_ascii_case("content-length: 0"))
        .then_some(status)
}

impl<S: AsyncRead + Unpin> AsyncRead for AutoResponseFilter<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for AutoResponseFilter<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        // hyper writes a head in one piece, and closes the connection after it.
        if let Some(status) = auto_response_status(bytes) {
            self.suppressed = Some(status);
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut filled = slices.iter().filter(|slice| !slice.is_empty());
        match (filled.next(), filled.next()) {
            (Some(only), None) => self.poll_write(cx, only),
            _ => Pin::new(&mut self.stream).poll_write_vectored(cx, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_empty_responses_are_withheld() {
        let bare = |text: &str| auto_response_status(text.as_bytes()).map(|status| status.as_u16());
        let date = "date: Sun, 22 Nov 2026 06:11:33 GMT\r\n";
        let empty = format!(
            "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n{date}\r\n"
        );
        assert_eq!(bare(&empty), Some(400));
        let large = format!(
            "HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\n{date}\r\n"
        );
        assert_eq!(bare(&large), Some(431));
        for other in [
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n",
            "HTTP/1.1 4",
            "",
        ] {
            assert_eq!(bare(other), None, "{other:?}");
        }
    }
}
