//! The trial of `doctor --full` on simulated phones, healthy and with faults.

use std::time::Duration;

use driver::{Cx, Driver};
use service::TransportChoice;
use service::doctor::{Depth, DoctorRequest, Report, TRIALS, TrialRow, TrialStatus};
use sim_adb::{AgentFault, WireFault};
use tokio_util::sync::CancellationToken;

use super::Fixture;

const CLIP: &str = "of the user";

fn cx() -> Cx {
    Cx::new(Duration::from_secs(10), CancellationToken::new())
}

async fn phone(runtime_app: bool) -> Fixture {
    let fixture = Fixture::with(sim_adb::Options {
        runtime_app,
        ..sim_adb::Options::default()
    })
    .await;
    let mut driver = fixture.adb_phone.driver().await;
    driver.set_clipboard(&cx(), CLIP).await.unwrap();
    drop(driver);
    fixture
}

/// A full report with the agent alone, so that the report has its rows only.
async fn run(fixture: &Fixture, cancel: CancellationToken) -> Report {
    let request = DoctorRequest {
        depth: Depth::Full,
        transport: TransportChoice::Agent,
        cancel,
        ..fixture.request()
    };
    testkit::within("the report", Box::pin(fixture.service.doctor(&request))).await
}

fn rows(report: &Report) -> &[TrialRow] {
    &report.trial.as_ref().unwrap().rows
}

fn with_status(report: &Report, status: TrialStatus) -> Vec<&str> {
    let rows = rows(report).iter().filter(|row| row.status == status);
    rows.map(|row| row.id.trim_start_matches("trial."))
        .collect()
}

/// The settings of rotation, the clipboard, the app in front.
async fn state(fixture: &Fixture) -> [String; 4] {
    let setting = |key| fixture.adb_phone.setting("system", key).unwrap_or_default();
    let (automatic, turns) = (setting("accelerometer_rotation"), setting("user_rotation"));
    let mut driver = fixture.adb_phone.driver().await;
    let front = driver.foreground(&cx()).await.unwrap().app;
    let clip = driver.phone().clipboard().to_owned();
    [automatic, turns, clip, front.unwrap_or_default()]
}

#[tokio::test]
async fn healthy_phone_passes_with_both_forms_and_is_restored() {
    let fixture = phone(true).await;
    let before = state(&fixture).await;
    let request = DoctorRequest {
        depth: Depth::Full,
        ..fixture.request()
    };
    let report = fixture.service.doctor(&request).await;
    let trial = report.trial.as_ref().unwrap();
    assert_eq!(trial.device.sdk, 36);
    assert!(trial.device.fingerprint.is_some());
    for via in ["agent", "app"] {
        let rows: Vec<&TrialRow> = trial.rows.iter().filter(|row| row.via == via).collect();
        let ids: Vec<&str> = rows.iter().map(|row| row.id).collect();
        let table: Vec<&str> = TRIALS.iter().map(|row| row.id).collect();
        assert_eq!(ids, table);
        let not_tried: &[&str] = match via {
            "agent" => &["trial.webview"],
            // An app neither turns the screen nor reads the clipboard.
            _ => &["trial.webview", "trial.rotation", "trial.clipboard"],
        };
        for row in rows {
            let expected = match not_tried.contains(&row.id) {
                true => TrialStatus::NotTried,
                false => TrialStatus::Pass,
            };
            assert_eq!(row.status, expected, "{row:?}");
        }
    }
    assert_eq!(state(&fixture).await, before);
    // It is made to be published.
    let text = serde_json::to_string(trial).unwrap();
    for private in [CLIP, &*fixture.serial, "Alex"] {
        assert!(!text.contains(private), "{private} in {text}");
    }
}

#[tokio::test]
async fn fault_fails_its_row() {
    for (fault, failed) in [
        (AgentFault::SlotTaken, vec!["start"]),
        (AgentFault::TextRefused, vec!["text"]),
    ] {
        let fixture = phone(false).await;
        fixture.adb_phone.faults().add(WireFault::Agent(fault));
        let report = run(&fixture, CancellationToken::new()).await;
        assert_eq!(
            with_status(&report, TrialStatus::Fail),
            failed,
            "{report:#?}"
        );
        assert_eq!(rows(&report).len(), TRIALS.len());
    }
    // Taps, keys of the agent, and the key of the shell.
    let fixture = phone(false).await;
    fixture.adb_phone.faults().add(WireFault::DenyInput);
    let report = run(&fixture, CancellationToken::new()).await;
    let failed = with_status(&report, TrialStatus::Fail);
    assert!(
        failed.contains(&"tap") && failed.contains(&"keys"),
        "{report:#?}"
    );
    assert!(!failed.contains(&"windows") && !failed.contains(&"screenshot"));
}

#[tokio::test]
async fn unread_windows_and_stale_nodes_fail_their_rows() {
    let fixture = phone(false).await;
    fixture
        .adb_phone
        .faults()
        .add(WireFault::Agent(AgentFault::HalfTree));
    let report = run(&fixture, CancellationToken::new()).await;
    let failed = with_status(&report, TrialStatus::Fail);
    assert!(failed.contains(&"windows"), "{report:#?}");
    let fixture = phone(false).await;
    fixture
        .adb_phone
        .faults()
        .add(WireFault::Agent(AgentFault::StaleCache));
    let report = run(&fixture, CancellationToken::new()).await;
    let failed = with_status(&report, TrialStatus::Fail);
    assert!(failed.contains(&"cache"), "{report:#?}");
}

#[tokio::test]
async fn stopped_trial_restores_the_phone() {
    let fixture = phone(false).await;
    let before = state(&fixture).await;
    let cancel = CancellationToken::new();
    let stopping = async {
        loop {
            let screen = fixture.adb_phone.driver().await.phone().screen();
            if screen.width > screen.height {
                break cancel.cancel();
            }
            tokio::task::yield_now().await;
        }
    };
    let running = run(&fixture, cancel.clone());
    let both = async { tokio::join!(running, stopping) };
    let (report, ()) = testkit::within("the stopped report", Box::pin(both)).await;
    let not_tried = with_status(&report, TrialStatus::NotTried);
    assert!(
        not_tried.ends_with(&["rotation", "keys", "clipboard"]),
        "{report:#?}"
    );
    assert_eq!(state(&fixture).await, before);
}

#[tokio::test]
async fn empty_clipboard_is_left_alone() {
    let fixture = Fixture::healthy().await;
    let report = run(&fixture, CancellationToken::new()).await;
    let not_tried = with_status(&report, TrialStatus::NotTried);
    assert_eq!(not_tried, ["webview", "clipboard"], "{report:#?}");
}
