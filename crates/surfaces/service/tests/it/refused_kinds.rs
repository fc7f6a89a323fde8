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
    for row in r#"
        chrome type read_clipboard {}
        chrome type set_orientation {"orientation": "auto"}
        no-such-phone type tab {"op": "list"}
        no-such-phone type hover {"matcher": {"textEquals": "Go"}}
        no-such-phone type select_options {"matcher": {"textEquals": "Go"}, "options": ["One"]}
        no-such-phone type upload {"matcher": {"textEquals": "Go"}, "files": ["a.txt"]}
        no-such-phone params.clickType click {"matcher": {"textEquals": "Go"}, "clickType": "right_click"}
        no-such-phone params.clickType scroll_and_click {"matcher": {"textEquals": "Go"}, "clickType": "right_click"}
        no-such-phone params.fullPage take_screenshot {"fullPage": true}
    "#
    .trim()
    .lines()
    {
        let mut words = row.trim().splitn(4, ' ');
        let mut word = || words.next().unwrap();
        let (device, part, kind) = (word(), word(), word());
        let params: serde_json::Value = serde_json::from_str(word()).unwrap();
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
