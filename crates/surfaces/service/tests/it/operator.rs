//! Both ways to a phone, through the service: which one is gone, what is refused, and what is said of what became of a plan.

use adb::client::locate::ProgramSearch;
use contract::{ErrorBody, ErrorCode};
use serde_json::{Value, json};
use service::device_pool::{Delivery, DevicePool, PoolOptions, RunRequest};
use service::sim::{Answers, OperatorSetup, StartOptions};
use service::{AdbSetup, Options, Service, TransportChoice, TransportOptions};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::{execute, plan};

const PACKAGE: &str = "com.clawperator.operator";
const SERVICES: &str = "secure enabled_accessibility_services";

/// A phone that lives in this test, and folders of its own.
struct World {
    serial: String,
    setup: AdbSetup,
    folder: std::path::PathBuf,
    ends: Option<oneshot::Sender<()>>,
}

impl World {
    async fn start(name: &str, operator: Option<OperatorSetup>) -> Self {
        let folder =
            std::env::temp_dir().join(format!("clawperator-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        // Nobody's server, and no program that could start one: the phone is reached by itself.
        let setup = AdbSetup {
            server: Ok(crate::no_server()),
            places: ProgramSearch {
                adb: Some("/nowhere/adb".into()),
                ..ProgramSearch::from_env()
            },
            locks: folder.clone(),
        };
        let (tell, told) = oneshot::channel();
        let (ends, ended) = oneshot::channel::<()>();
        let starting = StartOptions {
            operator,
            ..StartOptions::default()
        };
        let own = setup.clone();
        tokio::spawn(async move {
            let ready =
                |phone: &service::sim::RunningPhone| tell.send(phone.serial.clone()).unwrap();
            let end = async {
                // Either way it ends.
                let _ = ended.await;
            };
            service::sim::run(starting, &own, ready, end).await.unwrap();
        });
        Self {
            serial: told.await.unwrap(),
            setup,
            folder,
            ends: Some(ends),
        }
    }

    fn service(&self, via: Option<TransportChoice>, package: Option<&str>) -> Service {
        Service::new(Options {
            adb: self.setup.clone(),
            transport: TransportOptions::from_flags(via, package),
            screenshots: Some(self.folder.clone()),
            ..Options::default()
        })
    }

    async fn run(&self, via: TransportChoice, actions: Value) -> Result<Value, ErrorBody> {
        let service = self.service(Some(via), None);
        execute(&service, Some(&self.serial), plan("c", actions)).await
    }

    /// What the phone's shell says.
    async fn shell(&self, command: &str) -> String {
        let no_key = || unreachable!("an open phone asks for no key");
        let link = adb::client::direct::DirectLink::connect(
            &self.serial,
            no_key,
            adb::client::direct::Timeouts::default(),
        )
        .await
        .unwrap();
        let phone = adb::Phone::new(std::sync::Arc::new(link));
        phone.shell(command).await.unwrap().text().trim().to_owned()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if let Some(ends) = self.ends.take() {
            // It may have ended by itself.
            let _ = ends.send(());
        }
        let _ = std::fs::remove_dir_all(&self.folder);
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
async fn the_app_is_the_way_where_it_is_ready() {
    let world = World::start("ways", Some(app("0.5.3-d"))).await;
    let done = world.run(TransportChoice::Auto, home()).await.unwrap();
    assert_eq!(done["via"], "operator", "{done}");
    assert_eq!(
        world.run(TransportChoice::Stock, home()).await.unwrap()["via"],
        "stock"
    );
    // Nobody asked: nothing is said.
    let service = world.service(None, None);
    let done = execute(&service, Some(&world.serial), plan("c", home()))
        .await
        .unwrap();
    assert_eq!(done.get("via"), None, "{done}");
    let gone = service.route_taken().unwrap();
    assert_eq!((gone.way.as_str(), &*gone.reason), ("operator", PACKAGE));
    // What the app would leave out goes the other way, or nowhere.
    let enter = json!([{"id": "k", "type": "press_key", "params": {"key": "enter"}}]);
    assert_eq!(
        world
            .run(TransportChoice::Auto, enter.clone())
            .await
            .unwrap()["via"],
        "stock"
    );
    let refused = world
        .run(TransportChoice::Operator, enter)
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::ActionNotSupportedHere);
    assert_eq!(
        refused.detail("problems").unwrap()[0]["path"],
        "actions.0.params.key"
    );
    // A service that is switched off is no way, and one that was asked for says so itself.
    let services = world.shell(&format!("settings get {SERVICES}")).await;
    world.shell(&format!("settings delete {SERVICES}")).await;
    assert_eq!(
        world.run(TransportChoice::Auto, home()).await.unwrap()["via"],
        "stock"
    );
    let off = world.run(TransportChoice::Operator, home()).await.unwrap();
    assert_eq!(off["envelope"]["errorCode"], "SERVICE_UNAVAILABLE", "{off}");
    assert_eq!(off["envelope"]["stepResults"], json!([]));
    assert!(
        off["envelope"]["hint"]
            .as_str()
            .unwrap()
            .contains("--via stock")
    );
    // The same process sees it when it is switched on again.
    let service = world.service(Some(TransportChoice::Operator), None);
    let run = || execute(&service, Some(&world.serial), plan("c", home()));
    assert_eq!(run().await.unwrap()["envelope"]["status"], "failed");
    world
        .shell(&format!("settings put {SERVICES} {services}"))
        .await;
    assert_eq!(run().await.unwrap()["envelope"]["status"], "success");
    // One that goes off after the phone was opened has done nothing: another way is gone.
    let service = world.service(Some(TransportChoice::Auto), None);
    let run = || execute(&service, Some(&world.serial), plan("c", home()));
    assert_eq!(run().await.unwrap()["via"], "operator");
    world.shell(&format!("settings delete {SERVICES}")).await;
    let done = run().await.unwrap();
    assert_eq!(
        (&done["via"], &done["envelope"]["status"]),
        (&json!("stock"), &json!("success"))
    );
}

#[tokio::test]
async fn auto_that_falls_back_to_stock_warns_why_also_when_stock_fails() {
    let world = World::start("fell-back", Some(app("0.5.3"))).await;
    world.shell(&format!("settings delete {SERVICES}")).await;
    let why = "driven with stock and not with the Operator app: the accessibility service of com.clawperator.operator does not run";
    let nowhere = json!([{"id": "n", "type": "click", "params": {
        "matcher": {"textEquals": "nowhere"}, "retry": {"maxAttempts": 1}}}]);
    // Nobody asked for a way: the app is there, and was expected to be used.
    for (via, actions, status) in [
        (None, home(), "success"),
        (Some(TransportChoice::Auto), nowhere, "failed"),
    ] {
        let service = world.service(via, None);
        let done = execute(&service, Some(&world.serial), plan("c", actions)).await;
        let done = done.unwrap();
        assert_eq!(done["envelope"]["status"], status, "{done}");
        assert_eq!(done["warnings"][0]["code"], "OPERATOR_NOT_USED", "{done}");
        assert_eq!(done["warnings"][0]["message"], why);
    }
    // Stock that was asked for is no fallback, nor is it on a phone without the app, unless `auto` was asked for.
    let bare = World::start("never-had", None).await;
    for (world, via, warned) in [
        (&world, Some(TransportChoice::Stock), false),
        (&bare, None, false),
        (&bare, Some(TransportChoice::Auto), true),
    ] {
        let service = world.service(via, None);
        let done = execute(&service, Some(&world.serial), plan("c", home())).await;
        assert_eq!(done.unwrap().get("warnings").is_some(), warned, "{via:?}");
    }
}

#[tokio::test]
async fn what_keeps_plans_from_the_app_is_said_before_anything_is_done() {
    let bare = World::start("bare", None).await;
    let refused = bare
        .run(TransportChoice::Operator, home())
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::OperatorNotInstalled);
    let install = refused.detail("installCommand").unwrap().as_str().unwrap();
    assert!(
        install.starts_with("clawperator operator setup --apk"),
        "{install}"
    );
    assert_eq!(
        bare.run(TransportChoice::Auto, home()).await.unwrap()["via"],
        "stock"
    );
    // Who names the app wants it; one that can be none is refused as such.
    for (package, code) in [
        ("a.b", ErrorCode::OperatorNotInstalled),
        ("a; reboot", ErrorCode::Usage),
    ] {
        let service = bare.service(None, Some(package));
        let refused = execute(&service, Some(&bare.serial), plan("c", home())).await;
        assert_eq!(refused.unwrap_err().code, code, "{package}");
    }
    let old = World::start("old", Some(app("0.4.9"))).await;
    let refused = old
        .run(TransportChoice::Operator, home())
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::VersionIncompatible);
    assert_eq!(refused.detail("apkVersion"), Some(&json!("0.4.9")));
    assert_eq!(
        old.run(TransportChoice::Auto, home()).await.unwrap()["via"],
        "stock"
    );
    let odd = World::start("odd", Some(app("tomorrow"))).await;
    let refused = odd
        .run(TransportChoice::Operator, home())
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::ApkVersionInvalid);
    let debug = OperatorSetup {
        package: format!("{PACKAGE}.dev"),
        ..app("0.5.3-d")
    };
    let debug = World::start("debug", Some(debug)).await;
    let refused = debug
        .run(TransportChoice::Operator, home())
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::OperatorVariantMismatch);
    assert!(
        refused
            .hint
            .unwrap()
            .contains("--operator-package com.clawperator.operator.dev")
    );
    let service = debug.service(None, Some("com.clawperator.operator.dev"));
    let done = execute(&service, Some(&debug.serial), plan("c", home()))
        .await
        .unwrap();
    assert_eq!(done["envelope"]["status"], "success");
    // Nothing of all this has touched the phone.
    let log = old.shell("logcat -d -v raw").await;
    assert!(!log.contains("[Clawperator-Command]"), "{log}");
}

#[tokio::test]
async fn every_step_is_done_in_its_place() {
    let world = World::start("places", Some(app("0.5.3"))).await;
    let shot = world.folder.join("first.png");
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
    let done = world.run(TransportChoice::Operator, actions).await.unwrap();
    let steps = done["envelope"]["stepResults"].as_array().unwrap();
    let told: Vec<(&str, bool)> = steps
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
        // The app tells nothing of what came of the two behind it.
    ];
    assert_eq!(told, expected, "{done}");
    assert_eq!(steps[4]["data"]["foreground_package"], settings);
    assert!(
        steps[4]["data"]["text"]
            .as_str()
            .unwrap()
            .contains(settings)
    );
    assert!(steps[4]["data"]["warn"].is_string(), "{done}");
    // It was closed before the second look, and only then.
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
async fn followers_are_not_told_what_the_app_typed() {
    let world = World::start("typed", Some(app("0.5.3"))).await;
    let pool = DevicePool::new(PoolOptions {
        service: Options {
            adb: world.setup.clone(),
            transport: TransportOptions::from_flags(Some(TransportChoice::Operator), None),
            ..Options::default()
        },
        ..PoolOptions::default()
    });
    let mut events = pool.events(None);
    // The app need not say that a field is one for passwords.
    let actions = json!([
        {"id": "o", "type": "open_uri", "params": {"uri": "forms://text"}},
        {"id": "t", "type": "enter_text", "params": {"matcher": {"resourceId": "com.example.forms:id/full_name"}, "text": "hunter2"}},
    ]);
    let order = RunRequest::new(Some(world.serial.clone()), plan("c", actions));
    let outcome = pool.run(order).unwrap().outcome().await;
    let answer = outcome.body().to_string();
    assert!(
        answer.contains("hunter2") && answer.contains("success"),
        "{answer}"
    );
    let told: String = std::iter::from_fn(|| events.poll())
        .map(|told| match told {
            Delivery::Event(event) => event.json(),
            Delivery::Missed(count) => panic!("{count} are missed"),
        })
        .collect();
    assert!(told.contains("com.example.forms:id/full_name"), "{told}");
    assert!(!told.contains("hunter2"), "{told}");
}

#[tokio::test]
async fn failures_of_the_app_are_told_in_our_words() {
    let world = World::start("failures", Some(app("0.5.3"))).await;
    let missing = json!({"textEquals": "100% \"no\" such; $node"});
    let click = json!({"id": "x", "type": "click", "params": {"matcher": missing, "retry": {}}});
    // The only step is the one that failed.
    let done = world
        .run(TransportChoice::Operator, json!([click]))
        .await
        .unwrap();
    let step = &done["envelope"]["stepResults"][0];
    assert_eq!(step["data"]["error"], "NODE_NOT_FOUND", "{done}");
    assert_eq!(
        done["envelope"]["error"],
        "Step x (click) failed: NODE_NOT_FOUND"
    );
    // Of several the app does not say which, and what came of the others.
    let key = json!({"id": "k", "type": "press_key", "params": {"key": "home"}});
    let done = world
        .run(TransportChoice::Operator, json!([key, click, key]))
        .await
        .unwrap();
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
    // Some failures do not keep the app from going on, which is said.
    let label = json!({"id": "v", "type": "read_key_value_pair", "params": {"labelMatcher": missing, "retry": {}}});
    let done = world
        .run(TransportChoice::Operator, json!([label, key]))
        .await
        .unwrap();
    assert_eq!(
        done["warnings"][0]["code"], "RAN_ON_AFTER_FAILURE",
        "{done}"
    );
    assert_eq!(done["envelope"]["stepResults"].as_array().unwrap().len(), 2);
    // A picture that was wanted behind it is not taken.
    let shot = json!({"id": "t", "type": "take_screenshot"});
    let done = world
        .run(TransportChoice::Operator, json!([label, shot]))
        .await
        .unwrap();
    assert_eq!(
        done["envelope"]["stepResults"].as_array().unwrap().len(),
        1,
        "{done}"
    );
    // Answers of many pieces come whole.
    let looks: Vec<Value> = (0..40)
        .map(|at| json!({"id": format!("step-{at}"), "type": "snapshot_ui"}))
        .collect();
    let done = world
        .run(TransportChoice::Operator, looks.into())
        .await
        .unwrap();
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
async fn an_app_that_says_nothing_is_told_with_everything_that_is_known() {
    let silent = OperatorSetup {
        answers: Answers::None,
        ..app("0.5.3")
    };
    let world = World::start("silent", Some(silent)).await;
    let service = world.service(None, Some(PACKAGE));
    let mut parsed = plan("quiet", home());
    parsed.execution = parsed.execution.with_timeout(1000.0).unwrap();
    let error = execute(&service, Some(&world.serial), parsed)
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
        ("deviceId", json!(world.serial)),
        ("stepResults", json!([])),
    ] {
        assert_eq!(error.detail(key), Some(&value), "{key}: {error:?}");
    }
    // Called off: what the app has it keeps, and the phone is free for the next.
    let cancel = CancellationToken::new();
    let mut nobody = |_: &service::Event<'_>| {};
    let run = service.execute(
        Some(&world.serial),
        plan("first", home()),
        cancel.clone(),
        &mut nobody,
    );
    let other = async {
        // The first holds the phone before it lets anybody else run.
        tokio::task::yield_now().await;
        let refused = execute(&service, Some(&world.serial), plan("second", home())).await;
        let refused = refused.unwrap_err();
        let begins = async { while !world.shell("logcat -d -v raw").await.contains("begin-") {} };
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
    let stock = world.run(TransportChoice::Stock, home()).await.unwrap();
    assert_eq!(stock["envelope"]["status"], "success");
}

#[tokio::test]
async fn every_step_on_a_dark_phone_says_so_with_the_app_too() {
    let world = World::start("operator-dark", Some(app("0.5.3"))).await;
    world.shell("input keyevent KEYCODE_SLEEP").await;
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
        let answer = world
            .run(TransportChoice::Operator, actions.clone())
            .await
            .unwrap();
        let envelope = &answer["envelope"];
        let code = ErrorCode::DeviceScreenOff;
        assert_eq!(envelope["errorCode"], code.as_str(), "{actions} {answer:#}");
        assert_eq!(envelope["hint"], code.fix(), "{answer:#}");
    }
}
