//! The phone of tests that need nothing but adb and the agent: the simulated one, or the one whose serial
//! `CLAWPERATOR_TEST_PHONE` holds.
//!
//! That one has Android's own adb daemon and shell, the example `app_process` of `sim-adb` as `/system/bin/app_process`, and
//! listens on TCP; the adb server reaches it, and it accepts the key of the user. Its tests run one after the other.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use adb::client::direct::{DirectLink, Timeouts};
use adb::client::server::{Address, Server};
use adb::key::{Key, default_path};
use agent_protocol::{FOLDER, ReadyLine, STATE_FILE, StartLine};
use driver::Cx;
use driver_android::{AgentBinary, AgentDriver, AgentUnavailable};
use driver_sim::journal::Event;
use sha2::{Digest, Sha256};
use sim_adb::{AdbPhone, Daemon};
use tokio::sync::{Mutex, MutexGuard};
use tokio_util::sync::CancellationToken;

use crate::agent_fixture;

/// The journal of `app_process`.
const JOURNAL: &str = "/data/local/tmp/app_process.journal";

/// Another program than the embedded agent.
pub(crate) fn other_agent() -> AgentBinary {
    let dex = b"dex\nanother agent";
    static SHA256: LazyLock<[u8; 32]> =
        LazyLock::new(|| Sha256::digest(b"dex\nanother agent").into());
    AgentBinary {
        dex,
        sha256: *SHA256,
    }
}

/// A phone without an agent, with the app of the conformance suite in front.
pub(crate) struct TestPhone {
    pub(crate) phone: adb::Phone,
    pub(crate) cx: Cx,
    /// The address of its daemon.
    pub(crate) address: String,
    kind: Kind,
}

enum Kind {
    Simulated(AdbPhone),
    Real(#[expect(dead_code, reason = "one test at a time")] MutexGuard<'static, ()>),
}

/// The time that a part of a test may take.
pub(crate) fn limit() -> Cx {
    Cx::new(Duration::from_secs(60), CancellationToken::new())
}

/// The serial of the phone to use instead of a simulated one.
fn serial() -> Option<String> {
    std::env::var("CLAWPERATOR_TEST_PHONE").ok()
}

impl TestPhone {
    pub(crate) async fn start() -> Self {
        static ALONE: Mutex<()> = Mutex::const_new(());
        let Some(serial) = serial() else {
            let daemon = Daemon::bind(agent_fixture::options()).await.unwrap();
            let adb_phone = daemon.adb_phone();
            let address = daemon.address().to_string();
            tokio::spawn(daemon.run());
            return Self {
                phone: agent_fixture::connect(&address).await,
                cx: limit(),
                address,
                kind: Kind::Simulated(adb_phone),
            };
        };
        let alone = ALONE.lock().await;
        let address = Address::from_env(|name| std::env::var(name).ok()).unwrap();
        let link = Server::at(address).link(&serial);
        let phone = Self {
            phone: adb::Phone::new(Arc::new(link)),
            cx: limit(),
            address: serial,
            kind: Kind::Real(alone),
        };
        if let Some(ready) = phone.state().await {
            phone.run(&format!("kill -9 {}", ready.pid)).await;
        }
        phone.run(&format!("rm -rf {FOLDER} {JOURNAL}")).await;
        phone
    }

    pub(crate) const fn is_real(&self) -> bool {
        matches!(self.kind, Kind::Real(_))
    }

    /// Attaches to its agent.
    pub(crate) async fn attach(&self) -> AgentDriver {
        self.attach_as(AgentBinary::embedded()).await.unwrap()
    }

    pub(crate) async fn attach_as(
        &self,
        binary: AgentBinary,
    ) -> Result<AgentDriver, AgentUnavailable> {
        agent_fixture::attach(&self.phone, &self.cx, binary).await
    }

    /// What a command of its shell prints.
    pub(crate) async fn run(&self, command: &str) -> String {
        self.phone.shell(command).await.unwrap().text()
    }

    /// What `agent.state` says.
    pub(crate) async fn state(&self) -> Option<ReadyLine> {
        let line = self.run(&format!("cat {STATE_FILE}")).await;
        match StartLine::parse(&line) {
            Ok(StartLine::Ready(ready)) => Some(ready),
            _ => None,
        }
    }

    /// Writes a file.
    pub(crate) async fn write(&self, path: &str, bytes: &[u8], mode: u32) {
        let mut bytes = bytes;
        self.phone.push(&mut bytes, path, mode).await.unwrap();
    }

    /// How often a widget was clicked.
    pub(crate) async fn clicks(&self) -> usize {
        match &self.kind {
            Kind::Simulated(adb_phone) => {
                let driver = adb_phone.driver().await;
                let entries = driver.phone().log().entries().iter();
                let clicks = entries.filter(|entry| matches!(entry.what, Event::Clicked { .. }));
                clicks.count()
            }
            Kind::Real(_) => {
                let count = format!("grep -c '\"kind\":\"click\"' {JOURNAL}");
                self.run(&count).await.trim().parse().unwrap_or_default()
            }
        }
    }
}

/// Connects to a daemon without an adb server.
pub(crate) async fn connect(address: &str) -> DirectLink {
    let key = || Key::at(&default_path().unwrap());
    let link = DirectLink::connect(address, key, Timeouts::default());
    link.await.unwrap()
}
