//! A connection to an adb server whose receipts are not held back.
//!
//! The server writes its `OKAY` and what the phone says in separate small pieces, and its system keeps a piece until the
//! one before it is acknowledged. A receiver that has just sent something holds its acknowledgements back, on Linux for
//! 40 ms, which every command would wait for.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A connection that acknowledges what it has read at once.
#[derive(Debug)]
pub(super) struct Prompt(TcpStream);

impl Prompt {
    /// Takes over a connection, and acknowledges what was read of it.
    pub(super) fn new(socket: TcpStream) -> Self {
        acknowledge(&socket);
        Self(socket)
    }
}

/// Has the system send the acknowledgement that is due. It falls back into its habit by itself, so that this is said each
/// time; a system that knows nothing of it is only slower.
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
