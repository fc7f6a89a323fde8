//! A connection with transport faults: cut after a number of bytes, delayed packets.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use crate::fault::{Direction, WireFault, WireFaults};

#[derive(Debug)]
pub(crate) struct Wire<T> {
    inner: T,
    faults: WireFaults,
    /// How many bytes may still be read and written.
    left: [u64; 2],
    delay: Option<Pin<Box<Sleep>>>,
    /// Whether the packet that is being sent has been delayed already.
    is_delayed: bool,
}

impl<T> Wire<T> {
    pub(crate) fn new(inner: T, faults: &WireFaults) -> Self {
        let limit = |limited: Direction| {
            let bytes = faults.fire(|fault| match fault {
                WireFault::CutAfter { bytes, direction } if *direction == limited => Some(*bytes),
                _ => None,
            });
            bytes.unwrap_or(u64::MAX)
        };
        Self {
            left: [limit(Direction::In), limit(Direction::Out)],
            inner,
            faults: faults.clone(),
            delay: None,
            is_delayed: false,
        }
    }

    fn next_delay(&self) -> Option<Duration> {
        self.faults.fire(|fault| match fault {
            WireFault::Slow { delay } => Some(*delay),
            _ => None,
        })
    }
}

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionReset, "the connection was cut")
}

impl<T: AsyncRead + Unpin> AsyncRead for Wire<T> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let [left, _] = &mut this.left;
        if *left == 0 {
            return Poll::Ready(Err(cut()));
        }
        let max = usize::try_from(*left)
            .unwrap_or(usize::MAX)
            .min(buffer.remaining());
        let mut part = buffer.take(max);
        let done = Pin::new(&mut this.inner).poll_read(context, &mut part);
        let read = part.filled().len();
        // `part` borrows the space of `buffer`.
        let bytes = part.filled().to_vec();
        ready!(done)?;
        *left -= read as u64;
        buffer.put_slice(&bytes);
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Wire<T> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if !this.is_delayed {
            if this.delay.is_none() {
                this.delay = this
                    .next_delay()
                    .map(|delay| Box::pin(tokio::time::sleep(delay)));
            }
            if let Some(delay) = &mut this.delay {
                ready!(delay.as_mut().poll(context));
            }
            this.delay = None;
            this.is_delayed = true;
        }
        let [_, left] = &mut this.left;
        if *left == 0 {
            return Poll::Ready(Err(cut()));
        }
        let max = usize::try_from(*left)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        let written = ready!(
            Pin::new(&mut this.inner).poll_write(context, bytes.get(..max).unwrap_or_default())
        )?;
        *left -= written as u64;
        Poll::Ready(Ok(written))
    }

    /// Ends a packet: the next byte starts another one.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.is_delayed = false;
        Pin::new(&mut this.inner).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_shutdown(context)
    }
}
