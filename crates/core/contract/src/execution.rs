//! The execution payload: parses JSON into a validated plan.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Value};

use crate::{
    action::Action,
    error::{ErrorBody, ErrorCode},
    interrupts::InterruptRule,
    invalid::Invalid,
    json, key_suggestions, limits,
    number::{Millis, format_number, json_number},
    payload_keys::ExecutionKey,
    plan_warnings,
    problem::{Findings, Path},
    read::{self, Keys},
    warning::Warning,
    words::{ExpectedFormat, Mode, Observe, OnFailure},
};

/// A plan: the actions to run on a device, in order, and their time limit.
///
/// This schema describes the canonical form. Input may use other spellings of keys, action types and words; unused
/// params and some values outside their range give a warning (values are clamped); see the actions reference. Lengths
/// count UTF-16 code units.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Execution {
    /// The caller's id of this run, repeated in the result.
    #[schemars(length(max = limits::MAX_ID_LENGTH), regex(pattern = "\\S"))]
    command_id: String,
    /// The caller's id of the task that this run belongs to, repeated in the result.
    #[schemars(length(max = limits::MAX_ID_LENGTH), regex(pattern = "\\S"))]
    task_id: String,
    /// The sender of the plan.
    #[schemars(length(max = limits::MAX_SOURCE_LENGTH), regex(pattern = "\\S"))]
    source: String,
    /// The format of this payload.
    expected_format: ExpectedFormat,
    /// The time limit of the run, in milliseconds.
    #[schemars(range(min = limits::MIN_EXECUTION_TIMEOUT_MS, max = limits::MAX_EXECUTION_TIMEOUT_MS))]
    timeout_ms: Millis,
    /// The actions, in order.
    #[schemars(length(min = 1, max = limits::MAX_ACTIONS))]
    actions: Vec<Action>,
    /// The author of the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    /// Whether to continue after a failed step.
    #[serde(skip_serializing_if = "OnFailure::is_stop")]
    #[schemars(extend("default" = OnFailure::Stop))]
    on_failure: OnFailure,
    /// What to return of the screen after the last step, in the envelope's `changes` or `screen`; every value also adds the
    /// effect of each step.
    #[serde(skip_serializing_if = "Option::is_none")]
    observe: Option<Observe>,
    /// Rules for what may interrupt the plan, such as permission prompts and cookie banners. The first rule that applies
    /// runs before an action looks for a node, and while it waits for one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limits::MAX_INTERRUPTS))]
    interrupts: Vec<InterruptRule>,
}

/// An accepted execution and its warnings.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedExecution {
    /// The plan.
    pub execution: Execution,
    /// Warnings about input that was changed or ignored.
    pub warnings: Vec<Warning>,
}

impl Execution {
    /// Reads an execution from JSON text.
    ///
    /// # Errors
    /// Text that is too large, not UTF-8 or not JSON; otherwise every rule that the payload breaks.
    pub fn parse(text: &[u8]) -> Result<ParsedExecution, Invalid> {
        Self::from_value(&json::parse(text)?)
    }

    /// Reads an execution from JSON text, with some of its values replaced before validation.
    ///
    /// # Errors
    /// As [`Self::parse`]; replaced values are not checked.
    pub fn parse_with(text: &[u8], overrides: &Overrides) -> Result<ParsedExecution, Invalid> {
        let mut value = json::parse(text)?;
        if let Value::Object(fields) = &mut value {
            overrides.put_into(fields);
        }
        Self::from_value(&value)
    }

    /// Reads an execution from a JSON value.
    pub fn from_value(value: &Value) -> Result<ParsedExecution, Invalid> {
        let mut findings = Findings::default();
        let execution = Self::read(value, &mut findings);
        let (execution, warnings) = Invalid::unless_clean(findings, execution, value)?;
        let size = execution.size().map_err(|error| {
            Invalid::whole(ErrorBody::new(ErrorCode::InternalError, error.to_string()))
        })?;
        if size > limits::MAX_PAYLOAD_BYTES {
            let limit = limits::MAX_PAYLOAD_BYTES;
            return Err(json::too_large(
                format!("the normalised payload has {size} bytes; the limit is {limit}"),
                limit,
            ));
        }
        Ok(ParsedExecution {
            execution,
            warnings,
        })
    }

    /// The same plan, which returns this of the screen.
    #[must_use]
    pub fn observing(mut self, observe: Observe) -> Self {
        self.observe = Some(observe);
        self
    }

    /// The same plan with another time limit.
    pub fn with_timeout(mut self, millis: f64) -> Result<Self, Invalid> {
        self.timeout_ms = Millis::new(millis)
            .filter(|_| in_time(millis))
            .ok_or_else(|| {
                Invalid::at(
                    ExecutionKey::TimeoutMs.as_str(),
                    timeout_out_of_range(millis),
                )
            })?;
        Ok(self)
    }

    /// The caller's id of this run.
    pub fn command_id(&self) -> &str {
        &self.command_id
    }

    /// The caller's name for the task of this run.
    pub fn task_id(&self) -> &str {
        &self.task_id
    }

    /// The sender of the plan.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The time limit of the run.
    pub const fn timeout(&self) -> Millis {
        self.timeout_ms
    }

    /// The actions, in order.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The author of the plan.
    pub const fn mode(&self) -> Option<Mode> {
        self.mode
    }

    /// Whether to continue after a failed step.
    pub const fn on_failure(&self) -> OnFailure {
        self.on_failure
    }

    /// What to return of the screen after the last step.
    pub const fn observe(&self) -> Option<Observe> {
        self.observe
    }

    /// Whether the plan or any of its actions asks for the screen or for effects.
    pub fn observes(&self) -> bool {
        self.observe.is_some() || self.actions.iter().any(|action| action.observe().is_some())
    }

    /// The rules for interruptions, in order.
    pub fn interrupts(&self) -> &[InterruptRule] {
        &self.interrupts
    }

    /// The size of the normalised plan as compact JSON.
    fn size(&self) -> Result<usize, serde_json::Error> {
        serde_json::to_vec(self).map(|bytes| bytes.len())
    }

    fn read(value: &Value, findings: &mut Findings) -> Option<Self> {
        let path = Path::whole("the payload");
        let map = read::object(value, &path, findings)?;
        let keys = Keys::<ExecutionKey>::resolve(map, &path, findings);
        let named = |key, max, findings: &mut Findings| {
            let (taken, place) = keys.require(key, &path, findings);
            taken
                .and_then(|value| read::name(value, max, &place, findings))
                .required()
                .map(str::to_owned)
        };
        let command_id = named(ExecutionKey::CommandId, limits::MAX_ID_LENGTH, findings);
        let task_id = named(ExecutionKey::TaskId, limits::MAX_ID_LENGTH, findings);
        let source = named(ExecutionKey::Source, limits::MAX_SOURCE_LENGTH, findings);
        let (format, place) = keys.require(ExecutionKey::ExpectedFormat, &path, findings);
        let expected_format = format
            .and_then(|value| read::word::<ExpectedFormat>(value, &place, findings))
            .required();
        let (timeout, place) = keys.require(ExecutionKey::TimeoutMs, &path, findings);
        let timeout_ms = timeout
            .and_then(|value| read_timeout(value, &place, findings))
            .required();
        let (actions, place) = keys.require(ExecutionKey::Actions, &path, findings);
        let actions = actions
            .and_then(|value| read_actions(value, &place, findings))
            .required();
        let (mode, place) = keys.take(ExecutionKey::Mode, &path, findings);
        let mode = mode.and_then(|value| read::word::<Mode>(value, &place, findings));
        let (on_failure, place) = keys.take(ExecutionKey::OnFailure, &path, findings);
        let on_failure =
            on_failure.and_then(|value| read::word::<OnFailure>(value, &place, findings));
        let (observe, place) = keys.take(ExecutionKey::Observe, &path, findings);
        let observe = observe.and_then(|value| read::word::<Observe>(value, &place, findings));
        let (interrupts, place) = keys.take(ExecutionKey::Interrupts, &path, findings);
        let interrupts =
            interrupts.and_then(|value| InterruptRule::read_all(value, &place, findings));
        keys.refuse_unknown(&path, findings, key_suggestions::in_execution);
        if let (Some(timeout), Some(actions)) = (timeout_ms, &actions) {
            plan_warnings::waits_beyond_timeout(map, timeout, actions, findings);
        }
        Some(Self {
            command_id: command_id?,
            task_id: task_id?,
            source: source?,
            expected_format: expected_format?,
            timeout_ms: timeout_ms?,
            actions: actions?,
            mode: mode.optional()?,
            on_failure: on_failure.optional()?.unwrap_or(OnFailure::Stop),
            observe: observe.optional()?,
            interrupts: interrupts.optional()?.unwrap_or_default(),
        })
    }
}

fn in_time(millis: f64) -> bool {
    (f64::from(limits::MIN_EXECUTION_TIMEOUT_MS)..=f64::from(limits::MAX_EXECUTION_TIMEOUT_MS))
        .contains(&millis)
}

fn timeout_out_of_range(millis: f64) -> String {
    format!(
        "must be between {} and {}, not {}",
        limits::MIN_EXECUTION_TIMEOUT_MS,
        limits::MAX_EXECUTION_TIMEOUT_MS,
        format_number(millis)
    )
}

fn read_timeout(value: &Value, path: &Path, findings: &mut Findings) -> Option<Millis> {
    let millis = read::number(value, path, findings)?;
    if !in_time(millis) {
        findings.malformed(path, timeout_out_of_range(millis));
        return None;
    }
    Millis::new(millis)
}

fn read_actions(value: &Value, path: &Path, findings: &mut Findings) -> Option<Vec<Action>> {
    let Value::Array(items) = value else {
        let hint = match value {
            Value::Object(_) => Some("put a single action in brackets, too: [{…}]"),
            Value::String(_) => Some("send the array itself, not as a string"),
            _ => None,
        };
        let what = format!("must be an array, not {}", read::kind(value));
        findings.malformed_with_hint(path, what, hint.map(str::to_owned));
        return None;
    };
    let mut complete = true;
    if items.is_empty() || items.len() > limits::MAX_ACTIONS {
        findings.malformed(
            path,
            format_args!(
                "must have 1 to {} actions, not {}",
                limits::MAX_ACTIONS,
                items.len()
            ),
        );
        complete = false;
    }
    let mut actions: Vec<Action> = Vec::new();
    // Actions beyond the limit are not parsed, since the payload is refused anyway.
    for (index, item) in items.iter().take(limits::MAX_ACTIONS).enumerate() {
        findings.enter_action(index);
        let place = path.key(index);
        let Some(action) = Action::read(item, &place, findings) else {
            complete = false;
            continue;
        };
        actions.push(action);
    }
    findings.leave_actions();
    plan_warnings::duplicates(&actions, path, findings);
    complete.then_some(actions)
}

/// Values that replace those of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Overrides {
    /// Replaces `timeoutMs`; must be finite.
    pub timeout_ms: Option<f64>,
    /// Replaces `onFailure`.
    pub on_failure: Option<OnFailure>,
}

impl Overrides {
    fn put_into(&self, fields: &mut Map<String, Value>) {
        let timeout = self.timeout_ms.and_then(json_number).map(Value::Number);
        put(fields, ExecutionKey::TimeoutMs, timeout);
        let on_failure = self.on_failure.map(|word| word.as_str().into());
        put(fields, ExecutionKey::OnFailure, on_failure);
    }
}

fn put(fields: &mut Map<String, Value>, key: ExecutionKey, value: Option<Value>) {
    let Some(value) = value else { return };
    for alias in key.aliases() {
        fields.remove(*alias);
    }
    fields.insert(key.as_str().to_owned(), value);
}

impl<'de> Deserialize<'de> for Execution {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_value(&value)
            .map(|parsed| parsed.execution)
            .map_err(de::Error::custom)
    }
}
