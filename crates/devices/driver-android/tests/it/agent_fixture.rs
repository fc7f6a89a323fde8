//! A simulated phone over adb, and a driver that uses the agent on it.

use std::sync::Arc;
use std::time::Duration;

use driver::Cx;
use driver_android::{
    AgentBinary, AgentDriver, AgentSource, AgentUnavailable, AttachTarget, Shell,
};
use sim_adb::{AdbPhone, Daemon, Options};
use tokio_util::sync::CancellationToken;

use crate::sim_phone;

/// What stands for the agent's program; the simulated phone only hashes it.
pub(crate) const PROGRAM: AgentBinary = AgentBinary {
    dex: b"the agent of the tests",
    sha256: [
        0xa2, 0x0b, 0x12, 0xd8, 0xad, 0x9c, 0x0a, 0x6f, 0x95, 0x69, 0x9a, 0x94, 0xd9, 0x6f, 0x6b,
        0xe3, 0x32, 0x45, 0x69, 0xc1, 0xef, 0xdb, 0x85, 0x26, 0xba, 0x95, 0x7f, 0x9f, 0x8f, 0x1d,
        0xe5, 0x5c,
    ],
};
/// Another one.
pub(crate) const OTHER: AgentBinary = AgentBinary {
    dex: b"another agent",
    sha256: [
        0x03, 0xa2, 0x31, 0x79, 0x23, 0x49, 0x42, 0x4d, 0xc6, 0x5f, 0x1b, 0x5f, 0x9c, 0xa8, 0x3b,
        0xef, 0xf2, 0x82, 0x96, 0x6a, 0x02, 0xfb, 0x57, 0x74, 0x1b, 0xb8, 0x9c, 0x83, 0xc2, 0x65,
        0x11, 0x19,
    ],
};

/// A phone.
pub(crate) struct AgentFixture {
    pub(crate) address: String,
    pub(crate) phone: adb::Phone,
    pub(crate) adb_phone: AdbPhone,
    pub(crate) cx: Cx,
}

/// A phone with the app of the conformance suite in front.
pub(crate) async fn phone() -> AgentFixture {
    phone_with(options()).await
}

/// How that phone is set up.
pub(crate) fn options() -> Options {
    Options {
        sim: sim_phone::with_conformance_app(),
        idle: Duration::ZERO,
        ..Options::default()
    }
}

/// A phone with these options.
pub(crate) async fn phone_with(options: Options) -> AgentFixture {
    let daemon = Daemon::bind(options).await.unwrap();
    let adb_phone = daemon.adb_phone();
    let address = daemon.address().to_string();
    tokio::spawn(daemon.run());
    AgentFixture {
        phone: connect(&address).await,
        address,
        adb_phone,
        cx: Cx::new(Duration::from_secs(60), CancellationToken::new()),
    }
}

/// The phone at an address.
pub(crate) async fn connect(address: &str) -> adb::Phone {
    adb::Phone::new(Arc::new(sim_phone::connect(address).await))
}

/// A phone whose agent's app is installed and switched on.
pub(crate) async fn phone_with_app() -> AgentFixture {
    phone_with(Options {
        runtime_app: true,
        ..options()
    })
    .await
}

/// Attaches to the agent on a phone.
pub(crate) async fn attach(
    phone: &adb::Phone,
    cx: &Cx,
    source: impl Into<AgentSource>,
) -> Result<AgentDriver, AgentUnavailable> {
    let patient = Cx::new(Duration::from_secs(60), CancellationToken::new());
    let target = AttachTarget::query(&Shell::new(phone.clone()), &patient).await;
    AgentDriver::open("phone", phone.clone(), target.unwrap(), source, cx).await
}

impl AgentFixture {
    /// A driver that uses the agent.
    pub(crate) async fn attach(&self) -> AgentDriver {
        attach(&self.phone, &self.cx, PROGRAM).await.unwrap()
    }

    /// What a command of the phone's shell prints.
    pub(crate) async fn run(&self, command: &str) -> String {
        self.phone.shell(command).await.unwrap().text()
    }

    /// How often a widget was clicked.
    pub(crate) async fn clicks(&self) -> usize {
        let entries = sim_phone::journal(&self.adb_phone).await;
        let clicks = entries.iter().filter(|entry| entry["kind"] == "click");
        clicks.count()
    }
}
