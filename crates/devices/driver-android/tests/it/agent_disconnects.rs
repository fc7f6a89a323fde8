//! Cuts the connection to the phone at every byte of an observation and a tap: the report is correct, and no tap is done twice.

use std::sync::Arc;

use adb::client::direct::DirectLink;
use adb::client::{Link, Pipe};
use async_trait::async_trait;
use driver::{Dispatch, Driver, DriverError, NodeAct};
use driver_android::{AgentBinary, AgentDriver, Profile, Shell};
use tokio::sync::Mutex;

use crate::agent::node;
use crate::agent_fixture;
use crate::relay::Relay;
use crate::test_phone::{TestPhone, connect, limit};

/// More bytes than pass in a test.
const ENDLESS: i64 = 1 << 40;

/// A link that connects anew when its connection is lost.
#[derive(Debug)]
struct ReconnectingLink {
    address: String,
    link: Mutex<Option<Arc<DirectLink>>>,
}

impl ReconnectingLink {
    async fn link(&self) -> Arc<DirectLink> {
        let mut kept = self.link.lock().await;
        if let Some(link) = &*kept {
            tokio::select! {
                biased;
                _ = link.ended() => {}
                () = std::future::ready(()) => return Arc::clone(link),
            }
        }
        Arc::clone(kept.insert(Arc::new(connect(&self.address).await)))
    }
}

#[async_trait]
impl Link for ReconnectingLink {
    async fn open(&self, service: &str) -> adb::Result<Pipe> {
        self.link().await.open(service).await
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        self.link().await.features().await
    }
}

/// How the driver is connected.
#[derive(Clone, Copy, Debug)]
enum Connection {
    /// Once.
    Once,
    /// Again after a loss.
    Reconnecting,
}

struct Cuts {
    on: TestPhone,
    relay: Relay,
    profile: Profile,
    connection: Connection,
}

impl Cuts {
    /// A driver on a connection that can be cut, to the agent that runs already.
    async fn connect(&self) -> AgentDriver {
        let address = self.relay.address.clone();
        if let Connection::Reconnecting = self.connection {
            let link = ReconnectingLink {
                address,
                link: Mutex::default(),
            };
            let phone = adb::Phone::new(Arc::new(link));
            let driver = agent_fixture::attach(&phone, &self.on.cx, AgentBinary::embedded());
            return driver.await.unwrap();
        }
        let ready = self.on.state().await.unwrap();
        let link = connect(&address).await;
        loop {
            let pipe = link.open(&format!("localabstract:{}", ready.socket)).await;
            let (phone, profile) = (self.on.phone.clone(), self.profile.clone());
            let pipe = pipe.unwrap();
            match AgentDriver::over("phone", phone, profile, pipe, &ready.token).await {
                Ok(driver) => return driver,
                // The agent takes a moment to find that the client before has left.
                Err(busy) => assert!(busy.to_string().contains("BUSY"), "{busy}"),
            }
            self.on.cx.check().unwrap();
        }
    }

    /// Looks and taps; where it got to.
    async fn look_and_tap(&self, driver: &mut AgentDriver) -> Result<(), DriverError> {
        let seen = driver.observe(&self.on.cx).await?;
        let add = node(&seen, "add");
        driver
            .act(&self.on.cx, add, &NodeAct::Click)
            .await
            .map(drop)
    }
}

/// Every byte on a real phone, and with `TESTS=all` on a single connection. Else the beginning, the end, and some of the screen,
/// whose cuts are alike.
fn cuts(whole: i64, on: &TestPhone, connection: Connection) -> Vec<i64> {
    let is_thorough = std::env::var("TESTS").is_ok_and(|tests| tests == "all");
    let step = match connection {
        _ if on.is_real() => 1,
        Connection::Once if is_thorough => 1,
        Connection::Once | Connection::Reconnecting => 37,
    };
    let (first, last) = (40, whole - 200);
    let middle = (first..last).step_by(step);
    // After the end, a message of a change may come in between.
    (0..first).chain(middle).chain(last..whole + 100).collect()
}

async fn cut_taps_are_reported_correctly(connection: Connection) {
    let on = TestPhone::start().await;
    drop(on.attach().await);
    let shell = Shell::new(on.phone.clone());
    let mut cuts = Cuts {
        relay: Relay::to(on.address.clone()).await,
        profile: Profile::query(&shell, &on.cx).await.unwrap(),
        on,
        connection,
    };
    let mut driver = cuts.connect().await;
    cuts.relay.cut_after(ENDLESS);
    cuts.look_and_tap(&mut driver).await.unwrap();
    drop(driver);
    let whole = ENDLESS - cuts.relay.forward();
    let mut clicks = cuts.on.clicks().await;
    let (mut unknown, mut not_sent, mut done) = (0, 0, 0);
    for cut in self::cuts(whole, &cuts.on, connection) {
        cuts.on.cx = limit();
        let mut driver = cuts.connect().await;
        cuts.relay.cut_after(cut);
        let reported = cuts.look_and_tap(&mut driver).await;
        drop(driver);
        cuts.relay.forward();
        // The agent has finished with this client before it accepts the next.
        drop(cuts.connect().await);
        let before = std::mem::replace(&mut clicks, cuts.on.clicks().await);
        let happened = clicks - before;
        match reported {
            Ok(()) => {
                assert_eq!(happened, 1, "cut at {cut}");
                done += 1;
            }
            Err(DriverError::Lost { dispatch, .. }) => match dispatch {
                Dispatch::NotSent => {
                    assert_eq!(happened, 0, "cut at {cut}");
                    not_sent += 1;
                }
                Dispatch::Unknown => {
                    assert!(happened <= 1, "cut at {cut}");
                    unknown += 1;
                }
                Dispatch::Sent => panic!("cut at {cut}"),
            },
            // The loss was found between the look and the tap.
            Err(DriverError::Stale) => {
                assert_eq!(happened, 0, "cut at {cut}");
                not_sent += 1;
            }
            Err(other) => panic!("cut at {cut}: {other:?}"),
        }
    }
    println!("{connection:?}: {whole} bytes; done {done}, not sent {not_sent}, unknown {unknown}");
    let look_is_lost = matches!(connection, Connection::Once);
    assert!(
        unknown > 0 && done > 0 && (not_sent > 0 || !look_is_lost),
        "{unknown} {not_sent} {done}"
    );
}

#[tokio::test]
async fn cut_taps_are_reported_correctly_and_never_repeated() {
    cut_taps_are_reported_correctly(Connection::Once).await;
}

#[tokio::test]
async fn cut_looks_are_repeated_and_cut_taps_are_not() {
    cut_taps_are_reported_correctly(Connection::Reconnecting).await;
}
