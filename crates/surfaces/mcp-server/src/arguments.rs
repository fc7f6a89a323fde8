//! Arguments of tools, parsed strictly so that misspelt ones are reported.

use contract::{
    ActionKind, AttributeRequest, ErrorBody, ErrorCode, Execution, InspectRequest, NearRequest,
    Observe, ParsedExecution, ScreenView, limits,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use service::inspect::ElementDescription;
use service::plans::DEFAULT_TIMEOUT_MS;

use crate::tools::ToolName;

/// Arguments of `devices`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoArguments {}

/// Arguments of `act`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActArguments {
    #[serde(default, alias = "connection_id", alias = "deviceId")]
    pub(crate) device: DeviceId,
    /// An array; the contract reports other values.
    pub(crate) actions: Value,
    /// The same as `observe: "screen"`.
    #[serde(default)]
    snapshot: bool,
    #[serde(default)]
    observe: Option<Observe>,
    #[serde(default, rename = "timeoutMs", alias = "timeout_ms")]
    pub(crate) timeout: Option<Value>,
    #[serde(default, rename = "onFailure", alias = "on_failure")]
    pub(crate) on_failure: Option<Value>,
    /// Checked by the contract.
    #[serde(default)]
    interrupts: Option<Value>,
}

/// Arguments of `snapshot`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SnapshotArguments {
    #[serde(default, alias = "connection_id", alias = "deviceId")]
    pub(crate) device: DeviceId,
    /// Whether to leave out what cannot be acted on.
    #[serde(default)]
    actionable: bool,
    /// Checked by the contract.
    #[serde(default)]
    budget: Option<Value>,
    /// Whether to show what is beyond the edges of containers.
    #[serde(default)]
    all: bool,
}

impl SnapshotArguments {
    /// The params of the action.
    pub(crate) fn params(&self) -> Map<String, Value> {
        let view = match self.actionable {
            true => ScreenView::Actionable,
            false => ScreenView::Text,
        };
        let mut params = Map::new();
        params.insert("view".to_owned(), view.as_str().into());
        if let Some(budget) = &self.budget {
            params.insert("budget".to_owned(), budget.clone());
        }
        if self.all {
            params.insert("all".to_owned(), true.into());
        }
        params
    }
}

impl ActArguments {
    /// What to return of the screen.
    pub(crate) fn observe(&self) -> Observe {
        match (self.observe, self.snapshot) {
            (Some(observe), _) => observe,
            (None, true) => Observe::Screen,
            (None, false) => Observe::None,
        }
    }

    /// Whether the step at this place has an id, and so the form of a plan: its result is the same on every surface.
    pub(crate) fn is_plan_step(&self, place: usize) -> bool {
        self.actions
            .get(place)
            .is_some_and(|action| action.get("id").is_some())
    }

    /// What the action at this place returns of the screen after it.
    pub(crate) fn observe_of(&self, place: usize) -> Option<Observe> {
        observe_of(self.actions.get(place)?.as_object()?)
    }
}

/// Arguments of `screenshot`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScreenshotArguments {
    #[serde(default, alias = "connection_id", alias = "deviceId")]
    pub(crate) device: DeviceId,
    #[serde(
        default,
        rename = "maxSide",
        alias = "max_side",
        deserialize_with = "contract::whole_number"
    )]
    pub(crate) longest: Option<u32>,
    /// The element to show, as in a plan.
    #[serde(default)]
    pub(crate) matcher: Option<Value>,
    /// Whether to draw references.
    #[serde(default)]
    pub(crate) marks: bool,
}

impl ScreenshotArguments {
    /// The params of the action.
    pub(crate) fn params(&mut self) -> Option<Map<String, Value>> {
        let mut params = Map::new();
        if let Some(matcher) = self.matcher.take() {
            params.insert("matcher".to_owned(), matcher);
        }
        if self.marks {
            params.insert("marks".to_owned(), true.into());
        }
        (!params.is_empty()).then_some(params)
    }
}

/// Arguments of `inspect_element`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InspectArguments {
    #[serde(default, alias = "connection_id", alias = "deviceId")]
    pub(crate) device: DeviceId,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    text_contains: Option<String>,
    #[serde(default)]
    near: Option<NearRequest>,
    #[serde(default)]
    attributes: AttributeRequest,
    #[serde(default)]
    tag: Option<String>,
    #[serde(default)]
    strict_stability: bool,
    #[serde(default, deserialize_with = "contract::whole_number")]
    limit: Option<usize>,
}

/// A device id, which must not be blank.
#[derive(Debug, Default, Deserialize)]
#[serde(try_from = "Option<String>")]
pub(crate) struct DeviceId(pub(crate) Option<String>);

impl TryFrom<Option<String>> for DeviceId {
    type Error = &'static str;

    fn try_from(name: Option<String>) -> Result<Self, Self::Error> {
        match name.as_deref().is_some_and(limits::is_blank) {
            true => Err("device must not be blank"),
            false => Ok(Self(name)),
        }
    }
}

impl InspectArguments {
    /// The query.
    pub(crate) fn inquiry(self) -> Result<ElementDescription, ErrorBody> {
        ElementDescription::try_from(InspectRequest {
            description: self.description,
            text_contains: self.text_contains,
            near: self.near,
            attributes: self.attributes,
            tag: self.tag,
            strict_stability: self.strict_stability,
            limit: self.limit,
        })
    }
}

/// Reads the arguments of a tool.
///
/// # Errors
/// The problem with the path of the argument, and the valid arguments as hint.
pub(crate) fn read<A: DeserializeOwned>(
    tool: ToolName,
    given: Option<Map<String, Value>>,
) -> Result<A, ErrorBody> {
    let given = Value::Object(given.unwrap_or_default());
    let error = match A::deserialize(&given) {
        Ok(arguments) => return Ok(arguments),
        Err(error) => error.to_string(),
    };
    let path = refused_path(&given, &|given| {
        A::deserialize(given).is_err_and(|other| other.to_string() == error)
    });
    let value = path.iter().try_fold(&given, |value, key| value.get(key));
    let known = tool.arguments();
    let hint = match known.as_slice() {
        [] => format!("{} takes no arguments", tool.as_str()),
        known => format!("{} accepts {}", tool.as_str(), known.join(", ")),
    };
    let must_be = value.and_then(|value| {
        let must_be = tool.must_be(&path, value)?;
        Some(format!(
            "{must_be}, not {}",
            escape::truncate(&value.to_string(), MAX_VALUE)
        ))
    });
    let path = path.join(".");
    let refused = match must_be {
        Some(must_be) => invalid(&path, must_be),
        None => {
            let error = match path.is_empty() || error.contains(&path) {
                true => error,
                false => format!("{path}: {error}"),
            };
            let message = format!("invalid arguments for {}: {error}", tool.as_str());
            ErrorBody::new(ErrorCode::ExecutionValidationFailed, message)
        }
    };
    Err(refused.with_hint(hint))
}

/// The most characters of a refused value in a message.
const MAX_VALUE: usize = 40;

/// The keys that lead to the value for which arguments are refused: they are refused in the same way without all that follows it.
fn refused_path(given: &Value, is_refused: &dyn Fn(Value) -> bool) -> Vec<String> {
    let Value::Object(given) = given else {
        return Vec::new();
    };
    let mut begin = Map::new();
    for (key, value) in given {
        if is_refused(Value::Object(begin.clone())) {
            return Vec::new();
        }
        let before = begin.clone();
        begin.insert(key.clone(), value.clone());
        if is_refused(Value::Object(begin.clone())) {
            let with = |value: Value| {
                let mut given = before.clone();
                given.insert(key.clone(), value);
                is_refused(Value::Object(given))
            };
            let inside = refused_path(value, &with);
            return [vec![key.clone()], inside].concat();
        }
    }
    Vec::new()
}

/// Error of an argument.
pub(crate) fn invalid(path: &str, message: impl std::fmt::Display) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ExecutionValidationFailed,
        format!("{path} {message}"),
    )
    .with_detail("path", path)
}

/// Added to the waits of a plan, so that it does not time out first.
const SPARE_MS: f64 = 5_000.0;

impl ActArguments {
    /// The plan; params are next to `type` or in `params`.
    pub(crate) fn parsed(&self, command_id: &str) -> Result<ParsedExecution, ErrorBody> {
        let Value::Array(given) = &self.actions else {
            let timeout = self
                .timeout
                .clone()
                .unwrap_or_else(|| json!(DEFAULT_TIMEOUT_MS));
            return self.plan(command_id, timeout, self.actions.clone());
        };
        let mut actions = Vec::with_capacity(given.len());
        let mut waits = 0.0;
        for (place, action) in given.iter().enumerate() {
            let action = match action {
                Value::Object(given) => whole(place, given),
                // The contract reports values that are not actions.
                other => other.clone(),
            };
            waits += ["timeoutMs", "timeout_ms", "durationMs", "maxDurationMs"]
                .iter()
                .filter_map(|key| action.get("params")?.get(*key)?.as_f64())
                .sum::<f64>();
            actions.push(action);
        }
        let max_millis = f64::from(limits::MAX_EXECUTION_TIMEOUT_MS);
        let timeout = match &self.timeout {
            Some(timeout) => timeout.clone(),
            None => json!(
                (waits + SPARE_MS)
                    .max(DEFAULT_TIMEOUT_MS)
                    .min(max_millis)
                    .round() as u64
            ),
        };
        self.plan(command_id, timeout, actions.into())
    }

    /// An execution of these actions.
    fn plan(
        &self,
        command_id: &str,
        timeout: Value,
        actions: Value,
    ) -> Result<ParsedExecution, ErrorBody> {
        let mut plan = json!({
            "commandId": command_id,
            "taskId": "mcp",
            "source": "mcp",
            "expectedFormat": "android-ui-automator",
            "timeoutMs": timeout,
            "actions": actions,
            "mode": "direct",
            "observe": requested(self.observe()).as_str(),
        });
        if let Some(value) = &self.on_failure {
            plan["onFailure"] = value.clone();
        }
        if let Some(rules) = &self.interrupts {
            plan["interrupts"] = rules_in_full(rules.clone());
        }
        Execution::from_value(&plan).map_err(ErrorBody::from)
    }
}

/// What to request for this. Changes refer to the last screen that the client has, so they need the whole screen.
const fn requested(observe: Observe) -> Observe {
    match observe {
        Observe::None => Observe::None,
        Observe::Diff | Observe::Screen => Observe::Screen,
    }
}

/// What an action returns of the screen after it. The contract reports other values.
fn observe_of(action: &Map<String, Value>) -> Option<Observe> {
    Observe::from_word(action.get("observe")?.as_str()?)
}

/// Rules with their actions in canonical form. The contract reports what is not a rule.
fn rules_in_full(mut rules: Value) -> Value {
    for rule in rules.as_array_mut().into_iter().flatten() {
        if let Some(Value::Object(action)) = rule.get_mut("action") {
            *action = with_params(action);
        }
    }
    rules
}

/// An action of a plan in canonical form, with an id.
fn whole(place: usize, given: &Map<String, Value>) -> Value {
    let mut action = with_params(given);
    // An action with an id is in the form of a plan, which means the same on every surface.
    if !given.contains_key("id") {
        action.insert("id".to_owned(), (place + 1).to_string().into());
        show_as_text(&mut action);
        if observe_of(given) == Some(Observe::Diff) {
            // As for the plan.
            let whole = requested(Observe::Diff).as_str();
            action.insert("observe".to_owned(), whole.into());
        }
    }
    Value::Object(action)
}

/// An action whose keys next to `type` became params, unless `params` is given.
fn with_params(given: &Map<String, Value>) -> Map<String, Value> {
    let mut action = Map::new();
    let mut params = Map::new();
    // An action without a type is unchanged; the contract reports it.
    let nested = given.contains_key("params") || !given.contains_key("type");
    for (key, value) in given {
        match key.as_str() {
            "id" | "type" | "params" | "observe" => {
                action.insert(key.clone(), value.clone());
            }
            // With `params`, other keys are a mistake that the contract reports.
            _ if nested => {
                action.insert(key.clone(), value.clone());
            }
            // Short for a matcher; with a matcher the contract reports it.
            "ref" if !given.contains_key("matcher") => {
                params.insert("matcher".to_owned(), json!({ "ref": value }));
            }
            _ => {
                params.insert(key.clone(), value.clone());
            }
        }
    }
    if !nested && !params.is_empty() {
        action.insert("params".to_owned(), params.into());
    }
    action
}

/// Makes a snapshot text with references, as that of the tool, unless the plan names a view.
fn show_as_text(action: &mut Map<String, Value>) {
    let kind = action.get("type").and_then(Value::as_str);
    if kind.and_then(ActionKind::parse) != Some(ActionKind::SnapshotUi) {
        return;
    }
    let params = action.entry("params").or_insert_with(|| json!({}));
    // Other values are a mistake that the contract reports.
    if let Value::Object(params) = params {
        let view = params.entry("view").or_insert(Value::Null);
        if view.is_null() {
            *view = ScreenView::Text.as_str().into();
        }
    }
}

#[cfg(test)]
mod tests {
    use contract::OnFailure;
    use service::inspect::Direction;

    use super::*;

    fn act(arguments: Value) -> Result<ParsedExecution, ErrorBody> {
        let Value::Object(arguments) = arguments else {
            panic!("arguments are an object");
        };
        read::<ActArguments>(ToolName::Act, Some(arguments))?.parsed("c")
    }

    #[test]
    fn params_are_next_to_type_or_in_params() {
        let beside =
            act(json!({ "actions": [{ "type": "tap", "matcher": { "textEquals": "A" } }] }));
        let inside = act(
            json!({ "actions": [{ "type": "click", "params": { "matcher": { "textEquals": "A" } } }] }),
        );
        assert_eq!(beside.unwrap().execution, inside.unwrap().execution);
    }

    #[test]
    fn params_of_the_action_of_a_rule_are_next_to_type_or_in_params() {
        let parsed = |action: Value| {
            let rule = json!({ "when": { "textEquals": "Allow" }, "action": action });
            act(
                json!({ "actions": [{ "type": "press_key", "key": "back" }], "interrupts": [rule] }),
            )
        };
        let matcher = json!({ "textEquals": "Deny" });
        let beside = parsed(json!({ "type": "click", "matcher": matcher })).unwrap();
        let inside = parsed(json!({ "type": "click", "params": { "matcher": matcher } })).unwrap();
        assert_eq!(beside.execution, inside.execution);
        assert!(!beside.execution.interrupts().is_empty());
        let mixed =
            json!({ "type": "click", "params": { "matcher": matcher }, "matcher": matcher });
        assert!(parsed(mixed).is_err());
    }

    #[test]
    fn snapshot_is_text_unless_it_names_a_view_or_has_an_id() {
        let implicit = act(json!({ "actions": [
            { "type": "snapshot_ui" },
            { "type": "snapshot_ui", "params": {} },
            { "type": "snapshot_ui", "view": null, "all": true },
            { "type": "snapshot_ui", "view": "hierarchy_xml" },
            { "id": "5", "type": "snapshot_ui" },
        ] }));
        let explicit = act(json!({ "actions": [
            { "type": "snapshot_ui", "view": "text" },
            { "type": "snapshot_ui", "view": "text" },
            { "type": "snapshot_ui", "view": "text", "all": true },
            { "type": "snapshot_ui", "view": "hierarchy_xml" },
            { "id": "5", "type": "snapshot_ui" },
        ] }));
        assert_eq!(implicit.unwrap().execution, explicit.unwrap().execution);
    }

    #[test]
    fn timeout_covers_waits() {
        let timeout = |actions: Value| {
            let parsed = act(json!({ "actions": actions })).unwrap();
            parsed.execution.timeout().to_duration().as_millis()
        };
        assert_eq!(timeout(json!([{ "type": "snapshot_ui" }])), 30_000);
        let wait = json!({ "type": "wait_for_node", "matcher": { "textEquals": "A" }, "timeoutMs": 40_000 });
        assert_eq!(timeout(json!([wait])), 45_000);
        assert_eq!(timeout(json!([wait, wait, wait])), 120_000);
    }

    #[test]
    fn on_failure_is_passed_to_plan() {
        let on_failure = |arguments: Value| act(arguments).unwrap().execution.on_failure();
        let home = json!([{ "type": "press_key", "key": "home" }]);
        assert_eq!(on_failure(json!({ "actions": home })), OnFailure::Stop);
        for spelled in ["onFailure", "on_failure"] {
            let asked = json!({ "actions": home, spelled: "continue" });
            assert_eq!(on_failure(asked), OnFailure::Continue);
        }
        let refused = act(json!({ "actions": home, "onFailure": "retry" })).unwrap_err();
        assert_eq!(refused.code, ErrorCode::ExecutionValidationFailed);
    }

    #[test]
    fn interrupts_are_passed_to_plan() {
        let home = json!([{ "type": "press_key", "key": "home" }]);
        let back = json!({ "type": "press_key", "params": { "key": "back" } });
        let rule = json!({ "when": { "textEquals": "Allow?" }, "action": back });
        let parsed = act(json!({ "actions": home, "interrupts": [rule] })).unwrap();
        assert_eq!(parsed.execution.interrupts().len(), 1);
        let refused = act(json!({ "actions": home, "interrupts": [{}] })).unwrap_err();
        assert_eq!(refused.detail("path").unwrap(), "interrupts.0.when");
    }

    #[test]
    fn errors_have_path() {
        let refused = |arguments: Value| {
            let error = act(arguments).unwrap_err();
            format!(
                "{}: {} | {}",
                error.code,
                error.message,
                error.hint.unwrap_or_default()
            )
        };
        let bad = [
            json!({}),
            json!({ "actions": [] }),
            json!({ "actions": ["click"] }),
            json!({ "actions": "[{\"type\": \"click\"}]" }),
            json!({ "actions": { "type": "click" } }),
            json!({ "actions": [{ "type": "fly" }] }),
            json!({ "actions": [{ "type": "click", "matcher": { "words": "A" } }] }),
            json!({ "actions": [], "devise": "sim" }),
        ];
        let lines: Vec<String> = bad.into_iter().map(refused).collect();
        expect_test::expect![[r#"
            EXECUTION_VALIDATION_FAILED: invalid arguments for act: missing field `actions` | act accepts device, actions, observe, timeoutMs, onFailure, interrupts
            EXECUTION_VALIDATION_FAILED: actions must have 1 to 50 actions, not 0 | 
            EXECUTION_VALIDATION_FAILED: actions.0 must be an object, not a string | 
            EXECUTION_VALIDATION_FAILED: actions must be an array, not a string | 
            EXECUTION_VALIDATION_FAILED: actions must be an array, not an object | 
            EXECUTION_ACTION_UNSUPPORTED: actions.0.type `fly` is not an action type | 
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher has the unknown key `words` | 
            EXECUTION_VALIDATION_FAILED: invalid arguments for act: unknown field `devise`, expected one of `connection_id`, `device`, `deviceId`, `actions`, `snapshot`, `observe`, `timeoutMs`, `timeout_ms`, `onFailure`, `on_failure`, `interrupts` | act accepts device, actions, observe, timeoutMs, onFailure, interrupts"#]].assert_eq(&lines.join("\n"));
    }

    #[test]
    fn counts_accept_whole_floats() {
        let limit = |limit: Value| {
            let given = json!({ "description": "the button", "limit": limit });
            let described: Result<InspectArguments, _> =
                read(ToolName::InspectElement, given.as_object().cloned());
            let inquiry = described.and_then(InspectArguments::inquiry);
            inquiry.map(|inquiry| inquiry.request.limit)
        };
        assert_eq!(limit(json!(2)), Ok(Some(2)));
        assert_eq!(limit(json!(2.0)), Ok(Some(2)));
        assert_eq!(limit(Value::Null), Ok(None));
        for wrong in [json!(2.5), json!(-1.0), json!(1e300), json!("2"), json!(0)] {
            assert!(limit(wrong.clone()).is_err(), "{wrong}");
        }
        let given = json!({ "maxSide": 800.0 });
        let picture: ScreenshotArguments =
            read(ToolName::Screenshot, given.as_object().cloned()).unwrap();
        assert_eq!(picture.longest, Some(800));
    }

    #[test]
    fn invalid_arguments_are_described_in_json_terms() {
        let text = |given: Value| {
            let given = given.as_object().cloned();
            let error = read::<InspectArguments>(ToolName::InspectElement, given).unwrap_err();
            error.message
        };
        for (given, words) in [
            (json!({ "device": " " }), "device must not be blank"),
            (
                json!({ "near": "Name" }),
                "expected an object such as {\"selector\"",
            ),
            (
                json!({ "attributes": "button" }),
                "expected an object such as {\"role\"",
            ),
        ] {
            let text = text(given);
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn wrong_values_are_refused_with_their_path_and_what_they_must_be() {
        let text = |given: Value| {
            let given = given.as_object().cloned();
            let error = read::<ActArguments>(ToolName::Act, given).err();
            error.map(|error| error.message).unwrap_or_default()
        };
        let home = json!([{ "type": "press_key", "key": "home" }]);
        let observe = r#"observe must be "none" or "diff" or "screen", not "#;
        for wrong in [json!(5), json!("all"), json!({ "x": 1 })] {
            let expected = format!("{observe}{wrong}");
            assert_eq!(
                text(json!({ "actions": home, "observe": wrong, "timeoutMs": 9 })),
                expected
            );
            assert_eq!(text(json!({ "observe": wrong, "actions": home })), expected);
        }
        assert_eq!(
            text(json!({ "actions": home, "device": 5 })),
            "device must be a string, not 5"
        );
        let snapshot = json!({ "actions": home, "snapshot": "yes" });
        assert!(text(snapshot).starts_with("invalid arguments for act: snapshot: "));
        let near =
            json!({ "description": "a", "near": { "selector": "#a", "direction": 5 }, "tag": "b" });
        let near = read::<InspectArguments>(ToolName::InspectElement, near.as_object().cloned());
        let error = near.unwrap_err();
        assert!(
            error
                .message
                .starts_with("near.direction must be \"above\" or "),
            "{}",
            error.message
        );
        assert_eq!(error.detail("path").unwrap(), "near.direction");
    }

    #[test]
    fn inspect_arguments_are_parsed() {
        let given = json!({
            "description": "the login button",
            "text_contains": "Sign In",
            "near": { "selector": "#header", "direction": "below" },
            "attributes": { "role": "button", "data_testid": "login-*", "class_contains": "btn" },
            "tag": "button",
            "strict_stability": true,
            "limit": 2,
            "connection_id": "sim",
        });
        let described: InspectArguments =
            read(ToolName::InspectElement, given.as_object().cloned()).unwrap();
        assert_eq!(described.device.0.as_deref(), Some("sim"));
        let inquiry = described.inquiry().unwrap();
        assert_eq!(inquiry.near.as_ref().unwrap().what, "#header");
        assert_eq!(inquiry.near.unwrap().direction, Some(Direction::Below));
        let attributes = inquiry.request.attributes;
        assert_eq!(attributes.data_testid.as_deref(), Some("login-*"));
        assert!(inquiry.request.strict_stability);
        let nothing: InspectArguments = read(ToolName::InspectElement, None).unwrap();
        assert!(nothing.inquiry().is_err());
    }

    #[test]
    fn blank_values_are_refused_with_path() {
        for (given, path) in [
            (json!({ "description": "", "tag": "button" }), "description"),
            (
                json!({ "description": "a", "text_contains": " " }),
                "text_contains",
            ),
            (
                json!({ "description": "a", "attributes": { "role": "" } }),
                "attributes.role",
            ),
            (
                json!({ "description": "a", "near": { "selector": "" } }),
                "near.selector",
            ),
        ] {
            let described: InspectArguments =
                read(ToolName::InspectElement, given.as_object().cloned()).unwrap();
            let error = described.inquiry().unwrap_err();
            assert_eq!(error.code, ErrorCode::ExecutionValidationFailed);
            assert_eq!(error.details.unwrap()["path"], path, "{given}");
        }
    }
}
