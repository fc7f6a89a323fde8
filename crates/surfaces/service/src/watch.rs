//! Watching the list of devices, and waiting for a device.

use std::ops::ControlFlow;
use std::time::Duration;

use adb::client::server::Server;
use contract::{ErrorBody, ErrorCode};
use tokio::time::Instant;

use crate::environment::AdbSetup;
use crate::phone::connection;
use crate::{Device, DeviceList, Service, devices};

/// The pause before reconnecting to a server that has ended.
const RECONNECT_PAUSE: Duration = Duration::from_millis(250);

impl Service {
    /// Calls `seen` with the current devices and after each change, until it returns `Break`. When the server ends, its
    /// phones disappear until it is back.
    ///
    /// # Errors
    /// `ADB_NOT_FOUND`, `ADB_SERVER_FAILED` when no server runs at the start and none can be started.
    pub async fn watch(
        &self,
        seen: &mut (dyn FnMut(&DeviceList) -> ControlFlow<()> + Send),
    ) -> Result<(), ErrorBody> {
        phones(&self.options.adb, seen).await
    }

    /// Waits until a device is ready; returns the list at that time.
    ///
    /// # Errors
    /// `DEVICE_NOT_FOUND`, `DEVICE_OFFLINE`, `DEVICE_UNAUTHORIZED` from its last state, and those of [`Service::watch`].
    pub async fn wait_for(&self, device: &str, within: Duration) -> Result<DeviceList, ErrorBody> {
        let started_at = Instant::now();
        let mut last = DeviceList {
            devices: Vec::new(),
            embedded: devices::embedded(),
        };
        let mut looked = |devices: &DeviceList| {
            last = devices.clone();
            let ready = devices
                .iter()
                .any(|one| one.serial == device && one.is_ready());
            if ready {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let ended = tokio::time::timeout(within, self.watch(&mut looked)).await;
        match ended {
            Ok(Ok(())) => Ok(last),
            Ok(Err(error)) => Err(error),
            Err(_) => {
                let state = last.iter().find(|one| one.serial == device);
                let error = match state {
                    Some(one) => connection::not_ready(device, &one.state),
                    None => {
                        let shown = contract::truncate_input(device);
                        let message = format!("{shown:?} did not appear");
                        ErrorBody::new(ErrorCode::DeviceNotFound, message)
                            .with_default_hint()
                            .with_detail("deviceId", shown)
                    }
                };
                let waited = u64::try_from(started_at.elapsed().as_millis()).unwrap_or(u64::MAX);
                Err(error.with_detail("waitedMs", waited))
            }
        }
    }
}

/// As [`Service::watch`].
pub(crate) async fn phones(
    setup: &AdbSetup,
    seen: &mut (dyn FnMut(&DeviceList) -> ControlFlow<()> + Send),
) -> Result<(), ErrorBody> {
    // Starts one if none runs.
    connection::list(setup).await?;
    let server = connection::server(setup)?;
    let mut last = None;
    let mut report = |phones: Vec<Device>| {
        let devices = DeviceList {
            devices: phones,
            embedded: devices::embedded(),
        };
        if last.as_ref() == Some(&devices) {
            return ControlFlow::Continue(());
        }
        let flow = seen(&devices);
        last = Some(devices);
        flow
    };
    loop {
        if follow(&server, &mut report).await.is_break() || report(Vec::new()).is_break() {
            return Ok(());
        }
        tokio::time::sleep(RECONNECT_PAUSE).await;
    }
}

/// Reports the lists of a server until it ends.
async fn follow(
    server: &Server,
    report: &mut (dyn FnMut(Vec<Device>) -> ControlFlow<()> + Send),
) -> ControlFlow<()> {
    // No server runs, or it does not support tracking.
    let Ok(mut track) = server.track().await else {
        return ControlFlow::Continue(());
    };
    while let Ok(listed) = track.next().await {
        let phones = listed
            .into_iter()
            .map(|phone| Device::new(phone.serial, phone.state));
        report(phones.collect())?;
    }
    ControlFlow::Continue(())
}
