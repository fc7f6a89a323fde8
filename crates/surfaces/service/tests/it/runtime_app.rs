//! The runtime app: installed, switched on, checked, and driven through.

use std::time::Duration;

use contract::ErrorCode;
use driver_android::APP_PACKAGE;
use serde_json::{Value, json};
use service::doctor::{Depth, DoctorRequest, FixMode, Outcome};
use service::{OperatorPackage, Options, Service, TransportChoice, TransportOptions};
use sim_adb::{AgentFault, Apk, WireFault};

use crate::doctor::{Fixture, check, outcome};
use crate::setup::File;
use crate::{execute, plan};

const TIMEOUT: Duration = Duration::from_secs(30);
const SCREEN_READER: &str = "com.google.android.marvin.talkback/.TalkBackService";
const SERVICE: &str = "app.clawperator.runtime/clawperator.agent.RuntimeService";

async fn phone_without_app() -> Fixture {
    Fixture::with(sim_adb::Options::default()).await
}

async fn phone_with_app() -> Fixture {
    Fixture::with(sim_adb::Options {
        runtime_app: true,
        ..sim_adb::Options::default()
    })
    .await
}

fn services(fixture: &Fixture) -> Option<String> {
    fixture
        .adb_phone
        .setting("secure", "enabled_accessibility_services")
}

async fn shell(fixture: &Fixture, command: &str) {
    let phone = crate::direct(&fixture.serial).await;
    assert_eq!(phone.shell(command).await.unwrap().status, 0);
}

async fn home(fixture: &Fixture, via: TransportChoice) -> Result<Value, contract::ErrorBody> {
    let service = Service::new(Options {
        transport: TransportOptions::from_flags(Some(via), None),
        adb: fixture.adb.clone(),
        ..Options::default()
    });
    let home = json!([{"id": "k", "type": "press_key", "params": {"key": "home"}}]);
    let answer = execute(&service, Some(&fixture.serial), plan("c", home)).await?;
    let mut answer = answer;
    answer["reason"] = service
        .transport_used()
        .map_or(Value::Null, |used| used.reason.into());
    Ok(answer)
}

#[tokio::test]
async fn setup_switches_the_service_on_beside_others_and_waits_for_its_answer() {
    let fixture = phone_without_app().await;
    let put = format!("settings put secure enabled_accessibility_services {SCREEN_READER}");
    shell(&fixture, &put).await;
    let file = File::new("runtime.apk", &Apk::runtime_app());
    let package = OperatorPackage::select(None, None);
    let set_up = async || {
        let serial = Some(&*fixture.serial);
        fixture
            .service
            .operator_setup(serial, &package, &file.0, TIMEOUT)
            .await
            .unwrap()
    };
    let answer = set_up().await;
    assert_eq!(answer.code, None, "{answer:#?}");
    assert_eq!(answer.operator_package, APP_PACKAGE);
    assert!(answer.verification.unwrap().ok);
    assert_eq!(
        services(&fixture),
        Some(format!("{SCREEN_READER}:{SERVICE}"))
    );
    // Android does not run a service again that it ended, until it is switched off and on.
    let off = WireFault::Agent(AgentFault::ServiceOff);
    fixture.adb_phone.faults().add_times(off, 3);
    let again = set_up().await;
    assert_eq!(again.code, None, "{again:#?}");
    assert_eq!(
        services(&fixture),
        Some(format!("{SCREEN_READER}:{SERVICE}"))
    );
    assert_eq!(
        home(&fixture, TransportChoice::App).await.unwrap()["via"],
        "app"
    );
}

#[tokio::test]
async fn requested_app_is_used_or_the_reason_is_reported() {
    let fixture = phone_with_app().await;
    let done = home(&fixture, TransportChoice::App).await.unwrap();
    assert_eq!(done["via"], "app", "{done}");
    shell(
        &fixture,
        &format!("settings put secure enabled_accessibility_services {SCREEN_READER}"),
    )
    .await;
    let refused = home(&fixture, TransportChoice::App).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::AgentUnavailable);
    assert_eq!(refused.detail("reason"), Some(&json!("app_service_off")));
    let without = phone_without_app().await;
    let refused = home(&without, TransportChoice::App).await.unwrap_err();
    assert_eq!(refused.detail("reason"), Some(&json!("app_not_installed")));
    let hint = refused.hint.unwrap_or_default();
    assert!(hint.contains("operator setup --apk"), "{hint}");
}

#[tokio::test]
async fn auto_takes_the_app_where_the_agent_cannot_run() {
    let fixture = phone_with_app().await;
    let done = home(&fixture, TransportChoice::Auto).await.unwrap();
    assert_eq!(done["via"], "agent", "{done}");
    let taken = WireFault::Agent(AgentFault::SlotTaken);
    let other = phone_with_app().await;
    other.adb_phone.faults().add(taken.clone());
    let done = home(&other, TransportChoice::Auto).await.unwrap();
    assert_eq!(done["via"], "app", "{done}");
    let reason = done["reason"].as_str().unwrap_or_default();
    assert!(
        reason.contains("io.appium.uiautomator2.server") && reason.contains("runtime app"),
        "{reason}"
    );
    let without = phone_without_app().await;
    without.adb_phone.faults().add(taken);
    let done = home(&without, TransportChoice::Auto).await.unwrap();
    assert_eq!(done["via"], "stock", "{done}");
}

#[tokio::test]
async fn doctor_reports_what_the_app_lacks() {
    let run_doctor = async |fixture: &Fixture, transport| {
        let request = DoctorRequest {
            transport,
            ..fixture.request()
        };
        fixture.service.doctor(&request).await
    };
    let fixture = phone_with_app().await;
    let report = run_doctor(&fixture, TransportChoice::App).await;
    assert!(report.ok && report.via == Some("app"), "{report:#?}");
    assert_eq!(outcome(&report, "readiness.app"), (Outcome::Pass, None));
    assert_eq!(outcome(&report, "readiness.snapshot").0, Outcome::Pass);
    fixture
        .adb_phone
        .faults()
        .add(WireFault::Agent(AgentFault::ServiceOff));
    let report = run_doctor(&fixture, TransportChoice::App).await;
    let failed = (Outcome::Fail, Some(ErrorCode::AgentUnavailable));
    assert_eq!(outcome(&report, "readiness.app"), failed);
    let summary = &check(&report, "readiness.app").summary;
    assert!(
        summary.contains("accessibility service does not run"),
        "{summary}"
    );
    // Where the agent works, nothing asks for its app.
    let report = run_doctor(&fixture, TransportChoice::Auto).await;
    assert!(
        report
            .checks
            .iter()
            .all(|check| check.id != "readiness.app")
    );
    // Except a full report, which tries it, too.
    let healthy = phone_with_app().await;
    let full = DoctorRequest {
        depth: Depth::Full,
        ..healthy.request()
    };
    let report = healthy.service.doctor(&full).await;
    let trials = &check(&report, "readiness.smoke").evidence.as_ref().unwrap()["trials"];
    let vias: Vec<_> = trials
        .as_array()
        .unwrap()
        .iter()
        .map(|each| &each["via"])
        .collect();
    assert_eq!(vias, ["agent", "app", "stock"], "{report:#?}");
    let without = phone_without_app().await;
    let full = DoctorRequest {
        depth: Depth::Full,
        ..without.request()
    };
    let report = without.service.doctor(&full).await;
    let asked = report
        .checks
        .iter()
        .any(|check| check.id == "readiness.app");
    assert!(report.ok && !asked, "{report:#?}");
    let taken = WireFault::Agent(AgentFault::SlotTaken);
    without.adb_phone.faults().add(taken);
    let report = run_doctor(&without, TransportChoice::Auto).await;
    let warned = (Outcome::Warn, Some(ErrorCode::AgentUnavailable));
    assert_eq!(outcome(&report, "readiness.app"), warned);
    let summary = &check(&report, "readiness.app").summary;
    assert!(summary.contains("not installed"), "{summary}");
}

#[tokio::test]
async fn doctor_switches_the_service_on_again() {
    let fixture = phone_with_app().await;
    shell(
        &fixture,
        &format!("settings put secure enabled_accessibility_services {SCREEN_READER}"),
    )
    .await;
    let fix = |transport| DoctorRequest {
        transport,
        fix: FixMode::Fix,
        ..fixture.request()
    };
    // The app was not requested.
    let report = fixture.service.doctor(&fix(TransportChoice::Auto)).await;
    assert!(report.ok && report.via == Some("agent"), "{report:#?}");
    assert_eq!(services(&fixture).as_deref(), Some(SCREEN_READER));
    let report = fixture.service.doctor(&fix(TransportChoice::App)).await;
    assert!(report.ok && report.via == Some("app"), "{report:#?}");
    assert_eq!(
        services(&fixture),
        Some(format!("{SCREEN_READER}:{SERVICE}"))
    );
    let fixed = report.fixed.iter().find(|fix| fix.check == "readiness.app");
    let undo = &fixed.unwrap().undo;
    assert!(
        undo.iter()
            .any(|line| line.contains(&format!("enabled_accessibility_services {SCREEN_READER}"))),
        "{undo:?}"
    );
}
