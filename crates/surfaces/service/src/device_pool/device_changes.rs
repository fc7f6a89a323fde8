//! Phones and tabs that appear and disappear, as events.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;

use super::Inner;
use super::events::EventKind;
use crate::{Device, DeviceList, chrome};

/// The pause before a watch that ended is started again.
const RESTART_PAUSE: Duration = Duration::from_secs(5);

/// How often browsers are polled for their tabs. There is no source of events for browsers that start and end.
const TAB_POLL: Duration = Duration::from_secs(1);

/// Starts watching phones and tabs unless that was done already.
pub(super) fn begin(pool: &Arc<Inner>) {
    if let Ok(handle) = tokio::runtime::Handle::try_current() {
        phones(pool, &handle);
        tabs(pool, &handle);
    }
}

/// Watches tabs of browsers.
fn tabs(pool: &Arc<Inner>, handle: &Handle) {
    // One watcher serves all subscribers.
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
            // The initial list is not a change.
            if let Some(before) = known.replace(now.clone()) {
                differ(&pool, &before, &now);
            }
            drop(pool);
            tokio::time::sleep(TAB_POLL).await;
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

/// Watches phones. Without adb it is tried again while there are subscribers.
fn phones(pool: &Arc<Inner>, handle: &Handle) {
    let pool = Arc::downgrade(pool);
    handle.spawn(async move {
        let mut known = None;
        loop {
            let Some(pool) = pool.upgrade() else {
                return;
            };
            // One watcher serves all subscribers.
            let Ok(_alone) = pool.followed.try_lock() else {
                return;
            };
            let mut seen = |list: &DeviceList| {
                let now = states(&list.devices);
                // The initial list is not a change.
                if let Some(before) = known.replace(now.clone()) {
                    differ(&pool, &before, &now);
                }
                ControlFlow::Continue(())
            };
            // The reason is reported by requests for a phone.
            let _ = pool.service.watch(&mut seen).await;
            tokio::time::sleep(RESTART_PAUSE).await;
        }
    });
}

/// Publishes what was added, removed, or changed state.
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
        pool.close_removed(device);
        pool.publish_removed(device);
    }
}
