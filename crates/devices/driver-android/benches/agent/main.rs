//! The agent beside the stock tools and the Operator app, on the simulated phone at its own pace: what the wire and the driver
//! cost, each with its target; then the agent's own classes on real widgets. `cargo bench -p driver-android --bench agent`.

#![allow(clippy::unwrap_used, reason = "a bench fails by panicking")]

mod bytes;
mod operator;
mod table;
mod widgets;

use std::sync::Arc;
use std::time::{Duration, Instant};

use adb::client::Link;
use adb::client::direct::{DirectLink, Timeouts};
use adb::client::server::{Address, Server};
use driver::{Driver, Gesture, Key, Observation};
use driver_android::{
    AgentBinary, AgentDriver, AgentUnavailable, AttachTarget, Shell, StockDriver,
};
use driver_sim::{AppSource, SimOptions, Start};
use sim_adb::{AdbPhone, Daemon, Options};
use testkit::RealServer;
use uitree::{Point, Query, Size};

use bytes::CountingLink;
use table::{OtherTransports, TIMES, cx, median, show};

/// What stands for the agent's program; the simulated phone only hashes it.
const PROGRAM: AgentBinary = AgentBinary {
    dex: b"the agent of the tests",
    sha256: [
        0xa2, 0x0b, 0x12, 0xd8, 0xad, 0x9c, 0x0a, 0x6f, 0x95, 0x69, 0x9a, 0x94, 0xd9, 0x6f, 0x6b,
        0xe3, 0x32, 0x45, 0x69, 0xc1, 0xef, 0xdb, 0x85, 0x26, 0xba, 0x95, 0x7f, 0x9f, 0x8f, 0x1d,
        0xe5, 0x5c,
    ],
};
/// An app whose button changes five texts, with a hundred nodes in all.
const PACKAGE: &str = "com.bench.rows";
const APP: &str = "app: com.bench.rows
label: Rows
icon: star
start: main
state: { n: 0 }
screens:
  main:
    title: Rows
    body:
      - button: { text: Add, id: add, on_click: { set: { n: \"= n + 1\" } } }
";
const CHANGING_ROWS: usize = 5;
const ROWS: usize = 46;

fn app() -> AppSource {
    let rows = (0..CHANGING_ROWS + ROWS).map(|row| match row < CHANGING_ROWS {
        true => format!("      - text: \"count {row} {{n}}\"\n"),
        false => format!("      - row: [ {{ text: \"Row {row}\" }} ]\n"),
    });
    AppSource::Text {
        name: "rows.yaml".to_owned(),
        yaml: format!("{APP}{}", rows.collect::<String>()),
    }
}

/// Changes five nodes.
async fn tap_add(adb_phone: &AdbPhone, seen: &Observation) {
    let button = seen.tree.find(&Query::new().text("Add")).unwrap();
    let at = seen.tree.node(button).bounds.unwrap().center();
    let mut phone = adb_phone.driver().await;
    phone.touch(&cx(), &Gesture::Tap { at }).await.unwrap();
}

/// The time of an observation after five nodes have changed.
async fn changed(driver: &mut dyn Driver, adb_phone: &AdbPhone) -> Duration {
    let cx = cx();
    median(TIMES, async || {
        let before = driver.observe(&cx).await.unwrap();
        tap_add(adb_phone, &before).await;
        let begun = Instant::now();
        let after = driver.observe(&cx).await.unwrap();
        let took = begun.elapsed();
        assert_ne!(after.revision, before.revision);
        took
    })
    .await
}

async fn driven(driver: &mut dyn Driver) -> (Duration, Duration) {
    let at = Point::new(540, 20);
    let cx = cx();
    let look = median(TIMES, async || {
        let begun = Instant::now();
        driver.observe(&cx).await.unwrap();
        begun.elapsed()
    });
    let look = look.await;
    let tap = median(TIMES, async || {
        driver.observe(&cx).await.unwrap();
        let begun = Instant::now();
        driver.touch(&cx, &Gesture::Tap { at }).await.unwrap();
        begun.elapsed()
    });
    (look, tap.await)
}

/// How long a wait lasts after the change that ends it.
async fn wait(driver: &mut dyn Driver, adb_phone: &AdbPhone) -> Duration {
    let cx = cx();
    median(21, async || {
        let seen = driver.observe(&cx).await.unwrap();
        let adb_phone = adb_phone.clone();
        let changed = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let own = table::cx();
            let mut phone = adb_phone.driver().await;
            phone.key(&own, Key::Recents).await.unwrap();
            drop(phone);
            Instant::now()
        });
        loop {
            driver.changed(&cx, seen.revision).await.unwrap();
            if driver.observe(&cx).await.unwrap().revision != seen.revision {
                break;
            }
        }
        let done = Instant::now();
        let changed = changed.await.unwrap();
        driver.key(&cx, Key::Back).await.unwrap();
        done.saturating_duration_since(changed)
    })
    .await
}

/// Attaches to the agent; how long it took.
async fn attach(phone: &adb::Phone, shell: &Shell) -> (AgentDriver, Duration) {
    loop {
        let cx = cx();
        let begun = Instant::now();
        let target = AttachTarget::query(shell, &cx).await.unwrap();
        let opened = AgentDriver::open("phone", phone.clone(), target, PROGRAM, &cx);
        match opened.await {
            Ok(agent) => return (agent, begun.elapsed()),
            // It takes a moment to find that the client before has left.
            Err(AgentUnavailable::Busy) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// Measures on the simulated phone; what observations, taps and waits take in the other ways.
async fn measure(name: &str, phone: adb::Phone, adb_phone: &AdbPhone) -> [OtherTransports; 3] {
    println!("{name}");
    let shell = Shell::new(phone.clone());
    let mut stock = StockDriver::open("phone", phone.clone(), &cx())
        .await
        .unwrap();
    let nodes = stock.observe(&cx()).await.unwrap().tree.len();
    let (look, tap) = driven(&mut stock).await;
    let waited = wait(&mut stock, adb_phone).await;
    let attach = || attach(&phone, &shell);
    let (_, started) = attach().await;
    show(
        "  start of the agent",
        started,
        400.0,
        OtherTransports::default(),
    );
    let attached = median(TIMES, async || attach().await.1);
    show(
        "  attach to a running agent",
        attached.await,
        20.0,
        OtherTransports::default(),
    );
    let (mut agent, _) = attach().await;
    let own = median(TIMES, async || {
        let mut phone = adb_phone.driver().await;
        let begun = Instant::now();
        let at = Point::new(540, 20);
        phone.touch(&cx(), &Gesture::Tap { at }).await.unwrap();
        begun.elapsed()
    });
    let own = own.await;
    let (operator_look, operator_tap) = operator::driven(&phone).await;
    let looks = OtherTransports {
        stock: Some(look),
        operator: Some(operator_look),
    };
    let taps = OtherTransports {
        stock: Some(tap.saturating_sub(own)),
        operator: Some(operator_tap.saturating_sub(own)),
    };
    let (unchanged, agent_tap) = driven(&mut agent).await;
    show(
        "  tap, over the phone's own time",
        agent_tap.saturating_sub(own),
        1.5,
        taps,
    );
    show("  observation, unchanged", unchanged, 1.0, looks);
    let five = changed(&mut agent, adb_phone).await;
    show("  observation, five nodes changed", five, 1.5, looks);
    let whole = median(TIMES, async || {
        let (mut fresh, _) = attach().await;
        let begun = Instant::now();
        fresh.observe(&cx()).await.unwrap();
        begun.elapsed()
    });
    drop(agent);
    show(
        &format!("  observation of {nodes} nodes"),
        whole.await,
        4.0,
        looks,
    );
    let (mut agent, _) = attach().await;
    let agent_wait = wait(&mut agent, adb_phone).await;
    let waits = OtherTransports {
        stock: Some(waited),
        operator: Some(operator::wait(&phone, adb_phone).await),
    };
    show("  wait, after the change", agent_wait, 5.0, waits);
    [looks, taps, waits]
}

/// Prints how many bytes the agent sends for an observation.
async fn print_bytes(link: Arc<dyn Link>, adb_phone: &AdbPhone) {
    let link = Arc::new(CountingLink::new(link));
    let phone = adb::Phone::new(link.clone());
    let (mut agent, _) = attach(&phone, &Shell::new(phone.clone())).await;
    link.take();
    let seen = agent.observe(&cx()).await.unwrap();
    println!("bytes of the agent");
    println!(
        "{:<38} {:>9}",
        "  observation of the whole screen",
        link.take()
    );
    tap_add(adb_phone, &seen).await;
    agent.changed(&cx(), seen.revision).await.unwrap();
    link.take();
    agent.observe(&cx()).await.unwrap();
    println!(
        "{:<38} {:>9}",
        "  observation, five nodes changed",
        link.take()
    );
    agent.observe(&cx()).await.unwrap();
    println!("{:<38} {:>9}", "  observation, unchanged", link.take());
}

async fn run() {
    let daemon = Daemon::bind(Options {
        sim: SimOptions {
            apps: vec![AppSource::BuiltIn, app()],
            screen: Size::new(1080, 8000),
            start: Start::App(PACKAGE.to_owned()),
            ..SimOptions::default()
        },
        idle: Duration::ZERO,
        operator: Some(operator::app()),
        ..Options::default()
    });
    let daemon = daemon.await.unwrap();
    let (adb_phone, address) = (daemon.adb_phone(), daemon.address().to_string());
    tokio::spawn(daemon.run());
    let no_key = || unreachable!("an open phone asks for no key");
    let link = DirectLink::connect(&address, no_key, Timeouts::default()).await;
    measure(
        "without a server",
        adb::Phone::new(Arc::new(link.unwrap())),
        &adb_phone,
    )
    .await;
    let real = RealServer::start();
    let server = Server::at(Address {
        host: "127.0.0.1".to_owned(),
        port: real.port(),
    });
    server.attach(&address).await.unwrap();
    let phone = adb::Phone::new(Arc::new(server.link(&address)));
    let [looks, taps, waits] = measure("through a real adb server", phone, &adb_phone).await;
    print_bytes(Arc::new(server.link(&address)), &adb_phone).await;
    widgets::measure(looks, taps, waits).await;
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    runtime.unwrap().block_on(run());
}
