//! Plans with one action, for requests without a plan.

use contract::{ActionKind, ErrorBody, Execution, ParsedExecution};
use serde_json::{Map, Value, json};

use crate::random;

/// The default timeout of such a plan, in milliseconds.
pub const DEFAULT_TIMEOUT_MS: f64 = 30_000.0;

/// A plan with one action and a new id that starts with `prefix`.
pub fn one(
    prefix: &str,
    source: &str,
    kind: ActionKind,
    params: Option<Map<String, Value>>,
    timeout_ms: Option<f64>,
) -> Result<ParsedExecution, ErrorBody> {
    named(&random::id(prefix), source, kind, params, timeout_ms)
}

/// A plan with one action and a given id.
pub fn named(
    id: &str,
    source: &str,
    kind: ActionKind,
    params: Option<Map<String, Value>>,
    timeout_ms: Option<f64>,
) -> Result<ParsedExecution, ErrorBody> {
    let mut action = json!({ "id": "snap", "type": kind.as_str() });
    if let (Some(params), Some(action)) = (params, action.as_object_mut()) {
        action.insert("params".to_owned(), params.into());
    }
    let plan = json!({
        "commandId": id,
        "taskId": id,
        "source": source,
        "expectedFormat": "android-ui-automator",
        "timeoutMs": timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS),
        "actions": [action],
        "mode": "direct",
    });
    Execution::from_value(&plan).map_err(ErrorBody::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plan_with_one_action_is_valid() {
        let parsed = one("look", "test", ActionKind::SnapshotUi, None, None).unwrap();
        let id = parsed.execution.command_id().to_owned();
        assert!(id.starts_with("look-"), "{id}");
        assert!(parsed.warnings.is_empty());
        let other = one("look", "test", ActionKind::SnapshotUi, None, Some(999.0));
        assert!(other.unwrap_err().message.contains("timeoutMs"));
    }
}
