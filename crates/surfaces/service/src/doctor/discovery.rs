//! The check that selects the phone and its state in adb.

use adb::client::server::{ListedDevice, Server};
use contract::ErrorCode;
use serde_json::json;

use super::repair::Repair;
use super::report::{Check, Findings};
use crate::phone::connection::{self, READY};

const ID: &str = "device.discovery";

/// Selects the phone; returns its serial if it is ready.
pub(super) async fn find(
    server: &Server,
    requested: Option<&str>,
    found: &mut Findings,
) -> Option<String> {
    found.device = requested.map(str::to_owned);
    let listed = match server.devices().await {
        Ok(listed) => listed,
        Err(error) => {
            let summary = "The adb server cannot list phones";
            let check = Check::fail(ID, ErrorCode::AdbServerFailed, summary);
            found.checks.push(check.with_detail(error.to_string()));
            return None;
        }
    };
    let check = match requested {
        Some(serial) => named(serial, &listed),
        None => any(&listed, found),
    };
    let passed = check.code.is_none();
    found.checks.push(check);
    found.device.clone().filter(|_| passed)
}

/// Checks the named phone.
fn named(serial: &str, listed: &[ListedDevice]) -> Check {
    match listed.iter().find(|phone| phone.serial == serial) {
        Some(phone) if phone.state == READY => ready(phone),
        Some(phone) => unready(phone),
        None => missing(serial, listed),
    }
}

fn ready(phone: &ListedDevice) -> Check {
    let mut evidence = json!({ "serial": phone.serial });
    if let (Some(model), Some(object)) = (phone.field("model"), evidence.as_object_mut()) {
        object.insert("model".to_owned(), json!(model));
    }
    Check::pass(ID, format!("{} is connected", phone.serial)).with_evidence(evidence)
}

fn missing(serial: &str, listed: &[ListedDevice]) -> Check {
    let shown = contract::truncate_input(serial);
    let check = Check::fail(
        ID,
        ErrorCode::DeviceNotFound,
        format!("adb does not list {shown:?}"),
    )
    .with_evidence(json!({ "connected": states(listed) }));
    if connection::is_address(serial) {
        return check
            .with_commands(
                "Connect adb to it",
                "host",
                [format!("adb connect {}", adb::quote(serial))],
            )
            .with_repair(Repair::Connect(serial.to_owned()));
    }
    check.with_manual(
        "Select a connected phone",
        "host",
        [
            "Run `clawperator devices`, and select one with --device".to_owned(),
            "Plug the phone in again if it is missing".to_owned(),
        ],
    )
}

/// Selects a phone if none was named.
fn any(listed: &[ListedDevice], found: &mut Findings) -> Check {
    let ready_ones: Vec<&ListedDevice> =
        listed.iter().filter(|phone| phone.state == READY).collect();
    match (ready_ones.as_slice(), listed) {
        ([one], _) => {
            found.device = Some(one.serial.clone());
            ready(one)
        }
        ([], []) => none(),
        ([], [one]) => {
            found.device = Some(one.serial.clone());
            unready(one)
        }
        ([], several) => match connection::easiest_to_fix(several) {
            Some(phone) => unready(phone).with_evidence(json!({ "connected": states(several) })),
            None => none(),
        },
        (several, _) => {
            let serials: Vec<&str> = several.iter().map(|phone| phone.serial.as_str()).collect();
            found.advice = serials
                .iter()
                .map(|serial| format!("clawperator doctor --device {}", adb::quote(serial)))
                .collect();
            let summary = format!(
                "{} phones are connected and none was named: none was checked",
                serials.len()
            );
            Check::warn(ID, ErrorCode::MultipleDevices, summary)
                .with_evidence(json!({ "devices": serials }))
        }
    }
}

fn none() -> Check {
    Check::fail(ID, ErrorCode::NoDevices, "No phone is connected")
        .with_manual(
            "Connect a phone",
            "host",
            [
                "Connect the phone with a data cable, or start an emulator".to_owned(),
                "Without a phone, use `--device sim` or `clawperator sim start`".to_owned(),
            ],
        )
        .with_guidance(
            "Settings, About phone",
            [
                "press Build number seven times",
                "turn USB debugging on in Settings, System, Developer options",
            ],
        )
}

/// Adds the steps for a phone that asks whether to allow USB debugging.
pub(super) fn with_authorization_steps(check: Check) -> Check {
    check.with_guidance(
        "dialog `Allow USB debugging?`",
        [
            "unlock the phone",
            "tick `Always allow from this computer`, and allow",
            "if no dialog appears: revoke USB debugging authorizations in the developer options, and plug it in again",
        ],
    )
}

/// The check of a phone that adb lists and that is not ready.
fn unready(phone: &ListedDevice) -> Check {
    let ListedDevice { serial, state, .. } = phone;
    let code = connection::not_ready(serial, state).code;
    let check = Check::fail(ID, code, format!("{serial} is {state}"))
        .with_evidence(json!({ "serial": serial, "state": state }));
    match code {
        ErrorCode::DeviceUnauthorized => with_authorization_steps(check),
        ErrorCode::AdbNoUsbPermissions => check.with_manual(
            "Give adb access to the phone's USB port",
            "host",
            [
                "Install udev rules: Debian and Ubuntu `apt-get install android-sdk-platform-tools-common`".to_owned(),
                "Add your user to the group plugdev, log in again, and plug the phone in again".to_owned(),
            ],
        ),
        _ if matches!(state.as_str(), "recovery" | "sideload" | "rescue" | "bootloader") => check
            .with_manual(
                "Start Android",
                "host",
                [format!("adb -s {} reboot", adb::quote(serial))],
            ),
        _ => check
            .with_commands("Reconnect the phone", "host", reconnect_commands(serial))
            .with_manual(
                "Reconnect the phone",
                "host",
                ["Reconnect or restart the phone; an emulator may still be starting".to_owned()],
            )
            .with_repair(Repair::Reconnect(serial.clone())),
    }
}

/// The command lines that make a server reconnect to a phone.
fn reconnect_commands(serial: &str) -> Vec<String> {
    if connection::is_address(serial) {
        let serial = adb::quote(serial);
        return vec![
            format!("adb disconnect {serial}"),
            format!("adb connect {serial}"),
        ];
    }
    vec!["adb reconnect offline".to_owned()]
}

fn states(listed: &[ListedDevice]) -> Vec<serde_json::Value> {
    listed
        .iter()
        .map(|phone| json!({ "serial": phone.serial, "state": phone.state }))
        .collect()
}
