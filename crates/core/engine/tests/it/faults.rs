//! Runs on a device that fails some of its calls.

use std::collections::VecDeque;
use std::time::Duration;

use async_trait::async_trait;
use contract::Execution;
use driver::{
    ActOutcome, Cx, DeviceInfo, Dispatch, Driver, DriverError, Gesture, Image, Key, NodeAct,
    NodeRef, Observation, OpenOutcome, Orientation, Recording, RecordingError, Result, Revision,
    Target,
};
use driver_sim::SimDriver;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::phone::{Album, json_of, phone, plan, run};

const FORM: &str = "
app: com.example.form
label: Form
start: home
state: { name: \"\", sent: 0 }
data: { numbers: { repeat: 60, item: { n: \"= n\" } } }
screens:
  home:
    title: Form
    body:
      - field: { id: name, bind: name, action: send }
      - button: { text: Send, id: send, on_click: { set: { sent: \"= sent + 1\" } } }
      - text: \"{sent} times\"
        id: sent
      - list: { id: list, items: numbers, row: [ { item: \"Row {n}\" } ] }
";

/// A phone that refuses some of its calls, in order, and records the calls made.
struct FaultyPhone {
    phone: SimDriver,
    faults: VecDeque<(&'static str, DriverError)>,
    /// Faults that begin after a call of this name.
    later: Option<(&'static str, Vec<(&'static str, DriverError)>)>,
    calls: Vec<&'static str>,
    /// Whether it ignores texts for the clipboard.
    keeps_clipboard: bool,
}

impl FaultyPhone {
    async fn with(faults: impl IntoIterator<Item = (&'static str, DriverError)>) -> Self {
        let mut phone = phone([FORM].into_iter());
        let open = json!([{"id": "open", "type": "open_app",
            "params": {"applicationId": "com.example.form"}}]);
        assert_eq!(
            json_of(&run(&mut phone, &plan(open, None)).await)["status"],
            "success"
        );
        Self {
            phone,
            faults: faults.into_iter().collect(),
            later: None,
            calls: Vec::new(),
            keeps_clipboard: false,
        }
    }

    /// Plans faults that begin after the first call of `name`.
    fn after(
        &mut self,
        name: &'static str,
        faults: impl Iterator<Item = (&'static str, DriverError)>,
    ) {
        self.later = Some((name, faults.collect()));
    }

    fn call(&mut self, name: &'static str) -> Result<()> {
        self.calls.push(name);
        if let Some((_, faults)) = self.later.take_if(|(trigger, _)| *trigger == name) {
            self.faults.extend(faults);
            return Ok(());
        }
        match self.faults.front() {
            Some((next, _)) if *next == name => match self.faults.pop_front() {
                Some((_, fault)) => Err(fault),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn calls(&self, name: &str) -> usize {
        self.calls.iter().filter(|call| **call == name).count()
    }

    async fn run(&mut self, execution: &Execution) -> Value {
        let cx = Cx::new(Duration::from_secs(120), CancellationToken::new());
        let report = engine::run(self, execution, &mut Album::default(), &cx, &mut |_| {}).await;
        json_of(&report)
    }

    /// Runs one step and returns its result; every planned fault must have occurred.
    async fn step(&mut self, kind: &str, params: Value) -> Value {
        let actions = json!([{"id": "step", "type": kind, "params": params}]);
        let answer = self.run(&plan(actions, None)).await;
        assert!(self.faults.is_empty(), "{:?}: {answer:#}", self.faults);
        answer["stepResults"][0].clone()
    }
}

#[async_trait]
impl Driver for FaultyPhone {
    fn info(&self) -> &DeviceInfo {
        self.phone.info()
    }

    async fn observe(&mut self, cx: &Cx) -> Result<Observation> {
        self.call("observe")?;
        self.phone.observe(cx).await
    }

    async fn screenshot(&mut self, cx: &Cx) -> Result<Image> {
        self.call("screenshot")?;
        self.phone.screenshot(cx).await
    }

    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<ActOutcome> {
        self.call(match act {
            NodeAct::Submit => "submit",
            _ => "act",
        })?;
        self.phone.act(cx, node, act).await
    }

    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()> {
        self.call("touch")?;
        self.phone.touch(cx, gesture).await
    }

    async fn key(&mut self, cx: &Cx, key: Key) -> Result<ActOutcome> {
        self.call("key")?;
        self.phone.key(cx, key).await
    }

    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<OpenOutcome> {
        self.call("open")?;
        self.phone.open(cx, target).await
    }

    async fn close(&mut self, cx: &Cx, app: &str) -> Result<()> {
        self.call("close")?;
        self.phone.close(cx, app).await
    }

    async fn set_orientation(&mut self, cx: &Cx, orientation: Orientation) -> Result<()> {
        self.call("set orientation")?;
        self.phone.set_orientation(cx, orientation).await
    }

    async fn clipboard(&mut self, cx: &Cx) -> Result<String> {
        self.call("clipboard")?;
        self.phone.clipboard(cx).await
    }

    async fn set_clipboard(&mut self, cx: &Cx, text: &str) -> Result<()> {
        self.call("set clipboard")?;
        if self.keeps_clipboard {
            return Ok(());
        }
        self.phone.set_clipboard(cx, text).await
    }

    async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<()> {
        self.phone.changed(cx, since).await
    }

    async fn start_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        self.call("start")?;
        self.phone.start_recording(cx, session).await
    }

    async fn stop_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        self.call("stop")?;
        self.phone.stop_recording(cx, session).await
    }
}

fn refused() -> DriverError {
    DriverError::Refused("not now".to_owned())
}

fn send() -> Value {
    json!({"matcher": {"textEquals": "Send"}})
}

#[tokio::test(start_paused = true)]
async fn lost_device_ends_plan_and_nothing_is_sent_twice() {
    for dispatch in [Dispatch::NotSent, Dispatch::Sent, Dispatch::Unknown] {
        let lost = DriverError::Lost {
            message: "the cable came off".to_owned(),
            dispatch,
        };
        let mut device = FaultyPhone::with([("act", lost)]).await;
        let actions = json!([
            {"id": "wait", "type": "wait_for_node", "params": send()},
            {"id": "send", "type": "click", "params": send()},
            {"id": "again", "type": "click", "params": send()},
        ]);
        let execution = plan(actions, Some(json!({"onFailure": "continue"})));
        let answer = device.run(&execution).await;
        let steps = answer["stepResults"].as_array().unwrap();
        assert_eq!(steps.len(), 2, "{answer:#}");
        assert_eq!(answer["errorCode"], "DEVICE_LOST");
        assert_eq!(steps[1]["data"]["error"], "DEVICE_LOST");
        assert_eq!(steps[1]["data"]["dispatch"], dispatch.as_str());
        assert_eq!(
            steps[1]["data"]["message"],
            "the device was lost: the cable came off"
        );
        assert_eq!(device.calls("act"), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn stale_node_is_looked_up_again() {
    let mut device = FaultyPhone::with([("act", DriverError::Stale)]).await;
    let step = device.step("click", send()).await;
    assert_eq!(step["success"], true, "{step:#}");
    assert_eq!(device.calls("act"), 2);

    let stale = || ("act", DriverError::Stale);
    let mut device = FaultyPhone::with([stale(), stale()]).await;
    let params = json!({"matcher": {"textEquals": "Send"}, "retry": {"maxAttempts": 2}});
    let step = device.step("click", params).await;
    assert_eq!(step["data"]["error"], "NODE_STALE", "{step:#}");
}

#[tokio::test(start_paused = true)]
async fn refused_click_is_not_clickable() {
    let mut device = FaultyPhone::with([("act", refused())]).await;
    let params = json!({"matcher": {"textEquals": "Send"}, "retry": {"maxAttempts": 1}});
    let step = device.step("click", params).await;
    assert_eq!(step["data"]["error"], "NODE_NOT_CLICKABLE", "{step:#}");
    assert_eq!(step["data"]["message"], "the device refused: not now");
}

#[tokio::test(start_paused = true)]
async fn refused_observation_is_no_gesture() {
    let retry = json!({"maxAttempts": 1});
    let click = json!({"matcher": {"textEquals": "Send"}, "retry": retry});
    for (action, params, code) in [
        (
            "snapshot_ui",
            json!({"retry": retry}),
            "SNAPSHOT_EXTRACTION_FAILED",
        ),
        ("click", click, "SCREEN_UNAVAILABLE"),
    ] {
        let mut device = FaultyPhone::with([("observe", refused())]).await;
        let step = device.step(action, params).await;
        assert_eq!(step["data"]["error"], code, "{step:#}");
        assert_eq!(step["data"]["message"], "the device refused: not now");
    }
}

#[tokio::test(start_paused = true)]
async fn refused_tap_is_retried_by_policy() {
    let point = json!({"coordinate": {"x": 540, "y": 1200}});
    let mut device = FaultyPhone::with([("touch", refused())]).await;
    let mut params = point.clone();
    params["retry"] = json!({"maxAttempts": 1});
    let step = device.step("click", params).await;
    assert_eq!(step["data"]["error"], "GESTURE_FAILED", "{step:#}");

    let mut device = FaultyPhone::with([("touch", refused())]).await;
    let mut params = point;
    params["retry"] = json!({"maxAttempts": 2, "initialDelayMs": 300});
    let step = device.step("click", params).await;
    assert_eq!(step["success"], true, "{step:#}");
    assert_eq!(step["data"]["elapsed_ms"], "300");
}

#[tokio::test(start_paused = true)]
async fn refused_key_is_retried_only_if_requested() {
    let mut device = FaultyPhone::with([("key", refused())]).await;
    let step = device.step("press_key", json!({"key": "back"})).await;
    assert_eq!(step["data"]["error"], "GLOBAL_ACTION_FAILED", "{step:#}");
    assert_eq!(step["data"]["key"], "back");
    assert_eq!(device.calls("key"), 1);

    let mut device = FaultyPhone::with([("key", refused())]).await;
    let retry = json!({"maxAttempts": 2, "initialDelayMs": 250});
    let step = device
        .step("press_key", json!({"key": "back", "retry": retry}))
        .await;
    assert_eq!(step["success"], true, "{step:#}");
    assert_eq!(step["data"]["elapsed_ms"], "250");
}

#[tokio::test(start_paused = true)]
async fn failed_close_app_is_reported() {
    let mut device = FaultyPhone::with([("close", refused()), ("close", refused())]).await;
    let params = json!({"applicationId": "com.example.form",
        "retry": {"maxAttempts": 2, "initialDelayMs": 400}});
    let step = device.step("close_app", params).await;
    assert_eq!(step["data"]["error"], "APP_CLOSE_FAILED", "{step:#}");
    assert_eq!(step["data"]["application_id"], "com.example.form");
    assert_eq!(step["data"]["elapsed_ms"], "400");
}

#[tokio::test(start_paused = true)]
async fn open_app_succeeds_on_second_attempt() {
    let failed = DriverError::LaunchFailed("com.example.form".to_owned());
    let mut device = FaultyPhone::with([("open", failed)]).await;
    let params = json!({"applicationId": "com.example.form"});
    let step = device.step("open_app", params).await;
    assert_eq!(step["success"], true, "{step:#}");
    assert_eq!(device.calls("open"), 2);
}

#[tokio::test(start_paused = true)]
async fn unreached_server_is_tried_three_times_within_a_second() {
    let unreached = |_| {
        let error = DriverError::NotLoaded {
            uri: "http://127.0.0.1:9/".to_owned(),
            reason: "net::ERR_CONNECTION_REFUSED".to_owned(),
            dispatch: Dispatch::NotSent,
        };
        ("open", error)
    };
    let params = json!({ "uri": "http://127.0.0.1:9/" });
    let mut device = FaultyPhone::with((0..3).map(unreached)).await;
    let step = device.step("open_uri", params.clone()).await;
    assert_eq!(step["data"]["error"], "PAGE_NOT_LOADED");
    assert_eq!(device.calls("open"), 3);
    let took: u64 = step["data"]["elapsed_ms"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(took < 1_000, "{took}");
    // A policy of the plan is carried out.
    let mut patient = params;
    patient["retry"] = json!({ "maxAttempts": 4, "initialDelayMs": 900 });
    let mut device = FaultyPhone::with((0..4).map(unreached)).await;
    device.step("open_uri", patient).await;
    assert_eq!(device.calls("open"), 4);
}

#[tokio::test(start_paused = true)]
async fn incomplete_tree_is_not_a_snapshot() {
    let half = || {
        (
            "observe",
            DriverError::Incomplete("3 of 9 nodes".to_owned()),
        )
    };
    let mut device = FaultyPhone::with([half()]).await;
    let step = device.step("snapshot_ui", json!({})).await;
    assert_eq!(step["success"], true, "{step:#}");

    let mut device = FaultyPhone::with([half(), half()]).await;
    let step = device
        .step("snapshot_ui", json!({"retry": {"maxAttempts": 2}}))
        .await;
    let data = &step["data"];
    assert_eq!(data["error"], "SNAPSHOT_EXTRACTION_FAILED", "{step:#}");
    assert_eq!(
        data["message"],
        "the screen could not be read completely: 3 of 9 nodes"
    );
    assert_eq!(data.get("text"), None);
}

#[tokio::test(start_paused = true)]
async fn wait_survives_unreadable_screen() {
    let blind = || ("observe", DriverError::NoWindow);
    let mut device = FaultyPhone::with([blind(), blind(), blind()]).await;
    let params = json!({"matcher": {"textEquals": "Send"}, "timeoutMs": 5_000});
    let step = device.step("wait_for_node", params).await;
    assert_eq!(step["success"], true, "{step:#}");
    assert_eq!(step["data"]["elapsed_ms"], "600");
}

#[tokio::test(start_paused = true)]
async fn failed_screenshot_is_reported() {
    let mut device = FaultyPhone::with([("screenshot", DriverError::NoWindow)]).await;
    let step = device.step("take_screenshot", json!({})).await;
    assert_eq!(step["data"]["error"], "SCREENSHOT_FAILED", "{step:#}");

    let mut device = FaultyPhone::with([("screenshot", refused())]).await;
    let retry = json!({"maxAttempts": 2, "initialDelayMs": 100});
    let step = device
        .step("take_screenshot", json!({"retry": retry}))
        .await;
    assert_eq!(step["success"], true, "{step:#}");
    assert_eq!(step["data"]["elapsed_ms"], "100");
}

#[tokio::test(start_paused = true)]
async fn refused_text_is_not_entered() {
    let matcher = json!({"resourceId": "com.example.form:id/name"});
    let mut device = FaultyPhone::with([("act", refused())]).await;
    let params = json!({"matcher": matcher, "text": "Ann", "retry": {"maxAttempts": 1}});
    let step = device.step("enter_text", params).await;
    assert_eq!(step["data"]["error"], "TEXT_NOT_ENTERED", "{step:#}");

    let mut device = FaultyPhone::with([("submit", refused())]).await;
    let params = json!({"matcher": matcher, "text": "Ann", "submit": true});
    let step = device.step("enter_text", params).await;
    assert_eq!(step["data"]["error"], "GLOBAL_ACTION_FAILED", "{step:#}");
    assert_eq!(step["data"]["text_entered"], "true");
    // The text is in the field; it must not be entered again.
    assert_eq!(device.calls("act"), 1);
}

#[tokio::test(start_paused = true)]
async fn refused_swipes_end_a_search() {
    let swipe = || ("touch", refused());
    let mut device = FaultyPhone::with([swipe()]).await;
    let step = device.step("scroll", json!({})).await;
    assert_eq!(step["data"]["error"], "GESTURE_FAILED", "{step:#}");
    assert_eq!(step["data"]["scroll_outcome"], "gesture_failed");

    let mut device = FaultyPhone::with([swipe(), swipe()]).await;
    let params = json!({"matcher": {"textEquals": "Row 50"}, "noPositionChangeThreshold": 2});
    let step = device.step("scroll_until", params).await;
    let data = &step["data"];
    assert_eq!(data["termination_reason"], "NO_POSITION_CHANGE", "{step:#}");
    assert_eq!(data["error"], "NODE_NOT_FOUND");
    assert_eq!(data["scrolls_executed"], "2");

    // Without a target the refusal is the result, whichever limit comes first.
    for params in [
        json!({"noPositionChangeThreshold": 2}),
        json!({"maxScrolls": 2}),
    ] {
        let mut device = FaultyPhone::with([swipe(), swipe()]).await;
        let step = device.step("scroll_until", params).await;
        assert_eq!(step["data"]["error"], "GESTURE_FAILED", "{step:#}");
    }

    let mut device = FaultyPhone::with([swipe()]).await;
    let params = json!({"matcher": {"textEquals": "Row 50"}, "distanceRatio": 1.0});
    let step = device.step("scroll_until", params).await;
    assert_eq!(
        step["data"]["termination_reason"], "TARGET_FOUND",
        "{step:#}"
    );
}

#[tokio::test(start_paused = true)]
async fn swipe_is_not_repeated_after_screen_turns_off() {
    // Longer than a screen may be unreadable in the middle of an action.
    let dark = (0..11).map(|_| ("observe", DriverError::NoWindow));
    let mut device = FaultyPhone::with([]).await;
    device.after("touch", dark);
    let step = device
        .step(
            "scroll",
            json!({"retry": {"maxAttempts": 3, "initialDelayMs": 100}}),
        )
        .await;
    assert_eq!(step["data"]["error"], "SCREEN_UNAVAILABLE", "{step:#}");
    assert_eq!(device.calls("touch"), 1);

    let mut device = FaultyPhone::with([]).await;
    device.after("touch", std::iter::once(("observe", DriverError::NoWindow)));
    let step = device.step("scroll", json!({})).await;
    assert_eq!(step["data"]["scroll_outcome"], "moved", "{step:#}");
    assert_eq!(device.calls("touch"), 1);
}

#[tokio::test(start_paused = true)]
async fn device_lost_after_act_reports_sent() {
    let lost = DriverError::Lost {
        message: "gone".to_owned(),
        dispatch: Dispatch::NotSent,
    };
    let mut device = FaultyPhone::with([]).await;
    device.after("touch", std::iter::once(("observe", lost)));
    let step = device.step("scroll", json!({})).await;
    assert_eq!(step["data"]["error"], "DEVICE_LOST", "{step:#}");
    assert_eq!(step["data"]["dispatch"], "sent");
}

#[tokio::test(start_paused = true)]
async fn unsupported_recording_is_reported() {
    let mut device = FaultyPhone::with([("start", DriverError::Unsupported("recording"))]).await;
    let step = device.step("start_recording", json!({})).await;
    assert_eq!(
        step["data"]["error"], "ACTION_NOT_SUPPORTED_HERE",
        "{step:#}"
    );

    let full = RecordingError::StorageUnavailable("no space".to_owned());
    let mut device = FaultyPhone::with([("start", full.into())]).await;
    let step = device.step("start_recording", json!({})).await;
    assert_eq!(
        step["data"]["error"], "RECORDING_STORAGE_UNAVAILABLE",
        "{step:#}"
    );

    let lost = RecordingError::StopFailed {
        message: "no space".to_owned(),
        recording: Recording {
            session: "one".to_owned(),
            path: "/recordings/one.ndjson".to_owned(),
            events: 7,
            recorder: None,
        },
    };
    let mut device = FaultyPhone::with([("stop", lost.into())]).await;
    let step = device.step("stop_recording", json!({})).await;
    let data = &step["data"];
    assert_eq!(data["error"], "RECORDING_STOP_FAILED", "{step:#}");
    assert_eq!(data["sessionId"], "one");
    assert_eq!(data["filePath"], "/recordings/one.ndjson");
    assert_eq!(data["eventCount"], "7");
}

#[tokio::test(start_paused = true)]
async fn screen_is_turned_once() {
    let requested = json!({"orientation": "landscape"});
    let lost = |dispatch| DriverError::Lost {
        message: "the cable came off".to_owned(),
        dispatch,
    };
    for (call, fault, expected) in [
        (
            "set orientation",
            refused(),
            json!(["ORIENTATION_NOT_SET", null]),
        ),
        (
            "set orientation",
            DriverError::Unsupported("an orientation"),
            json!(["ACTION_NOT_SUPPORTED_HERE", null]),
        ),
        (
            "set orientation",
            lost(Dispatch::Unknown),
            json!(["DEVICE_LOST", "unknown"]),
        ),
        (
            "observe",
            lost(Dispatch::NotSent),
            json!(["DEVICE_LOST", "sent"]),
        ),
        // A screen that is turning cannot always be read.
        ("observe", DriverError::NoWindow, json!([null, null])),
    ] {
        let mut device = FaultyPhone::with([(call, fault)]).await;
        let step = device.step("set_orientation", requested.clone()).await;
        let data = &step["data"];
        let outcome = json!([data["error"], data["dispatch"]]);
        assert_eq!(outcome, expected, "{step:#}");
        assert_eq!(device.calls("set orientation"), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn clipboard_is_set_once_and_only_what_was_read_back_is_verified() {
    let text = json!({"text": "SPRING-25"});
    let unsupported = || DriverError::Unsupported("the clipboard");
    let lost = DriverError::Lost {
        message: "the cable came off".to_owned(),
        dispatch: Dispatch::NotSent,
    };
    for (call, fault, expected) in [
        (
            "set clipboard",
            refused(),
            json!(["CLIPBOARD_FAILED", null, null]),
        ),
        (
            "set clipboard",
            unsupported(),
            json!(["ACTION_NOT_SUPPORTED_HERE", null, null]),
        ),
        // The text was set, but not read back.
        ("clipboard", unsupported(), json!([null, "unknown", null])),
        ("clipboard", lost, json!(["DEVICE_LOST", null, "sent"])),
    ] {
        let mut device = FaultyPhone::with([(call, fault)]).await;
        let step = device.step("set_clipboard", text.clone()).await;
        let data = &step["data"];
        let outcome = json!([data["error"], data["verified"], data["dispatch"]]);
        assert_eq!(outcome, expected, "{step:#}");
        assert_eq!(device.calls("set clipboard"), 1);
    }
    let mut device = FaultyPhone::with([]).await;
    device.keeps_clipboard = true;
    let step = device.step("set_clipboard", text).await;
    assert_eq!(step["data"]["error"], "CLIPBOARD_FAILED", "{step:#}");
    let mut device = FaultyPhone::with([("clipboard", refused())]).await;
    let step = device.step("read_clipboard", json!({})).await;
    assert_eq!(step["data"]["error"], "CLIPBOARD_FAILED", "{step:#}");
}
