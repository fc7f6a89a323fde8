//! Plans of the engine on real widgets.

use std::path::PathBuf;

use contract::Execution;
use engine::Artifacts;
use serde_json::{Value, json};

use crate::harness::{Harness, Process};

/// Keeps nothing.
struct NoFiles;

impl Artifacts for NoFiles {
    fn upload(&self, path: &str) -> Result<PathBuf, String> {
        Err(path.to_owned())
    }

    fn keep_screenshot(&mut self, path: Option<&str>, _: &[u8]) -> Result<String, String> {
        Ok(path.unwrap_or("screenshot.png").to_owned())
    }
}

/// Runs a plan, whose top-level keys the options override; its result.
pub(crate) async fn execute(
    harness: &mut Harness,
    actions: Value,
    options: Option<Value>,
) -> Value {
    let mut payload = testkit::plan("cmd", actions);
    payload["timeoutMs"] = 120_000.into();
    payload["observe"] = "diff".into();
    let options = options.as_ref().and_then(Value::as_object);
    for (key, value) in options.into_iter().flatten() {
        payload[key] = value.clone();
    }
    let execution = Execution::from_value(&payload).unwrap().execution;
    let cx = harness.cx.clone();
    let report = engine::run(
        &mut harness.driver,
        &execution,
        &mut NoFiles,
        &cx,
        &mut |_| {},
    )
    .await;
    let envelope = report.outcome.unwrap_or_else(|error| panic!("{error:?}"));
    serde_json::to_value(envelope).unwrap()
}

/// Runs a plan; the data of its steps, all of which must succeed.
async fn run(harness: &mut Harness, actions: Value) -> Vec<Value> {
    let answer = execute(harness, actions, None).await;
    assert_eq!(answer["status"], "success", "{answer:#}");
    let steps = answer["stepResults"].as_array().unwrap();
    steps.iter().map(|step| step["data"].clone()).collect()
}

fn click(text: &str) -> Value {
    json!({ "id": format!("click-{}", text.to_lowercase().replace(' ', "-")), "type": "click",
        "params": { "matcher": { "textEquals": text } } })
}

/// Waits until the app says something.
fn says(text: &str) -> Value {
    json!({ "id": format!("says-{}", text.replace(' ', "-")), "type": "wait_for_node",
        "params": { "matcher": { "resourceId": "android:id/title", "textEquals": text } } })
}

pub(crate) async fn controls(process: &mut Process) {
    println!("plans");
    let mut harness = process.show("screen controls").await;
    // A click is one click, and text is read back from the field.
    run(
        &mut harness,
        json!([
            click("Tap"),
            says("tapped 1"),
            click("Tap"),
            says("tapped 2")
        ]),
    )
    .await;
    let typed = json!([
        { "id": "name", "type": "enter_text", "params": {
            "matcher": { "resourceId": "android:id/edit" }, "text": "größer 漢字 😀", "submit": true } },
        says("submitted größer 漢字 😀"),
        { "id": "more", "type": "enter_text", "params": {
            "matcher": { "resourceId": "android:id/edit" }, "text": "anew", "clear": true } },
        { "id": "read", "type": "read_text", "params": { "matcher": { "resourceId": "android:id/edit" } } },
    ]);
    let steps = run(&mut harness, typed).await;
    assert_eq!(steps[0]["verified"], "true", "{steps:?}");
    assert_eq!(steps[3]["text"], "anew", "{steps:?}");
    // What happens by itself is waited for.
    let steps = run(&mut harness, json!([click("Later"), says("later")])).await;
    assert_eq!(steps.len(), 2);
    // A dialog is a window in front of the screen, and so is a menu. Older themes leave the case of buttons as it is.
    let upper_case = process.sdk >= 26;
    let dialog = json!([
        click("Open"),
        click(if upper_case { "NO" } else { "No" }),
        says("no"),
        click("Tap"),
        says("tapped 3")
    ]);
    run(&mut harness, dialog).await;
    let menu = json!([click("Menu"), click("Delete"), says("chose Delete")]);
    run(&mut harness, menu).await;
}

pub(crate) async fn long_lists(process: &mut Process) {
    println!("plans in long lists");
    // The row is far down in a list that recycles its rows, and it is the one that is clicked.
    for (screen, row) in process.long_lists() {
        let mut harness = process.show(&format!("screen {screen}")).await;
        let target = format!("{row} 70");
        let seek = json!([
            { "id": "seek", "type": "scroll_until", "params": {
                "matcher": { "textEquals": target }, "maxScrolls": 40, "maxDurationMs": 100_000 } },
            { "id": "row", "type": "read_text", "params": { "matcher": { "textEquals": target } } },
        ]);
        let steps = run(&mut harness, seek).await;
        assert_eq!(steps[0]["termination_reason"], "TARGET_FOUND", "{steps:?}");
        // The list of Android 6 returns to its start in the harness when it is touched.
        if *screen == "list" && process.sdk >= 26 {
            run(&mut harness, json!([click(&target), says("row 70")])).await;
        }
    }
}

/// What real views do with touches, and what they refuse.
pub(crate) async fn touches(process: &mut Process) {
    println!("touches");
    // A text that is longer than its scroll view fills it at every position.
    let mut harness = process.show("screen terms").await;
    let scroll = |id: &str, direction: &str| json!({ "id": id, "type": "scroll", "params": { "direction": direction } });
    let read = json!([
        scroll("top", "up"),
        scroll("down", "down"),
        scroll("further", "down"),
        { "id": "end", "type": "scroll_until", "params": { "maxScrolls": 40, "maxDurationMs": 100_000 } },
        scroll("bottom", "down"),
        scroll("back", "up"),
    ]);
    let steps = run(&mut harness, read).await;
    let outcomes = [0, 1, 2, 4, 5].map(|step| &steps[step]["scroll_outcome"]);
    assert_eq!(
        outcomes,
        ["edge_reached", "moved", "moved", "edge_reached", "moved"],
        "{steps:?}"
    );
    assert_eq!(steps[3]["termination_reason"], "EDGE_REACHED", "{steps:?}");
    drop(harness);

    // A screen that never rests does not hold anything up.
    let mut harness = process.show("screen restless").await;
    let read = json!([
        { "id": "title", "type": "read_text", "params": { "matcher": { "resourceId": "android:id/title" } } },
        { "id": "snap", "type": "snapshot_ui" },
    ]);
    let steps = run(&mut harness, read).await;
    assert_eq!(steps[0]["text"], "restless", "{steps:?}");
    drop(harness);

    // A horizontal scroll view that still moves takes a press for its stop.
    let mut harness = process.show("screen strip").await;
    let end = json!([
        { "id": "end", "type": "scroll_until", "params": { "direction": "right", "matcher": { "textEquals": "Item 12" } } },
        click("Item 12"),
        says("chose Item 12"),
        { "id": "back", "type": "scroll_until", "params": { "direction": "left" } },
        click("Item 1"),
        says("chose Item 1"),
    ]);
    let steps = run(&mut harness, end).await;
    assert_eq!(steps[1]["effect"], "observed", "{steps:#?}");
    assert_eq!(steps[4]["effect"], "observed", "{steps:#?}");
    drop(harness);

    // A list keeps the touches that begin on it from the view around it.
    let mut harness = process.show("screen nested").await;
    let around = json!([
        { "id": "bottom", "type": "scroll_until", "params": { "matcher": { "textEquals": "Line 30" } } },
        { "id": "top", "type": "scroll_until", "params": { "direction": "up", "matcher": { "textEquals": "Top" } } },
    ]);
    let steps = run(&mut harness, around).await;
    assert_eq!(steps[1]["termination_reason"], "TARGET_FOUND", "{steps:#?}");
    drop(harness);

    // A disabled button says what to do about it.
    let mut harness = process.show("screen form").await;
    let save = json!([{ "id": "save", "type": "click", "params": {
        "matcher": { "textEquals": "SAVE" }, "retry": { "maxAttempts": 1 } } }]);
    let refused = execute(&mut harness, save, None).await;
    assert_eq!(refused["errorCode"], "NODE_NOT_CLICKABLE", "{refused:#}");
    let hint = refused["hint"].as_str().unwrap();
    assert!(
        hint.contains("enabled") && !hint.contains("covers"),
        "{hint}"
    );
}
