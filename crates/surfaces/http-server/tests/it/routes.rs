//! Responses and errors of every route.

use serde_json::{Value, json};
use testkit::plan;

use crate::client::{Client, Setup, post, serve, sleeping};

fn snapshot(name: &str) -> Value {
    plan(name, json!([{"id": "snap", "type": "snapshot_ui"}]))
}

#[tokio::test(flavor = "multi_thread")]
async fn execute_runs_plan_and_returns_contract_result() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    let body = json!({ "execution": snapshot("one"), "deviceId": "sim#a" });
    let answer = client.post("/execute", &body).await;
    let document = answer.json();
    assert_eq!(answer.status, 200, "{document}");
    let keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["ok", "deviceId", "terminalSource", "envelope"]);
    assert_eq!(document["ok"], true);
    assert_eq!(document["deviceId"], "sim#a");
    assert_eq!(document["terminalSource"], "clawperator_result");
    assert_eq!(document["envelope"]["commandId"], "one");
    let text = &document["envelope"]["stepResults"][0]["data"]["text"];
    assert!(text.as_str().unwrap().contains("<hierarchy"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    // A step that fails is a result, and the state of the phone stays between requests.
    let click =
        json!([{"id": "c", "type": "click", "params": {"matcher": {"textEquals": "no such"}}}]);
    let body = json!({ "execution": plan("two", click), "deviceId": "sim#a" });
    let answer = client.post("/execute", &body).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["ok"], true);
    assert_eq!(answer.json()["envelope"]["errorCode"], "NODE_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn validate_only_and_dry_run_do_not_run() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    let aliased = json!({ "execution": {
        "command_id": "c", "task_id": "t", "source": "docs", "expected_format": "android-ui-automator",
        "timeout_ms": 30000, "actions": [{"id": "s", "type": "snapshot"}],
    }});
    for query in ["?validateOnly=true", "?validateOnly", "?validateOnly=1"] {
        let answer = client
            .post(&format!("/execute{query}"), &aliased)
            .await
            .json();
        assert_eq!(
            (&answer["ok"], &answer["validated"]),
            (&json!(true), &json!(true))
        );
        assert_eq!(answer["execution"]["actions"][0]["type"], "snapshot_ui");
    }
    let answer = client
        .post("/execute?dryRun=true&validateOnly=true", &aliased)
        .await
        .json();
    assert_eq!(answer["dryRun"], true);
    assert_eq!(answer["plan"]["actionCount"], 1);
    let missing = client.get("/executions/c").await;
    assert_eq!(missing.refusal(404), "EXECUTION_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn request_errors_have_fixed_precedence() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    let good = snapshot("c").to_string();
    for row in r#"
        400 MISSING_EXECUTION /execute
        400 MISSING_EXECUTION /execute {}
        400 MISSING_EXECUTION /execute {"execution":null}
        400 INVALID_BODY /execute []
        400 INVALID_BODY /execute 5
        400 INVALID_JSON /execute {
        400 INVALID_JSON /execute {feff}
        400 INVALID_JSON /execute {"a":1,"a":2}
        400 MISSING_EXECUTION /execute {"deviceId":5}
        400 INVALID_DEVICE_ID /execute {"execution":{},"deviceId":5}
        400 INVALID_DEVICE_ID /execute {"execution":{},"deviceId":" "}
        400 INVALID_OPERATOR_PACKAGE /execute {"execution":{},"operatorPackage":"a b"}
        400 INVALID_OPERATOR_PACKAGE /execute {"execution":{},"operatorPackage":""}
        400 INVALID_BODY /execute {"execution":{},"device":"sim"}
        400 EXECUTION_VALIDATION_FAILED /execute {"execution":{}}
        400 INVALID_QUERY /execute?wait=-1 {"execution":{}}
        400 INVALID_QUERY /execute?wait=120001 {"execution":{}}
        400 INVALID_QUERY /execute?wat=1 {"execution":{}}
        400 INVALID_QUERY /execute?wait=%zz {"execution":{}}
        400 INVALID_QUERY /execute?wait=1&wait=1 {"execution":{}}
        502 ADB_NOT_FOUND /snapshot {"deviceId":"nobody"}
        404 DEVICE_NOT_FOUND /snapshot {"deviceId":"sim#"}
        400 INVALID_PATH /snapshot {"deviceId":"sim:/etc/passwd"}
        400 EXECUTION_VALIDATION_FAILED /snapshot {"timeoutMs":999}
        400 INVALID_BODY /snapshot {"timeoutMs":"5"}
        400 INVALID_PATH /screenshot {"path":""}
        400 INVALID_PATH /screenshot {"path":"/tmp/x.png"}
        400 EXECUTION_VALIDATION_FAILED /inspect {}
        400 INVALID_BODY /inspect {"describe":"x"}
        400 INVALID_BODY /inspect {"description":5}
        400 EXECUTION_VALIDATION_FAILED /screenshot {"fullPage":1}
        400 EXECUTION_VALIDATION_FAILED /selectors {}
        400 INVALID_BODY /selectors {"coordinate":{"x":1.5,"y":1}}
        400 EXECUTION_VALIDATION_FAILED /selectors {"ref":"?"}
        400 EXECUTION_VALIDATION_FAILED /selectors {"matcher":{"text":5}}
        404 ROUTE_NOT_FOUND /nothing {}
        404 ROUTE_NOT_FOUND /execute/ {}
        405 METHOD_NOT_ALLOWED /devices {}
    "#
    .trim()
    .lines()
    {
        let mut words = row.trim().splitn(4, ' ');
        let mut word = || words.next().unwrap_or_default();
        let (status, code, path) = (word().parse().unwrap(), word(), word());
        let body = word().replace("{feff}", "\u{feff}");
        let answer = client.call(post(path, &[], &body)).await;
        assert_eq!(answer.refusal(status), code, "{path} {body}");
    }
    // A phone has no page beyond its screen.
    let whole = client.post("/screenshot", &json!({"fullPage": true})).await;
    assert_eq!(whole.refusal(422), "ACTION_NOT_SUPPORTED_HERE");
    let path = client
        .post("/screenshot", &json!({"path": " "}))
        .await
        .json();
    assert_eq!(
        path["error"]["message"],
        "'path' must be a non-empty string"
    );
    let invalid = json!({"execution": {"commandId": "c"}});
    let problems = client.post("/execute", &invalid).await.json();
    assert!(
        problems["error"]["details"]["problems"]
            .as_array()
            .unwrap()
            .len()
            > 3,
        "{problems}"
    );
    for (kind, code) in [("text/plain", 415), ("application/json", 200)] {
        let body = format!("{{\"execution\":{good}}}");
        let request = format!(
            "POST /execute HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        assert_eq!(client.call(request).await.status, code, "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn snapshot_and_screenshot_return_screen() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    for body in ["", "{}", "{\"timeoutMs\":5000}"] {
        let answer = client.call(post("/snapshot", &[], body)).await;
        assert_eq!(answer.status, 200, "{body}");
        assert_eq!(
            answer.json()["envelope"]["stepResults"][0]["actionType"],
            "snapshot_ui"
        );
    }
    let answer = client.post("/screenshot", &json!({})).await.json();
    let path = answer["envelope"]["stepResults"][0]["data"]["path"]
        .as_str()
        .unwrap();
    let file = std::fs::read(path).unwrap();
    std::fs::remove_file(path).unwrap();
    assert!(file.starts_with(b"\x89PNG"));
    let picture = client
        .call(post("/screenshot", &[("accept", "image/png")], "{}"))
        .await;
    assert_eq!(
        (picture.status, picture.header("content-type")),
        (200, Some("image/png"))
    );
    assert_eq!(picture.body, file);
}

#[tokio::test(flavor = "multi_thread")]
async fn screenshots_stay_in_configured_directory() {
    let folder = testkit::TempFolder::new("http");
    std::fs::create_dir_all(folder.join("in")).unwrap();
    let server = serve(Setup {
        service: service::Options {
            screenshots: Some(folder.to_path_buf()),
            screenshot_paths: service::Paths::within(Some(folder.to_path_buf())),
            ..Default::default()
        },
        ..Setup::default()
    })
    .await;
    let mut client = Client::new(&server).await;
    for path in ["a.png", "in/b.png"] {
        let answer = client
            .post("/screenshot", &json!({"path": path}))
            .await
            .json();
        let data = &answer["envelope"]["stepResults"][0]["data"];
        assert_eq!(data["path"], json!(folder.join(path)), "{answer}");
        assert!(folder.join(path).is_file());
    }
    let jpeg = json!({"path": "a.jpg"}).to_string();
    for accept in ["image/png", "image/jpeg"] {
        let picture = client
            .call(post("/screenshot", &[("accept", accept)], &jpeg))
            .await;
        assert_eq!(picture.header("content-type"), Some("image/jpeg"));
        assert_eq!(picture.body, std::fs::read(folder.join("a.jpg")).unwrap());
    }
    for path in ["../x.png", "/tmp/x.png", "in/../../x.png"] {
        let refused = client.post("/screenshot", &json!({"path": path})).await;
        assert_eq!(refused.refusal(400), "INVALID_PATH", "{path}");
        let shot = json!([{"id": "p", "type": "take_screenshot", "params": {"path": path}}]);
        let refused = client
            .post("/execute", &json!({"execution": plan("c", shot)}))
            .await;
        assert_eq!(refused.refusal(400), "INVALID_PATH", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_are_files_of_configured_directory() {
    let folder = testkit::TempFolder::new("uploads");
    std::fs::create_dir_all(folder.join("in")).unwrap();
    std::fs::write(folder.join("in/a.txt"), "a").unwrap();
    std::fs::write(folder.join("outside.txt"), "o").unwrap();
    let upload = |file: &str| {
        let params = json!({"matcher": {"role": "button"}, "files": [file]});
        let actions = json!([{"id": "u", "type": "upload", "params": params}]);
        json!({"execution": plan("c", actions)})
    };
    let server = serve(Setup {
        service: service::Options {
            upload_paths: service::Paths::within(Some(folder.join("in"))),
            ..Default::default()
        },
        ..Setup::default()
    })
    .await;
    let mut client = Client::new(&server).await;
    // The simulated phone shows no page; the file itself is allowed.
    let allowed = client.post("/execute", &upload("a.txt")).await;
    assert_eq!(allowed.refusal(422), "ACTION_NOT_SUPPORTED_HERE");
    let outside = folder.join("outside.txt");
    for file in [outside.to_str().unwrap(), "../outside.txt", "none.txt", "."] {
        let refused = client.post("/execute", &upload(file)).await;
        assert_eq!(refused.refusal(400), "INVALID_PATH", "{file}");
    }
    let closed = serve(Setup::default()).await;
    let mut client = Client::new(&closed).await;
    let inside = folder.join("in/a.txt");
    let refused = client
        .post("/execute", &upload(inside.to_str().unwrap()))
        .await;
    assert_eq!(refused.refusal(400), "INVALID_PATH");
}

#[tokio::test(flavor = "multi_thread")]
async fn inspect_and_selectors_return_elements() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    let open = json!([{"id": "o", "type": "open_app", "params": {"applicationId": "com.android.settings"}}]);
    client
        .post("/execute", &json!({"execution": plan("open", open)}))
        .await;
    let query = json!({"description": "the connections entry", "limit": 2});
    let found = client.post("/inspect", &query).await;
    let found = found.json();
    assert_eq!(found["ok"], true, "{found}");
    assert_eq!(found["deviceId"], "sim");
    // 2 and 2.0 are the same number in JSON.
    let same = json!({"description": "the connections entry", "limit": 2.0});
    let same = client.post("/inspect", &same).await.json();
    assert_eq!(same["elements"], found["elements"]);
    // Actions accept its reference.
    let found_ref = found["elements"][0]["sessionRef"].as_str().unwrap();
    let press =
        json!([{"id": "p", "type": "wait_for_node", "params": {"matcher": {"ref": found_ref}}}]);
    let pressed = client
        .post("/execute", &json!({"execution": plan("press", press)}))
        .await
        .json();
    assert_eq!(pressed["envelope"]["status"], "success", "{pressed}");
    for wrong in [json!(2.5), json!(0.0), json!(21), json!("2")] {
        let query = json!({"description": "the connections entry", "limit": wrong});
        let refused = client.post("/inspect", &query).await;
        assert_eq!(refused.status, 400, "{query}");
    }
    let selectors = &found["elements"][0]["selectors"];
    assert!(!selectors.as_array().unwrap().is_empty(), "{found}");
    let reference = found["elements"][0]["ref"].clone();
    let named = client
        .post("/selectors", &json!({"ref": reference}))
        .await
        .json();
    assert_eq!(named["elements"][0]["ref"], reference, "{named}");
    // The returned selector finds the element again.
    let matcher = selectors[0]["selector"].clone();
    let named = client
        .post("/selectors", &json!({"matcher": matcher}))
        .await
        .json();
    assert_eq!(named["verdict"], "certain", "{named}");
    let point = client
        .post("/selectors", &json!({"coordinate": {"x": 540, "y": 1200}}))
        .await;
    assert_eq!(point.status, 200);
    // The answer has the bounds of matching nodes, as many as requested.
    let wide = json!({"textContains": "o"});
    let places = async |client: &mut Client, body: Value| {
        let mut request = json!({"matcher": wide});
        if let Some(request) = request.as_object_mut() {
            request.extend(body.as_object().cloned().unwrap_or_default());
        }
        client.post("/selectors", &request).await
    };
    let all = places(&mut client, json!({"places": 500})).await.json();
    let reported = all["places"].as_array().unwrap();
    assert!(
        reported.len() > 3 && reported.len() as u64 == all["count"],
        "{all}"
    );
    assert_eq!(reported[0], all["elements"][0]["bounds"], "{all}");
    let some = places(&mut client, json!({"places": 2})).await.json();
    assert_eq!(some["places"].as_array().unwrap()[..], reported[..2]);
    let none = places(&mut client, json!({})).await.json();
    assert_eq!(
        (&none["places"], &none["count"]),
        (&Value::Null, &all["count"])
    );
    let many = places(&mut client, json!({"places": 501})).await;
    assert_eq!(many.refusal(400), "EXECUTION_VALIDATION_FAILED");
    let nothing = client
        .post("/inspect", &json!({"description": "flux capacitor"}))
        .await;
    assert_eq!(nothing.refusal(404), "ELEMENT_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn executions_are_found_by_id() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    client.post("/execute", &sleeping("with space/é", 10)).await;
    let found = client.get("/executions/with%20space%2F%C3%A9").await;
    assert_eq!(found.status, 200);
    let found = found.json();
    assert_eq!(found["state"], "ended", "{found}");
    assert_eq!(found["steps"][0]["id"], "s");
    assert_eq!(found["result"]["envelope"]["status"], "success");
    for (path, status, code) in [
        ("/executions/%zz", 400, "INVALID_QUERY"),
        ("/executions/none", 404, "EXECUTION_NOT_FOUND"),
        ("/executions/", 404, "ROUTE_NOT_FOUND"),
        ("/executions/a/b", 404, "ROUTE_NOT_FOUND"),
    ] {
        assert_eq!(client.get(path).await.refusal(status), code, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn devices_and_health_respond() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    let health = client.get("/healthz").await.json();
    assert_eq!(health["ok"], true);
    client
        .post("/snapshot", &json!({"deviceId": "sim#one"}))
        .await;
    let devices = client.get("/devices").await.json();
    let names: Vec<&Value> = devices["embedded"].as_array().unwrap().iter().collect();
    for name in ["sim", "sim#one"] {
        let device = json!({"serial": name, "state": "embedded"});
        assert!(names.contains(&&device), "{devices}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn head_and_options_respond() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    client
        .send("HEAD /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .await;
    let head = client.head().await.unwrap();
    assert_eq!(head.status, 200);
    assert!(
        head.header("content-length")
            .unwrap()
            .parse::<usize>()
            .unwrap()
            > 10
    );
    let options = client
        .call("OPTIONS /executions/x HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .await;
    assert_eq!(options.status, 204);
    assert_eq!(options.header("allow"), Some("GET, HEAD, DELETE, OPTIONS"));
    let other = client
        .call("PATCH /execute HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n")
        .await;
    assert_eq!(other.refusal(405), "METHOD_NOT_ALLOWED");
    assert_eq!(other.header("allow"), Some("POST, OPTIONS"));
}

#[tokio::test(flavor = "multi_thread")]
async fn misspelt_body_key_has_suggestion() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    for key in ["deviceID", "device", "device_id"] {
        let refused = client.post("/snapshot", &json!({ key: "sim" })).await;
        assert_eq!(refused.status, 400);
        let refused = refused.json();
        assert_eq!(refused["error"]["code"], "INVALID_BODY", "{refused}");
        assert_eq!(refused["error"]["suggestion"], "deviceId", "{refused}");
    }
    let refused = client.post("/snapshot", &json!({ "zoom": 2 })).await.json();
    assert!(refused["error"].get("suggestion").is_none(), "{refused}");
    let refused = client.post("/inspect", &json!({ "descripton": "x" })).await;
    assert_eq!(refused.json()["error"]["suggestion"], "description");
    let bare = plan("bare", json!([{ "id": "s", "type": "snapshot_ui" }]));
    let refused = client.post("/execute", &bare).await.json();
    assert_eq!(refused["error"]["code"], "MISSING_EXECUTION", "{refused}");
    let hint = refused["error"]["hint"].as_str().unwrap();
    assert!(hint.contains("the plan itself"), "{refused}");
}
