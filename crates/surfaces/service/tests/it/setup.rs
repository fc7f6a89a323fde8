//! Setting up the Operator app: successes, failures, and the answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use contract::{ErrorBody, ErrorCode};
use serde_json::{Value, json};
use service::{OperatorPackage, SetupAnswer};
use sim_adb::{
    AdbPhone, Apk, CommandStage, Installable, Log, Operator, OperatorApp, Options, WireFault,
};

use crate::doctor::Fixture;
use crate::scripted::{ABOUT_THE_APP, Scripted};

const DEBUG: &str = "com.clawperator.operator.dev";
const WITHIN: Duration = Duration::from_secs(20);

/// A minimal app.
struct Idle;

#[async_trait]
impl OperatorApp for Idle {
    async fn run(&self, _: &str, _: &AdbPhone, _: &Log) {}
}

fn installable() -> Installable {
    Installable(Arc::new(|apk: &Apk| Operator {
        package: apk.package.clone(),
        version: apk.version.clone(),
        app: Arc::new(Idle),
    }))
}

async fn fixture() -> Fixture {
    Fixture::with(Options {
        installable: Some(installable()),
        ..Options::default()
    })
    .await
}

/// A file in a folder of its own.
pub(crate) struct File(pub(crate) PathBuf, #[expect(dead_code)] testkit::TempFolder);

impl File {
    pub(crate) fn new(name: &str, bytes: &[u8]) -> Self {
        let folder = testkit::TempFolder::new("apk");
        Self(folder.file(name, bytes).into(), folder)
    }

    fn app(name: &str, package: &str, version: &str) -> Self {
        Self::new(name, &Apk::operator(package, version))
    }
}

async fn set_up(
    fixture: &Fixture,
    package: &OperatorPackage,
    apk: &Path,
) -> Result<SetupAnswer, ErrorBody> {
    fixture
        .service
        .operator_setup(Some(&fixture.serial), package, apk, WITHIN)
        .await
}

fn usual() -> OperatorPackage {
    OperatorPackage::select(None, None)
}

#[tokio::test]
async fn setup_installs_grants_and_verifies() {
    let fixture = fixture().await;
    let file = File::app("fresh.apk", DEBUG, "0.5.3-d");
    let answer = set_up(&fixture, &usual(), &file.0).await.unwrap();
    let shown = serde_json::to_value(&answer).unwrap();
    let keys: Vec<&String> = shown.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "message",
            "deviceId",
            "operatorPackage",
            "install",
            "permissions",
            "verification"
        ]
    );
    assert_eq!(shown["operatorPackage"], DEBUG);
    assert_eq!(shown["install"], json!({ "ok": true }));
    assert_eq!(
        shown["permissions"],
        json!({
            "accessibility": { "ok": true, "alreadyEnabled": false },
            "notification": { "ok": true, "skipped": false },
            "notificationListener": { "ok": true, "alreadyEnabled": false },
        })
    );
    assert_eq!(
        shown["verification"],
        json!({ "ok": true, "packageInstalled": true })
    );
    assert!(fixture.adb_phone.operator_serves());
    // No temporary file stays on the phone, and a second setup has nothing to grant.
    let files = fixture.adb_phone.files().list("/data/local/tmp").unwrap();
    assert!(files.is_empty(), "{files:?}");
    let again = set_up(&fixture, &usual(), &file.0).await.unwrap();
    assert_ne!(again.message, answer.message);
    let granted = again.permissions.unwrap();
    assert_eq!(granted["accessibility"]["alreadyEnabled"], true);
    let compatible = fixture
        .service
        .compatibility(
            Some(&fixture.serial),
            &OperatorPackage::select(Some(DEBUG), None),
            WITHIN,
        )
        .await
        .unwrap();
    assert!(compatible.compatible && compatible.apk_version_code == Some(503_900));
}

#[tokio::test]
async fn setup_keeps_other_accessibility_services() {
    let fixture = fixture().await;
    let file = File::app("kept.apk", OperatorPackage::RELEASE, "0.5.3");
    let cx = driver::Cx::new(WITHIN, tokio_util::sync::CancellationToken::new());
    let shell = driver_android::Shell::new(crate::direct(&fixture.serial).await);
    let other = "com.other/com.other.Reader";
    let put = format!("settings put secure enabled_accessibility_services {other}");
    shell.change(&cx, &put).await.unwrap();
    let answer = set_up(&fixture, &usual(), &file.0).await.unwrap();
    assert_eq!(answer.code, None);
    let listed = fixture
        .adb_phone
        .setting("secure", "enabled_accessibility_services")
        .unwrap();
    assert!(
        listed.starts_with(&format!("{other}:com.clawperator.operator/")),
        "{listed}"
    );
}

#[tokio::test]
async fn unreadable_file_is_not_sent() {
    let fixture = fixture().await;
    let empty = File::new("empty.apk", b"");
    let folder = std::env::temp_dir();
    for path in [Path::new("/nowhere/x.apk"), &empty.0, &folder] {
        let answer = set_up(&fixture, &usual(), path).await.unwrap();
        assert_eq!(
            answer.code,
            Some(ErrorCode::OperatorApkNotFound),
            "{path:?}"
        );
        assert!(!answer.install.ok && answer.install.error.is_some());
        assert_eq!(
            (answer.operator_package.as_str(), answer.device_id),
            ("<unknown>", None)
        );
    }
}

#[tokio::test]
async fn refusal_is_reported_with_the_phones_message() {
    let fixture = fixture().await;
    let cases = [
        (File::new("text.apk", b"no app"), "INSTALL_PARSE_FAILED"),
        (
            File::new("cut.apk", &Apk::operator(DEBUG, "1.0.0")[..40]),
            "MANIFEST_MALFORMED",
        ),
    ];
    for (file, words) in &cases {
        let answer = set_up(&fixture, &usual(), &file.0).await.unwrap();
        assert_eq!(answer.code, Some(ErrorCode::OperatorInstallFailed));
        assert_eq!(answer.install.exit_code, Some(1));
        assert!(answer.install.error.unwrap().contains(words), "{words}");
        assert!(answer.permissions.is_none() && answer.verification.is_none());
    }
    let newer = File::app("newer.apk", DEBUG, "0.5.4");
    let older = File::app("older.apk", DEBUG, "0.5.3");
    let answer = set_up(&fixture, &usual(), &newer.0).await.unwrap();
    assert_eq!(answer.code, None);
    let answer = set_up(&fixture, &usual(), &older.0).await.unwrap();
    assert!(answer.install.error.unwrap().contains("VERSION_DOWNGRADE"));
    fixture.adb_phone.faults().add(WireFault::FullDisk);
    let answer = set_up(&fixture, &usual(), &newer.0).await.unwrap();
    assert_eq!(answer.code, Some(ErrorCode::OperatorInstallFailed));
    assert!(answer.install.error.unwrap().contains("No space left"));
}

#[tokio::test]
async fn lost_phone_leaves_the_outcome_unknown() {
    let fixture = fixture().await;
    let file = File::app("lost.apk", DEBUG, "0.5.3");
    for (command, stage, arrived) in [
        ("pm install", CommandStage::Before, false),
        ("pm install", CommandStage::Done, true),
    ] {
        let command = command.to_owned();
        fixture
            .adb_phone
            .faults()
            .add_times(WireFault::CutIn { command, stage }, 1);
        let lost = set_up(&fixture, &usual(), &file.0).await.unwrap_err();
        assert_eq!(lost.code, ErrorCode::DeviceLost, "{lost:?}");
        assert_eq!(lost.detail("dispatch").unwrap(), "unknown", "{lost:?}");
        // It was sent once, and the answer does not claim that it was done.
        assert_eq!(fixture.adb_phone.operator().is_some(), arrived);
    }
    // The next command works.
    let answer = set_up(&fixture, &usual(), &file.0).await.unwrap();
    assert_eq!(answer.code, None);
}

#[tokio::test]
async fn file_of_another_app_is_not_the_operator() {
    let fixture = fixture().await;
    let other =
        "app: org.example.other\nstart: home\nscreens:\n  home:\n    body:\n      - text: Hi\n";
    let file = File::new("other.apk", other.as_bytes());
    let answer = set_up(&fixture, &usual(), &file.0).await.unwrap();
    assert_eq!(
        answer.code,
        Some(ErrorCode::OperatorVerifyFailed),
        "{answer:?}"
    );
    let verified = answer.verification.unwrap();
    assert!(!verified.ok && !verified.package_installed);
    let named = OperatorPackage::select(Some("com.wanted"), None);
    let file = File::app("named.apk", OperatorPackage::RELEASE, "0.5.3");
    let answer = set_up(&fixture, &named, &file.0).await.unwrap();
    assert_eq!(answer.code, Some(ErrorCode::OperatorVerifyFailed));
    assert_eq!(answer.operator_package, "com.wanted");
}

/// A scripted phone that accepts the app.
async fn taker() -> Scripted {
    let phone = Scripted::phone().await;
    phone.set_answer("pm list packages", "package:com.clawperator.operator\n", 0);
    let service = "com.clawperator.operator/clawperator.operator.accessibilityservice.OperatorAccessibilityService";
    let listener = "com.clawperator.operator/action.notification.NotificationListenerService";
    phone.set_answer(
        "settings get secure enabled_accessibility_services",
        service,
        0,
    );
    phone.set_answer("settings get secure accessibility_enabled", "1", 0);
    phone.set_answer(
        "settings get secure enabled_notification_listeners",
        listener,
        0,
    );
    phone.set_answer("pm grant", "", 0);
    phone
}

async fn grant(phone: &Scripted) -> Result<Value, ErrorBody> {
    let answer = phone
        .service()
        .grant_permissions(None, &usual(), WITHIN)
        .await?;
    Ok(serde_json::to_value(answer).unwrap())
}

async fn compatibility(phone: &Scripted) -> service::Compatibility {
    let answer = phone.service().compatibility(None, &usual(), WITHIN).await;
    answer.unwrap()
}

#[tokio::test]
async fn grants_are_reported_separately() {
    let phone = taker().await;
    let answer = grant(&phone).await.unwrap();
    assert!(answer.get("code").is_none(), "{answer}");
    assert_eq!(
        answer["accessibility"],
        json!({ "ok": true, "alreadyEnabled": true })
    );
    // An Android version without the permission needs no grant of it.
    for output in [
        "java.lang.IllegalArgumentException: Unknown permission: android.permission.POST_NOTIFICATIONS",
        "java.lang.SecurityException: Package com.clawperator.operator has not requested permission \
         android.permission.POST_NOTIFICATIONS",
        "java.lang.SecurityException: Permission android.permission.POST_NOTIFICATIONS requested by \
         com.clawperator.operator is not a changeable permission type",
    ] {
        phone.set_answer("pm grant", output, 255);
        let answer = grant(&phone).await.unwrap();
        assert!(answer.get("code").is_none(), "{answer}");
        assert_eq!(answer["notification"]["skipped"], true);
    }
    phone.set_answer("pm grant", "java.lang.SecurityException: not allowed", 255);
    // A phone that drops writes to its settings reports nothing.
    phone.set_answer(
        "settings get secure enabled_accessibility_services",
        "null",
        0,
    );
    let answer = grant(&phone).await.unwrap();
    assert_eq!(answer["code"], "GRANT_DEVICE_PERMISSIONS_FAILED");
    assert_eq!(answer["accessibility"]["ok"], false);
    assert_eq!(answer["notification"]["ok"], false);
    assert_eq!(answer["notificationListener"]["ok"], true);
    assert!(answer["hint"].is_string() && answer["deviceId"] == "X");
}

#[tokio::test]
async fn refused_grants_fail_the_setup() {
    let phone = taker().await;
    phone.set_answer("pm install", "Success\n", 0);
    phone.set_answer("pm grant", "java.lang.SecurityException: not allowed", 255);
    let file = File::app("refused.apk", OperatorPackage::RELEASE, "0.5.3");
    let answer = phone
        .service()
        .operator_setup(None, &usual(), &file.0, WITHIN)
        .await
        .unwrap();
    assert_eq!(
        answer.code,
        Some(ErrorCode::OperatorGrantFailed),
        "{answer:?}"
    );
    assert!(answer.install.ok && answer.verification.is_none());
    assert_eq!(answer.permissions.unwrap()["notification"]["ok"], false);
}

#[tokio::test]
async fn missing_app_differs_from_a_failing_package_manager() {
    let phone = Scripted::phone().await;
    let missing = grant(&phone).await.unwrap_err();
    assert_eq!(missing.code, ErrorCode::OperatorNotInstalled);
    // The only installed build is used.
    let debug = taker().await;
    debug.set_answer(
        "pm list packages",
        "package:com.clawperator.operator.dev\n",
        0,
    );
    let answer = grant(&debug).await.unwrap();
    assert_eq!(answer["operatorPackage"], DEBUG);
    phone.set_answer("pm list packages", "Error: Can't find service: package", 20);
    let failed = grant(&phone).await.unwrap_err();
    assert_eq!(failed.code, ErrorCode::DeviceShellUnavailable, "{failed:?}");
    assert!(failed.message.contains("Can't find service"));
    let listed = phone
        .service()
        .packages(None, service::PackageFilter::All, WITHIN)
        .await
        .unwrap_err();
    assert_eq!(listed.code, ErrorCode::DeviceShellUnavailable);
    let broken = "20\nError: Can't find service: package";
    phone.set_answer(ABOUT_THE_APP, broken, 0);
    let compatible = compatibility(&phone).await;
    let code = compatible.error.map(|error| error.code);
    assert_eq!(code, Some(ErrorCode::DeviceShellUnavailable));
}

#[tokio::test]
async fn unreadable_version_is_not_guessed() {
    let phone = Scripted::phone().await;
    let installed = |dump: &str| {
        let output = format!(
            "0\npackage:com.clawperator.operator\n--clawperator--\n{dump}\n--clawperator--\nnull\n--clawperator--\n77\n"
        );
        phone.set_answer(ABOUT_THE_APP, &output, 0);
    };
    for (dump, code) in [
        ("", ErrorCode::ApkVersionUnreadable),
        ("    versionName=next", ErrorCode::ApkVersionInvalid),
        ("    versionName=0.4.0", ErrorCode::VersionIncompatible),
    ] {
        installed(dump);
        let found = compatibility(&phone).await;
        assert_eq!(found.error.map(|error| error.code), Some(code));
        assert!(!found.compatible);
        // `doctor` agrees.
        let request = service::doctor::DoctorRequest {
            transport: service::TransportChoice::Operator,
            ..service::doctor::DoctorRequest::default()
        };
        let report = phone.service().doctor(&request).await;
        let id = "readiness.version.compatibility";
        let check = report.checks.iter().find(|check| check.id == id);
        assert_eq!(check.unwrap().code, Some(code), "{report:#?}");
        assert!(!report.ok);
    }
    installed("    versionCode=503900 minSdk=24\n    versionName=0.5.3-d");
    let found = compatibility(&phone).await;
    assert!(found.compatible && found.error.is_none(), "{found:?}");
    let version = (found.apk_version.as_deref(), found.apk_version_code);
    assert_eq!(version, (Some("0.5.3-d"), Some(503_900)));
}

#[tokio::test]
async fn embedded_phone_does_not_support_setup() {
    let phone = Scripted::phone().await;
    let refused = phone
        .service()
        .grant_permissions(Some("sim"), &usual(), WITHIN)
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::ActionNotSupportedHere);
}
