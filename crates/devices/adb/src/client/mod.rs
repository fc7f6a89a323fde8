//! Ways to a phone: by an adb server, or by ourselves.

pub mod direct;
pub mod locate;
mod prompt;
pub mod server;

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::error::Result;

/// Bytes in both directions.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// A stream of a phone's service.
pub type Pipe = Box<dyn Duplex>;

/// A way to one phone.
#[async_trait]
pub trait Link: Send + Sync + std::fmt::Debug {
    /// Opens a stream to a service of the phone. When it returns, the phone has begun with what the service's name asks.
    ///
    /// # Errors
    /// Those of the way; the reach says whether the phone may have begun all the same.
    async fn open(&self, service: &str) -> Result<Pipe>;

    /// What the phone's end of the wire can do, by the names that adb gives it.
    ///
    /// # Errors
    /// Those of the way.
    async fn features(&self) -> Result<Vec<String>>;
}
