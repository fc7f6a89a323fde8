//! Plans for tests.

use serde_json::{Value, json};

/// A plan of these actions, with a time limit of 30 seconds.
pub fn plan(command_id: &str, actions: Value) -> Value {
    json!({
        "commandId": command_id, "taskId": "task", "source": "test",
        "expectedFormat": "android-ui-automator", "timeoutMs": 30_000, "actions": actions,
    })
}
