//! A connection to an adb server that sends TCP acknowledgements at once.
//!
//! The server writes its `OKAY` and the phone's output in separate small segments, and its kernel holds a
//! segment until the previous one is acknowledged. A receiver delays acknowledgements (on Linux by 40 ms),
//! which would slow down every command.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A stream that acknowledges received data at once.
#[derive(Debug)]
pub(super) struct Prompt(TcpStream);

impl Prompt {
    /// Wraps a connection, and acknowledges what was received.
    pub(super) fn new(socket: TcpStream) -> Self {
        acknowledge(&socket);
        Self(socket)
    }
}

/// Sends the pending acknowledgement (`TCP_QUICKACK`). The kernel resets this option, so it is set after each
/// read. Without support the connection is only slower.
fn acknowledge(socket: &TcpStream) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = socket.set_quickack(true);
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = socket;
}

impl AsyncRead for Prompt {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let socket = &mut self.get_mut().0;
        ready!(Pin::new(&mut *socket).poll_read(context, buffer))?;
        acknowledge(socket);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Prompt {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().0).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_shutdown(context)
    }
}
