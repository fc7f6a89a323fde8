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
    let actions = |kind: &str, params| json!([{"id": "a", "type": kind, "params": params}]);
    for (device, actions) in [
        ("chrome", actions("read_clipboard", json!({}))),
        (
            "chrome",
            actions("set_orientation", json!({"orientation": "auto"})),
        ),
        ("no-such-phone", actions("tab", json!({"op": "list"}))),
    ] {
        let refused = execute(&service, Some(device), plan("c", actions))
            .await
            .unwrap_err();
        assert_eq!(
            refused.code,
            ErrorCode::ActionNotSupportedHere,
            "{refused:?}"
        );
        assert_eq!(refused.detail("path"), Some(&json!("actions.0.type")));
    }
}
