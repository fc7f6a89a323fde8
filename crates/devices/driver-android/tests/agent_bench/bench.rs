//! The process with the widgets, and a driver connected to it.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use adb::client::{Link, Pipe};
use adb::wire::shell::{Kind, packet};
use async_trait::async_trait;
use driver::{Cx, Driver, DriverError, NodeAct, NodeRef, Observation};
use driver_android::{AgentDriver, AgentForm, Profile};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;
use uitree::{Query, Role, Size, UiTree};

/// The hex digits of a byte of the token, which is the same throughout.
const TOKEN_BYTE: u8 = 0x5a;
/// Timeout of everything: the first start of a framework takes a while.
const PATIENCE: Duration = Duration::from_secs(180);

/// The pause before an incomplete screen is read again.
const RETRY: Duration = Duration::from_millis(20);

/// The app of the bench, and its driver.
pub(crate) struct Bench {
    pub(crate) driver: AgentDriver,
    pub(crate) cx: Cx,
    /// Ended when this is dropped.
    _process: Child,
}

/// A phone that has nothing but a shell, and whose screen is on.
#[derive(Debug)]
struct Awake;

#[async_trait]
impl Link for Awake {
    async fn open(&self, _: &str) -> adb::Result<Pipe> {
        let (near, mut far) = tokio::io::duplex(1024);
        let awake = packet(Kind::Stdout, b"  mWakefulness=Awake\n");
        far.write_all(&awake).await?;
        far.write_all(&packet(Kind::Exit, &[0])).await?;
        Ok(Box::new(near))
    }

    async fn features(&self) -> adb::Result<Vec<String>> {
        Ok(vec!["shell_v2".to_owned()])
    }
}

/// The bytes of hex digits.
fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks_exact(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

impl Bench {
    /// Starts the bench with the framework of an API level and one of its screens.
    pub(crate) async fn start(form: AgentForm, sdk: u32, screen: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let mut process = Command::new(root.join("agent/bench-serve"))
            .args(["0", &sdk.to_string()])
            .env(
                "CLAWPERATOR_BENCH_TOKEN",
                format!("{TOKEN_BYTE:02x}").repeat(32),
            )
            .env("CLAWPERATOR_BENCH_SCREEN", screen)
            .env(
                "CLAWPERATOR_BENCH_FORM",
                match form {
                    AgentForm::Agent => "agent",
                    AgentForm::App => "app",
                },
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let cx = Cx::new(PATIENCE, CancellationToken::new());
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let place = cx.run(async {
            loop {
                let line = lines.next_line().await.unwrap();
                let line = line.unwrap_or_else(|| panic!("the bench ended"));
                if let Some(place) = line.strip_prefix("ready ") {
                    let (port, token) = place.split_once(' ').unwrap();
                    return (port.parse::<u16>().unwrap(), bytes(token));
                }
            }
        });
        let (port, token) = place.await.unwrap();
        let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let profile = Profile {
            model: "bench".to_owned(),
            release: "of the bench".to_owned(),
            sdk,
            screen: Size::new(822, 1782),
            density: 320,
        };
        let phone = adb::Phone::new(Arc::new(Awake));
        let driver = AgentDriver::over("bench", phone, profile, stream, &token).await;
        Self {
            driver: driver.unwrap(),
            cx,
            _process: process,
        }
    }

    /// The current screen.
    pub(crate) async fn look(&mut self) -> Observation {
        loop {
            match self.driver.observe(&self.cx).await {
                // A window that comes or goes.
                Err(DriverError::Incomplete(_)) => self.cx.sleep(RETRY).await.unwrap(),
                seen => return seen.unwrap(),
            }
        }
    }

    /// Waits until no change is reported any more.
    pub(crate) async fn rest(&mut self) {
        loop {
            let seen = self.look().await;
            let short = self.cx.within(Duration::from_millis(200));
            match self.driver.changed(&short, seen.revision).await {
                Ok(()) => self.cx.check().unwrap(),
                Err(end) => return assert_eq!(end, DriverError::Deadline),
            }
        }
    }

    /// Waits until the screen has something.
    pub(crate) async fn until(
        &mut self,
        what: &str,
        holds: impl Fn(&UiTree) -> bool,
    ) -> Observation {
        let cx = self.cx.within(Duration::from_secs(20));
        loop {
            let seen = self.look().await;
            if holds(&seen.tree) {
                return seen;
            }
            if let Err(error) = self.driver.changed(&cx, seen.revision).await {
                panic!("no {what} ({error}) in\n{}", seen.tree.to_notation());
            }
        }
    }

    /// Whether the screen has something within a time limit.
    pub(crate) async fn reaches(
        &mut self,
        limit: Duration,
        holds: impl Fn(&UiTree) -> bool,
    ) -> bool {
        let cx = self.cx.within(limit);
        loop {
            let seen = self.look().await;
            if holds(&seen.tree) {
                return true;
            }
            match self.driver.changed(&cx, seen.revision).await {
                Ok(()) => {}
                Err(end) => {
                    assert_eq!(end, DriverError::Deadline);
                    return false;
                }
            }
        }
    }

    /// Waits until a node has this text.
    pub(crate) async fn text(&mut self, text: &str) -> (Observation, NodeRef) {
        let query = Query::new().text(text);
        let seen = self.until(text, |tree| tree.find(&query).is_some()).await;
        let node = seen.node_ref(seen.tree.find(&query).unwrap());
        (seen, node)
    }

    /// The switch. Android 6 appends its state to its text.
    pub(crate) async fn switch(&mut self) -> (Observation, NodeRef) {
        let query = Query::new().role(Role::Switch.as_str());
        let seen = self
            .until("switch", |tree| tree.find(&query).is_some())
            .await;
        let node = seen.node_ref(seen.tree.find(&query).unwrap());
        (seen, node)
    }

    /// ClickMethod on the node with this text.
    pub(crate) async fn act(&mut self, text: &str, act: NodeAct) {
        let (_, node) = self.text(text).await;
        self.driver.act(&self.cx, node, &act).await.unwrap();
    }

    /// The node with this id of the platform.
    pub(crate) async fn id(&mut self, id: &str) -> (Observation, NodeRef) {
        let query = Query::new().id(format!("android:id/{id}"));
        let seen = self.until(id, |tree| tree.find(&query).is_some()).await;
        let node = seen.node_ref(seen.tree.find(&query).unwrap());
        (seen, node)
    }
}
