//! The driver conformance tests on a stock phone: without a server, with a key, and through a real adb server.

use std::sync::Arc;
use std::time::Duration;

use adb::client::direct::{DirectLink, Timeouts};
use adb::client::server::{Address, Server};
use adb::key::Key;
use async_trait::async_trait;
use driver::{Cx, Dispatch, Driver, DriverError};
use driver_android::StockDriver;
use serde_json::Value;
use sim_adb::{Access, AdbPhone, CommandStage, Daemon, FEATURES, Options, WireFault};
use testkit::RealServer;
use testkit::conformance::{
    Break, ClickMethod, Device, DeviceFactory, DriverTraits, Text, conforms,
};
use tokio_util::sync::CancellationToken;

use crate::sim_phone;

/// The connection to the phone.
#[derive(Clone)]
enum ReachPhone {
    /// Direct, with authentication.
    Directly(Box<Key>),
    /// Direct, to a phone before Android 7: its shell lacks protocol v2, ends lines with CRLF, and reports no
    /// status.
    Old,
    /// Through this server.
    Through(Arc<RealServer>),
}

struct Stock {
    driver: StockDriver,
    adb_phone: AdbPhone,
    address: String,
    reached: ReachPhone,
}

fn server(real: &RealServer) -> Server {
    Server::at(Address {
        host: "127.0.0.1".to_owned(),
        port: real.port(),
    })
}

async fn link(address: &str, reached: &ReachPhone) -> Arc<dyn adb::client::Link> {
    match reached {
        ReachPhone::Directly(key) => {
            let key = || Ok(Key::clone(key));
            let link = DirectLink::connect(address, key, Timeouts::default());
            Arc::new(link.await.unwrap())
        }
        ReachPhone::Old => Arc::new(sim_phone::connect(address).await),
        ReachPhone::Through(real) => {
            let server = server(real);
            server.attach(address).await.unwrap();
            Arc::new(server.link(address))
        }
    }
}

async fn open(address: &str, reached: &ReachPhone) -> StockDriver {
    let cx = Cx::new(Duration::from_secs(60), CancellationToken::new());
    loop {
        let phone = adb::Phone::new(link(address, reached).await);
        match StockDriver::open(address, phone, &cx).await {
            // A server that just lost a phone closes connections to it until it has reconnected.
            Err(DriverError::Lost {
                dispatch: Dispatch::NotSent,
                ..
            }) if matches!(reached, ReachPhone::Through(_)) => cx.check().unwrap(),
            opened => return opened.unwrap(),
        }
    }
}

#[async_trait]
impl Device for Stock {
    fn driver(&mut self) -> &mut dyn Driver {
        &mut self.driver
    }

    fn abilities(&self) -> DriverTraits {
        DriverTraits::of_phone(Text::Ascii, ClickMethod::ByFinger)
    }

    async fn journal(&mut self) -> Vec<Value> {
        sim_phone::journal(&self.adb_phone).await
    }

    async fn break_next(&mut self, when: Break) {
        let fault = WireFault::CutIn {
            command: "input".to_owned(),
            stage: match when {
                Break::Before => CommandStage::Before,
                Break::Done => CommandStage::Done,
            },
        };
        self.adb_phone.faults().add_times(fault, 1);
    }

    async fn repair(&mut self) {
        if let ReachPhone::Through(real) = &self.reached {
            // The server may still list the broken connection.
            drop(server(real).detach(&self.address).await);
        }
        self.driver = open(&self.address, &self.reached).await;
    }
}

#[async_trait]
impl DeviceFactory for ReachPhone {
    async fn device(&mut self) -> Box<dyn Device> {
        let access = match self {
            ReachPhone::Directly(key) => Access::Keys {
                known: vec![key.public()],
            },
            ReachPhone::Old | ReachPhone::Through(_) => Access::Open,
        };
        let daemon = Daemon::bind(Options {
            sim: sim_phone::with_conformance_app(),
            access,
            features: match self {
                ReachPhone::Old => vec!["cmd".to_owned()],
                ReachPhone::Directly(_) | ReachPhone::Through(_) => {
                    FEATURES.map(str::to_owned).to_vec()
                }
            },
            // Nothing moves on this screen, so there is no need to wait.
            idle: Duration::ZERO,
            ..Options::default()
        });
        let daemon = daemon.await.unwrap();
        let (adb_phone, address) = (daemon.adb_phone(), daemon.address().to_string());
        // It lives as long as the server: version 29 may crash when phones disconnect.
        tokio::spawn(daemon.run());
        Box::new(Stock {
            driver: open(&address, self).await,
            adb_phone,
            address,
            reached: self.clone(),
        })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn direct_phone_conforms() {
    let folder = std::env::temp_dir().join(format!("driver-android-key-{}", std::process::id()));
    let key = Key::at(&folder.join("adbkey")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    conforms(&mut ReachPhone::Directly(Box::new(key))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phone_through_real_adb_server_conforms() {
    conforms(&mut ReachPhone::Through(Arc::new(RealServer::start()))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phone_before_android_7_conforms() {
    conforms(&mut ReachPhone::Old).await;
}
