//! Changes are sent once, however the connection fails, and partial changes are reported as such.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use adb::client::{Link, Pipe};
use adb::{Error, ErrorKind, Progress};
use async_trait::async_trait;
use driver::{Dispatch, Driver, DriverError, Gesture, NodeAct};
use driver_sim::journal::Event;
use driver_sim::{SimOptions, Start};
use sim_adb::Options;
use uitree::{Point, State};

use crate::disconnects::taps;
use crate::fixture::{Fixture, fixture};

/// A phone whose connection fails every tap that it forwards.
#[derive(Debug)]
struct FailingLink {
    way: Arc<dyn Link>,
    kind: Kind,
    reach: Progress,
    /// The reported features of the phone.
    features: &'static [&'static str],
    /// The number of requested taps.
    attempts: AtomicUsize,
}

/// The error of the connection.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Closed,
    Refused,
    Io,
}

#[async_trait]
impl Link for FailingLink {
    async fn open(&self, service: &str) -> adb::Result<Pipe> {
        if !service.contains("input tap") {
            return self.way.open(service).await;
        }
        self.attempts.fetch_add(1, Ordering::SeqCst);
        if self.reach != Progress::NotStarted {
            // The phone receives it and executes it completely.
            let mut pipe = self.way.open(service).await?;
            tokio::io::copy(&mut pipe, &mut tokio::io::sink()).await?;
        }
        let kind = match self.kind {
            Kind::Closed => ErrorKind::Closed,
            Kind::Refused => ErrorKind::Refused("closed".to_owned()),
            Kind::Io => ErrorKind::Io(std::io::ErrorKind::ConnectionReset.into()),
        };
        Err(Error::from(kind).after(self.reach))
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        Ok(self.features.iter().map(|its| (*its).to_owned()).collect())
    }
}

async fn maps() -> Fixture {
    fixture(Options {
        sim: SimOptions {
            start: Start::App("com.example.maps".to_owned()),
            ..SimOptions::default()
        },
        ..Options::default()
    })
    .await
}

#[tokio::test]
async fn tap_is_sent_once_however_the_connection_fails() {
    let fixture = maps().await;
    let at = Point::new(540, 1400);
    for kind in [Kind::Closed, Kind::Refused, Kind::Io] {
        for reach in [Progress::NotStarted, Progress::Unknown, Progress::Started] {
            let way = Arc::new(FailingLink {
                way: fixture.link.clone(),
                kind,
                reach,
                features: &["shell_v2", "cmd"],
                attempts: AtomicUsize::new(0),
            });
            let phone = adb::Phone::new(Arc::<FailingLink>::clone(&way));
            let profile = fixture.driver.profile().clone();
            let mut driver = driver_android::StockDriver::with_profile("phone", phone, profile);
            let before = taps(&fixture.adb_phone).await;
            let done = driver.touch(&fixture.cx, &Gesture::Tap { at }).await;
            let reported = match done {
                Err(DriverError::Lost { dispatch, .. }) => dispatch,
                other => panic!("{kind:?} {reach:?}: {other:?}"),
            };
            let made = taps(&fixture.adb_phone).await - before;
            assert_eq!(
                way.attempts.load(Ordering::SeqCst),
                1,
                "{kind:?} {reach:?}: asked for"
            );
            match reach {
                Progress::NotStarted => {
                    assert_eq!((reported, made), (Dispatch::NotSent, 0), "{kind:?}")
                }
                Progress::Unknown | Progress::Started => {
                    assert_eq!((reported, made), (Dispatch::Unknown, 1), "{kind:?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn text_refused_after_its_tap_is_partial() {
    let mut fixture = fixture(Options {
        sim: SimOptions {
            start: Start::App("com.example.forms".to_owned()),
            faults: vec!["refuse text @1".parse().unwrap()],
            ..SimOptions::default()
        },
        ..Options::default()
    })
    .await;
    let text_fields = driver::Target::Uri("forms://text".to_owned());
    fixture
        .driver
        .open(&fixture.cx, &text_fields)
        .await
        .unwrap();
    let seen = fixture.driver.observe(&fixture.cx).await.unwrap();
    let is_empty_field = |id: &uitree::NodeId| {
        let node = seen.tree.node(*id);
        node.is(State::EDITABLE) && !node.is(State::FOCUSED)
    };
    let field = seen.tree.on_screen().find(is_empty_field).unwrap();
    let before = taps(&fixture.adb_phone).await;
    let act = NodeAct::AppendText("twice".to_owned());
    let done = fixture
        .driver
        .act(&fixture.cx, seen.node_ref(field), &act)
        .await;
    assert!(matches!(done, Err(DriverError::Partial(_))), "{done:?}");
    assert_eq!(taps(&fixture.adb_phone).await - before, 1);
    let driver = fixture.adb_phone.driver().await;
    let typed = driver.phone().log().entries().iter();
    let typed = typed.filter(|entry| matches!(entry.what, Event::TextChanged { .. }));
    assert_eq!(typed.count(), 0);
}

#[tokio::test]
async fn exit_command_has_a_status_on_old_phones() {
    let fixture = fixture(Options {
        features: vec!["cmd".to_owned()],
        ..Options::default()
    })
    .await;
    let ended = fixture.phone.shell("echo said; exit 3").await.unwrap();
    assert_eq!((ended.text().as_str(), ended.status), ("said\n", 3));
}
