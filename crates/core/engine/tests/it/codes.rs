//! Every error code that a device can cause has a scenario that provokes it.

use std::collections::BTreeSet;
use std::path::Path;

use contract::{ErrorClass, ErrorCode};
use serde_json::Value;

/// Codes that no scenario on one phone can provoke, each with the reason and the place of its test.
const ELSEWHERE: &[(ErrorCode, &str)] = &[
    (
        ErrorCode::RouteNotFound,
        "answered by a server: the tests of http-server",
    ),
    (
        ErrorCode::McpSessionNotFound,
        "answered by a server: the tests of mcp-server",
    ),
    (
        ErrorCode::ScreenTooLarge,
        "a page of more elements than are read: the tests of driver-chrome",
    ),
    (
        ErrorCode::ClipboardFailed,
        "a phone that keeps its clipboard: the tests of faults",
    ),
    (
        ErrorCode::OptionsNotSelected,
        "about a page: the web scenario select-options",
    ),
    (
        ErrorCode::FormNotSubmitted,
        "about a page: the web scenario form-refused",
    ),
    (
        ErrorCode::WindowNotResized,
        "about a page: the tests of resize_window in a browser",
    ),
    (
        ErrorCode::FilesNotUploaded,
        "about a page: the scenario of testdata/uploads",
    ),
    (
        ErrorCode::ExecutionNotFound,
        "answered by a server: the tests of http-server",
    ),
    (
        ErrorCode::IdempotencyAnswerGone,
        "answered by a server: the tests of http-server",
    ),
    (
        ErrorCode::IdempotencyKeyReused,
        "answered by a server: the tests of http-server",
    ),
    (
        ErrorCode::ServerBusy,
        "answered by a server: the tests of http-server",
    ),
    (
        ErrorCode::ServerStopping,
        "answered by a server: the tests of http-server",
    ),
    (
        ErrorCode::ServeFailed,
        "answered by a server: the tests of http-server",
    ),
    (
        ErrorCode::InvalidRequest,
        "answered by a server: the tests of http-server",
    ),
    (
        ErrorCode::HeadTooLarge,
        "answered by a server: the tests of http-server",
    ),
    (
        ErrorCode::RequestTimeout,
        "answered by a server: the tests of http-server",
    ),
    (
        ErrorCode::NoDevices,
        "answered before a device is opened: the service's tests",
    ),
    (
        ErrorCode::DeviceNotFound,
        "answered before a device is opened: the service's tests",
    ),
    (
        ErrorCode::MultipleDevices,
        "answered before a device is opened: the tests of phones of the command line",
    ),
    (
        ErrorCode::RecordingSessionNotFound,
        "about files: the tests of recordings of the command line",
    ),
    (
        ErrorCode::RecordingPullFailed,
        "about files: the tests of recordings of the command line",
    ),
    (
        ErrorCode::AdbNotFound,
        "answered before a device is opened: the tests of the command line",
    ),
    (
        ErrorCode::AdbServerFailed,
        "answered before a device is opened: the service's tests of phones",
    ),
    (
        ErrorCode::DeviceUnauthorized,
        "answered before a device is opened: the service's tests of phones",
    ),
    (
        ErrorCode::DeviceOffline,
        "answered before a device is opened: the service's tests of phones",
    ),
    (
        ErrorCode::DeviceShellUnavailable,
        "answered before a device is opened: the service's tests of phones",
    ),
    (
        ErrorCode::ExecutionConflictInFlight,
        "answered instead of a run: the service's tests",
    ),
    (
        ErrorCode::ExecutionCancelled,
        "needs a caller that calls off: deadlines.rs",
    ),
    (
        ErrorCode::RefStale,
        "needs a process that gives references: refs.rs of the service's tests",
    ),
    (
        ErrorCode::DialogOpen,
        "a phone has no dialogs of pages: the tests of the driver of browsers",
    ),
    (
        ErrorCode::PageNotLoaded,
        "a phone loads no pages: the tests of the driver of browsers",
    ),
    (
        ErrorCode::ServiceUnavailable,
        "said by the Operator app, which is another way to a phone: the service's tests of it",
    ),
];

/// Codes about adb devices, the Operator app, browsers, and finding elements, which occur outside of a run.
/// The tests of the service and the command line cover them, and those of tabs in a browser.
const AROUND: &[ErrorCode] = &[
    ErrorCode::ElementNotFound,
    ErrorCode::ElementAmbiguous,
    ErrorCode::ReferenceNotFound,
    ErrorCode::StableSelectorNotFound,
    ErrorCode::ChromeNotFound,
    ErrorCode::ChromeStartFailed,
    ErrorCode::ChromeUnreachable,
    ErrorCode::TabNotFound,
    ErrorCode::TabAmbiguous,
    ErrorCode::LastTab,
    ErrorCode::AgentUnavailable,
    ErrorCode::OperatorNotInstalled,
    ErrorCode::OperatorApkNotFound,
    ErrorCode::OperatorVariantMismatch,
    ErrorCode::VersionIncompatible,
    ErrorCode::AdbNoUsbPermissions,
    ErrorCode::DeviceScreenOff,
    ErrorCode::DeviceLocked,
    ErrorCode::DeviceInputDenied,
    ErrorCode::DeviceAnimationsOn,
    ErrorCode::DeviceDevOptionsDisabled,
    ErrorCode::DeviceUsbDebuggingDisabled,
    ErrorCode::DeviceAccessibilityNotRunning,
    ErrorCode::SmokeOpenSettingsFailed,
    ErrorCode::ApkVersionUnreadable,
    ErrorCode::ApkVersionInvalid,
    ErrorCode::OperatorInstallFailed,
    ErrorCode::OperatorGrantFailed,
    ErrorCode::OperatorVerifyFailed,
    ErrorCode::GrantDevicePermissionsFailed,
    ErrorCode::BroadcastFailed,
    ErrorCode::ResultEnvelopeMalformed,
];

/// Adds every code in the results of a scenario.
fn collect(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if ["error", "errorCode", "code"].contains(&name.as_str())
                    && let Some(code) = value.as_str()
                {
                    found.insert(code.to_owned());
                }
                collect(value, found);
            }
        }
        Value::Array(entries) => entries.iter().for_each(|entry| collect(entry, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_device_error_code_has_a_scenario() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/scenarios");
    let mut provoked = BTreeSet::new();
    for scenario in testkit::folder(&folder).unwrap() {
        if let Some(result) = scenario.json("json result").unwrap() {
            collect(&result, &mut provoked);
        }
    }
    let mut missing = Vec::new();
    for code in ErrorCode::ALL {
        let elsewhere = ELSEWHERE.iter().find(|(known, _)| known == code);
        let of_the_request = matches!(code.class(), ErrorClass::Usage | ErrorClass::Internal)
            || AROUND.contains(code);
        let here = provoked.contains(code.as_str());
        if let (Some((_, why)), true) = (elsewhere, here) {
            panic!("{code} is provoked after all: {why}");
        }
        if elsewhere.is_none() && !of_the_request && !here {
            missing.push(code.as_str());
        }
    }
    assert!(missing.is_empty(), "no scenario comes to {missing:?}");
}
