//! Devices that come and go: their list as it changes, and one that is waited for.

use std::ops::ControlFlow;
use std::time::Duration;

use adb::client::server::Server;
use contract::{ErrorBody, ErrorCode};
use tokio::time::Instant;

use crate::{Device, DeviceList, Service, android, devices};

/// How long a server that has ended is left alone before it is looked for again.
const BREATH: Duration = Duration::from_millis(250);

impl Service {
    /// Tells `seen` which devices there are, now and each time that this changes, until it has seen enough. A server that
    /// ends takes its phones along, and is found again when it is back.
    ///
    /// # Errors
    /// `ADB_NOT_FOUND`, `ADB_SERVER_FAILED` when there is no server at the beginning and none can be started.
    pub async fn watch(
        &self,
        seen: &mut (dyn FnMut(&DeviceList) -> ControlFlow<()> + Send),
    ) -> Result<(), ErrorBody> {
        let setup = &self.options.adb;
        // Starts one where none runs.
        android::list(setup).await?;
        let server = android::server(setup)?;
        let mut last = None;
        let mut tell = |phones: Vec<Device>| {
            let devices = DeviceList {
                devices: phones,
                embedded: devices::embedded(),
            };
            if last.as_ref() == Some(&devices) {
                return ControlFlow::Continue(());
            }
            let told = seen(&devices);
            last = Some(devices);
            told
        };
        loop {
            if follow(&server, &mut tell).await.is_break() || tell(Vec::new()).is_break() {
                return Ok(());
            }
            tokio::time::sleep(BREATH).await;
        }
    }

    /// Waits until a device is ready, `within` at most; gives the list at that moment.
    ///
    /// # Errors
    /// `DEVICE_NOT_FOUND`, `DEVICE_OFFLINE`, `DEVICE_UNAUTHORIZED` with what it was last, and those of
    /// [`Service::watch`].
    pub async fn wait_for(&self, device: &str, within: Duration) -> Result<DeviceList, ErrorBody> {
        let begun = Instant::now();
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
                    Some(one) => android::not_ready(device, &one.state),
                    None => {
                        let shown: String = device.chars().take(80).collect();
                        let message = format!("{shown:?} did not appear");
                        ErrorBody::new(ErrorCode::DeviceNotFound, message)
                            .with_default_hint()
                            .with_detail("deviceId", shown)
                    }
                };
                let waited = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                Err(error.with_detail("waitedMs", waited))
            }
        }
    }
}

/// Tells of each list of a server until it ends.
async fn follow(
    server: &Server,
    tell: &mut (dyn FnMut(Vec<Device>) -> ControlFlow<()> + Send),
) -> ControlFlow<()> {
    // A server that is not there, or has no such service, has ended already.
    let Ok(mut track) = server.track().await else {
        return ControlFlow::Continue(());
    };
    while let Ok(listed) = track.next().await {
        let phones = listed
            .into_iter()
            .map(|phone| Device::new(phone.serial, phone.state));
        tell(phones.collect())?;
    }
    ControlFlow::Continue(())
}
