//! Commands as the Operator app reads them out of a broadcast, and its answers to them.

use contract::{Action, Execution, NodeMatcher};
use serde_json::{Map, Value, json};

/// The limits of the app's own reading.
const MOST_ACTIONS: usize = 64;
const LARGEST: usize = 64_000;
const USUAL_MS: u64 = 30_000;
const SHORTEST_MS: u64 = 1000;
const LONGEST_MS: u64 = 120_000;
/// The action that only doctors send.
const PING: &str = "doctor_ping";

/// A command that can be run.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) id: String,
    pub(super) task: String,
    pub(super) source: String,
    /// How long it may take; it is not interrupted, but its result counts no more.
    pub(super) timeout_ms: u64,
    pub(super) steps: Vec<Step>,
}

/// One action of it.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) id: String,
    /// Its type in the app's own spelling.
    pub(super) kind: String,
    pub(super) what: What,
}

/// What is to be done for it.
#[derive(Debug)]
pub(super) enum What {
    /// Say how the phone is set.
    Ping,
    /// Run this plan of one action.
    Run(Box<Execution>),
}

impl Command {
    /// Reads a payload.
    ///
    /// # Errors
    /// What keeps it from being a command, as the app logs it.
    pub(super) fn read(payload: &str) -> Result<Self, String> {
        if payload.trim().is_empty() {
            return Err("payload is required".to_owned());
        }
        if payload.len() > LARGEST {
            return Err(format!("payload exceeds {LARGEST} bytes"));
        }
        let root: Value = serde_json::from_str(payload).map_err(|error| error.to_string())?;
        let root = root.as_object().ok_or("payload must be an object")?;
        let (id, task) = (word(root, "commandId", 128)?, word(root, "taskId", 128)?);
        let source = word(root, "source", 64)?;
        let timeout_ms = root.get("timeoutMs").and_then(Value::as_u64);
        let timeout_ms = timeout_ms
            .unwrap_or(USUAL_MS)
            .clamp(SHORTEST_MS, LONGEST_MS);
        let actions = root.get("actions").and_then(Value::as_array);
        let actions = actions.ok_or("actions is required")?;
        if actions.is_empty() {
            return Err("actions must not be empty".to_owned());
        }
        if actions.len() > MOST_ACTIONS {
            return Err(format!("actions exceeds max size of {MOST_ACTIONS}"));
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

    /// The answer to a command that ran: its steps, whatever came of each.
    pub(super) fn answer(&self, steps: &[Value]) -> String {
        self.envelope("success", steps, Value::Null, None)
    }

    /// The answer to one that did not run, or was given up.
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

fn word(map: &Map<String, Value>, key: &str, longest: usize) -> Result<String, String> {
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
    if text.encode_utf16().count() > longest {
        return Err(format!("{key} exceeds max length of {longest}"));
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
            what: What::Ping,
        });
    }
    let mut action = map.clone();
    action.insert("type".to_owned(), kind.into());
    let (command, task, source) = of;
    // Each action runs by itself, for what fails does not always keep the next one from running.
    let plan = json!({
        "commandId": command,
        "taskId": task,
        "source": source,
        "expectedFormat": "android-ui-automator",
        "timeoutMs": LONGEST_MS,
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
        what: What::Run(Box::new(read.execution)),
    })
}

/// A matcher as the app's errors show it.
pub(super) fn shown(matcher: &NodeMatcher) -> String {
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
