//! Both transports to a phone: selection, unsupported plans, and reported outcomes.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use serde_json::{Value, json};
use service::TransportChoice::{self, Auto, Operator, Stock};
use service::device_pool::{DevicePool, PoolOptions, RunRequest};
use service::sim::{Answers, OperatorSetup, StartOptions};
use service::{AdbSetup, Options, Service, TransportOptions};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::{execute, plan};

const PACKAGE: &str = "com.clawperator.operator";
const SERVICES: &str = "secure enabled_accessibility_services";

/// A phone inside this test, and its folders.
struct Fixture {
    serial: String,
    setup: AdbSetup,
    folder: testkit::TempFolder,
    ends: Option<oneshot::Sender<()>>,
}

impl Fixture {
    async fn start(name: &str, operator: Option<OperatorSetup>) -> Self {
        let folder = testkit::TempFolder::new(name);
        // The phone is connected to directly.
        let setup = crate::adb_at(crate::no_server(), folder.to_path_buf());
        let (tell, received) = oneshot::channel();
        let (ends, ended) = oneshot::channel::<()>();
        let mut starting = StartOptions {
            operator,
            ..StartOptions::default()
        };
        // With the agent, `auto` would not use the app.
        starting.setup.fault("agent_slot_taken").unwrap();
        let own = setup.clone();
        tokio::spawn(async move {
            let ready =
                |phone: &service::sim::RunningPhone| tell.send(phone.serial.clone()).unwrap();
            let end = async {
                // Removing it may fail if it is gone already.
                let _ = ended.await;
            };
            service::sim::run(starting, &own, ready, end).await.unwrap();
        });
        Self {
            serial: received.await.unwrap(),
            setup,
            folder,
            ends: Some(ends),
        }
    }

    fn service(&self, via: Option<TransportChoice>, package: Option<&str>) -> Service {
        Service::new(Options {
            adb: self.setup.clone(),
            transport: TransportOptions::from_flags(via, package),
            screenshots: Some(self.folder.to_path_buf()),
            ..Options::default()
        })
    }

    async fn run(&self, via: TransportChoice, actions: Value) -> Result<Value, ErrorBody> {
        self.run_with(&self.service(Some(via), None), actions).await
    }

    async fn run_with(&self, service: &Service, actions: Value) -> Result<Value, ErrorBody> {
        execute(service, Some(&self.serial), plan("c", actions)).await
    }

    /// The answer of a plan that was run.
    async fn answer(&self, via: TransportChoice, actions: Value) -> Value {
        self.run(via, actions).await.unwrap()
    }

    /// The error of a plan that was not run.
    async fn refusal(&self, via: TransportChoice, actions: Value) -> ErrorBody {
        self.run(via, actions).await.unwrap_err()
    }

    /// The output of the phone's shell.
    async fn shell(&self, command: &str) -> String {
        let phone = crate::direct(&self.serial).await;
        phone.shell(command).await.unwrap().text().trim().to_owned()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        if let Some(ends) = self.ends.take() {
            // It may have ended by itself.
            let _ = ends.send(());
        }
    }
}

fn app(version: &str) -> OperatorSetup {
    OperatorSetup {
        version: version.to_owned(),
        ..OperatorSetup::default()
    }
}

fn home() -> Value {
    json!([{"id": "k", "type": "press_key", "params": {"key": "home"}}])
}

#[tokio::test]
async fn ready_app_is_used() {
    let fixture = Fixture::start("ways", Some(app("0.5.3-d"))).await;
    let done = fixture.answer(Auto, home()).await;
    assert_eq!(done["via"], "operator", "{done}");
    assert_eq!(fixture.answer(Stock, home()).await["via"], "stock");
    // It is reported as well if none was requested.
    let service = fixture.service(None, None);
    let done = fixture.run_with(&service, home()).await.unwrap();
    assert_eq!(done["via"], "operator", "{done}");
    assert_eq!(done["viaReason"]["code"], "AGENT_UNAVAILABLE", "{done}");
    let used = service.transport_used().unwrap();
    assert_eq!(
        (used.transport.as_str(), &*used.reason),
        ("operator", PACKAGE)
    );
    // A plan that the app would run incompletely uses the other transport or fails.
    let enter = json!([{"id": "k", "type": "press_key", "params": {"key": "enter"}}]);
    assert_eq!(fixture.answer(Auto, enter.clone()).await["via"], "stock");
    let refused = fixture.refusal(Operator, enter).await;
    assert_eq!(refused.code, ErrorCode::ActionNotSupportedHere);
    assert_eq!(
        refused.detail("problems").unwrap()[0]["path"],
        "actions.0.params.key"
    );
    // A disabled service is not used; if it was requested, it reports the error itself.
    let services = fixture.shell(&format!("settings get {SERVICES}")).await;
    fixture.shell(&format!("settings delete {SERVICES}")).await;
    assert_eq!(fixture.answer(Auto, home()).await["via"], "stock");
    let off = fixture.answer(Operator, home()).await;
    assert_eq!(off["envelope"]["errorCode"], "SERVICE_UNAVAILABLE", "{off}");
    assert_eq!(off["envelope"]["stepResults"], json!([]));
    assert!(
        off["envelope"]["hint"]
            .as_str()
            .unwrap()
            .contains("--via stock")
    );
    // The same process notices that it is enabled again.
    let service = fixture.service(Some(Operator), None);
    let run = || fixture.run_with(&service, home());
    assert_eq!(run().await.unwrap()["envelope"]["status"], "failed");
    fixture
        .shell(&format!("settings put {SERVICES} {services}"))
        .await;
    assert_eq!(run().await.unwrap()["envelope"]["status"], "success");
    // If it is disabled after the phone was opened, it has done nothing, and the other transport is used.
    let service = fixture.service(Some(Auto), None);
    let run = || fixture.run_with(&service, home());
    assert_eq!(run().await.unwrap()["via"], "operator");
    fixture.shell(&format!("settings delete {SERVICES}")).await;
    let done = run().await.unwrap();
    assert_eq!(
        (&done["via"], &done["envelope"]["status"]),
        (&json!("stock"), &json!("success"))
    );
}

/// The app does not report the steps before the one that it aborts at: the plan is not run again by other means.
#[tokio::test]
async fn service_that_ends_during_a_plan_does_not_repeat_it() {
    let fixture = Fixture::start("ends", Some(app("0.5.3-d"))).await;
    let key = |id: &str| json!({"id": id, "type": "press_key", "params": {"key": "home"}});
    let sleep = json!({"id": "s", "type": "sleep", "params": {"durationMs": 3000}});
    let steps = json!([key("a"), sleep, key("b")]);
    let end_service = async {
        while !fixture.shell("logcat -d").await.contains("step_start id=s") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        fixture.shell(&format!("settings delete {SERVICES}")).await;
    };
    let (done, ()) = tokio::join!(fixture.run(Auto, steps), end_service);
    let done = done.unwrap();
    assert_eq!(done["via"], "operator", "{done}");
    let envelope = &done["envelope"];
    assert_eq!(envelope["errorCode"], "SERVICE_UNAVAILABLE", "{done}");
    assert_eq!(envelope["stepResults"], json!([]), "{done}");
}

/// What only web pages have is refused before the app gets the steps before it.
#[tokio::test]
async fn steps_of_web_pages_are_refused_before_anything_is_sent() {
    let fixture = Fixture::start("pages", Some(app("0.5.3-d"))).await;
    let back = json!({"id": "b", "type": "press_key", "params": {"key": "back"}});
    for (kind, params) in [
        ("read_console", json!({})),
        ("tab", json!({"op": "list"})),
        ("resize_window", json!({"width": 390, "height": 844})),
    ] {
        let step = json!({"id": "w", "type": kind, "params": params});
        for via in [Operator, Auto] {
            let refused = fixture.refusal(via, json!([back, step])).await;
            let actual = (refused.code, refused.detail("path"));
            let expected = (
                ErrorCode::ActionNotSupportedHere,
                Some(&json!("actions.1.type")),
            );
            assert_eq!(actual, expected, "{kind}: {refused:?}");
        }
    }
}

#[tokio::test]
async fn auto_fallback_to_stock_warns_even_if_stock_fails() {
    let fixture = Fixture::start("fell-back", Some(app("0.5.3"))).await;
    fixture.shell(&format!("settings delete {SERVICES}")).await;
    let why = "used stock instead of the Operator app: another program holds the phone's UI automation: held by io.appium.uiautomator2.server (pid 4242); the accessibility service of com.clawperator.operator is not running";
    let nowhere = json!([{"id": "n", "type": "click", "params": {
        "matcher": {"textEquals": "nowhere"}, "retry": {"maxAttempts": 1}}}]);
    // No transport was requested, and the installed app was expected to be used.
    for (via, actions, status) in [(None, home(), "success"), (Some(Auto), nowhere, "failed")] {
        let service = fixture.service(via, None);
        let done = fixture.run_with(&service, actions).await;
        let done = done.unwrap();
        assert_eq!(done["envelope"]["status"], status, "{done}");
        assert_eq!(done["warnings"][0]["code"], "OPERATOR_NOT_USED", "{done}");
        assert_eq!(done["warnings"][0]["message"], why);
    }
    // A requested stock transport is not a fallback, nor is it on a phone without the app, unless `auto` was requested.
    let bare = Fixture::start("never-had", None).await;
    for (fixture, via, warned) in [
        (&fixture, Some(Stock), false),
        (&bare, None, false),
        (&bare, Some(Auto), true),
    ] {
        let service = fixture.service(via, None);
        let done = fixture.run_with(&service, home()).await;
        assert_eq!(done.unwrap().get("warnings").is_some(), warned, "{via:?}");
    }
}

#[tokio::test]
async fn unusable_app_fails_before_anything_is_done() {
    let bare = Fixture::start("bare", None).await;
    let refused = bare.refusal(Operator, home()).await;
    assert_eq!(refused.code, ErrorCode::OperatorNotInstalled);
    let install = refused.detail("installCommand").unwrap().as_str().unwrap();
    assert!(
        install.starts_with("clawperator operator setup --apk"),
        "{install}"
    );
    assert_eq!(bare.answer(Auto, home()).await["via"], "stock");
    // Naming the app requests it; an invalid name is an error.
    for (package, code) in [
        ("a.b", ErrorCode::OperatorNotInstalled),
        ("a; reboot", ErrorCode::Usage),
    ] {
        let service = bare.service(None, Some(package));
        let refused = bare.run_with(&service, home()).await;
        assert_eq!(refused.unwrap_err().code, code, "{package}");
    }
    let old = Fixture::start("old", Some(app("0.4.9"))).await;
    let refused = old.refusal(Operator, home()).await;
    assert_eq!(refused.code, ErrorCode::VersionIncompatible);
    assert_eq!(refused.detail("apkVersion"), Some(&json!("0.4.9")));
    assert_eq!(old.answer(Auto, home()).await["via"], "stock");
    let odd = Fixture::start("odd", Some(app("tomorrow"))).await;
    let refused = odd.refusal(Operator, home()).await;
    assert_eq!(refused.code, ErrorCode::ApkVersionInvalid);
    let debug = OperatorSetup {
        package: format!("{PACKAGE}.dev"),
        ..app("0.5.3-d")
    };
    let debug = Fixture::start("debug", Some(debug)).await;
    let refused = debug.refusal(Operator, home()).await;
    assert_eq!(refused.code, ErrorCode::OperatorVariantMismatch);
    assert!(
        refused
            .hint
            .unwrap()
            .contains("--operator-package com.clawperator.operator.dev")
    );
    let service = debug.service(None, Some("com.clawperator.operator.dev"));
    let done = debug.run_with(&service, home()).await.unwrap();
    assert_eq!(done["envelope"]["status"], "success");
    // None of this has touched the phone.
    let log = old.shell("logcat -d -v raw").await;
    assert!(!log.contains("[Clawperator-Command]"), "{log}");
}

#[tokio::test]
async fn steps_of_app_and_host_keep_their_order() {
    let fixture = Fixture::start("places", Some(app("0.5.3"))).await;
    let shot = fixture.folder.join("first.png");
    let settings = "com.android.settings";
    let actions = json!([
        {"id": "c0", "type": "close_app", "params": {"applicationId": settings}},
        {"id": "o", "type": "open_app", "params": {"applicationId": settings}},
        {"id": "w", "type": "wait_for_node", "params": {"matcher": {"textEquals": "Notifications"}, "timeoutMs": 5000.5}},
        {"id": "k", "type": "click", "params": {"matcher": {"textEquals": "Notifications"}}},
        {"id": "s1", "type": "snapshot_ui"},
        {"id": "t1", "type": "take_screenshot", "params": {"path": shot}},
        {"id": "c1", "type": "close_app", "params": {"applicationId": settings}},
        {"id": "s2", "type": "snapshot_ui"},
        {"id": "t2", "type": "take_screenshot"},
        {"id": "c2", "type": "close_app", "params": {"applicationId": "no.such.app"}},
        {"id": "o2", "type": "open_app", "params": {"applicationId": "no.such.app"}},
        {"id": "never", "type": "snapshot_ui"},
    ]);
    let done = fixture.answer(Operator, actions).await;
    let steps = done["envelope"]["stepResults"].as_array().unwrap();
    let received: Vec<(&str, bool)> = steps
        .iter()
        .map(|step| {
            (
                step["id"].as_str().unwrap(),
                step["success"].as_bool().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("c0", true),
        ("o", true),
        ("w", true),
        ("k", true),
        ("s1", true),
        ("t1", true),
        ("c1", true),
        ("s2", true),
        ("t2", true),
        ("c2", true),
        // The app reports no results of the two steps after it.
    ];
    assert_eq!(received, expected, "{done}");
    assert_eq!(steps[4]["data"]["foreground_package"], settings);
    assert!(
        steps[4]["data"]["text"]
            .as_str()
            .unwrap()
            .contains(settings)
    );
    assert!(steps[4]["data"]["warn"].is_string(), "{done}");
    // It was closed before the second snapshot, and not earlier.
    let second = steps[7]["data"]["text"].as_str().unwrap();
    assert!(!second.contains(settings) && steps[7]["data"].get("warn").is_none());
    let pictures: Vec<Vec<u8>> = [5, 8]
        .iter()
        .map(|step| std::fs::read(steps[*step]["data"]["path"].as_str().unwrap()).unwrap())
        .collect();
    assert_ne!(pictures[0], pictures[1]);
    assert_eq!(steps[5]["data"]["path"], *shot.to_str().unwrap());
    assert_eq!(done["envelope"]["errorCode"], "APP_NOT_FOUND");
    assert!(steps[9]["data"]["warn"].is_string(), "{done}");
}

#[tokio::test]
async fn events_mask_text_that_the_app_types() {
    let fixture = Fixture::start("typed", Some(app("0.5.3"))).await;
    let pool = DevicePool::new(PoolOptions {
        service: Options {
            adb: fixture.setup.clone(),
            transport: TransportOptions::from_flags(Some(Operator), None),
            ..Options::default()
        },
        ..PoolOptions::default()
    });
    let mut events = pool.events(None);
    // The app need not report that a field is a password field.
    let actions = json!([
        {"id": "o", "type": "open_uri", "params": {"uri": "forms://text"}},
        {"id": "t", "type": "enter_text", "params": {"matcher": {"resourceId": "com.example.forms:id/full_name"}, "text": "hunter2"}},
    ]);
    let order = RunRequest::new(Some(fixture.serial.clone()), plan("c", actions));
    let outcome = pool.run(order).unwrap().outcome().await;
    let answer = outcome.body().to_string();
    assert!(
        answer.contains("hunter2") && answer.contains("success"),
        "{answer}"
    );
    let received = crate::device_pool::as_json(&mut events);
    assert!(
        received.contains("com.example.forms:id/full_name"),
        "{received}"
    );
    assert!(!received.contains("hunter2"), "{received}");
}

#[tokio::test]
async fn failures_of_the_app_have_our_error_codes() {
    let fixture = Fixture::start("failures", Some(app("0.5.3"))).await;
    let missing = json!({"textEquals": "100% \"no\" such; $node"});
    let click = json!({"id": "x", "type": "click", "params": {"matcher": missing, "retry": {}}});
    // The only step is the one that failed.
    let done = fixture.answer(Operator, json!([click])).await;
    let step = &done["envelope"]["stepResults"][0];
    assert_eq!(step["data"]["error"], "NODE_NOT_FOUND", "{done}");
    assert_eq!(
        done["envelope"]["error"],
        "Step x (click) failed: NODE_NOT_FOUND"
    );
    // With several steps, the app reports neither which failed nor the results of the others.
    let key = json!({"id": "k", "type": "press_key", "params": {"key": "home"}});
    let done = fixture.answer(Operator, json!([key, click, key])).await;
    let envelope = &done["envelope"];
    assert_eq!(envelope["stepResults"], json!([]), "{done}");
    assert_eq!(envelope["errorCode"], "NODE_NOT_FOUND");
    assert!(
        envelope["error"]
            .as_str()
            .unwrap()
            .starts_with("Task execution failed: No UI node")
    );
    assert!(
        envelope["hint"]
            .as_str()
            .unwrap()
            .contains("some of them were done")
    );
    // Some failures do not end the app's command; a warning reports that.
    let label = json!({"id": "v", "type": "read_key_value_pair", "params": {"labelMatcher": missing, "retry": {}}});
    let done = fixture.answer(Operator, json!([label, key])).await;
    assert_eq!(
        done["warnings"][0]["code"], "RAN_ON_AFTER_FAILURE",
        "{done}"
    );
    assert_eq!(done["envelope"]["stepResults"].as_array().unwrap().len(), 2);
    // A screenshot after it is not taken.
    let shot = json!({"id": "t", "type": "take_screenshot"});
    let done = fixture.answer(Operator, json!([label, shot])).await;
    assert_eq!(
        done["envelope"]["stepResults"].as_array().unwrap().len(),
        1,
        "{done}"
    );
    // Answers in several pieces are joined.
    let looks: Vec<Value> = (0..40)
        .map(|at| json!({"id": format!("step-{at}"), "type": "snapshot_ui"}))
        .collect();
    let done = fixture.answer(Operator, looks.into()).await;
    let steps = done["envelope"]["stepResults"].as_array().unwrap();
    let whole = |step: &Value| {
        step["data"]["text"]
            .as_str()
            .unwrap()
            .ends_with("</hierarchy>")
    };
    assert!(steps.len() == 40 && steps.iter().all(whole), "{done}");
}

#[tokio::test]
async fn silent_app_is_reported_with_all_known_details() {
    let silent = OperatorSetup {
        answers: Answers::None,
        ..app("0.5.3")
    };
    let fixture = Fixture::start("silent", Some(silent)).await;
    let service = fixture.service(None, Some(PACKAGE));
    let mut parsed = plan("quiet", home());
    parsed.execution = parsed.execution.with_timeout(1000.0).unwrap();
    let error = execute(&service, Some(&fixture.serial), parsed)
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::ResultEnvelopeTimeout);
    assert_eq!(
        error.message,
        "No [Clawperator-Result] envelope within 6000 ms"
    );
    assert!(
        error
            .hint
            .as_ref()
            .unwrap()
            .contains("clawperator doctor --device"),
        "{error:?}"
    );
    for (key, value) in [
        ("commandId", json!("quiet")),
        ("taskId", json!("task")),
        ("lastActionId", json!("k")),
        ("lastActionType", json!("press_key")),
        ("timeoutMs", json!(1000)),
        ("dispatch", json!("sent")),
        ("broadcastDispatchStatus", json!("sent")),
        ("lastCorrelatedEvents", json!([])),
        ("operatorPackage", json!(PACKAGE)),
        ("deviceId", json!(fixture.serial)),
        ("stepResults", json!([])),
    ] {
        assert_eq!(error.detail(key), Some(&value), "{key}: {error:?}");
    }
    // Cancelled: the app may still act on its command, and the phone is free for the next run.
    let cancel = CancellationToken::new();
    let mut ignore = |_: &service::Event<'_>| {};
    let run = service.execute(
        Some(&fixture.serial),
        plan("first", home()),
        cancel.clone(),
        &mut ignore,
    );
    let other = async {
        // The first run holds the phone before the others start.
        tokio::task::yield_now().await;
        let refused = execute(&service, Some(&fixture.serial), plan("second", home())).await;
        let refused = refused.unwrap_err();
        let begins = async { while !fixture.shell("logcat -d -v raw").await.contains("begin-") {} };
        testkit::within("the app begins with the plan", begins).await;
        cancel.cancel();
        refused
    };
    let (first, refused) = tokio::join!(run, other);
    assert_eq!(refused.code, ErrorCode::ExecutionConflictInFlight);
    assert_eq!(refused.detail("holderCommandId"), Some(&json!("first")));
    let first = first.unwrap_err();
    assert_eq!(first.code, ErrorCode::ExecutionCancelled);
    assert_ne!(
        first.detail("dispatch"),
        Some(&json!("not_sent")),
        "{first:?}"
    );
    let stock = fixture.answer(Stock, home()).await;
    assert_eq!(stock["envelope"]["status"], "success");
}

#[tokio::test]
async fn every_step_on_a_dark_phone_reports_the_screen_off_with_the_app() {
    let fixture = Fixture::start("operator-dark", Some(app("0.5.3"))).await;
    fixture.shell("input keyevent KEYCODE_SLEEP").await;
    let one = |kind: &str, params: Value| json!([{"id": "o", "type": kind, "params": params}]);
    let hi = json!({"textEquals": "Hi"});
    for actions in [
        home(),
        one("snapshot_ui", json!({})),
        one("take_screenshot", json!({})),
        one("click", json!({"coordinate": {"x": 50, "y": 60}})),
        one("click", json!({"matcher": hi})),
        one("read_text", json!({"matcher": hi})),
        one("open_app", json!({"applicationId": "com.android.settings"})),
        one(
            "wait_for_navigation",
            json!({"expectedNode": hi, "timeoutMs": 300}),
        ),
    ] {
        let answer = fixture.answer(Operator, actions.clone()).await;
        let envelope = &answer["envelope"];
        let code = ErrorCode::DeviceScreenOff;
        assert_eq!(envelope["errorCode"], code.as_str(), "{actions} {answer:#}");
        assert_eq!(envelope["hint"], code.hint(), "{answer:#}");
    }
}
