//! Phones that come and go, for those that follow a hub.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use super::Inner;
use super::events::What;

/// How long it takes until a watch that ended is begun again.
const AGAIN: Duration = Duration::from_secs(5);

/// Begins to follow phones where nobody does yet. Without adb there are none; it is looked for again while somebody asks.
pub(super) fn begin(hub: &Arc<Inner>) {
    let Ok(handle) = tokio::runtime::Handle::try_current() else {
        return;
    };
    let hub = Arc::downgrade(hub);
    handle.spawn(async move {
        let mut known = None;
        loop {
            let Some(hub) = hub.upgrade() else {
                return;
            };
            // One follower is enough for all who ask.
            let Ok(_alone) = hub.followed.try_lock() else {
                return;
            };
            let mut seen = |devices: &[crate::Device]| {
                let now: BTreeMap<String, String> = devices
                    .iter()
                    .map(|device| (device.serial.clone(), device.state.clone()))
                    .collect();
                // What is there at the beginning is no news.
                if let Some(before) = known.replace(now.clone()) {
                    differ(&hub, &before, &now);
                }
                ControlFlow::Continue(())
            };
            // Why there is no server is said to whoever asks for a phone.
            let _ = hub.service.watch(&mut seen).await;
            tokio::time::sleep(AGAIN).await;
        }
    });
}

/// Tells of what came, went, or is in another state.
fn differ(hub: &Inner, before: &BTreeMap<String, String>, now: &BTreeMap<String, String>) {
    for (device, state) in now {
        if before.get(device) != Some(state) {
            hub.ring.tell(What::Device {
                device: Arc::from(&**device),
                state: Some(Arc::from(&**state)),
            });
        }
    }
    for device in before.keys().filter(|device| !now.contains_key(*device)) {
        hub.lost(device);
        hub.gone(device);
    }
}
