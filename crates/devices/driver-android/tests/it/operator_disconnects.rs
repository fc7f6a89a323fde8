//! Cuts the connection at every position of the traffic of a command to the Operator app: the report is
//! correct, nothing is done twice, and what can be found out later is found out.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adb::client::direct::{DirectLink, Timeouts};
use adb::client::{Link, Pipe};
use async_trait::async_trait;
use driver::{Cx, Dispatch, Driver, Gesture};
use driver_android::{DispatchEnd, Operator, Shell};
use driver_sim::journal::Passwords;
use driver_sim::{SimOptions, Start};
use serde_json::{Value, json};
use sim_adb::{AdbPhone, Daemon, Log, OperatorApp, Options, Priority, report};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uitree::Point;

use crate::disconnects::taps;

const PACKAGE: &str = "com.clawperator.operator";
/// The number of cuts on each of the phones, which run in parallel.
const CUTS: usize = 30;
const PHONES: usize = 5;
/// The bytes of a command with its answer, rounded up: the last cuts come after it.
const BYTES: usize = 4200;

/// A connection that breaks once after this many bytes in both directions together, and works again
/// afterwards.
#[derive(Clone)]
struct Wire {
    address: String,
    left: Arc<Mutex<Option<usize>>>,
}

impl Wire {
    async fn to(phone: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let wire = Self {
            address: listener.local_addr().unwrap().to_string(),
            left: Arc::default(),
        };
        let (left, serves) = (Arc::clone(&wire.left), phone);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect(&serves).await.unwrap();
                let (near_in, near_out) = near.into_split();
                let (far_in, far_out) = far.into_split();
                let left = Arc::clone(&left);
                tokio::spawn(async move {
                    tokio::select! {
                        () = pass(near_in, far_out, &left) => {}
                        () = pass(far_in, near_out, &left) => {}
                    }
                });
            }
        });
        wire
    }

    fn cut_after(&self, bytes: usize) {
        *self.left.lock().unwrap() = Some(bytes);
    }

    /// Whether it was cut; resets it to working.
    fn was_cut(&self) -> bool {
        self.left.lock().unwrap().take().is_none()
    }
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    left: &Mutex<Option<usize>>,
) {
    let mut bytes = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        let passes = {
            let mut left = left.lock().unwrap();
            match *left {
                Some(room) if room < read => {
                    *left = None;
                    room
                }
                Some(room) => {
                    *left = Some(room - read);
                    read
                }
                None => read,
            }
        };
        if to.write_all(&bytes[..passes]).await.is_err() || passes < read {
            return;
        }
    }
}

/// A link that reconnects for each stream, as an adb server reconnects to a lost phone.
#[derive(Debug, Default)]
struct ReconnectingLink {
    address: String,
    links: Mutex<Vec<Arc<DirectLink>>>,
}

impl ReconnectingLink {
    async fn link(&self) -> adb::Result<Arc<DirectLink>> {
        let no_key = || unreachable!("an open phone asks for no key");
        let link = DirectLink::connect(&self.address, no_key, Timeouts::default()).await?;
        let link = Arc::new(link);
        self.links.lock().unwrap().push(Arc::clone(&link));
        Ok(link)
    }
}

#[async_trait]
impl Link for ReconnectingLink {
    async fn open(&self, service: &str) -> adb::Result<Pipe> {
        self.link().await?.open(service).await
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        self.link().await?.features().await
    }
}

/// Taps once for each command, and logs it. It records command ids: a command of a broken connection may
/// arrive late, after the next one.
#[derive(Default)]
struct TapCounter {
    given: Mutex<Vec<String>>,
    /// The number of completed commands.
    done: watch::Sender<usize>,
}

impl TapCounter {
    /// How often it received a command with this id.
    fn runs(&self, id: &str) -> usize {
        let given = self.given.lock().unwrap();
        given.iter().filter(|each| *each == id).count()
    }
}

#[async_trait]
impl OperatorApp for TapCounter {
    async fn run(&self, payload: &str, phone: &AdbPhone, log: &Log) {
        let pid = phone.operator_pid().unwrap();
        let id = &serde_json::from_str::<Value>(payload).unwrap()["commandId"];
        let id = id.as_str().unwrap();
        self.given.lock().unwrap().push(id.to_owned());
        let start = format!("[Clawperator-Command] start commandId={id} taskId=t source=s");
        log.write(pid, Priority::Info, "AgentCommandExecutor", &start);
        let cx = Cx::new(Duration::from_secs(20), CancellationToken::new());
        let tap = Gesture::Tap {
            at: Point::new(540, 1400),
        };
        phone.driver().await.touch(&cx, &tap).await.unwrap();
        let answer = json!({"commandId": id, "taskId": "t", "status": "success", "error": null,
            "stepResults": [{"id": "a", "actionType": "click", "success": true, "data": {}}]});
        report(log, pid, &answer.to_string());
        self.done.send_modify(|done| *done += 1);
    }
}

/// Counts accepted and ended connections of the phone.
struct Connections(watch::Sender<(usize, usize)>);

impl Write for Connections {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let count = |kind: &str| text.matches(&format!("\"kind\":\"{kind}\"")).count();
        let (taken, ended) = (count("connected"), count("disconnected"));
        self.0
            .send_modify(|all| *all = (all.0 + taken, all.1 + ended));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The number of each outcome.
#[derive(Debug, Default)]
struct OutcomeCounts {
    answered: usize,
    answered_after_a_cut: usize,
    not_sent: usize,
    unknown: usize,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cut_commands_are_reported_correctly_and_never_repeated() {
    let mut phones = tokio::task::JoinSet::new();
    for number in 0..PHONES {
        phones.spawn(cut_one(number));
    }
    let mut all = OutcomeCounts::default();
    while let Some(outcomes) = phones.join_next().await {
        let outcomes = outcomes.unwrap();
        all.answered += outcomes.answered;
        all.answered_after_a_cut += outcomes.answered_after_a_cut;
        all.not_sent += outcomes.not_sent;
        all.unknown += outcomes.unknown;
    }
    assert_eq!(all.answered + all.not_sent + all.unknown, CUTS * PHONES);
    // Every outcome occurred, so the test covers all of them.
    assert!(
        all.answered_after_a_cut > 0 && all.not_sent > 0 && all.unknown > 0,
        "{all:?}"
    );
}

/// The cuts of one phone, each with its own points.
async fn cut_one(number: usize) -> OutcomeCounts {
    let app = Arc::new(TapCounter::default());
    let daemon = Daemon::bind(Options {
        sim: SimOptions {
            start: Start::App("com.example.maps".to_owned()),
            ..SimOptions::default()
        },
        operator: Some(sim_adb::Operator {
            package: PACKAGE.to_owned(),
            version: "0.5.3".to_owned(),
            app: Arc::<TapCounter>::clone(&app),
        }),
        ..Options::default()
    })
    .await
    .unwrap();
    let adb_phone = daemon.adb_phone();
    let (count, mut left) = watch::channel((0, 0));
    adb_phone
        .record()
        .write_to(Box::new(Connections(count)), Passwords::Masked);
    let wire = Wire::to(daemon.address().to_string()).await;
    tokio::spawn(daemon.run());
    let mut outcomes = OutcomeCounts::default();
    let mut denied = Vec::new();
    for cut in 0..CUTS {
        let link = ReconnectingLink {
            address: wire.address.clone(),
            ..ReconnectingLink::default()
        };
        let shell = Shell::new(adb::Phone::new(Arc::new(link)));
        let operator = Operator::new(shell, PACKAGE).unwrap();
        let place = (cut * PHONES + number) * BYTES / (CUTS * PHONES);
        let id = format!("c{cut}");
        let payload = json!({"commandId": id, "taskId": "t", "source": "s", "actions": []});
        let cx = Cx::new(Duration::from_secs(60), CancellationToken::new());
        wire.cut_after(place);
        let done = operator
            .dispatch(&cx, &id, &payload.to_string(), Duration::from_secs(20))
            .await;
        let was_cut = wire.was_cut();
        let runs = app.runs(&id);
        assert!(runs <= 1, "cut after {place}: {runs}");
        match (done.end, done.dispatch) {
            (DispatchEnd::Answered, dispatch) => {
                assert_eq!(dispatch, Dispatch::Sent);
                assert_eq!(runs, 1, "cut after {place}: claimed");
                let envelope = done.answer.envelope.unwrap();
                assert_eq!(envelope["commandId"], *id, "{envelope}");
                outcomes.answered += 1;
                outcomes.answered_after_a_cut += usize::from(was_cut);
            }
            (DispatchEnd::Lost(_), Dispatch::NotSent) => {
                denied.push(id);
                outcomes.not_sent += 1;
            }
            (DispatchEnd::Lost(_), Dispatch::Unknown) => outcomes.unknown += 1,
            other => panic!("cut after {place}: {other:?}"),
        }
    }
    // Late commands are over when no connection is open and the app has completed all commands.
    let all = left.wait_for(|left| left.0 == left.1);
    tokio::time::timeout(Duration::from_secs(60), all)
        .await
        .unwrap()
        .unwrap();
    let given = app.given.lock().unwrap().clone();
    let mut done = app.done.subscribe();
    let all = done.wait_for(|done| *done >= given.len());
    tokio::time::timeout(Duration::from_secs(60), all)
        .await
        .unwrap()
        .unwrap();
    for id in &given {
        assert_eq!(app.runs(id), 1, "{id}");
        assert!(!denied.contains(id), "{id}: denied");
    }
    assert_eq!(taps(&adb_phone).await, given.len());
    outcomes
}
