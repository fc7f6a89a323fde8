//! Recordings of a phone that cannot record itself.

use async_trait::async_trait;
use driver::{Cx, DriverError, Recording, Result};

/// The error without a recorder.
pub(crate) const NO_RECORDER: DriverError = DriverError::Unsupported("recording");

/// Manages recordings of a phone that cannot record itself; they continue after the process that started them.
#[async_trait]
pub trait Recorder: Send + Sync + std::fmt::Debug {
    /// Starts a recording.
    async fn start(&self, cx: &Cx, session: Option<&str>) -> Result<Recording>;

    /// Stops the running one.
    async fn stop(&self, cx: &Cx, session: Option<&str>) -> Result<Recording>;
}
