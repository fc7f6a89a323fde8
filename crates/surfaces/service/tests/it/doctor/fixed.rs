//! The repairs of `--fix`, and the checks after them.

use contract::ErrorCode;
use driver::{Driver, Key};
use service::doctor::{DoctorRequest, FixMode, Outcome};

use super::{Fixture, check, outcome};
use crate::scripted::{Change, READY, Scripted};

#[tokio::test]
async fn fix_wakes_a_sleeping_phone_and_checks_again() {
    let fixture = Fixture::healthy().await;
    let cx = driver::Cx::new(
        std::time::Duration::from_secs(10),
        tokio_util::sync::CancellationToken::new(),
    );
    fixture
        .adb_phone
        .driver()
        .await
        .key(&cx, Key::Power)
        .await
        .unwrap();
    let report = fixture.run_doctor().await;
    let found = check(&report, "device.screen");
    assert_eq!(
        (found.status, found.code),
        (Outcome::Fail, Some(ErrorCode::DeviceScreenOff))
    );
    assert!(!report.ok && report.fixed.is_empty());
    assert!(report.next_actions.contains(&format!(
        "clawperator doctor --fix --device {}",
        fixture.serial
    )));
    assert!(
        !fixture.adb_phone.driver().await.phone().is_awake(),
        "looking changes nothing"
    );
    let request = DoctorRequest {
        fix: FixMode::Fix,
        ..fixture.request()
    };
    let report = fixture.service.doctor(&request).await;
    assert!(fixture.adb_phone.driver().await.phone().is_awake());
    assert!(report.ok, "{report:#?}");
    for id in ["device.screen", "device.animations", "readiness.snapshot"] {
        assert_eq!(outcome(&report, id), (Outcome::Pass, None), "{id}");
    }
    let fixed: Vec<(&str, bool)> = report
        .fixed
        .iter()
        .map(|fixed| (fixed.check, fixed.done))
        .collect();
    assert_eq!(
        fixed,
        [("device.animations", true), ("device.screen", true)]
    );
    // Each has its undo command.
    let undo: Vec<String> = report
        .fixed
        .iter()
        .flat_map(|fixed| fixed.undo.clone())
        .collect();
    let on = |command: &str| format!("adb -s {} shell {command}", fixture.serial);
    assert_eq!(
        undo,
        [
            on("'settings put global window_animation_scale 1.0'"),
            on("'settings put global transition_animation_scale 1.0'"),
            on("'settings put global animator_duration_scale 1.0'"),
            on("'input keyevent KEYCODE_SLEEP'"),
        ]
    );
    let scale = fixture
        .adb_phone
        .setting("global", "window_animation_scale");
    assert_eq!(scale.as_deref(), Some("0"));
    // Nothing is left to do.
    assert!(fixture.service.doctor(&request).await.fixed.is_empty());
}

#[tokio::test]
async fn ineffective_fix_is_reported_and_tried_once() {
    let phone = Scripted::phone().await;
    phone.set_answer("settings get global window_animation_scale", "1\n", 0);
    let request = DoctorRequest {
        fix: FixMode::Fix,
        ..DoctorRequest::default()
    };
    let report = phone.service().doctor(&request).await;
    let found = outcome(&report, "device.animations");
    assert_eq!(found, (Outcome::Warn, Some(ErrorCode::DeviceAnimationsOn)));
    assert_eq!(report.fixed.len(), 1);
    assert!(!report.fixed[0].done);
    let why = report.fixed[0].error.as_deref().unwrap();
    assert!(why.contains("window_animation_scale"), "{why}");
}

#[tokio::test]
async fn fix_dismisses_a_lock_screen_without_a_secret() {
    let phone = Scripted::phone().await;
    let locked = "  mWakefulness=Awake\n--clawperator--\n  mShowingLockscreen=true\n";
    phone.set_answer("dumpsys power", locked, 0);
    let service = phone.service();
    let report = service.doctor(&DoctorRequest::default()).await;
    assert_eq!(
        check(&report, "device.screen").code,
        Some(ErrorCode::DeviceLocked)
    );
    assert!(!phone.was_asked("dismiss-keyguard"));
    phone.set_answer("wm dismiss-keyguard", "", 0);
    let request = DoctorRequest {
        fix: FixMode::Fix,
        ..DoctorRequest::default()
    };
    let unlocked = locked.replace("true", "false");
    let unlocks = Change::Say("dumpsys power".to_owned(), unlocked);
    phone.then("dismiss-keyguard", unlocks);
    let report = service.doctor(&request).await;
    assert!(report.ok, "{report:#?}");
    assert_eq!(outcome(&report, "device.screen"), (Outcome::Pass, None));
    assert_eq!(report.fixed[0].check, "device.screen");
}

#[tokio::test]
async fn fix_reconnects_an_offline_phone() {
    let server = Scripted::with("X offline\n").await;
    let request = DoctorRequest {
        fix: FixMode::Fix,
        ..DoctorRequest::default()
    };
    server.then("host:reconnect-offline", Change::List(READY.to_owned()));
    let report = server.service().doctor(&request).await;
    assert_eq!(report.fixed.len(), 1, "{report:#?}");
    assert_eq!(outcome(&report, "device.discovery"), (Outcome::Pass, None));
    assert!(report.ok, "{report:#?}");
}

#[tokio::test]
async fn fix_reconnects_an_offline_address() {
    let address = "10.0.0.1:5555";
    let server = Scripted::with(&format!("{address} offline\n")).await;
    server.set_answer("host:connect", &format!("connected to {address}"), 0);
    let request = DoctorRequest {
        fix: FixMode::Fix,
        ..DoctorRequest::default()
    };
    let comes_back = Change::List(format!("{address} device\n"));
    server.then("host:connect:", comes_back);
    let report = server.service().doctor(&request).await;
    assert!(server.was_asked("host:disconnect:10.0.0.1:5555"));
    assert!(report.fixed[0].done && report.ok, "{report:#?}");
}

#[tokio::test]
async fn fix_connects_an_address() {
    let server = Scripted::with("").await;
    let request = DoctorRequest {
        device: Some("10.0.0.1:5555".to_owned()),
        fix: FixMode::Fix,
        ..DoctorRequest::default()
    };
    // The repair's error from the server is reported.
    let report = server.service().doctor(&request).await;
    assert!(server.was_asked("host:connect:10.0.0.1:5555"));
    assert_eq!(
        check(&report, "device.discovery").code,
        Some(ErrorCode::DeviceNotFound)
    );
    assert!(!report.fixed[0].done && !report.ok, "{report:#?}");
}
