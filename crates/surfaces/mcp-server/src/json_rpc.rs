//! JSON-RPC 2.0 errors for invalid messages.

use serde_json::{Value, json};

const PARSE_ERROR: i32 = -32_700;
const INVALID_REQUEST: i32 = -32_600;

/// The response to an invalid message, for every transport.
pub(crate) fn unreadable(text: &[u8]) -> Value {
    match serde_json::from_slice::<Value>(text) {
        Err(error) => answer(PARSE_ERROR, Value::Null, &format!("Parse error: {error}")),
        Ok(value) => {
            let id = match &value["id"] {
                id @ (Value::String(_) | Value::Number(_)) => id.clone(),
                _ => Value::Null,
            };
            let message = "Invalid Request: not a JSON-RPC 2.0 message";
            answer(INVALID_REQUEST, id, message)
        }
    }
}

/// The response to a message that is too long.
pub(crate) fn too_long(limit: usize) -> Value {
    let message = format!("Invalid Request: the message has more than {limit} bytes");
    answer(INVALID_REQUEST, Value::Null, &message)
}

fn answer(code: i32, id: Value, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}
