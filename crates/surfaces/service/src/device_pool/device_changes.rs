//! Phones and tabs that appear and disappear, as events.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::task::JoinSet;

use super::Inner;
use super::events::EventKind;
use crate::chrome::{self, ChromeSetup, TabList};
use crate::environment::AdbSetup;
use crate::{Device, DeviceList, watch};

/// The pause before a watch that ended is started again.
const RESTART_PAUSE: Duration = Duration::from_secs(5);

/// How often browsers are polled for their tabs. There is no source of events for browsers that start and end.
const TAB_POLL: Duration = Duration::from_secs(1);

/// Watches phones and tabs until it is dropped. All subscribers of a pool share it.
#[derive(Debug)]
pub(super) struct Watchers {
    _tasks: JoinSet<()>,
}

impl Watchers {
    /// Starts watching. The pool may end before its watchers.
    pub(super) fn start(pool: &Arc<Inner>) -> Self {
        let options = &pool.options.service;
        let mut tasks = JoinSet::new();
        tasks.spawn(watch_phones(Arc::downgrade(pool), options.adb.clone()));
        tasks.spawn(watch_tabs(Arc::downgrade(pool), options.chrome.clone()));
        Self { _tasks: tasks }
    }
}

/// Devices and their states.
type States = BTreeMap<String, String>;

fn states(devices: &[Device]) -> States {
    let devices = devices.iter();
    devices
        .map(|device| (device.serial.clone(), device.state.clone()))
        .collect()
}

/// Publishes changes of tabs.
async fn watch_tabs(pool: Weak<Inner>, setup: ChromeSetup) {
    let mut polls = TabPolls::default();
    loop {
        let change = polls.change(chrome::devices(&setup).await.unwrap_or_default());
        let Some(pool) = pool.upgrade() else {
            return;
        };
        if let Some((before, now)) = change {
            publish_changes(&pool, &before, &now);
        }
        drop(pool);
        tokio::time::sleep(TAB_POLL).await;
    }
}

/// The polls of the tabs so far.
#[derive(Debug, Default)]
struct TabPolls {
    known: Option<States>,
    last_failed: bool,
}

impl TabPolls {
    /// The states before and after the newest poll; `None` if that says nothing about changes.
    fn change(&mut self, list: TabList) -> Option<(States, States)> {
        let failed = !list.is_complete;
        // Tabs of a browser that misses one poll are still open; one that misses two has ended or hangs.
        let is_doubtful = failed && !std::mem::replace(&mut self.last_failed, failed);
        if is_doubtful {
            return None;
        }
        self.last_failed = failed;
        let now = states(&list.tabs);
        // The initial list is not a change.
        let before = self.known.replace(now.clone())?;
        Some((before, now))
    }
}

/// Publishes changes of phones. Without adb it is tried again.
async fn watch_phones(pool: Weak<Inner>, setup: AdbSetup) {
    let mut known = None;
    loop {
        let mut seen = |list: &DeviceList| {
            let Some(pool) = pool.upgrade() else {
                return ControlFlow::Break(());
            };
            let now = states(&list.devices);
            // The initial list is not a change.
            if let Some(before) = known.replace(now.clone()) {
                publish_changes(&pool, &before, &now);
            }
            ControlFlow::Continue(())
        };
        // The reason is reported by requests for a phone.
        if watch::phones(&setup, &mut seen).await.is_ok() {
            return;
        }
        tokio::time::sleep(RESTART_PAUSE).await;
    }
}

/// Publishes what was added, removed, or changed state.
fn publish_changes(pool: &Inner, before: &States, now: &States) {
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

#[cfg(test)]
mod tests {
    use adb::client::locate::ProgramSearch;
    use adb::client::server::Address;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;
    use crate::Options;
    use crate::device_pool::{DevicePool, PoolOptions};

    fn tabs(names: &[&str], is_complete: bool) -> TabList {
        TabList {
            tabs: names
                .iter()
                .map(|name| Device::new((*name).to_owned(), "page".to_owned()))
                .collect(),
            is_complete,
        }
    }

    #[test]
    fn tabs_are_removed_by_the_second_failed_poll() {
        let mut polls = TabPolls::default();
        assert_eq!(polls.change(tabs(&["a", "b"], true)), None);
        let change = |change: Option<(States, States)>| change.map(|(_, now)| now.len());
        for _ in 0..2 {
            assert_eq!(change(polls.change(tabs(&[], false))), None);
            assert_eq!(change(polls.change(tabs(&["a", "b"], true))), Some(2));
        }
        assert_eq!(change(polls.change(tabs(&["a"], true))), Some(1));
        assert_eq!(change(polls.change(tabs(&[], false))), None);
        assert_eq!(change(polls.change(tabs(&[], false))), Some(0));
        assert_eq!(change(polls.change(tabs(&[], false))), Some(0));
    }

    /// A pool of the phones of a scripted adb server, and the server.
    async fn pool() -> (DevicePool, TcpListener) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut service = Options::default();
        service.adb.server = Ok(Address {
            host: "127.0.0.1".to_owned(),
            port: listener.local_addr().unwrap().port(),
        });
        service.adb.places = ProgramSearch::default();
        // Nothing listens there.
        service.chrome.endpoint = Some(format!("http://127.0.0.1:{}", testkit::closed_port()));
        let options = PoolOptions {
            service,
            ..PoolOptions::default()
        };
        (DevicePool::new(options), listener)
    }

    /// Answers requests with empty lists until one for changes of the list, and returns its connection.
    async fn tracking(listener: &TcpListener) -> TcpStream {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut length = [0; 4];
            socket.read_exact(&mut length).await.unwrap();
            let length = usize::from_str_radix(std::str::from_utf8(&length).unwrap(), 16);
            let mut request = vec![0; length.unwrap()];
            socket.read_exact(&mut request).await.unwrap();
            socket.write_all(b"OKAY0000").await.unwrap();
            if request.starts_with(b"host:track-devices") {
                return socket;
            }
        }
    }

    #[tokio::test]
    async fn watchers_end_with_the_last_subscriber() {
        let (pool, listener) = pool().await;
        for _ in 0..2 {
            let (one, other) = (pool.events(None), pool.events(None));
            let mut socket = testkit::within("a watcher", tracking(&listener)).await;
            drop(one);
            assert!(pool.0.watchers.lock().unwrap().upgrade().is_some());
            drop(other);
            let mut rest = Vec::new();
            // It ends with an error if the watcher has not read everything.
            drop(testkit::within("its end", socket.read_to_end(&mut rest)).await);
            assert!(rest.is_empty());
        }
    }

    #[tokio::test]
    async fn watchers_do_not_keep_the_pool() {
        let (pool, listener) = pool().await;
        let _events = pool.events(None);
        let _socket = testkit::within("a watcher", tracking(&listener)).await;
        let inner = Arc::downgrade(&pool.0);
        drop(pool);
        assert!(inner.upgrade().is_none());
    }
}
