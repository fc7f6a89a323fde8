//! Plans that no device of the kind can run are refused before a device is looked for, connected to or started.

use contract::ErrorCode;
use serde_json::json;
use service::Service;

use crate::{execute, options, plan};

#[tokio::test]
async fn plan_of_another_kind_of_device_needs_no_device() {
    let mut options = options();
    options.chrome.endpoint = Some(format!("http://127.0.0.1:{}", testkit::closed_port()));
    let service = Service::new(options);
    let button = || json!({"textEquals": "Go"});
    for (device, kind, params, part) in [
        ("chrome", "read_clipboard", json!({}), "type"),
        (
            "chrome",
            "set_orientation",
            json!({"orientation": "auto"}),
            "type",
        ),
        ("no-such-phone", "tab", json!({"op": "list"}), "type"),
        (
            "no-such-phone",
            "hover",
            json!({"matcher": button()}),
            "type",
        ),
        (
            "no-such-phone",
            "select_options",
            json!({"matcher": button(), "options": ["One"]}),
            "type",
        ),
        (
            "no-such-phone",
            "upload",
            json!({"matcher": button(), "files": ["a.txt"]}),
            "type",
        ),
        (
            "no-such-phone",
            "click",
            json!({"matcher": button(), "clickType": "right_click"}),
            "params.clickType",
        ),
        (
            "no-such-phone",
            "scroll_and_click",
            json!({"matcher": button(), "clickType": "right_click"}),
            "params.clickType",
        ),
        (
            "no-such-phone",
            "take_screenshot",
            json!({"fullPage": true}),
            "params.fullPage",
        ),
    ] {
        let actions = json!([{"id": "a", "type": kind, "params": params}]);
        let refused = execute(&service, Some(device), plan("c", actions))
            .await
            .unwrap_err();
        assert_eq!(
            refused.code,
            ErrorCode::ActionNotSupportedHere,
            "{refused:?}"
        );
        let path = format!("actions.0.{part}");
        assert_eq!(refused.detail("path"), Some(&json!(path)));
    }
}
