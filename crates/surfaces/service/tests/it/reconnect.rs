//! A service that outlives servers and phones: the next command reconnects.

use std::time::Duration;

use adb::client::locate::ProgramSearch;
use adb::client::server::{ListedDevice, Server};
use contract::ErrorCode;
use serde_json::json;
use service::{AdbSetup, Options, Service, TransportChoice, TransportOptions};
use sim_adb::{AdbPhone, CommandStage, Daemon, WireFault};
use testkit::RealServer;

use crate::{execute, plan};

/// Attaches a phone until the server lists it: right after losing a phone at this address, the server may drop the new one,
/// too.
async fn attached(server: &Server, serial: &str) {
    let listed = async {
        loop {
            server.attach(serial).await.unwrap();
            let devices = server.devices().await.unwrap();
            let is_ready =
                |device: &ListedDevice| device.serial == serial && device.state == "device";
            if devices.iter().any(is_ready) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let listed = tokio::time::timeout(Duration::from_secs(30), listed).await;
    assert!(listed.is_ok(), "the server never lists {serial}");
}

/// A simulated phone at an adb server, and a service that drives it.
struct Fixture {
    adb_phone: AdbPhone,
    serial: String,
    server: Server,
    service: Service,
}

impl Fixture {
    async fn start(real: &RealServer) -> Self {
        let options = sim_adb::Options {
            idle: Duration::ZERO,
            ..sim_adb::Options::default()
        };
        let daemon = Daemon::bind(options).await.unwrap();
        let (adb_phone, serial) = (daemon.adb_phone(), daemon.address().to_string());
        tokio::spawn(daemon.run());
        let address = crate::local(real.port());
        let server = Server::at(address.clone());
        attached(&server, &serial).await;
        let locks = format!("clawperator-reconnect-{}", std::process::id());
        let service = Service::new(Options {
            adb: AdbSetup {
                server: Ok(address),
                places: ProgramSearch {
                    adb: Some(real.program()),
                    ..ProgramSearch::default()
                },
                locks: std::env::temp_dir().join(locks),
            },
            transport: TransportOptions::from_flags(Some(TransportChoice::Auto), None),
            ..Options::default()
        });
        Self {
            adb_phone,
            serial,
            server,
            service,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phone_that_is_lost_while_it_is_opened_is_opened_again() {
    let real = RealServer::start();
    for (command, stage) in [
        ("getprop", CommandStage::Before),
        ("agent.state", CommandStage::Done),
        ("mkdir", CommandStage::Before),
        ("chmod 444", CommandStage::Done),
        ("app_process", CommandStage::Before),
    ] {
        let fixture = Fixture::start(&real).await;
        let cut = WireFault::CutIn {
            command: command.to_owned(),
            stage,
        };
        fixture.adb_phone.faults().add_times(cut, 1);
        let back = plan(
            "c",
            json!([{"id": "a", "type": "press_key", "params": {"key": "back"}}]),
        );
        let answer = execute(&fixture.service, Some(&fixture.serial), back)
            .await
            .unwrap();
        assert_eq!(answer["envelope"]["status"], "success", "{command}");
        assert_eq!(answer["via"], "agent", "{command}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn service_reconnects_after_servers_and_connections_end() {
    let real = RealServer::start();
    let Fixture {
        adb_phone,
        serial,
        server,
        service,
    } = Fixture::start(&real).await;
    let press = || {
        plan(
            "c",
            json!([{"id": "a", "type": "press_key", "params": {"key": "volume_up"}}]),
        )
    };
    let pressed = async || {
        let driver = adb_phone.driver().await;
        let entries = driver.phone().log().entries().iter();
        let keys =
            entries.filter(|entry| matches!(entry.what, driver_sim::journal::Event::KeyPressed(_)));
        keys.count()
    };
    let goes_well = async || {
        let before = pressed().await;
        let answer = execute(&service, Some(&serial), press()).await.unwrap();
        assert_eq!(answer["envelope"]["status"], "success", "{answer}");
        assert_eq!(pressed().await, before + 1);
    };
    goes_well().await;
    // The connection between server and phone breaks; the server reconnects.
    assert!(real.adb(&["disconnect", &serial]).status.success());
    let lost = execute(&service, Some(&serial), press()).await;
    let known = match &lost {
        Ok(answer) => answer["envelope"]["status"] == "failed",
        Err(error) => error.code == ErrorCode::DeviceNotFound,
    };
    assert!(known, "{lost:?}");
    attached(&server, &serial).await;
    goes_well().await;
    // The server ends, and this program starts another one, unless the key was on its way.
    drop(real.adb(&["kill-server"]));
    let answer = execute(&service, Some(&serial), press()).await.unwrap();
    let succeeded = answer["envelope"]["status"] == "success";
    assert_eq!(pressed().await, 2 + usize::from(succeeded), "{answer}");
    goes_well().await;
    // The server is started again by another program, which does not know the phone.
    drop(real.adb(&["kill-server"]));
    real.restart();
    attached(&server, &serial).await;
    goes_well().await;
    // A restarted phone is another phone with the same serial.
    adb_phone.reboot().await.unwrap();
    let lost = execute(&service, Some(&serial), press()).await;
    assert!(
        match &lost {
            // The server had noticed and connected to the new one.
            Ok(answer) => answer["envelope"]["status"] == "success" || pressed().await == 0,
            Err(_) => pressed().await == 0,
        },
        "{lost:?}"
    );
    // The server still lists the old one.
    drop(server.detach(&serial).await);
    attached(&server, &serial).await;
    goes_well().await;
}
