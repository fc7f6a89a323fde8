//! Cuts the connection at every position of a tap's traffic: the report is correct, and nothing is done twice.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use driver::{Cx, Dispatch, Driver, DriverError, Gesture, Key};
use driver_android::StockDriver;
use driver_sim::journal::{Event, Passwords};
use driver_sim::{SimOptions, Start};
use sim_adb::{AdbPhone, Daemon, Options};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uitree::Point;

use crate::relay::Relay;
use crate::sim_phone;

/// The number of cuts.
const CUTS: i64 = 1000;

/// Counts ended connections, whose commands are no longer executed.
struct EndedConnections(watch::Sender<u64>);

impl Write for EndedConnections {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let ended = text.matches("\"kind\":\"disconnected\"").count() as u64;
        self.0.send_modify(|all| *all += ended);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The point of the tap for a cut.
fn place(cut: i64) -> Point {
    let cut = i32::try_from(cut).unwrap();
    Point::new(100 + 20 * (cut % 40), 800 + 20 * (cut / 40))
}

/// The number of taps that the phone received at a point.
async fn taps_at(adb_phone: &AdbPhone, place: Point) -> usize {
    let driver = adb_phone.driver().await;
    let entries = driver.phone().log().entries().iter();
    let taps = entries
        .filter(|entry| matches!(&entry.what, Event::TouchedDown { at, .. } if *at == place));
    taps.count()
}

/// The number of taps that the phone received.
pub(crate) async fn taps(adb_phone: &AdbPhone) -> usize {
    let driver = adb_phone.driver().await;
    let entries = driver.phone().log().entries().iter();
    let taps = entries.filter(|entry| matches!(entry.what, Event::TouchedDown { .. }));
    taps.count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cut_taps_are_reported_correctly_and_never_repeated() {
    let daemon = Daemon::bind(Options {
        sim: SimOptions {
            start: Start::App("com.example.maps".to_owned()),
            ..SimOptions::default()
        },
        ..Options::default()
    })
    .await
    .unwrap();
    let adb_phone = daemon.adb_phone();
    let counter = watch::Sender::new(0);
    let mut ended = counter.subscribe();
    let sink = Box::new(EndedConnections(counter));
    adb_phone.record().write_to(sink, Passwords::Masked);
    let relay = Relay::to(daemon.address().to_string()).await;
    tokio::spawn(daemon.run());
    let cx = || Cx::new(Duration::from_secs(20), CancellationToken::new());
    let connect = async || adb::Phone::new(Arc::new(sim_phone::connect(&relay.address).await));
    let whole = StockDriver::open("phone", connect().await, &cx())
        .await
        .unwrap();
    let profile = whole.profile().clone();
    drop(whole);
    let mut outcomes = [0_usize; 4];
    for cut in 0..CUTS {
        relay.forward();
        let mut driver = StockDriver::with_profile("phone", connect().await, profile.clone());
        // Each tap has its own point, so that late ones are recognized.
        let at = place(cut);
        let tap = Gesture::Tap { at };
        // A tap and the query before it are about a thousand bytes; the last cuts come after them.
        relay.cut_after(cut % 500 * 3);
        let result = driver.touch(&cx(), &tap).await;
        // A phone may still execute what arrived before the cut, until the connection has ended there. The
        // first connection read the profile.
        drop(driver);
        let connections = u64::try_from(cut).unwrap() + 2;
        let all = ended.wait_for(|ended| *ended >= connections);
        tokio::time::timeout(Duration::from_secs(60), all)
            .await
            .unwrap()
            .unwrap();
        let made = taps_at(&adb_phone, at).await;
        match result {
            Ok(()) => {
                assert_eq!(made, 1, "cut after {cut}: a tap was claimed");
                outcomes[0] += 1;
            }
            Err(DriverError::Lost {
                dispatch: Dispatch::NotSent,
                ..
            }) => {
                assert_eq!(made, 0, "cut after {cut}: a tap was denied");
                outcomes[1] += 1;
            }
            Err(DriverError::Lost {
                dispatch: Dispatch::Unknown,
                ..
            }) => {
                assert!(made <= 1, "cut after {cut}: {made} taps");
                outcomes[2 + made] += 1;
            }
            other => panic!("cut after {cut}: {other:?}"),
        }
    }
    // Every outcome occurred, so the test covers all of them.
    let [done, not_sent, lost, lost_and_made] = outcomes;
    assert!(done > 0 && lost > 0 && lost_and_made > 0, "{outcomes:?}");
    assert!(not_sent + done + lost + lost_and_made == usize::try_from(CUTS).unwrap());
    // No taps arrived later either.
    for cut in 0..CUTS {
        assert!(
            taps_at(&adb_phone, place(cut)).await <= 1,
            "cut after {cut}"
        );
    }
    assert_eq!(taps(&adb_phone).await, done + lost_and_made);
    // The next command works without a restart.
    relay.forward();
    let mut driver = StockDriver::with_profile("phone", connect().await, profile);
    driver.key(&cx(), Key::Home).await.unwrap();
}
