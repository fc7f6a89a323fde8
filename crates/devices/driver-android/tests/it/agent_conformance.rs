//! The driver conformance tests through the agent: without a server, and through a real adb server.

use std::sync::Arc;
use std::time::Duration;

use adb::client::server::{Address, Server};
use async_trait::async_trait;
use driver::{Cx, Driver};
use driver_android::{AgentDriver, AgentSource};
use serde_json::Value;
use sim_adb::{AdbPhone, AgentFault, CommandStage, WireFault};
use testkit::RealServer;
use testkit::conformance::{
    Break, ClickMethod, Device, DeviceFactory, DriverTraits, Text, conforms,
};
use tokio_util::sync::CancellationToken;

use crate::agent_fixture::{self, PROGRAM};
use crate::sim_phone;

/// The connection to the phone.
enum ReachPhone {
    Directly,
    Through(Arc<RealServer>),
    /// To the agent's app.
    App,
}

struct Agent {
    driver: AgentDriver,
    adb_phone: AdbPhone,
}

#[async_trait]
impl Device for Agent {
    fn driver(&mut self) -> &mut dyn Driver {
        &mut self.driver
    }

    fn abilities(&self) -> DriverTraits {
        DriverTraits::of_phone(Text::Any, ClickMethod::ByFinger)
    }

    async fn journal(&mut self) -> Vec<Value> {
        sim_phone::journal(&self.adb_phone).await
    }

    async fn break_next(&mut self, when: Break) {
        let stage = match when {
            Break::Before => CommandStage::Before,
            Break::Done => CommandStage::Done,
        };
        let killed = WireFault::Agent(AgentFault::Killed(stage));
        self.adb_phone.faults().add_times(killed, 1);
    }

    /// The driver starts another agent by itself.
    async fn repair(&mut self) {}
}

#[async_trait]
impl DeviceFactory for ReachPhone {
    async fn device(&mut self) -> Box<dyn Device> {
        let fixture = agent_fixture::phone_with_app().await;
        let source = match self {
            ReachPhone::Directly | ReachPhone::Through(_) => AgentSource::from(PROGRAM),
            ReachPhone::App => AgentSource::App,
        };
        let phone = match self {
            ReachPhone::Directly | ReachPhone::App => fixture.phone.clone(),
            ReachPhone::Through(real) => {
                let server = Server::at(Address {
                    host: "127.0.0.1".to_owned(),
                    port: real.port(),
                });
                server.attach(&fixture.address).await.unwrap();
                adb::Phone::new(Arc::new(server.link(&fixture.address)))
            }
        };
        let cx = Cx::new(Duration::from_secs(60), CancellationToken::new());
        let driver = agent_fixture::attach(&phone, &cx, source).await.unwrap();
        Box::new(Agent {
            driver,
            adb_phone: fixture.adb_phone,
        })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agent_conforms() {
    conforms(&mut ReachPhone::Directly).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn app_conforms() {
    conforms(&mut ReachPhone::App).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agent_through_real_adb_server_conforms() {
    conforms(&mut ReachPhone::Through(Arc::new(RealServer::start()))).await;
}
