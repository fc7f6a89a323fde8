//! Connections to a phone: through an adb server, or direct.

pub mod direct;
pub mod locate;
mod prompt;
pub mod server;

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::error::Result;

/// A bidirectional byte stream.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// A stream of a phone's service.
pub type Pipe = Box<dyn Duplex>;

/// A connection to one phone.
#[async_trait]
pub trait Link: Send + Sync + std::fmt::Debug {
    /// Opens a stream to a service of the phone. When it returns, the phone has started the service.
    ///
    /// # Errors
    /// Errors of the connection; their [`Progress`](crate::Progress) says whether the phone may have started
    /// it.
    async fn open(&self, service: &str) -> Result<Pipe>;

    /// The features of the phone, by adb's names.
    async fn features(&self) -> Result<Vec<String>>;

    /// Whether a later request may reach a phone that is lost.
    ///
    /// Default: no.
    fn comes_back(&self) -> bool {
        false
    }
}
