//! The checks of the Operator app.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use contract::ErrorCode;
use service::OperatorPackage;
use service::TransportChoice;
use service::doctor::{DoctorRequest, Outcome, Report};
use sim_adb::{AdbPhone, Log, Operator, OperatorApp, report};

use super::{Fixture, check, outcome};
use crate::scripted::{ABOUT_THE_APP, Scripted};

/// How the app answers the ping.
#[derive(Clone, Copy)]
enum App {
    Answers,
    Refuses,
    IsSilent,
}

#[async_trait]
impl OperatorApp for App {
    async fn run(&self, payload: &str, _: &AdbPhone, log: &Log) {
        let request: serde_json::Value = serde_json::from_str(payload).unwrap();
        assert_eq!(request["actions"][0]["type"], "doctor_ping");
        let (status, error) = match self {
            Self::Answers => ("success", serde_json::Value::Null),
            Self::Refuses => ("failed", "SERVICE_UNAVAILABLE".into()),
            Self::IsSilent => return,
        };
        let answer = serde_json::json!({
            "commandId": request["commandId"],
            "taskId": request["taskId"],
            "status": status,
            "stepResults": [],
            "error": error,
        });
        report(log, 2477, &answer.to_string());
    }
}

async fn fixture(package: &str, version: &str, app: App) -> Fixture {
    Fixture::with(sim_adb::Options {
        operator: Some(Operator {
            package: package.to_owned(),
            version: version.to_owned(),
            app: Arc::new(app),
        }),
        ..sim_adb::Options::default()
    })
    .await
}

async fn run_doctor(fixture: &Fixture, choice: TransportChoice) -> Report {
    let request = DoctorRequest {
        transport: choice,
        ..fixture.request()
    };
    fixture.service.doctor(&request).await
}

/// The same for an app that should not answer.
async fn look_briefly(fixture: &Fixture, choice: TransportChoice) -> Report {
    let request = DoctorRequest {
        transport: choice,
        handshake: Duration::from_millis(200),
        ..fixture.request()
    };
    fixture.service.doctor(&request).await
}

const RELEASE: &str = OperatorPackage::RELEASE;

#[tokio::test]
async fn answering_app_is_the_transport() {
    let fixture = fixture(RELEASE, "0.5.3", App::Answers).await;
    for wanted in [TransportChoice::Auto, TransportChoice::Operator] {
        let report = run_doctor(&fixture, wanted).await;
        let via = match wanted {
            TransportChoice::Auto => "agent",
            _ => "operator",
        };
        assert!(report.ok && report.via == Some(via), "{report:#?}");
        let app = report
            .transports
            .iter()
            .find(|transport| transport.via == "operator")
            .unwrap();
        assert_eq!(app.usable, Some(true), "{report:#?}");
        for id in [
            "readiness.apk.presence",
            "readiness.version.compatibility",
            "readiness.handshake",
        ] {
            assert_eq!(outcome(&report, id), (Outcome::Pass, None), "{id}");
        }
        // The stock transport would stop the app's service for a while.
        assert!(
            report
                .transports
                .iter()
                .all(|transport| transport.via != "stock" || transport.usable.is_none())
        );
    }
    let stock = run_doctor(&fixture, TransportChoice::Stock).await;
    assert_eq!(stock.via, Some("stock"));
    assert!(
        stock
            .checks
            .iter()
            .all(|check| check.id != "readiness.handshake")
    );
}

#[tokio::test]
async fn unusable_app_fails_only_if_it_was_requested() {
    for (package, version, app, id, code) in [
        (
            "com.clawperator.operator.dev",
            "0.5.3",
            App::Answers,
            "readiness.apk.presence",
            ErrorCode::OperatorVariantMismatch,
        ),
        (
            RELEASE,
            "0.4.9",
            App::Answers,
            "readiness.version.compatibility",
            ErrorCode::VersionIncompatible,
        ),
        (
            RELEASE,
            "next",
            App::Answers,
            "readiness.version.compatibility",
            ErrorCode::ApkVersionInvalid,
        ),
        (
            RELEASE,
            "0.5.3",
            App::Refuses,
            "readiness.handshake",
            ErrorCode::DeviceAccessibilityNotRunning,
        ),
        (
            RELEASE,
            "0.5.3",
            App::IsSilent,
            "readiness.handshake",
            ErrorCode::ResultEnvelopeTimeout,
        ),
    ] {
        let fixture = fixture(package, version, app).await;
        let run_doctor = async |choice| match app {
            App::IsSilent => look_briefly(&fixture, choice).await,
            App::Answers | App::Refuses => run_doctor(&fixture, choice).await,
        };
        let asked_for = run_doctor(TransportChoice::Operator).await;
        assert_eq!(
            outcome(&asked_for, id),
            (Outcome::Fail, Some(code)),
            "{version}"
        );
        assert!(!asked_for.ok && asked_for.via.is_none(), "{code}");
        assert!(check(&asked_for, id).fix.is_some(), "{code}");
        let any = run_doctor(TransportChoice::Auto).await;
        assert_eq!(outcome(&any, id), (Outcome::Warn, Some(code)), "{version}");
        assert!(any.ok && any.via == Some("agent"), "{any:#?}");
    }
}

#[tokio::test]
async fn refused_broadcast_is_reported_with_the_phones_message() {
    let phone = Scripted::phone().await;
    let installed = format!(
        "0\npackage:{RELEASE}\n--clawperator--\n  versionName=0.5.3\n--clawperator--\nnull\n--clawperator--\n77\n"
    );
    phone.set_answer(ABOUT_THE_APP, &installed, 0);
    let refused = "1700000000\n--clawperator--\n77\n--clawperator--\nSecurityException: Permission Denial: not allowed\n\
                   --clawperator-- 255\n";
    phone.set_answer("am broadcast", refused, 0);
    let request = DoctorRequest {
        transport: TransportChoice::Operator,
        ..DoctorRequest::default()
    };
    let report = phone.service().doctor(&request).await;
    let found = check(&report, "readiness.handshake");
    assert_eq!(
        (found.status, found.code),
        (Outcome::Fail, Some(ErrorCode::BroadcastFailed))
    );
    let why = found.detail.as_deref().unwrap();
    assert!(why.contains("Permission Denial"), "{why}");
}

#[tokio::test]
async fn missing_app_is_reported_with_its_install_command() {
    let fixture = Fixture::healthy().await;
    let report = run_doctor(&fixture, TransportChoice::Operator).await;
    let found = check(&report, "readiness.apk.presence");
    assert_eq!(
        (found.status, found.code),
        (Outcome::Fail, Some(ErrorCode::OperatorNotInstalled))
    );
    let install = format!(
        "clawperator operator setup --apk <file> --device {}",
        fixture.serial
    );
    assert!(report.next_actions.contains(&install), "{report:#?}");
}
