//! Recordings of a phone that cannot record itself.

use std::sync::Arc;

use async_trait::async_trait;
use driver::{Capabilities, Cx, DriverError, Recording, Result};

/// Manages recordings of a phone that cannot record itself; they continue after the process that started them.
#[async_trait]
pub trait Recorder: Send + Sync + std::fmt::Debug {
    /// Starts a recording.
    async fn start(&self, cx: &Cx, session: Option<&str>) -> Result<Recording>;

    /// Stops the running one.
    async fn stop(&self, cx: &Cx, session: Option<&str>) -> Result<Recording>;
}

/// The recorder of a driver, if it has one.
#[derive(Debug, Default)]
pub(crate) struct Recorders(Option<Arc<dyn Recorder>>);

impl Recorders {
    /// Adds a recorder to a driver with these capabilities.
    pub(crate) fn add(&mut self, recorder: Arc<dyn Recorder>, capabilities: &mut Capabilities) {
        capabilities.recording = true;
        self.0 = Some(recorder);
    }

    fn recorder(&self) -> Result<&dyn Recorder> {
        let recorder = self.0.as_deref();
        recorder.ok_or(DriverError::Unsupported("recording"))
    }

    /// Starts a recording.
    pub(crate) async fn start(&self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        self.recorder()?.start(cx, session).await
    }

    /// Stops the running one.
    pub(crate) async fn stop(&self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        self.recorder()?.stop(cx, session).await
    }
}
