//! The OpenAPI document: committed, up to date, and matched by responses.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Client, Setup, plan, post, serve, sleeping};

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
    let mut document = http_server::openapi::document();
    let operation = &document["paths"][path][method];
    let response = &operation["responses"][status.to_string()];
    let schema = &response["content"]["application/json"]["schema"];
    assert!(
        schema.is_object(),
        "{method} {path} {status} is not declared: {body}"
    );
    let schema = schema.clone();
    let fields = document.as_object_mut().unwrap();
    fields.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    if let Value::Object(schema) = schema {
        fields.extend(schema);
    }
    let validator = jsonschema::validator_for(&document).unwrap();
    let problems: Vec<String> = validator
        .iter_errors(body)
        .map(|error| error.to_string())
        .collect();
    assert!(
        problems.is_empty(),
        "{method} {path} {status}: {problems:?}\n{body}"
    );
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
        let answer = client.ask(request).await;
        assert_declared(method, route, answer.status, &answer.json());
    }
    let foreign = post("/execute", &[("origin", "http://evil.example")], "{}");
    let answer = client.ask(foreign).await;
    assert_declared("post", "/execute", answer.status, &answer.json());
}
