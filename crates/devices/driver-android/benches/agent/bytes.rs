//! How many bytes the agent sends.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use adb::client::{Link, Pipe};
use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A connection that counts the bytes of the agent.
#[derive(Debug)]
pub(crate) struct CountingLink {
    way: Arc<dyn Link>,
    read: Arc<AtomicUsize>,
}

impl CountingLink {
    pub(crate) fn new(way: Arc<dyn Link>) -> Self {
        Self {
            way,
            read: Arc::default(),
        }
    }

    /// The bytes since the last call.
    pub(crate) fn take(&self) -> usize {
        self.read.swap(0, Ordering::SeqCst)
    }
}

#[async_trait]
impl Link for CountingLink {
    async fn open(&self, service: &str) -> adb::Result<Pipe> {
        let pipe = self.way.open(service).await?;
        if !service.starts_with("localabstract:") {
            return Ok(pipe);
        }
        let read = Arc::clone(&self.read);
        Ok(Box::new(CountingPipe { pipe, read }))
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        self.way.features().await
    }
}

struct CountingPipe {
    pipe: Pipe,
    read: Arc<AtomicUsize>,
}

impl AsyncRead for CountingPipe {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.pipe).poll_read(context, buffer);
        let read = buffer.filled().len() - before;
        self.read.fetch_add(read, Ordering::SeqCst);
        polled
    }
}

impl AsyncWrite for CountingPipe {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.pipe).poll_write(context, bytes)
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.pipe).poll_flush(context)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.pipe).poll_shutdown(context)
    }
}
