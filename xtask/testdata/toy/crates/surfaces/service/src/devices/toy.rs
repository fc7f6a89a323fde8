//! Toy devices.

use async_trait::async_trait;
use contract::ErrorBody;
use driver::{Capabilities, Cx, DeviceInfo, Driver, Platform};
use driver_toy::ToyDriver;
use uitree::Size;

use super::{DeviceConnection, DeviceKind, OpenDevice, Purpose, ResolvedDevice};
use crate::{Device, Options};

/// Toy devices, by names that begin with `toy`.
pub(super) struct ToyKind;

#[async_trait]
impl DeviceKind for ToyKind {
    fn owns(&self, device: &str) -> bool {
        device.starts_with("toy")
    }

    fn is_default(&self, _: &Options) -> bool {
        false
    }

    fn noun(&self) -> &'static str {
        "a toy"
    }

    fn transport(&self) -> &'static str {
        "toy"
    }

    fn size_key(&self) -> &'static str {
        "size"
    }

    async fn list(&self, _: &Options) -> Result<Vec<Device>, ErrorBody> {
        Ok(Vec::new())
    }

    async fn resolve(
        &self,
        device: Option<&str>,
        _: &Options,
    ) -> Result<ResolvedDevice, ErrorBody> {
        Ok(ResolvedDevice::named(device.unwrap_or("toy").to_owned()))
    }

    async fn open(
        &self,
        resolved: &ResolvedDevice,
        _: DeviceConnection,
        _: &Options,
        _: Purpose,
        _: &Cx,
    ) -> Result<Box<dyn OpenDevice>, ErrorBody> {
        Ok(Box::new(ToyDriver {
            info: DeviceInfo {
                id: resolved.name.clone(),
                platform: Platform::Android,
                model: String::new(),
                screen: Size::new(1, 1),
                density: 160,
                capabilities: Capabilities::default(),
            },
        }))
    }
}

#[async_trait]
impl OpenDevice for ToyDriver {
    fn driver(&mut self) -> &mut dyn Driver {
        self
    }
}
