//! A relay between a client and the daemon of a phone, which breaks its connections after a number of bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Forwards connections until as many bytes have passed as it may forward, in both directions together.
pub(crate) struct Relay {
    pub(crate) address: String,
    left: Arc<AtomicI64>,
}

impl Relay {
    pub(crate) async fn to(phone: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let left = Arc::new(AtomicI64::new(i64::MAX));
        let budget = Arc::clone(&left);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect(&phone).await.unwrap();
                near.set_nodelay(true).unwrap();
                far.set_nodelay(true).unwrap();
                let (near_in, near_out) = near.into_split();
                let (far_in, far_out) = far.into_split();
                let budget = Arc::clone(&budget);
                tokio::spawn(async move {
                    // If one direction breaks, so does the other.
                    tokio::select! {
                        () = pass(near_in, far_out, &budget) => {}
                        () = pass(far_in, near_out, &budget) => {}
                    }
                    // A connection that was cut does not affect the next.
                    let _ = budget.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                        (left <= 0).then_some(i64::MAX)
                    });
                });
            }
        });
        Self { address, left }
    }

    /// Breaks the connection that comes to this number of bytes from now on.
    pub(crate) fn cut_after(&self, bytes: i64) {
        self.left.store(bytes, Ordering::SeqCst);
    }

    /// Forwards without end. Returns the number of bytes that were left.
    pub(crate) fn forward(&self) -> i64 {
        self.left.swap(i64::MAX, Ordering::SeqCst)
    }
}

async fn pass(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, left: &AtomicI64) {
    let mut bytes = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        let before = left.fetch_sub(read as i64, Ordering::SeqCst);
        let passes = usize::try_from(before.clamp(0, read as i64)).unwrap();
        if to.write_all(&bytes[..passes]).await.is_err() || passes < read {
            return;
        }
    }
}
