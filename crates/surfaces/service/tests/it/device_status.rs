//! The status of devices: a broken device does not affect the others.

use std::time::Duration;

use contract::ErrorCode;
use serde_json::json;
use service::{DeviceStatus, OperatorPackage, PackageFilter};

use crate::doctor::Fixture;
use crate::scripted::Scripted;
use crate::{execute, plan};

#[tokio::test]
async fn each_device_reports_its_properties_or_an_error() {
    let server = Scripted::with("X device\nghost offline\nnew unauthorized\nhung device\n").await;
    server.hang("hung");
    let statuses = async || {
        let service = server.service();
        let package = OperatorPackage::select(None, None);
        let report = service.device_statuses(&package, Duration::from_secs(5));
        report.await.unwrap()
    };
    let list = statuses().await;
    let serials = |devices: &[DeviceStatus]| -> Vec<String> {
        let devices = devices.iter();
        devices.map(|each| each.device.serial.clone()).collect()
    };
    let devices = &list.devices;
    assert_eq!(serials(devices), ["X", "ghost", "new", "hung"]);
    assert_eq!(serials(&list.embedded), ["sim"]);
    assert!(devices[0].ready);
    assert_eq!(devices[0].model.as_deref(), Some("Scripted"));
    assert_eq!((devices[0].sdk, devices[0].via), (Some(34), Some("agent")));
    assert_eq!(devices[0].android_version.as_deref(), Some("14"));
    let problem = |place: usize| devices[place].problem.as_ref().unwrap().code;
    assert_eq!(problem(1), ErrorCode::DeviceOffline);
    assert_eq!(problem(2), ErrorCode::DeviceUnauthorized);
    assert_eq!(problem(3), ErrorCode::DeviceShellUnavailable);
    assert!(!devices[3].ready && devices[3].via.is_none());
    assert!(list.embedded[0].ready && list.embedded[0].via == Some("embedded"));
    let shown = serde_json::to_value(&devices[0]).unwrap();
    let keys: Vec<&String> = shown.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "serial",
            "state",
            "model",
            "androidVersion",
            "sdk",
            "via",
            "ready"
        ]
    );
    // The agent cannot be written there.
    let home = json!([{"id": "k", "type": "press_key", "params": {"key": "home"}}]);
    let done = execute(&server.service(), Some("X"), plan("one", home)).await;
    assert_eq!(done.unwrap()["envelope"]["status"], "success");
    assert_eq!(statuses().await.devices[0].via, Some("stock"));
}

#[tokio::test]
async fn packages_are_listed_for_each_device() {
    let fixture = Fixture::healthy().await;
    let list = async |device: &str, which| {
        let listed = fixture
            .service
            .packages(Some(device), which, Duration::from_secs(10));
        listed.await.unwrap()
    };
    let all = list(&fixture.serial, PackageFilter::All).await;
    let own = list(&fixture.serial, PackageFilter::ThirdParty).await;
    assert!(all.iter().any(|name| name == "com.android.settings"));
    assert!(!own.iter().any(|name| name.starts_with("com.android.")) && own.len() > 2);
    // The embedded phone has the same apps.
    assert_eq!(list("sim", PackageFilter::ThirdParty).await, own);
    let embedded = list("sim", PackageFilter::All).await;
    assert!(embedded.iter().all(|name| all.contains(name)) && embedded.len() > own.len());
}
