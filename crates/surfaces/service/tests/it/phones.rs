//! Phones that are not ready, as an adb server lists them.

use contract::{ErrorBody, ErrorCode};
use serde_json::json;
use service::{Options, Service, TransportChoice, TransportOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::scripted::Scripted;
use crate::{execute, plan};

/// A service of a server that lists these phones, whose shells answer with garbage.
pub(crate) async fn server(list: &'static str) -> Service {
    Service::new(options(listen(list).await))
}

async fn listen(list: &'static str) -> u16 {
    let server = Scripted::with(list).await;
    server.set_answer("", "nonsense\n", 0);
    server.port()
}

fn options(port: u16) -> Options {
    Options {
        adb: crate::adb_at(crate::local(port), crate::scripted::locks(port)),
        ..Options::default()
    }
}

async fn refusal(service: &Service, device: Option<&str>) -> ErrorBody {
    let plan = plan(
        "c",
        json!([{"id": "a", "type": "press_key", "params": {"key": "home"}}]),
    );
    let cancel = CancellationToken::new();
    let mut ignore = |_: &service::Event<'_>| {};
    match service.execute(device, plan, cancel, &mut ignore).await {
        Err(error) => error,
        Ok(answer) => panic!("{answer:?}"),
    }
}

#[tokio::test]
async fn unreachable_device_is_not_locked() {
    let closed = testkit::closed_port();
    let closed_address = format!("127.0.0.1:{closed}");
    let listed = listen("ghost offline transport_id:1\n").await;
    for (port, device, code) in [
        (listed, "nosuch", ErrorCode::DeviceNotFound),
        (listed, "ghost", ErrorCode::DeviceOffline),
        (closed, "nosuch", ErrorCode::AdbNotFound),
        (closed, &*closed_address, ErrorCode::DeviceOffline),
    ] {
        let mut options = options(port);
        options.adb.locks = std::env::temp_dir().join(format!("absent-{}", std::process::id()));
        let locks = options.adb.locks.clone();
        let refused = refusal(&Service::new(options), Some(device)).await;
        assert_eq!(refused.code, code, "{device}: {refused:?}");
        // Taking a lock creates the folder.
        assert!(!locks.exists(), "{device}");
    }
}

#[tokio::test]
async fn unready_phone_reports_its_state_and_blocks_no_other() {
    let ghosts = "ghost offline transport_id:1\nlocked unauthorized usb:1-1 transport_id:2\n";
    let known = server(ghosts).await;
    assert_eq!(
        refusal(&known, Some("ghost")).await.code,
        ErrorCode::DeviceOffline
    );
    assert_eq!(
        refusal(&known, Some("locked")).await.code,
        ErrorCode::DeviceUnauthorized
    );
    assert_eq!(
        refusal(&known, Some("other")).await.code,
        ErrorCode::DeviceNotFound
    );
    let none = refusal(&known, None).await;
    // The unauthorized one is the easiest to fix.
    assert_eq!(none.code, ErrorCode::DeviceUnauthorized);
    assert_eq!(none.detail("deviceId"), Some(&json!("locked")));
    assert_eq!(
        none.detail("states").unwrap(),
        &json!(["ghost is offline", "locked is unauthorized"])
    );
    assert_eq!(known.devices().await.unwrap().devices.len(), 2);

    let only = server("locked unauthorized\n").await;
    assert_eq!(
        refusal(&only, None).await.code,
        ErrorCode::DeviceUnauthorized
    );
    let beside = server("ghost offline\nodd device\n").await;
    // The ready one is used; its answer is garbage.
    let odd = refusal(&beside, None).await;
    assert_eq!(odd.code, ErrorCode::DeviceShellUnavailable, "{odd:?}");
    assert!(odd.message.contains("nonsense"), "{odd:?}");
    let several = server("one device\ntwo device\nthree offline\n").await;
    let refused = refusal(&several, None).await;
    assert_eq!(refused.code, ErrorCode::MultipleDevices);
    assert_eq!(refused.detail("devices").unwrap(), &json!(["one", "two"]));
}

#[tokio::test]
async fn serials_are_not_interpreted() {
    let odd = "a'$(reboot);b device\nмой_телефон device\nadb-R58M-x1._adb-tls-connect._tcp. device\n[fe80::1%eth0]:5555 device\n\"\\n* device\n";
    let known = server(odd).await;
    let devices = known.devices().await.unwrap().devices;
    assert_eq!(devices.len(), 5);
    for device in devices.iter().filter(|device| device.state == "device") {
        // The named one is used; its answer is garbage.
        let refused = refusal(&known, Some(&device.serial)).await;
        assert_eq!(
            refused.code,
            ErrorCode::DeviceShellUnavailable,
            "{refused:?}"
        );
        assert_eq!(refused.detail("deviceId"), Some(&json!(device.serial)));
    }
    // A name is never parsed as part of the request.
    for wrong in ["a", "a'$(reboot);b device", "", "x".repeat(70_000).as_str()] {
        let refused = refusal(&known, Some(wrong)).await;
        assert_eq!(refused.code, ErrorCode::DeviceNotFound, "{refused:?}");
    }
}

#[tokio::test]
async fn missing_and_wrong_adb_servers_are_reported() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let web = tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut request = [0; 64];
            let _ = socket.read(&mut request).await;
            socket
                .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                .await
                .unwrap();
        }
    });
    let strange = Service::new(options(port));
    assert_eq!(
        refusal(&strange, Some("x")).await.code,
        ErrorCode::AdbServerFailed
    );
    let error = strange.devices().await.unwrap_err();
    assert_eq!(error.code, ErrorCode::AdbServerFailed);
    // The other devices are listed nevertheless.
    let details = error.details.unwrap();
    assert_eq!(details["embedded"][0]["serial"], "sim");
    web.abort();
    let _ = web.await;
    let without_server = Service::new(options(port));
    let missing = refusal(&without_server, Some("x")).await;
    assert_eq!(missing.code, ErrorCode::AdbNotFound, "{missing:?}");
    let none = refusal(&without_server, None).await;
    assert_eq!(none.code, ErrorCode::NoDevices);
    assert!(none.detail("adb").is_some(), "{none:?}");
    assert!(without_server.devices().await.unwrap().devices.is_empty());
}

#[tokio::test]
async fn agent_that_does_not_start_is_not_tried_again_at_once() {
    let phone = Scripted::phone().await;
    let home = json!([{"id": "k", "type": "press_key", "params": {"key": "home"}}]);
    for command in ["one", "two"] {
        let service = phone.service();
        let done = execute(&service, Some("X"), plan(command, home.clone())).await;
        assert_eq!(done.unwrap()["envelope"]["status"], "success");
        assert_eq!(phone.times_asked("agent.state"), 1, "{command}");
    }
    let requested = Service::new(Options {
        transport: TransportOptions::from_flags(Some(TransportChoice::Agent), None),
        ..phone.options()
    });
    let refused = execute(&requested, Some("X"), plan("three", home)).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code, ErrorCode::AgentUnavailable);
    assert_eq!(refused.detail("reason").unwrap(), "agent_not_written");
    assert_eq!(phone.times_asked("agent.state"), 2);
}
