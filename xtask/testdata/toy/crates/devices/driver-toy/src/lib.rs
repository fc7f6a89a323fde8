//! A toy device: it has no screen and refuses everything.

use async_trait::async_trait;
use driver::{
    ActOutcome, Cx, DeviceInfo, Driver, DriverError, Gesture, Image, Key, NodeAct, NodeRef,
    Observation, OpenOutcome, Result, Target,
};

/// The device.
pub struct ToyDriver {
    /// What is known of it.
    pub info: DeviceInfo,
}

/// It can do nothing.
const NOTHING: DriverError = DriverError::Unsupported("everything");

#[async_trait]
impl Driver for ToyDriver {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    async fn observe(&mut self, _: &Cx) -> Result<Observation> {
        Err(NOTHING)
    }

    async fn screenshot(&mut self, _: &Cx) -> Result<Image> {
        Err(NOTHING)
    }

    async fn act(&mut self, _: &Cx, _: NodeRef, _: &NodeAct) -> Result<ActOutcome> {
        Err(NOTHING)
    }

    async fn touch(&mut self, _: &Cx, _: &Gesture) -> Result<()> {
        Err(NOTHING)
    }

    async fn key(&mut self, _: &Cx, _: Key) -> Result<ActOutcome> {
        Err(NOTHING)
    }

    async fn open(&mut self, _: &Cx, _: &Target) -> Result<OpenOutcome> {
        Err(NOTHING)
    }

    async fn close(&mut self, _: &Cx, _: &str) -> Result<()> {
        Err(NOTHING)
    }
}
