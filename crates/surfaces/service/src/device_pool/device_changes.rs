//! Phones and tabs that come and go, for those that follow a hub.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;

use super::Inner;
use super::events::EventKind;
use crate::{Device, DeviceList, chrome};

/// How long it takes until a watch that ended is begun again.
const AGAIN: Duration = Duration::from_secs(5);

/// How often browsers are asked for their tabs. They come and go by themselves, each at an address of its own, so nothing
/// could tell of them all.
const LOOK: Duration = Duration::from_secs(1);

/// Begins to follow phones and tabs where nobody does yet.
pub(super) fn begin(pool: &Arc<Inner>) {
    if let Ok(handle) = tokio::runtime::Handle::try_current() {
        phones(pool, &handle);
        tabs(pool, &handle);
    }
}

/// Follows tabs of browsers.
fn tabs(pool: &Arc<Inner>, handle: &Handle) {
    // One follower is enough for all who ask.
    let Ok(alone) = Arc::clone(&pool.tabs_followed).try_lock_owned() else {
        return;
    };
    let pool = Arc::downgrade(pool);
    handle.spawn(async move {
        let mut known = None;
        loop {
            let Some(pool) = pool.upgrade() else {
                break;
            };
            // A browser that does not answer has no tabs that could be driven.
            let found = chrome::devices(&pool.options.service.chrome).await;
            let now = states(&found.unwrap_or_default());
            // What is there at the beginning is no news.
            if let Some(before) = known.replace(now.clone()) {
                differ(&pool, &before, &now);
            }
            drop(pool);
            tokio::time::sleep(LOOK).await;
        }
        drop(alone);
    });
}

/// Devices and their states.
fn states(devices: &[Device]) -> BTreeMap<String, String> {
    let devices = devices.iter();
    devices
        .map(|device| (device.serial.clone(), device.state.clone()))
        .collect()
}

/// Follows phones. Without adb there are none; it is looked for again while somebody asks.
fn phones(pool: &Arc<Inner>, handle: &Handle) {
    let pool = Arc::downgrade(pool);
    handle.spawn(async move {
        let mut known = None;
        loop {
            let Some(pool) = pool.upgrade() else {
                return;
            };
            // One follower is enough for all who ask.
            let Ok(_alone) = pool.followed.try_lock() else {
                return;
            };
            let mut seen = |list: &DeviceList| {
                let now = states(&list.devices);
                // What is there at the beginning is no news.
                if let Some(before) = known.replace(now.clone()) {
                    differ(&pool, &before, &now);
                }
                ControlFlow::Continue(())
            };
            // Why there is no server is said to whoever asks for a phone.
            let _ = pool.service.watch(&mut seen).await;
            tokio::time::sleep(AGAIN).await;
        }
    });
}

/// Tells of what came, went, or is in another state.
fn differ(pool: &Inner, before: &BTreeMap<String, String>, now: &BTreeMap<String, String>) {
    for (device, state) in now {
        if before.get(device) != Some(state) {
            pool.ring.publish(EventKind::Device {
                device: Arc::from(&**device),
                state: Some(Arc::from(&**state)),
            });
        }
    }
    for device in before.keys().filter(|device| !now.contains_key(*device)) {
        pool.lost(device);
        pool.gone(device);
    }
}
