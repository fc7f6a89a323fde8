//! The plan of every command, printed by `--validate-only`.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::reference_cli::anonymous;
use crate::run::run;

/// A summary of the plan: its options and its only action.
#[track_caller]
fn check(arguments: &[&str], expected: Expect) {
    let mut argv = arguments.to_vec();
    let end = argv.iter().position(|token| *token == "--");
    let end = end.unwrap_or(argv.len());
    argv.insert(end, "--validate-only");
    let document = run(&argv).success();
    assert_eq!(document["validated"], true);
    let execution = anonymous(&document["execution"]);
    expected.assert_eq(&shown(&execution));

    // The outline of the same plan agrees, and every command has one.
    argv[end] = "--dry-run";
    let outline = run(&argv).success();
    assert_eq!(outline["dryRun"], true);
    let plan = &outline["plan"];
    assert_eq!(plan["actions"], execution["actions"]);
    assert_eq!(plan["timeoutMs"], execution["timeoutMs"]);
    assert_eq!(plan["actionCount"], 1);
}

fn shown(execution: &Value) -> String {
    let text = |key: &str| execution[key].as_str().unwrap_or("-").to_owned();
    let action = &execution["actions"][0];
    format!(
        "{} {} {} {} {}\n{}",
        text("commandId"),
        text("taskId"),
        text("source"),
        text("mode"),
        execution["timeoutMs"],
        action
    )
}

#[test]
fn snapshot_and_screenshot() {
    check(
        &["snapshot"],
        expect![[r#"
        snapshot-<ms>-<rand> snapshot-<ms>-<rand> clawperator-observe direct 30000
        {"id":"snap","type":"snapshot_ui"}"#]],
    );
    check(
        &["observe", "snapshot", "--timeout", "5000"],
        expect![[r#"
        snapshot-<ms>-<rand> snapshot-<ms>-<rand> clawperator-observe direct 5000
        {"id":"snap","type":"snapshot_ui"}"#]],
    );
    check(
        &["screenshot"],
        expect![[r#"
        screenshot-<ms>-<rand> screenshot-<ms>-<rand> clawperator-observe - 30000
        {"id":"snap","type":"take_screenshot","params":{}}"#]],
    );
    check(
        &[
            "observe",
            "screenshot",
            "--path",
            "a b.png",
            "--timeout=9000.5",
        ],
        expect![[r#"
        screenshot-<ms>-<rand> screenshot-<ms>-<rand> clawperator-observe - 9000.5
        {"id":"snap","type":"take_screenshot","params":{"path":"a b.png"}}"#]],
    );
}

#[test]
fn click() {
    check(
        &["click", "--text", "Wi-Fi"],
        expect![[r#"
        click-<ms>-<rand> click-<ms>-<rand> clawperator-action direct 30000
        {"id":"click","type":"click","params":{"matcher":{"textEquals":"Wi-Fi"}}}"#]],
    );
    check(
        &[
            "tap",
            "--role",
            "button",
            "--desc-contains",
            "sign",
            "--long",
        ],
        expect![[r#"
        click-<ms>-<rand> click-<ms>-<rand> clawperator-action direct 30000
        {"id":"click","type":"click","params":{"matcher":{"role":"button","contentDescContains":"sign"},"clickType":"long_click"}}"#]],
    );
    check(
        &[
            "click",
            "--id",
            "a:id/b",
            "--focus",
            "--container-role",
            "list",
        ],
        expect![[r#"
        click-<ms>-<rand> click-<ms>-<rand> clawperator-action direct 30000
        {"id":"click","type":"click","params":{"matcher":{"resourceId":"a:id/b"},"clickType":"focus","container":{"role":"list"}}}"#]],
    );
    check(
        &["click", "--coordinate", "100,16", "--long"],
        expect![[r#"
        click-<ms>-<rand> click-<ms>-<rand> clawperator-action direct 30000
        {"id":"click","type":"click","params":{"coordinate":{"x":100,"y":16},"clickType":"long_click"}}"#]],
    );
    check(
        &["click", "--coordinate", "1e2", "0x10", "--long"],
        expect![[r#"
        click-<ms>-<rand> click-<ms>-<rand> clawperator-action direct 30000
        {"id":"click","type":"click","params":{"coordinate":{"x":100,"y":16},"clickType":"long_click"}}"#]],
    );
    check(
        &[
            "click",
            "--selector",
            r#"{"text":"a","content_desc":"b"}"#,
            "--timeout",
            "5000",
        ],
        expect![[r#"
            click-<ms>-<rand> click-<ms>-<rand> clawperator-action direct 5000
            {"id":"click","type":"click","params":{"matcher":{"textEquals":"a","contentDescEquals":"b"}}}"#]],
    );
}

#[test]
fn open() {
    check(
        &["open", "com.android.settings"],
        expect![[r#"
        open_app_<ms> cli-action-open-app clawperator-cli - 15000
        {"id":"a1","type":"open_app","params":{"applicationId":"com.android.settings"}}"#]],
    );
    check(
        &["open-url", "https://example.com/?q=1"],
        expect![[r#"
        open_uri_<ms> cli-action-open-uri clawperator-cli - 15000
        {"id":"a1","type":"open_uri","params":{"uri":"https://example.com/?q=1"}}"#]],
    );
    check(
        &["open", "mailto:a@b.c"],
        expect![[r#"
        open_uri_<ms> cli-action-open-uri clawperator-cli - 15000
        {"id":"a1","type":"open_uri","params":{"uri":"mailto:a@b.c"}}"#]],
    );
    check(
        &["open", "--app", "tel:app"],
        expect![[r#"
        open_app_<ms> cli-action-open-app clawperator-cli - 15000
        {"id":"a1","type":"open_app","params":{"applicationId":"tel:app"}}"#]],
    );
    check(
        &["open", "--uri", "example.com", "--timeout", "20000"],
        expect![[r#"
        open_uri_<ms> cli-action-open-uri clawperator-cli - 20000
        {"id":"a1","type":"open_uri","params":{"uri":"example.com"}}"#]],
    );
}

#[test]
fn enter_text() {
    check(
        &["type", "hello world", "--role", "textfield"],
        expect![[r#"
        type-<ms>-<rand> type-<ms>-<rand> clawperator-action direct 30000
        {"id":"type","type":"enter_text","params":{"matcher":{"role":"textfield"},"text":"hello world","submit":false,"clear":true}}"#]],
    );
    check(
        &["fill", "--text", "a", "--id", "x", "--submit", "--clear"],
        expect![[r#"
        type-<ms>-<rand> type-<ms>-<rand> clawperator-action direct 30000
        {"id":"type","type":"enter_text","params":{"matcher":{"resourceId":"x"},"text":"a","submit":true,"clear":true}}"#]],
    );
    check(
        &["type", "-5", "--id", "x", "--append"],
        expect![[r#"
        type-<ms>-<rand> type-<ms>-<rand> clawperator-action direct 30000
        {"id":"type","type":"enter_text","params":{"matcher":{"resourceId":"x"},"text":"-5","submit":false,"clear":false}}"#]],
    );
    check(
        &["type", "--id", "x", "--validate", "--", "--json"],
        expect![[r#"
        type-<ms>-<rand> type-<ms>-<rand> clawperator-action direct 30000
        {"id":"type","type":"enter_text","params":{"matcher":{"resourceId":"x"},"text":"--json","submit":false,"clear":true}}"#]],
    );
}

#[test]
fn read_and_read_value() {
    check(
        &["read", "--text-contains", "Order"],
        expect![[r#"
        read-<ms>-<rand> read-<ms>-<rand> clawperator-action direct 30000
        {"id":"read","type":"read_text","params":{"matcher":{"textContains":"Order"}}}"#]],
    );
    check(
        &[
            "read",
            "--text",
            "P",
            "--container-id",
            "l",
            "--all",
            "--json",
        ],
        expect![[r#"
        read-<ms>-<rand> read-<ms>-<rand> clawperator-action direct 30000
        {"id":"read","type":"read_text","params":{"matcher":{"textEquals":"P"},"container":{"resourceId":"l"},"all":true}}"#]],
    );
    check(
        &["read-value", "--label", "Battery"],
        expect![[r#"
        read-value-<ms>-<rand> read-value-<ms>-<rand> clawperator-action direct 30000
        {"id":"read-value","type":"read_key_value_pair","params":{"labelMatcher":{"textEquals":"Battery"}}}"#]],
    );
    check(
        &[
            "read-kv",
            "--label-text=B",
            "--resource-id",
            "i",
            "--content-desc",
            "d",
            "--all",
            "--json",
        ],
        expect![[r#"
            read-value-<ms>-<rand> read-value-<ms>-<rand> clawperator-action direct 30000
            {"id":"read-value","type":"read_key_value_pair","params":{"labelMatcher":{"resourceId":"i","textEquals":"B","contentDescEquals":"d"},"all":true}}"#]],
    );
    check(
        &["read-value", "--desc", "d", "--timeout", "45000"],
        expect![[r#"
        read-value-<ms>-<rand> read-value-<ms>-<rand> clawperator-action direct 45000
        {"id":"read-value","type":"read_key_value_pair","params":{"labelMatcher":{"contentDescEquals":"d"}}}"#]],
    );
}

#[test]
fn wait_and_wait_for_nav() {
    check(
        &["wait", "--text", "Done"],
        expect![[r#"
        wait-<ms>-<rand> wait-<ms>-<rand> clawperator-action direct 30000
        {"id":"wait","type":"wait_for_node","params":{"matcher":{"textEquals":"Done"}}}"#]],
    );
    check(
        &["wait", "--text", "Done", "--timeout", "40000"],
        expect![[r#"
        wait-<ms>-<rand> wait-<ms>-<rand> clawperator-action direct 45000
        {"id":"wait","type":"wait_for_node","params":{"matcher":{"textEquals":"Done"},"timeoutMs":40000}}"#]],
    );
    check(
        &["wait", "--text", "Done", "--timeout", "120000"],
        expect![[r#"
        wait-<ms>-<rand> wait-<ms>-<rand> clawperator-action direct 120000
        {"id":"wait","type":"wait_for_node","params":{"matcher":{"textEquals":"Done"},"timeoutMs":120000}}"#]],
    );
    check(
        &["wait-for-nav", "--app", "a.b", "--timeout", "5000"],
        expect![[r#"
        wait-for-nav-<ms>-<rand> wait-for-nav-<ms>-<rand> clawperator-action direct 30000
        {"id":"wait-for-nav","type":"wait_for_navigation","params":{"expectedPackage":"a.b","timeoutMs":5000}}"#]],
    );
    check(
        &[
            "wait-for-navigation",
            "--text",
            "x",
            "--timeout-ms",
            "30000",
        ],
        expect![[r#"
        wait-for-nav-<ms>-<rand> wait-for-nav-<ms>-<rand> clawperator-action direct 35000
        {"id":"wait-for-nav","type":"wait_for_navigation","params":{"expectedNode":{"textEquals":"x"},"timeoutMs":30000}}"#]],
    );
}

#[test]
fn press_back_close_sleep() {
    check(
        &["press", "Home"],
        expect![[r#"
        press_key_<ms> cli-action-press-key clawperator-cli - 10000
        {"id":"a1","type":"press_key","params":{"key":"home"}}"#]],
    );
    check(
        &["press-key", "--key", "back", "--timeout", "1000"],
        expect![[r#"
        press_key_<ms> cli-action-press-key clawperator-cli - 1000
        {"id":"a1","type":"press_key","params":{"key":"back"}}"#]],
    );
    check(
        &["back"],
        expect![[r#"
        press_key_<ms> cli-action-press-key clawperator-cli - 10000
        {"id":"a1","type":"press_key","params":{"key":"back"}}"#]],
    );
    check(
        &["close", "a.b"],
        expect![[r#"
        close-<ms>-<rand> close-<ms>-<rand> clawperator-cli - 30000
        {"id":"close","type":"close_app","params":{"applicationId":"a.b"}}"#]],
    );
    check(
        &["close-app", "--app", "a.b", "--timeout", "60000"],
        expect![[r#"
        close-<ms>-<rand> close-<ms>-<rand> clawperator-cli - 60000
        {"id":"close","type":"close_app","params":{"applicationId":"a.b"}}"#]],
    );
    check(
        &["sleep", "1500"],
        expect![[r#"
        sleep-<ms>-<rand> sleep-<ms>-<rand> clawperator-cli - 30000
        {"id":"sleep","type":"sleep","params":{"durationMs":1500}}"#]],
    );
    check(
        &["sleep", "120000"],
        expect![[r#"
        sleep-<ms>-<rand> sleep-<ms>-<rand> clawperator-cli - 120000
        {"id":"sleep","type":"sleep","params":{"durationMs":120000}}"#]],
    );
    check(
        &["sleep", "0.5", "--timeout", "70000"],
        expect![[r#"
        sleep-<ms>-<rand> sleep-<ms>-<rand> clawperator-cli - 70000
        {"id":"sleep","type":"sleep","params":{"durationMs":0.5}}"#]],
    );
}

#[test]
fn scroll() {
    check(
        &["scroll", "down"],
        expect![[r#"
        scroll-<ms>-<rand> cli-action-scroll clawperator-cli - 30000
        {"id":"a1","type":"scroll","params":{"direction":"down"}}"#]],
    );
    check(
        &[
            "scroll",
            "--direction",
            "left",
            "--container-text",
            "a",
            "--timeout",
            "5000",
        ],
        expect![[r#"
            scroll-<ms>-<rand> cli-action-scroll clawperator-cli - 5000
            {"id":"a1","type":"scroll","params":{"container":{"textEquals":"a"},"direction":"left"}}"#]],
    );
    check(
        &["scroll-until", "--text", "About phone"],
        expect![[r#"
        scroll-until-<ms>-<rand> scroll-until-<ms>-<rand> clawperator-cli - 30000
        {"id":"a1","type":"scroll_until","params":{"matcher":{"textEquals":"About phone"},"direction":"down"}}"#]],
    );
    check(
        &["scroll-until", "--click", "up", "--text", "x"],
        expect![[r#"
        scroll-until-<ms>-<rand> scroll-until-<ms>-<rand> clawperator-cli - 30000
        {"id":"a1","type":"scroll_and_click","params":{"matcher":{"textEquals":"x"},"direction":"up","clickAfter":true}}"#]],
    );
    check(
        &[
            "scroll-and-click",
            "--text",
            "x",
            "--container-id",
            "android:id/list",
        ],
        expect![[r#"
            scroll-until-<ms>-<rand> scroll-until-<ms>-<rand> clawperator-cli - 30000
            {"id":"a1","type":"scroll_and_click","params":{"matcher":{"textEquals":"x"},"container":{"resourceId":"android:id/list"},"direction":"down","clickAfter":true}}"#]],
    );
    check(
        &[
            "scroll-and-click",
            "--click",
            "--id",
            "x",
            "--direction",
            "right",
        ],
        expect![[r#"
        scroll-until-<ms>-<rand> scroll-until-<ms>-<rand> clawperator-cli - 30000
        {"id":"a1","type":"scroll_and_click","params":{"matcher":{"resourceId":"x"},"direction":"right","clickAfter":true}}"#]],
    );
}
