//! The Operator app's parsing of broadcasts, and the format of its answers.

use contract::{Action, Execution, NodeMatcher};
use serde_json::{Map, Value, json};

/// The app's limits.
const MAX_ACTIONS: usize = 64;
const MAX_PAYLOAD: usize = 64_000;
const DEFAULT_TIMEOUT_MS: u64 = 30_000;
const MIN_TIMEOUT_MS: u64 = 1000;
const MAX_TIMEOUT_MS: u64 = 120_000;
/// The action of `doctor`.
const PING: &str = "doctor_ping";

/// A valid command.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) id: String,
    pub(super) task: String,
    pub(super) source: String,
    /// Its timeout. It is not interrupted, but its result is discarded after that.
    pub(super) timeout_ms: u64,
    pub(super) steps: Vec<Step>,
}

/// One action of it.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) id: String,
    /// Its type, as the app spells it.
    pub(super) kind: String,
    pub(super) what: Operation,
}

/// Operation to do.
#[derive(Debug)]
pub(super) enum Operation {
    /// Report the settings of the phone.
    Ping,
    /// Run this plan of one action.
    Run(Box<Execution>),
}

impl Command {
    /// Parses a payload.
    pub(super) fn read(payload: &str) -> Result<Self, String> {
        if payload.trim().is_empty() {
            return Err("payload is required".to_owned());
        }
        if payload.len() > MAX_PAYLOAD {
            return Err(format!("payload exceeds {MAX_PAYLOAD} bytes"));
        }
        let root: Value = serde_json::from_str(payload).map_err(|error| error.to_string())?;
        let root = root.as_object().ok_or("payload must be an object")?;
        let (id, task) = (word(root, "commandId", 128)?, word(root, "taskId", 128)?);
        let source = word(root, "source", 64)?;
        let timeout_ms = root.get("timeoutMs").and_then(Value::as_u64);
        let timeout_ms = timeout_ms
            .unwrap_or(DEFAULT_TIMEOUT_MS)
            .clamp(MIN_TIMEOUT_MS, MAX_TIMEOUT_MS);
        let actions = root.get("actions").and_then(Value::as_array);
        let actions = actions.ok_or("actions is required")?;
        if actions.is_empty() {
            return Err("actions must not be empty".to_owned());
        }
        if actions.len() > MAX_ACTIONS {
            return Err(format!("actions exceeds max size of {MAX_ACTIONS}"));
        }
        let mut steps = Vec::with_capacity(actions.len());
        for (index, action) in actions.iter().enumerate() {
            steps.push(step(index, action, (&id, &task, &source))?);
        }
        Ok(Self {
            id,
            task,
            source,
            timeout_ms,
            steps,
        })
    }

    /// The answer to a command that ran, with the results of its steps.
    pub(super) fn answer(&self, steps: &[Value]) -> String {
        self.envelope("success", steps, Value::Null, None)
    }

    /// The answer to a command that did not run or timed out.
    pub(super) fn failure(&self, error: &str, code: Option<&str>) -> String {
        self.envelope("failed", &[], error.into(), code)
    }

    fn envelope(&self, status: &str, steps: &[Value], error: Value, code: Option<&str>) -> String {
        let mut envelope = json!({
            "commandId": self.id,
            "taskId": self.task,
            "status": status,
            "stepResults": steps,
            "error": error,
        });
        if let (Some(code), Value::Object(fields)) = (code, &mut envelope) {
            fields.insert("errorCode".to_owned(), code.into());
        }
        envelope.to_string()
    }
}

fn word(map: &Map<String, Value>, key: &str, max_length: usize) -> Result<String, String> {
    let text = match map.get(key) {
        None | Some(Value::Array(_) | Value::Object(_)) => {
            return Err(format!("{key} is required"));
        }
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    if text.trim().is_empty() {
        return Err(format!("{key} must not be blank"));
    }
    if text.encode_utf16().count() > max_length {
        return Err(format!("{key} exceeds max length of {max_length}"));
    }
    Ok(text)
}

fn step(index: usize, action: &Value, of: (&str, &str, &str)) -> Result<Step, String> {
    let map = action
        .as_object()
        .ok_or_else(|| format!("action at index={index} must be an object"))?;
    let (id, named) = (word(map, "id", 128)?, word(map, "type", 64)?);
    let kind = named.to_lowercase();
    if kind == PING {
        return Ok(Step {
            id,
            kind,
            what: Operation::Ping,
        });
    }
    let mut action = map.clone();
    action.insert("type".to_owned(), kind.into());
    let (command, task, source) = of;
    // Actions run separately, because some failures do not end the command.
    let plan = json!({
        "commandId": command,
        "taskId": task,
        "source": source,
        "expectedFormat": "android-ui-automator",
        "timeoutMs": MAX_TIMEOUT_MS,
        "actions": [action],
    });
    let read = Execution::from_value(&plan).map_err(|invalid| {
        format!(
            "unsupported action at index={index}: {}",
            invalid.body().message
        )
    })?;
    let kind = read.execution.actions().first().map(Action::kind);
    let kind = kind.ok_or("actions must not be empty")?;
    Ok(Step {
        id,
        kind: kind.as_str().to_owned(),
        what: Operation::Run(Box::new(read.execution)),
    })
}

/// A matcher as the app's error messages show it.
pub(super) fn describe_matcher(matcher: &NodeMatcher) -> String {
    let field = |value: &Option<String>| value.as_deref().unwrap_or("null").to_owned();
    format!(
        "NodeMatcher(resourceId={}, role={}, textEquals={}, textContains={}, contentDescEquals={}, contentDescContains={})",
        field(&matcher.resource_id),
        field(&matcher.role),
        field(&matcher.text_equals),
        field(&matcher.text_contains),
        field(&matcher.content_desc_equals),
        field(&matcher.content_desc_contains),
    )
}
