//! The checks of this computer, and the selection of the phone.

use contract::ErrorCode;
use serde_json::json;
use service::Service;
use service::doctor::{DoctorRequest, Outcome, Report};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{check, evidence, outcome};
use crate::scripted::Scripted;

async fn run_doctor(server: &Scripted, device: Option<&str>) -> Report {
    let request = DoctorRequest {
        device: device.map(str::to_owned),
        ..DoctorRequest::default()
    };
    server.service().doctor(&request).await
}

#[tokio::test]
async fn missing_adb_ends_the_checks() {
    let mut options = crate::options();
    options.adb.places.adb = Some("/nowhere/adb".into());
    let report = Service::new(options)
        .doctor(&DoctorRequest::default())
        .await;
    assert_eq!(
        outcome(&report, "host.adb.presence"),
        (Outcome::Fail, Some(ErrorCode::AdbNotFound))
    );
    assert!(!report.ok && report.checks.len() == 1, "{report:#?}");
    assert!(report.next_actions[0].contains("apt-get install adb"));
}

#[tokio::test]
async fn running_server_is_sufficient_without_the_adb_program() {
    let report = run_doctor(&Scripted::phone().await, None).await;
    assert_eq!(
        outcome(&report, "host.adb.presence"),
        (Outcome::Warn, Some(ErrorCode::AdbNotFound))
    );
    assert_eq!(outcome(&report, "host.adb.server"), (Outcome::Pass, None));
    assert_eq!(evidence(&report, "host.adb.server", "protocol"), &json!(41));
    assert_eq!(outcome(&report, "device.discovery"), (Outcome::Pass, None));
    assert_eq!(report.device_id.as_deref(), Some("X"));
}

#[tokio::test]
async fn two_versions_of_adb_are_a_warning() {
    let server = Scripted::phone().await;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    for (program, found) in [
        ("adb-41", (Outcome::Pass, None)),
        ("adb-39", (Outcome::Warn, Some(ErrorCode::AdbServerFailed))),
    ] {
        let service = server.service_with(&folder.join(program));
        let report = service.doctor(&DoctorRequest::default()).await;
        assert_eq!(outcome(&report, "host.adb.presence"), (Outcome::Pass, None));
        assert_eq!(outcome(&report, "host.adb.server"), found, "{program}");
        assert!(report.ok, "{report:#?}");
    }
}

#[tokio::test]
async fn other_program_at_the_servers_address_is_reported() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut request = [0; 64];
            let _ = socket.read(&mut request).await;
            let _ = socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let mut options = crate::options();
    options.adb.places.adb = Some("/nowhere/adb".into());
    options.adb.server = Ok(crate::local(port));
    let report = Service::new(options.clone())
        .doctor(&DoctorRequest::default())
        .await;
    assert_eq!(
        outcome(&report, "host.adb.server"),
        (Outcome::Fail, Some(ErrorCode::AdbServerFailed))
    );
    options.adb.server = Err("ANDROID_ADB_SERVER_PORT is \"x\", not a port".to_owned());
    let report = Service::new(options)
        .doctor(&DoctorRequest::default())
        .await;
    let check = check(&report, "host.adb.server");
    assert_eq!(check.code, Some(ErrorCode::AdbServerFailed));
    assert!(check.detail.as_deref().unwrap().contains("not a port"));
}

#[tokio::test]
async fn unready_phone_is_reported_with_a_fix() {
    for (list, device, code) in [
        ("", None, ErrorCode::NoDevices),
        ("", Some("Y"), ErrorCode::DeviceNotFound),
        ("X unauthorized\n", None, ErrorCode::DeviceUnauthorized),
        ("X offline\n", Some("X"), ErrorCode::DeviceOffline),
        ("X recovery\n", None, ErrorCode::DeviceOffline),
        (
            "X no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html]\n",
            None,
            ErrorCode::AdbNoUsbPermissions,
        ),
        (
            "A offline\nB unauthorized\n",
            None,
            ErrorCode::DeviceUnauthorized,
        ),
    ] {
        let report = run_doctor(&Scripted::with(list).await, device).await;
        let found = check(&report, "device.discovery");
        assert_eq!(
            (found.status, found.code),
            (Outcome::Fail, Some(code)),
            "{list}"
        );
        assert!(!report.ok && !report.next_actions.is_empty(), "{list}");
        // A phone that is not ready gets no requests.
        assert_eq!(report.checks.last().unwrap().id, "device.discovery");
    }
    let guided = run_doctor(&Scripted::with("X unauthorized\n").await, None).await;
    let guidance = check(&guided, "device.discovery").device_guidance.clone();
    assert_eq!(guidance.unwrap().screen, "dialog `Allow USB debugging?`");
}

#[tokio::test]
async fn none_of_several_phones_is_selected() {
    let server = Scripted::with("A device\nB device\nC offline\n").await;
    let report = run_doctor(&server, None).await;
    assert_eq!(
        outcome(&report, "device.discovery"),
        (Outcome::Warn, Some(ErrorCode::MultipleDevices))
    );
    assert_eq!(
        evidence(&report, "device.discovery", "devices"),
        &json!(["A", "B"])
    );
    assert!(report.ok && report.device_id.is_none() && report.via.is_none());
    assert_eq!(
        report.next_actions[..2],
        [
            "clawperator doctor --device A",
            "clawperator doctor --device B"
        ]
    );
    let one = run_doctor(&server, Some("B")).await;
    assert_eq!(one.device_id.as_deref(), Some("B"));
    assert_eq!(one.via, Some("stock"));
    // A single ready phone needs no name even beside one that is not ready.
    let beside = run_doctor(&Scripted::with("A offline\nB device\n").await, None).await;
    assert_eq!(beside.device_id.as_deref(), Some("B"));
}

#[tokio::test]
async fn embedded_phone_passes_all_checks() {
    let request = |device: &str| DoctorRequest {
        device: Some(device.to_owned()),
        depth: service::doctor::Depth::Full,
        ..DoctorRequest::default()
    };
    let service = Service::new(crate::options());
    let report = service.doctor(&request("sim")).await;
    assert!(report.ok, "{report:#?}");
    assert_eq!(report.via, Some("embedded"));
    assert!(
        report
            .checks
            .iter()
            .all(|check| check.status == Outcome::Pass)
    );
    let ids: Vec<&str> = report.checks.iter().map(|check| check.id).collect();
    assert_eq!(
        ids,
        [
            "device.discovery",
            "device.capability",
            "readiness.snapshot",
            "readiness.screenshot",
            "readiness.smoke"
        ]
    );
    let report = service.doctor(&request("sim:/nowhere/app.yaml")).await;
    assert_eq!(
        outcome(&report, "device.discovery"),
        (Outcome::Fail, Some(ErrorCode::SimAppInvalid))
    );
}
