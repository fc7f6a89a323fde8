//! A real adb server that dies and a cable that is pulled while a phone is used: looks wait for the phone to come back,
//! input is reported truthfully and never repeated.

use std::sync::Arc;
use std::time::{Duration, Instant};

use adb::client::locate::ProgramSearch;
use adb::client::server::{Address, Server};
use driver::{Cx, Dispatch, Driver, DriverError, Gesture, NodeAct, Observation};
use driver_android::{AgentDriver, StockDriver};
use testkit::RealServer;
use tokio_util::sync::CancellationToken;
use uitree::Point;

use crate::agent::node;
use crate::agent_fixture::{AgentFixture, PROGRAM, attach, phone};

/// What is lost.
#[derive(Clone, Copy, Debug)]
enum Loss {
    Server,
    Cable,
}

/// A phone that is driven through a real adb server.
struct UsbPhone {
    fixture: AgentFixture,
    real: Arc<RealServer>,
    driver: AgentDriver,
}

impl UsbPhone {
    async fn start() -> Self {
        let fixture = phone().await;
        let real = Arc::new(RealServer::start());
        let server = server(&real);
        listed(&server, &fixture.address).await;
        let phone = adb::Phone::new(Arc::new(server.link(&fixture.address)));
        let driver = attach(&phone, &fixture.cx, PROGRAM).await.unwrap();
        Self {
            fixture,
            real,
            driver,
        }
    }

    async fn observe(&mut self) -> Observation {
        self.driver.observe(&self.fixture.cx).await.unwrap()
    }

    fn lose(&self, loss: Loss) {
        lose(&self.real, &self.fixture.address, loss);
    }

    /// Brings the phone back after a while.
    fn bring_back(&self, after: Duration) -> tokio::task::JoinHandle<()> {
        let (real, address) = (Arc::clone(&self.real), self.fixture.address.clone());
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            real.restart();
            listed(&server(&real), &address).await;
        })
    }

    async fn click(&mut self) -> driver::Result<()> {
        let seen = self.driver.observe(&self.fixture.cx).await?;
        let add = node(&seen, "add");
        self.driver
            .act(&self.fixture.cx, add, &NodeAct::Click)
            .await
            .map(drop)
    }
}

fn lose(real: &RealServer, address: &str, loss: Loss) {
    let lost = match loss {
        Loss::Server => real.adb(&["kill-server"]),
        Loss::Cable => real.adb(&["disconnect", address]),
    };
    assert!(lost.status.success(), "{lost:?}");
}

fn server(real: &RealServer) -> Server {
    Server::at(Address {
        host: "127.0.0.1".to_owned(),
        port: real.port(),
    })
}

/// Attaches a phone until the server lists it: just after a loss it may drop the new one, too.
async fn listed(server: &Server, serial: &str) {
    let limit = Instant::now() + Duration::from_secs(30);
    while Instant::now() < limit {
        // A server that was just started may not answer yet.
        let attached = server.attach(serial).await.is_ok();
        let devices = server.devices().await.unwrap_or_default();
        if attached
            && devices
                .iter()
                .any(|device| device.serial == serial && device.state == "device")
        {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the server never lists {serial}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn look_waits_for_a_phone_that_comes_back() {
    let mut usb = UsbPhone::start().await;
    let mut clicks = 0;
    for loss in [Loss::Cable, Loss::Server] {
        let before = usb.observe().await;
        usb.lose(loss);
        let back = usb.bring_back(Duration::from_millis(500));
        let seen = usb.observe().await;
        // It is the same screen, seen through another connection.
        assert_eq!(seen.tree, before.tree, "{loss:?}");
        back.await.unwrap();
        usb.click().await.unwrap();
        clicks += 1;
        assert_eq!(usb.fixture.clicks().await, clicks, "{loss:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stock_look_waits_for_a_phone_that_comes_back() {
    let mut usb = UsbPhone::start().await;
    usb.driver.disconnect();
    let cx = usb.fixture.cx.clone();
    let phone = adb::Phone::new(Arc::new(server(&usb.real).link(&usb.fixture.address)));
    let mut stock = StockDriver::open("phone", phone, &cx).await.unwrap();
    let mut clicks = 0;
    for loss in [Loss::Cable, Loss::Server] {
        let before = stock.observe(&cx).await.unwrap();
        usb.lose(loss);
        let back = usb.bring_back(Duration::from_millis(500));
        let seen = stock.observe(&cx).await.unwrap();
        assert_eq!(seen.tree, before.tree, "{loss:?}");
        back.await.unwrap();
        let picture = stock.screenshot(&cx).await.unwrap();
        assert_eq!(picture.size, seen.tree.screen());
        let add = node(&seen, "add");
        stock.act(&cx, add, &NodeAct::Click).await.unwrap();
        clicks += 1;
        assert_eq!(usb.fixture.clicks().await, clicks, "{loss:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ended_server_is_started_again_and_connected_to_the_phone() {
    let mut usb = UsbPhone::start().await;
    let places = ProgramSearch {
        adb: Some(usb.real.program()),
        ..ProgramSearch::default()
    };
    let link = server(&usb.real).lasting_link(&usb.fixture.address, places);
    let phone = adb::Phone::new(Arc::new(link));
    usb.driver.disconnect();
    usb.driver = attach(&phone, &usb.fixture.cx, PROGRAM).await.unwrap();
    let before = usb.observe().await;
    usb.lose(Loss::Server);
    let seen = usb.observe().await;
    assert_eq!(seen.tree, before.tree);
    usb.click().await.unwrap();
    assert_eq!(usb.fixture.clicks().await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phone_that_stays_away_is_lost_in_time() {
    let mut usb = UsbPhone::start().await;
    let seen = usb.observe().await;
    usb.lose(Loss::Server);
    let add = node(&seen, "add");
    let begun = Instant::now();
    // An earlier node is none of the connection that would be made now, and nothing is sent.
    let clicked = usb.driver.act(&usb.fixture.cx, add, &NodeAct::Click).await;
    match clicked {
        Err(DriverError::Stale | DriverError::Lost { .. }) => {}
        other => panic!("{other:?}"),
    }
    let looked = usb.driver.observe(&usb.fixture.cx).await;
    match looked {
        Err(DriverError::Lost { dispatch, .. }) => assert_eq!(dispatch, Dispatch::NotSent),
        other => panic!("{other:?}"),
    }
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
    let short = Cx::new(Duration::from_millis(300), CancellationToken::new());
    let looked = usb.driver.observe(&short).await;
    assert!(
        matches!(
            looked,
            Err(DriverError::Deadline | DriverError::Lost { .. })
        ),
        "{looked:?}"
    );
    assert_eq!(usb.fixture.clicks().await, 0);
    usb.bring_back(Duration::ZERO).await.unwrap();
    usb.click().await.unwrap();
    assert_eq!(usb.fixture.clicks().await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn touch_that_a_loss_cuts_is_unknown_and_not_repeated() {
    let mut usb = UsbPhone::start().await;
    for loss in [Loss::Cable, Loss::Server] {
        let seen = usb.observe().await;
        let clicks = usb.fixture.clicks().await;
        let add = node(&seen, "add");
        let at = seen.tree.node(add.node).bounds.unwrap().center();
        // A finger that moves for so long is cut while it is down.
        let gesture = Gesture::Swipe {
            from: at,
            to: Point::new(at.x, at.y + 1),
            duration: Duration::from_secs(2),
            rest: Duration::ZERO,
        };
        let cx = usb.fixture.cx.clone();
        let (real, address) = (Arc::clone(&usb.real), usb.fixture.address.clone());
        let cut = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(300)).await;
            lose(&real, &address, loss);
        });
        let touched = usb.driver.touch(&cx, &gesture).await;
        match touched {
            Err(DriverError::Lost { dispatch, .. }) => assert_eq!(dispatch, Dispatch::Unknown),
            other => panic!("{loss:?}: {other:?}"),
        }
        cut.await.unwrap();
        usb.bring_back(Duration::ZERO).await.unwrap();
        usb.observe().await;
        let after = usb.fixture.clicks().await;
        assert!(after <= clicks + 1, "{loss:?}: {clicks} to {after}");
        usb.click().await.unwrap();
        assert_eq!(usb.fixture.clicks().await, after + 1, "{loss:?}");
    }
}
