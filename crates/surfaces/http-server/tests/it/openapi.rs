//! The OpenAPI document: committed, up to date, and matched by responses.

use std::path::Path;

use serde_json::{Value, json};
use testkit::plan;

use crate::client::{Client, Setup, post, serve, sleeping};

#[test]
fn committed_openapi_matches_served_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/reference/openapi.json");
    let text = http_server::openapi::text();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "run `UPDATE_EXPECT=1 cargo test -p http-server --test it openapi`"
    );
}

#[test]
fn openapi_references_resolve() {
    fn check_references(value: &Value, document: &Value) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    if let (true, Some(place)) = (key == "$ref", value.as_str()) {
                        let place = place.strip_prefix('#').unwrap();
                        assert!(document.pointer(place).is_some(), "{place}");
                    }
                    check_references(value, document);
                }
            }
            Value::Array(items) => items
                .iter()
                .for_each(|item| check_references(item, document)),
            _ => {}
        }
    }
    let document = http_server::openapi::document();
    check_references(&document, &document);
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["paths"].as_object().unwrap().len() >= 10);
}

/// Asserts that the document declares a response.
#[track_caller]
fn assert_declared(method: &str, path: &str, status: u16, body: &Value) {
    let document = http_server::openapi::document();
    let operation = &document["paths"][path][method];
    let violations = violations(&operation["responses"][status.to_string()], body);
    assert!(
        violations.is_empty(),
        "{method} {path} {status}: {violations:?}\n{body}"
    );
}

/// How a body violates the schema of a request or response.
fn violations(message: &Value, body: &Value) -> Vec<String> {
    let schema = &message["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "there is no schema for {body}");
    let mut document = http_server::openapi::document();
    let fields = document.as_object_mut().unwrap();
    fields.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    fields.extend(schema.as_object().unwrap().clone());
    let validator = jsonschema::validator_for(&document).unwrap();
    let errors = validator.iter_errors(body);
    errors.map(|error| error.to_string()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn request_bodies_are_accepted_if_they_match_openapi() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    let document = http_server::openapi::document();
    let refused = ["INVALID_BODY", "EXECUTION_VALIDATION_FAILED"];
    for (path, accepted, body) in [
        (
            "/snapshot",
            true,
            json!({"view": "text", "budget": 100, "all": true}),
        ),
        (
            "/snapshot",
            true,
            json!({"view": null, "budget": null, "all": null}),
        ),
        ("/snapshot", false, json!({"budget": 100})),
        ("/snapshot", false, json!({"view": "text", "budget": 1})),
        (
            "/snapshot",
            false,
            json!({"matcher": {"textEquals": "Connections"}}),
        ),
        (
            "/screenshot",
            true,
            json!({"matcher": {"textEquals": "Connections"}, "marks": true}),
        ),
        (
            "/screenshot",
            true,
            json!({"marks": null, "maxSide": null, "matcher": null}),
        ),
        (
            "/screenshot",
            false,
            json!({"fullPage": true, "marks": true}),
        ),
        (
            "/screenshot",
            false,
            json!({"fullPage": true, "matcher": {"textEquals": "Connections"}}),
        ),
        ("/screenshot", false, json!({"maxSide": 1})),
        (
            "/inspect",
            true,
            json!({"description": "settings", "attributes": {"role": "button"}}),
        ),
        (
            "/inspect",
            true,
            json!({"tag": "button", "near": {"selector": "Settings"}}),
        ),
        (
            "/inspect",
            false,
            json!({"description": "settings", "attributes": {"color": "red"}}),
        ),
        (
            "/inspect",
            false,
            json!({"tag": "button", "near": {"direction": "below"}}),
        ),
        (
            "/inspect",
            false,
            json!({"description": "settings", "limit": 21}),
        ),
        (
            "/selectors",
            true,
            json!({"coordinate": {"x": 1, "y": 1}, "limit": null, "places": 3}),
        ),
        (
            "/selectors",
            true,
            json!({"matcher": {"textEquals": "Settings"}}),
        ),
        ("/selectors", false, json!({"coordinate": {"x": 1}})),
        (
            "/selectors",
            false,
            json!({"coordinate": {"x": 1, "y": 1}, "limit": 21}),
        ),
        (
            "/selectors",
            false,
            json!({"coordinate": {"x": 1, "y": 1}, "ref": "42-9f3a"}),
        ),
        ("/selectors", false, json!({"limit": 3})),
    ] {
        let request = &document["paths"][path]["post"]["requestBody"];
        let violations = violations(request, &body);
        assert_eq!(
            violations.is_empty(),
            accepted,
            "{path} {body}: {violations:?}"
        );
        let answer = client.post(path, &body).await.json();
        let code = answer["error"]["code"].as_str().unwrap_or_default();
        assert_eq!(
            !refused.contains(&code),
            accepted,
            "{path} {body}: {answer}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_match_openapi() {
    let server = serve(Setup::default()).await;
    let mut client = Client::new(&server).await;
    let served = client.get("/openapi.json").await;
    assert_eq!(served.body, http_server::openapi::text().as_bytes());
    for (path, query, body) in [
        ("/execute", "", sleeping("c", 1)),
        ("/execute", "?validateOnly", sleeping("c", 1)),
        ("/execute", "?dryRun", sleeping("c", 1)),
        ("/execute", "", json!({})),
        ("/execute", "", json!({"execution": {}})),
        (
            "/execute",
            "",
            json!({"execution": plan("c", json!([])), "deviceId": "sim#"}),
        ),
        ("/snapshot", "", json!({})),
        ("/snapshot", "", json!({"deviceId": "nobody"})),
        ("/snapshot", "", json!({"deviceId": "sim#!"})),
        ("/screenshot", "", json!({"path": "x"})),
        ("/inspect", "", json!({"description": "settings"})),
        ("/inspect", "", json!({"description": "flux capacitor"})),
        (
            "/inspect",
            "",
            json!({"near": {"selector": "flux capacitor"}, "tag": "button"}),
        ),
        ("/selectors", "", json!({"coordinate": {"x": 1, "y": 1}})),
        (
            "/selectors",
            "",
            json!({"coordinate": {"x": 1.0, "y": 1}, "limit": 2.0}),
        ),
        (
            "/selectors",
            "",
            json!({"coordinate": {"x": 1, "y": 1}, "limit": null}),
        ),
        ("/selectors", "", json!({"matcher": {"css": "a"}})),
    ] {
        let answer = client.post(&format!("{path}{query}"), &body).await;
        assert_declared("post", path, answer.status, &answer.json());
    }
    for (method, route, path) in [
        ("get", "/devices", "/devices"),
        ("get", "/healthz", "/healthz"),
        ("get", "/executions/{commandId}", "/executions/c"),
        ("get", "/executions/{commandId}", "/executions/none"),
        ("get", "/executions/{commandId}", "/executions/c?x=1"),
        ("delete", "/executions/{commandId}", "/executions/c"),
        ("get", "/events", "/events?lastEventId=x"),
    ] {
        let verb = method.to_uppercase();
        let request = format!("{verb} {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        let answer = client.call(request).await;
        assert_declared(method, route, answer.status, &answer.json());
    }
    let foreign = post("/execute", &[("origin", "http://evil.example")], "{}");
    let answer = client.call(foreign).await;
    assert_declared("post", "/execute", answer.status, &answer.json());
}
