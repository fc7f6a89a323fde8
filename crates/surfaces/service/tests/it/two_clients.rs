//! Two clawperators that drive one phone, and do not see each other's locks: on two computers, or by two names.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::Cx;
use driver_android::{AgentBinary, AgentDriver, AttachTarget, Shell};
use driver_sim::journal::Passwords;
use serde_json::{Value, json};
use service::{Options, Service, TransportChoice, TransportOptions};
use tokio_util::sync::CancellationToken;

use crate::doctor::Fixture;
use crate::{execute, plan};

/// A driver that keeps the agent to itself.
async fn holder(fixture: &Fixture) -> AgentDriver {
    let cx = Cx::new(Duration::from_secs(60), CancellationToken::new());
    let phone = crate::direct(&fixture.serial).await;
    let target = AttachTarget::query(&Shell::new(phone.clone()), &cx)
        .await
        .unwrap();
    let agent = AgentBinary::embedded();
    AgentDriver::open(&fixture.serial, phone, target, agent, &cx)
        .await
        .unwrap()
}

fn service(fixture: &Fixture, via: TransportChoice) -> Service {
    Service::new(Options {
        transport: TransportOptions::from_flags(Some(via), None),
        adb: fixture.adb.clone(),
        ..Options::default()
    })
}

/// Presses two keys.
async fn press(service: &Service, device: &str, id: &str) -> Result<Value, ErrorBody> {
    let keys = json!([
        { "id": "one", "type": "press_key", "params": { "key": "home" } },
        { "id": "two", "type": "press_key", "params": { "key": "home" } },
    ]);
    execute(service, Some(device), plan(id, keys)).await
}

/// How many keys the phone was pressed.
async fn pressed(fixture: &Fixture) -> usize {
    let driver = fixture.adb_phone.driver().await;
    let journal = driver.phone().log().to_json(Passwords::Masked);
    journal
        .lines()
        .filter(|line| line.contains(r#""kind":"key""#))
        .count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn second_client_is_refused_while_the_first_holds_the_agent() {
    let fixture = Fixture::healthy().await;
    let first = holder(&fixture).await;
    for via in [TransportChoice::Auto, TransportChoice::Agent] {
        let service = service(&fixture, via);
        let refused = press(&service, &fixture.serial, "second")
            .await
            .unwrap_err();
        assert_eq!(
            refused.code,
            ErrorCode::ExecutionConflictInFlight,
            "{refused:?}"
        );
        assert_eq!(refused.detail("deviceId"), Some(&json!(fixture.serial)));
        assert_eq!(refused.detail("reason"), Some(&json!("agent_busy")));
        assert_eq!(pressed(&fixture).await, 0);
    }
    drop(first);
    let service = service(&fixture, TransportChoice::Auto);
    press(&service, &fixture.serial, "third").await.unwrap();
    assert_eq!(
        service.transport_used().unwrap().transport,
        contract::Transport::Agent
    );
    // The last run is on a device without a choice.
    press(&service, "sim", "simulated").await.unwrap();
    assert_eq!(service.transport_used(), None);
    assert_eq!(pressed(&fixture).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_clients_at_once_lose_and_double_nothing() {
    const RUNS: usize = 8;
    let fixture = Fixture::healthy().await;
    let other = fixture.serial.replace("127.0.0.1", "localhost");
    assert_ne!(other, fixture.serial);
    let client = async |device: String| {
        let service = service(&fixture, TransportChoice::Auto);
        let mut done = 0;
        for run in 0..RUNS {
            match press(&service, &device, &format!("{device}-{run}")).await {
                Ok(answer) => {
                    assert_eq!(answer["envelope"]["status"], "success", "{answer}");
                    assert_eq!(answer["via"], "agent", "{answer}");
                    done += 1;
                }
                Err(refused) => {
                    assert_eq!(
                        refused.code,
                        ErrorCode::ExecutionConflictInFlight,
                        "{refused:?}"
                    );
                }
            }
        }
        done
    };
    let (one, two) = tokio::join!(client(fixture.serial.clone()), client(other.clone()));
    assert!(one > 0 && two > 0, "{one} and {two} of {RUNS} runs");
    assert_eq!(pressed(&fixture).await, 2 * (one + two));
}
