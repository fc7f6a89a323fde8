//! Phones with a dark or locked screen, or that reject input: every step reports it, and `wake` helps if possible.

use contract::ErrorCode;
use serde_json::{Value, json};
use service::{Options, Service};

use crate::scripted::{Change, Scripted};
use crate::{execute, plan};

const ASLEEP: &str = "  mWakefulness=Asleep\n--clawperator--\n    KeyguardServiceDelegate\n      showing=true\n      secure=false\n";
const LOCK_SCREEN: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" \
                           text=\"12:00\" class=\"android.widget.TextView\" package=\"com.android.systemui\" bounds=\"[0,0][100,200]\" /></hierarchy>";
/// The message of a phone that rejects input while its screen is off.
const GUARD: &str = "grep -qE 'mWakefulness";

fn snapshot() -> Value {
    json!([{"id": "s", "type": "snapshot_ui"}])
}

fn click(matcher: Value) -> Value {
    let retry = json!({"maxAttempts": 1});
    json!([{"id": "c", "type": "click", "params": {"matcher": matcher, "retry": retry}}])
}

fn tap() -> Value {
    json!([{"id": "t", "type": "click", "params": {"coordinate": {"x": 50, "y": 50}}}])
}

fn key() -> Value {
    json!([{"id": "k", "type": "press_key", "params": {"key": "home"}}])
}

/// Sets what the phone reports about its screen, also in the combined commands for screenshots and the screen size.
fn is(phone: &Scripted, state: &str) {
    phone.set_answer("dumpsys power", state, 0);
    for command in ["screencap", "wm size; dumpsys"] {
        phone.set_answer(command, &format!("{state}--clawperator--\n"), 0);
    }
}

/// A plan for each kind of step that reads the screen, touches it, or changes what it shows.
fn every_step() -> Vec<Value> {
    let one = |kind: &str, params: Value| json!([{"id": "o", "type": kind, "params": params}]);
    let hi = json!({"textEquals": "Hi"});
    let once = json!({"maxAttempts": 1});
    vec![
        snapshot(),
        click(hi.clone()),
        tap(),
        key(),
        one("take_screenshot", json!({"retry": once})),
        one(
            "wait_for_navigation",
            json!({"expectedPackage": "com.x", "timeoutMs": 300}),
        ),
        one("wait_for_node", json!({"matcher": hi, "timeoutMs": 300})),
        one("read_text", json!({"matcher": hi, "retry": once})),
        one(
            "read_text",
            json!({"matcher": hi, "all": true, "retry": once}),
        ),
        one(
            "enter_text",
            json!({"matcher": hi, "text": "x", "retry": once}),
        ),
        one("scroll", json!({"direction": "down", "retry": once})),
        one("scroll_until", json!({"direction": "down", "matcher": hi})),
        one("open_app", json!({"applicationId": "com.x", "retry": once})),
        one(
            "open_uri",
            json!({"uri": "https://example.com", "retry": once}),
        ),
    ]
}

/// Runs a plan that must fail with this code and its hint.
async fn fails(service: &Service, actions: Value, code: ErrorCode) {
    let answer = execute(service, Some("X"), plan("c", actions.clone())).await;
    let answer = answer.unwrap();
    let envelope = &answer["envelope"];
    assert_eq!(envelope["errorCode"], code.as_str(), "{actions} {answer:#}");
    assert_eq!(envelope["hint"], code.hint(), "{answer:#}");
}

#[tokio::test]
async fn every_step_on_a_dark_phone_reports_the_screen_off() {
    let phone = Scripted::phone().await;
    is(&phone, ASLEEP);
    phone.set_answer(GUARD, "clawperator-screen-off\n", 1);
    phone.set_answer(
        "uiautomator dump",
        "ERROR: null root node returned by UiTestAutomationBridge.",
        0,
    );
    let service = phone.service();
    for actions in every_step() {
        fails(&service, actions, ErrorCode::DeviceScreenOff).await;
    }
    assert!(!phone.was_asked("input tap") && !phone.was_asked("am start"));
    // The power key still works.
    let power = json!([{"id": "p", "type": "press_key", "params": {"key": "power"}}]);
    let answer = execute(&service, Some("X"), plan("c", power)).await;
    assert_eq!(answer.unwrap()["envelope"]["status"], "success");
}

#[tokio::test]
async fn lock_screen_is_not_reported_as_the_app_screen() {
    let phone = Scripted::phone().await;
    let locked = ASLEEP
        .replace("Asleep", "Awake")
        .replace("secure=false", "secure=true");
    is(&phone, &locked);
    phone.set_answer("uiautomator dump", LOCK_SCREEN, 0);
    let service = phone.service();
    for actions in every_step() {
        fails(&service, actions, ErrorCode::DeviceLocked).await;
    }
    assert!(!phone.was_asked("input ") && !phone.was_asked("am start"));
    // Without a lock screen, the same window is the notification shade.
    is(&phone, &locked.replace("showing=true", "showing=false"));
    phone.set_answer("uiautomator dump", LOCK_SCREEN, 0);
    let answer = execute(&service, Some("X"), plan("c", snapshot())).await;
    assert_eq!(answer.unwrap()["envelope"]["status"], "success");
}

#[tokio::test]
async fn every_step_reports_denied_input() {
    let output = "java.lang.SecurityException: Injecting input events requires the caller to have the INJECT_EVENTS permission.";
    let phone = Scripted::phone().await;
    let service = phone.service();
    for status in [255, 0] {
        // The command that touches differs from the one that reads the screen state.
        phone.set_answer(GUARD, output, status);
        phone.set_answer("input ", output, status);
        for actions in [tap(), key()] {
            fails(&service, actions, ErrorCode::DeviceInputDenied).await;
        }
    }
}

#[tokio::test]
async fn wake_turns_the_screen_on_and_dismisses_a_lock_without_a_secret() {
    let phone = Scripted::phone().await;
    phone.set_answer("dumpsys power", ASLEEP, 0);
    phone.set_answer("wm dismiss-keyguard", "", 0);
    let awake = ASLEEP.replace("Asleep", "Awake");
    let say = |output: &str| Change::Say("dumpsys power".to_owned(), output.to_owned());
    phone.then("KEYCODE_WAKEUP", say(&awake));
    phone.then("dismiss-keyguard", say(&awake.replace("=true", "=false")));
    let service = Service::new(Options {
        wake: true,
        ..phone.options()
    });
    let answer = execute(&service, Some("X"), plan("c", snapshot())).await;
    assert_eq!(answer.unwrap()["envelope"]["status"], "success");
    assert!(phone.was_asked("KEYCODE_WAKEUP") && phone.was_asked("dismiss-keyguard"));
}

#[tokio::test]
async fn wake_leaves_a_lock_with_a_secret() {
    let phone = Scripted::phone().await;
    let locked = ASLEEP.replace("secure=false", "secure=true");
    phone.set_answer("dumpsys power", &locked, 0);
    phone.set_answer("uiautomator dump", LOCK_SCREEN, 0);
    let awake = Change::Say(
        "dumpsys power".to_owned(),
        locked.replace("Asleep", "Awake"),
    );
    phone.then("KEYCODE_WAKEUP", awake);
    let service = Service::new(Options {
        wake: true,
        ..phone.options()
    });
    fails(&service, snapshot(), ErrorCode::DeviceLocked).await;
    assert!(!phone.was_asked("dismiss-keyguard"));
}

#[tokio::test]
async fn dump_without_a_window_reports_the_screen_off() {
    let phone = Scripted::phone().await;
    let none = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"></hierarchy>";
    phone.set_answer("uiautomator dump", none, 0);
    phone.set_answer("dumpsys power", ASLEEP, 0);
    let service = phone.service();
    fails(&service, snapshot(), ErrorCode::DeviceScreenOff).await;
    // With the screen on, everything works again.
    phone.set_answer(
        "dumpsys power",
        &ASLEEP.replace("Asleep", "Awake").replace("=true", "=false"),
        0,
    );
    fails(&service, snapshot(), ErrorCode::SnapshotExtractionFailed).await;
}
