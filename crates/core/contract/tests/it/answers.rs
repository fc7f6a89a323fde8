//! Results, and the objects that surfaces print around them.

use contract::{
    DeviceAnswer, DryRunResult, ErrorBody, ErrorClass, ErrorCode, Execution, ResultEnvelope,
    RunResponse, Status, StepData, StepResult, Transport, ValidationResult, ViaReason,
    ViaReasonCode, Warning, WarningCode,
};
use expect_test::expect;
use serde_json::json;

use crate::support::{one, payload};

fn execution() -> Execution {
    let actions = json!([
        { "id": "c", "type": "tap", "params": { "element": { "text": "OK" } } },
        { "id": "s", "type": "snapshot" },
    ]);
    Execution::from_value(&payload(actions)).unwrap().execution
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap()
}

#[test]
fn run_succeeds_if_every_step_does() {
    let execution = execution();
    let steps = vec![
        StepResult::succeeded(&execution.actions()[0], StepData::new()),
        StepResult::succeeded(
            &execution.actions()[1],
            StepData::new().with("text", "<hierarchy/>"),
        ),
    ];
    let envelope = ResultEnvelope::from_steps(&execution, steps);
    assert!(envelope.is_success());
    expect![[r#"{"commandId":"cmd-1","taskId":"task-1","status":"success","stepResults":[{"id":"c","actionType":"click","success":true,"data":{}},{"id":"s","actionType":"snapshot_ui","success":true,"data":{"text":"<hierarchy/>"}}],"error":null}"#]].assert_eq(&json(&envelope));
}

#[test]
fn run_fails_with_first_failed_step() {
    let execution = execution();
    let steps = vec![
        StepResult::failed(
            &execution.actions()[0],
            ErrorCode::NodeNotFound,
            "no visible node has this text",
            StepData::new().with("near_misses", "[]"),
        ),
        StepResult::failed(
            &execution.actions()[1],
            ErrorCode::DeviceLost,
            "gone",
            StepData::new(),
        ),
    ];
    assert_eq!(steps[0].error_code(), Some(ErrorCode::NodeNotFound));
    let envelope = ResultEnvelope::from_steps(&execution, steps);
    assert_eq!(envelope.status, Status::Failed);
    expect![[r#"{"commandId":"cmd-1","taskId":"task-1","status":"failed","stepResults":[{"id":"c","actionType":"click","success":false,"data":{"near_misses":"[]","error":"NODE_NOT_FOUND","message":"no visible node has this text"}},{"id":"s","actionType":"snapshot_ui","success":false,"data":{"error":"DEVICE_LOST","message":"gone"}}],"error":"Step c (click) failed: NODE_NOT_FOUND","errorCode":"NODE_NOT_FOUND"}"#]].assert_eq(&json(&envelope));
    assert_eq!(
        serde_json::from_str::<ResultEnvelope>(&json(&envelope)).unwrap(),
        envelope
    );
}

#[test]
fn run_without_steps_succeeds_unless_failed() {
    let execution = execution();
    assert!(ResultEnvelope::from_steps(&execution, Vec::new()).is_success());
    let error = ErrorBody::new(ErrorCode::ServiceUnavailable, "the service is not running")
        .with_default_hint();
    expect![[r#"{"commandId":"cmd-1","taskId":"task-1","status":"failed","stepResults":[],"error":"the service is not running","errorCode":"SERVICE_UNAVAILABLE","hint":"Switch on the service on the phone under Settings → Accessibility, or with `clawperator grant-device-permissions`; `--via stock` does not need the app"}"#]].assert_eq(&json(&ResultEnvelope::failed(
        &execution,
        Vec::new(),
        &error,
    )));
}

#[test]
fn failed_step_without_code_is_a_failure() {
    let envelope = ResultEnvelope::from_steps(
        &execution(),
        vec![StepResult {
            id: "c".to_owned(),
            action_type: contract::ActionKind::Click,
            success: false,
            data: StepData::new(),
        }],
    );
    assert_eq!(envelope.error.as_deref(), Some("Step c (click) failed"));
    assert_eq!(envelope.error_code, None);
}

#[test]
fn step_data_keeps_insertion_order() {
    let mut data = StepData::new().with("b", "1").with("a", "2");
    data.push("b", "3");
    assert_eq!(json(&data), r#"{"b":"3","a":"2"}"#);
    assert_eq!(data.get("a"), Some("2"));
    assert_eq!(data.get("c"), None);
    assert_eq!(data.remove("b").as_deref(), Some("3"));
    assert_eq!(json(&data), r#"{"a":"2"}"#);
}

#[test]
fn device_answers_are_parsed_leniently() {
    let lax: StepData =
        serde_json::from_str(r#"{"count":3,"ok":true,"none":null,"text":"x"}"#).unwrap();
    assert_eq!(
        json(&lax),
        r#"{"count":"3","ok":"true","none":"null","text":"x"}"#
    );
    assert!(serde_json::from_str::<StepData>(r#"{"list":[1]}"#).is_err());
    let envelope: ResultEnvelope = serde_json::from_str(
        r#"{"commandId":"c","taskId":"t","status":"failed","stepResults":[],"error":"x","errorCode":"OF_ITS_OWN","hint":null}"#,
    )
    .unwrap();
    assert_eq!(envelope.error_code.as_deref(), Some("OF_ITS_OWN"));
    assert!(
        serde_json::from_str::<ResultEnvelope>(
            r#"{"commandId":"c","taskId":"t","status":"maybe","stepResults":[],"error":null}"#
        )
        .is_err()
    );
}

#[test]
fn device_answer_wraps_the_result() {
    let envelope = ResultEnvelope::from_steps(&execution(), Vec::new());
    let plain = DeviceAnswer::canonical(envelope.clone(), "sim", Vec::new());
    expect![[r#"{"envelope":{"commandId":"cmd-1","taskId":"task-1","status":"success","stepResults":[],"error":null},"deviceId":"sim","terminalSource":"clawperator_result","isCanonicalTerminal":true}"#]].assert_eq(&json(&plain));
    let warning = Warning::new(
        WarningCode::SeveralMatches,
        "3 nodes match, the first was taken",
    );
    let warned = DeviceAnswer::canonical(envelope, "sim", vec![warning]);
    assert!(json(&warned).ends_with(
        r#""isCanonicalTerminal":true,"warnings":[{"code":"SEVERAL_MATCHES","message":"3 nodes match, the first was taken"}]}"#
    ));
    assert_eq!(
        serde_json::from_str::<DeviceAnswer>(&json(&warned)).unwrap(),
        warned
    );
}

#[test]
fn fallback_is_reported_once() {
    let envelope = ResultEnvelope::from_steps(&execution(), Vec::new());
    let mut answer = DeviceAnswer::canonical(envelope, "R58M", Vec::new());
    answer.via = Some(Transport::Stock);
    assert_eq!(answer.fallback_line(), None);
    answer.via_reason = Some(ViaReason {
        code: ViaReasonCode::AgentUnavailable,
        reason: Some("ui_automation_taken".to_owned()),
        message: "held by\nit".to_owned(),
    });
    assert_eq!(
        answer.fallback_line().as_deref(),
        Some("via stock: held by\\nit")
    );
    let reason = r#""via":"stock","viaReason":{"code":"AGENT_UNAVAILABLE","reason":"ui_automation_taken","message":"held by\nit"}}"#;
    assert!(json(&answer).ends_with(reason), "{}", json(&answer));
    let response = json(&RunResponse::from(&answer));
    assert!(response.ends_with(reason), "{response}");
    assert_eq!(
        serde_json::from_str::<DeviceAnswer>(&json(&answer)).unwrap(),
        answer
    );
    // The warning has the same reason.
    let warning = Warning::new(WarningCode::OperatorNotUsed, "used stock");
    answer.warnings.push(warning);
    assert_eq!(answer.fallback_line(), None);
}

#[test]
fn valid_payload_is_echoed_in_canonical_form() {
    let parsed = Execution::from_value(&one(
        "tap",
        json!({ "element": { "text": "OK" }, "uri": "x" }),
    ))
    .unwrap();
    let validated = ValidationResult::from(parsed.clone());
    expect![[r#"{"ok":true,"validated":true,"execution":{"commandId":"cmd-1","taskId":"task-1","source":"test","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"a1","type":"click","params":{"uri":"x","matcher":{"textEquals":"OK"}}}]},"warnings":[{"code":"PARAM_NOT_USED","message":"actions.0.params.uri is not used by click","path":"actions.0.params.uri"}]}"#]].assert_eq(&json(&validated));
    assert_eq!(
        serde_json::from_str::<ValidationResult>(&json(&validated)).unwrap(),
        validated
    );
    let planned = DryRunResult::from(parsed);
    expect![[r#"{"ok":true,"dryRun":true,"plan":{"commandId":"cmd-1","timeoutMs":30000,"actionCount":1,"actions":[{"id":"a1","type":"click","params":{"uri":"x","matcher":{"textEquals":"OK"}}}]},"warnings":[{"code":"PARAM_NOT_USED","message":"actions.0.params.uri is not used by click","path":"actions.0.params.uri"}]}"#]].assert_eq(&json(&planned));
    assert_eq!(
        serde_json::from_str::<DryRunResult>(&json(&planned)).unwrap(),
        planned
    );
}

#[test]
fn deserialized_execution_is_validated() {
    assert!(serde_json::from_value::<Execution>(json!({})).is_err());
    assert!(
        serde_json::from_value::<contract::Action>(json!({ "id": "a", "type": "click" })).is_err()
    );
}

#[test]
fn error_codes_are_consistent_and_unique() {
    for code in ErrorCode::ALL {
        assert_eq!(ErrorCode::parse(code.as_str()), Some(*code));
        assert!(
            code.as_str()
                .chars()
                .all(|letter| letter.is_ascii_uppercase() || letter == '_')
        );
        for sentence in [code.meaning(), code.hint()] {
            assert!(
                !sentence.is_empty() && !sentence.ends_with('.'),
                "{code}: {sentence}"
            );
        }
        assert_eq!(json(code), format!("\"{code}\""));
    }
    for code in ErrorCode::ALL {
        let place = code.place();
        assert!(
            !place.is_empty() && !place.ends_with('.'),
            "{code}: {place}"
        );
    }
    let mut strings: Vec<&str> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
    strings.sort_unstable();
    strings.dedup();
    assert_eq!(strings.len(), ErrorCode::ALL.len());
    assert_eq!(ErrorCode::parse("node_not_found"), None);
    assert_eq!(ErrorCode::NodeNotFound.class(), ErrorClass::NotFound);
    assert_eq!(
        ErrorCode::ExecutionConflictInFlight.class(),
        ErrorClass::Conflict
    );
}

#[test]
fn contract_error_codes_exist() {
    for code in [
        "EXECUTION_VALIDATION_FAILED",
        "EXECUTION_ACTION_UNSUPPORTED",
        "EXECUTION_CONFLICT_IN_FLIGHT",
        "EXECUTION_CANCELLED",
        "PAYLOAD_TOO_LARGE",
        "RESULT_ENVELOPE_TIMEOUT",
        "SERVICE_UNAVAILABLE",
        "NODE_NOT_FOUND",
        "NODE_NOT_CLICKABLE",
        "NODE_STALE",
        "GESTURE_FAILED",
        "CONTAINER_NOT_FOUND",
        "CONTAINER_NOT_SCROLLABLE",
        "CONTAINER_LOST",
        "TEXT_NOT_ENTERED",
        "VALIDATOR_MISMATCH",
        "VALUE_NODE_NOT_FOUND",
        "NAVIGATION_TIMEOUT",
        "APP_NOT_FOUND",
        "APP_LAUNCH_FAILED",
        "URI_NOT_HANDLED",
        "SNAPSHOT_EXTRACTION_FAILED",
        "GLOBAL_ACTION_FAILED",
        "SCREENSHOT_FAILED",
        "RECORDING_ALREADY_IN_PROGRESS",
        "RECORDING_NOT_IN_PROGRESS",
        "DEVICE_LOST",
        "ACTION_NOT_SUPPORTED_HERE",
        "NO_DEVICES",
        "DEVICE_NOT_FOUND",
        "USAGE",
        "UNKNOWN_COMMAND",
        "MISSING_ARGUMENT",
        "MISSING_SELECTOR",
        "INTERNAL_ERROR",
    ] {
        assert!(ErrorCode::parse(code).is_some(), "{code}");
    }
}
