//! The reports of `doctor` for phones with one defect each.

use contract::ErrorCode;
use serde_json::json;
use service::TransportChoice;
use service::doctor::{Depth, DoctorRequest, Outcome, Report};
use sim_adb::WireFault;
use tokio_util::sync::CancellationToken;

use super::{Fixture, check, evidence, outcome};
use crate::plan;
use crate::scripted::Scripted;

async fn run_doctor(phone: &Scripted) -> Report {
    phone.service().doctor(&DoctorRequest::default()).await
}

#[tokio::test]
async fn healthy_phone_uses_the_agent() {
    let fixture = Fixture::healthy().await;
    let request = DoctorRequest {
        depth: Depth::Full,
        ..fixture.request()
    };
    let report = fixture.service.doctor(&request).await;
    assert!(report.ok && report.critical_ok, "{report:#?}");
    assert_eq!(report.via, Some("agent"));
    for id in [
        "device.discovery",
        "device.capability",
        "device.screen",
        "readiness.settings.dev_options",
        "readiness.settings.usb_debugging",
        "readiness.agent",
        "readiness.snapshot",
        "readiness.screenshot",
        "readiness.smoke",
    ] {
        assert_eq!(outcome(&report, id), (Outcome::Pass, None), "{id}");
    }
    assert_eq!(evidence(&report, "device.capability", "sdk"), &json!(36));
    // They run in the order of their table.
    let place = |id: &str| {
        service::doctor::CHECKS
            .iter()
            .position(|row| row.id == id)
            .unwrap()
    };
    let places: Vec<usize> = report.checks.iter().map(|check| place(check.id)).collect();
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(evidence(&report, "device.screen", "locked"), &json!(false));
    assert!(evidence(&report, "readiness.snapshot", "nodes").as_u64() > Some(5));
    assert_eq!(
        report.next_actions[0],
        format!("Try: clawperator snapshot --device {}", fixture.serial)
    );
    // The app was not requested: its absence is not a failure, and needs no fix.
    let missing = check(&report, "readiness.apk.presence");
    assert_eq!(missing.code, Some(ErrorCode::OperatorNotInstalled));
    assert!(missing.status == Outcome::Warn && missing.fix.is_none());
}

#[tokio::test]
async fn unreadable_screen_reports_the_reason() {
    for (fault, why) in [
        (WireFault::NoIdle, "something on it moves"),
        (WireFault::NullRoot, "no window"),
        (WireFault::TruncatedDump, "document ends before"),
    ] {
        let fixture = Fixture::healthy().await;
        let id = fixture.adb_phone.faults().add(fault);
        let request = DoctorRequest {
            transport: TransportChoice::Stock,
            ..fixture.request()
        };
        let report = fixture.service.doctor(&request).await;
        let found = check(&report, "readiness.snapshot");
        assert_eq!(found.code, Some(ErrorCode::ScreenUnavailable), "{found:?}");
        assert!(found.detail.as_deref().unwrap().contains(why), "{found:?}");
        assert!(!report.ok && report.via.is_none());
        let stock = report
            .transports
            .iter()
            .find(|transport| transport.via == "stock")
            .unwrap();
        assert_eq!(stock.usable, Some(false));
        fixture.adb_phone.faults().remove(id);
        assert!(fixture.run_doctor().await.ok);
    }
}

#[tokio::test]
async fn phone_without_a_shell_fails_the_capability_check() {
    let fixture = Fixture::healthy().await;
    fixture.adb_phone.faults().add(WireFault::NoShell);
    let report = fixture.run_doctor().await;
    assert_eq!(
        outcome(&report, "device.capability"),
        (Outcome::Fail, Some(ErrorCode::DeviceShellUnavailable))
    );
    assert_eq!(report.checks.last().unwrap().id, "device.capability");
    let phone = Scripted::phone().await;
    phone.set_answer("getprop", "nonsense", 0);
    assert_eq!(
        outcome(&run_doctor(&phone).await, "device.capability"),
        (Outcome::Fail, Some(ErrorCode::DeviceShellUnavailable))
    );
}

#[tokio::test]
async fn silent_phone_fails_after_a_time_limit() {
    let phone = Scripted::phone().await;
    phone.hang("X");
    let request = DoctorRequest {
        within: std::time::Duration::from_millis(300),
        ..DoctorRequest::default()
    };
    let report = phone.service().doctor(&request).await;
    let found = check(&report, "device.capability");
    assert_eq!(found.code, Some(ErrorCode::DeviceShellUnavailable));
    assert_eq!(found.detail.as_deref(), Some("it did not answer in time"));
    assert!(!report.ok);
}

#[tokio::test]
async fn rejected_shell_input_is_reported() {
    let phone = Scripted::phone().await;
    assert_eq!(
        outcome(&run_doctor(&phone).await, "readiness.input"),
        (Outcome::Pass, None)
    );
    let output = "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission";
    for status in [255, 0] {
        phone.set_answer("input keyevent", output, status);
        let report = run_doctor(&phone).await;
        let found = check(&report, "readiness.input");
        assert_eq!(found.code, Some(ErrorCode::DeviceInputDenied));
        assert!(found.detail.as_deref().unwrap().contains("INJECT_EVENTS"));
        let guidance = found.device_guidance.as_ref().unwrap();
        assert!(guidance.steps[0].contains("USB debugging (Security settings)"));
        assert!(
            found.fix.as_ref().unwrap().steps[0]
                .value
                .contains("--via app")
        );
        assert!(!report.ok);
    }
}

#[tokio::test]
async fn lock_screen_with_a_secret_needs_the_user() {
    let phone = Scripted::phone().await;
    assert_eq!(
        outcome(&run_doctor(&phone).await, "device.screen"),
        (Outcome::Pass, None)
    );
    let locked = "  mWakefulness=Awake\n--clawperator--\n    KeyguardServiceDelegate\n      showing=true\n      secure=true\n";
    phone.set_answer("dumpsys power", locked, 0);
    let report = run_doctor(&phone).await;
    let found = check(&report, "device.screen");
    assert_eq!(
        (found.status, found.code),
        (Outcome::Fail, Some(ErrorCode::DeviceLocked))
    );
    assert!(found.fix.is_none() && found.device_guidance.is_some());
    // With the phone in use, later checks are skipped.
    assert_eq!(report.checks.last().unwrap().id, "device.screen");
    // A phone that does not report its state is checked all the same.
    phone.set_answer("dumpsys power", "nothing\n", 0);
    let report = run_doctor(&phone).await;
    assert_eq!(outcome(&report, "device.screen"), (Outcome::Pass, None));
    assert!(report.ok);
}

#[tokio::test]
async fn warnings_do_not_fail_the_report() {
    let phone = Scripted::phone().await;
    let report = run_doctor(&phone).await;
    assert_eq!(outcome(&report, "device.animations"), (Outcome::Pass, None));
    phone.set_answer("settings get global", "null\n", 0);
    phone.set_answer("screencap", "Error", 0);
    let report = run_doctor(&phone).await;
    for (id, code) in [
        (
            "readiness.settings.dev_options",
            ErrorCode::DeviceDevOptionsDisabled,
        ),
        (
            "readiness.settings.usb_debugging",
            ErrorCode::DeviceUsbDebuggingDisabled,
        ),
        ("device.animations", ErrorCode::DeviceAnimationsOn),
        ("readiness.screenshot", ErrorCode::ScreenshotFailed),
    ] {
        assert_eq!(outcome(&report, id), (Outcome::Warn, Some(code)), "{id}");
    }
    assert!(report.ok && report.via == Some("stock"), "{report:#?}");
    phone.set_answer("settings get", "java.lang.SecurityException: no", 255);
    let report = run_doctor(&phone).await;
    for id in ["readiness.settings.dev_options", "device.animations"] {
        let found = check(&report, id);
        assert_eq!(found.status, Outcome::Warn);
        assert!(
            found
                .detail
                .as_deref()
                .unwrap()
                .contains("SecurityException")
        );
    }
    assert!(report.ok);
}

#[tokio::test]
async fn busy_phone_is_not_disturbed() {
    let fixture = Fixture::healthy().await;
    let sleeping = plan(
        "first",
        json!([{"id": "nap", "type": "sleep", "params": {"durationMs": 20000}}]),
    );
    let cancel = CancellationToken::new();
    let (started, starts) = tokio::sync::oneshot::channel();
    let run = async {
        // A run that fails at once drops the sender, so that nothing waits for its first step.
        let mut started = Some(started);
        let mut tell = |_: &service::Event<'_>| {
            if let Some(started) = started.take() {
                started.send(()).unwrap();
            }
        };
        let device = Some(&*fixture.serial);
        let run = fixture
            .service
            .execute(device, sleeping, cancel.clone(), &mut tell);
        run.await
    };
    let looking = async {
        starts.await.unwrap();
        let report = fixture.run_doctor().await;
        cancel.cancel();
        report
    };
    // Boxed, because the futures are large.
    let (run, looking) = (Box::pin(run), Box::pin(looking));
    let both = async { tokio::join!(run, looking) };
    let (_, report) = testkit::within("the run and the look", both).await;
    let found = check(&report, "device.lock");
    assert_eq!(
        (found.status, found.code),
        (Outcome::Fail, Some(ErrorCode::ExecutionConflictInFlight))
    );
    assert_eq!(evidence(&report, "device.lock", "holderCommandId"), "first");
    assert!(fixture.run_doctor().await.ok);
}

#[tokio::test]
async fn failed_trial_run_reports_its_step() {
    let phone = Scripted::phone().await;
    phone.set_answer("pm path", "", 1);
    let request = DoctorRequest {
        depth: Depth::Full,
        ..DoctorRequest::default()
    };
    let report = phone.service().doctor(&request).await;
    assert_eq!(
        outcome(&report, "readiness.smoke"),
        (Outcome::Fail, Some(ErrorCode::SmokeOpenSettingsFailed))
    );
    // Closing an app that is not installed succeeds; opening it fails.
    assert_eq!(evidence(&report, "readiness.smoke", "step"), "s2");
    assert_eq!(
        evidence(&report, "readiness.smoke", "error"),
        "APP_NOT_FOUND"
    );
    assert!(!report.ok);
}
