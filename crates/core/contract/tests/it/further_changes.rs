//! How much else a step changed is in its line only if no screen shows it.

use contract::{ResultEnvelope, lines};
use serde_json::{Value, json};

fn written(screen: Value, data: Value) -> String {
    let envelope: ResultEnvelope = serde_json::from_value(json!({
        "commandId": "c", "taskId": "t", "status": "success", "error": null, "screen": screen,
        "stepResults": [
            { "id": "a", "actionType": "click", "success": true, "data": {
                "effect": "observed", "evidence": "text \"Paid (+2 changes)\" appeared (+1 change)",
            } },
            { "id": "b", "actionType": "snapshot_ui", "success": true, "data": data },
        ],
    }))
    .unwrap();
    lines(&[], &envelope).swap_remove(0)
}

#[test]
fn line_counts_further_changes_where_no_screen_follows() {
    let nothing = json!({});
    let counted = "ok click · text \"Paid (+2 changes)\" appeared (+1 change)";
    let alone = "ok click · text \"Paid (+2 changes)\" appeared";
    assert_eq!(written(Value::Null, nothing.clone()), counted);
    assert_eq!(written(json!("application a\n"), nothing), alone);
    let snapshot = json!({ "actual_format": "text", "text": "application a\n" });
    assert_eq!(written(Value::Null, snapshot), alone);
}
