//! The arguments of the tools: read strictly, so that a misspelt one is told instead of left out.

use contract::{
    AttributeRequest, ErrorBody, ErrorCode, Execution, InspectRequest, NearRequest, Parsed, limits,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use service::inspect::ElementDescription;
use service::plans::USUAL_MS;

use crate::tools::ToolName;

/// Arguments of `snapshot`, and of tools that take a device alone.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OnDevice {
    #[serde(
        default,
        alias = "connection_id",
        alias = "deviceId",
        deserialize_with = "named"
    )]
    pub(crate) device: Option<String>,
}

/// Arguments of `devices`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// Arguments of `act`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Act {
    #[serde(
        default,
        alias = "connection_id",
        alias = "deviceId",
        deserialize_with = "named"
    )]
    pub(crate) device: Option<String>,
    /// An array; the contract says so where it is none.
    pub(crate) actions: Value,
    #[serde(default)]
    pub(crate) snapshot: bool,
    #[serde(default, rename = "timeoutMs", alias = "timeout_ms")]
    pub(crate) timeout: Option<Value>,
    #[serde(default, rename = "onFailure", alias = "on_failure")]
    pub(crate) on_failure: Option<Value>,
}

/// Arguments of `screenshot`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Picture {
    #[serde(
        default,
        alias = "connection_id",
        alias = "deviceId",
        deserialize_with = "named"
    )]
    pub(crate) device: Option<String>,
    #[serde(
        default,
        rename = "maxSide",
        alias = "max_side",
        deserialize_with = "contract::whole_number"
    )]
    pub(crate) longest: Option<u32>,
}

/// Arguments of `inspect_element`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Described {
    #[serde(
        default,
        alias = "connection_id",
        alias = "deviceId",
        deserialize_with = "named"
    )]
    pub(crate) device: Option<String>,
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

/// The name of a device, which says something where it is given.
fn named<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let name = Option::<String>::deserialize(from)?;
    if name.as_deref().is_some_and(limits::is_blank) {
        return Err(serde::de::Error::custom("device must not be blank"));
    }
    Ok(name)
}

impl Described {
    /// What is looked for.
    ///
    /// # Errors
    /// What is missing or cannot be.
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
/// What is wrong with them, and which there are.
pub(crate) fn read<A: DeserializeOwned>(
    tool: ToolName,
    given: Option<Map<String, Value>>,
) -> Result<A, ErrorBody> {
    serde_json::from_value(Value::Object(given.unwrap_or_default())).map_err(|error| {
        let known = tool.arguments();
        let hint = match known.as_slice() {
            [] => format!("{} takes no arguments", tool.as_str()),
            known => format!("{} takes {}", tool.as_str(), known.join(", ")),
        };
        ErrorBody::new(
            ErrorCode::ExecutionValidationFailed,
            format!("the arguments of {} cannot be used: {error}", tool.as_str()),
        )
        .with_hint(hint)
    })
}

/// The refusal of one argument.
pub(crate) fn refused(path: &str, message: impl std::fmt::Display) -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ExecutionValidationFailed,
        format!("{path} {message}"),
    )
    .with_detail("path", path)
}

/// What is added to the waits of a plan, so that the plan does not end before them.
const SPARE_MS: f64 = 5_000.0;

impl Act {
    /// The plan: actions whose params stand beside their type, or in `params`.
    ///
    /// # Errors
    /// Whatever the contract has against it.
    pub(crate) fn parsed(&self, command_id: &str) -> Result<Parsed, ErrorBody> {
        let Value::Array(given) = &self.actions else {
            let timeout = self.timeout.clone().unwrap_or_else(|| json!(USUAL_MS));
            let on_failure = self.on_failure.as_ref();
            return plan(command_id, timeout, on_failure, self.actions.clone());
        };
        let mut actions = Vec::with_capacity(given.len() + 1);
        let mut waits = 0.0;
        for (place, action) in given.iter().enumerate() {
            let action = match action {
                Value::Object(given) => whole(place, given),
                // The contract says what an action is.
                other => other.clone(),
            };
            waits += ["timeoutMs", "timeout_ms", "durationMs", "maxDurationMs"]
                .iter()
                .filter_map(|key| action.get("params")?.get(*key)?.as_f64())
                .sum::<f64>();
            actions.push(action);
        }
        if self.snapshot && !actions.is_empty() {
            actions.push(json!({ "id": AFTERWARDS, "type": "snapshot_ui" }));
        }
        let most = f64::from(limits::MAX_EXECUTION_TIMEOUT_MS);
        let timeout = match &self.timeout {
            Some(timeout) => timeout.clone(),
            None => json!((waits + SPARE_MS).max(USUAL_MS).min(most).round() as u64),
        };
        plan(
            command_id,
            timeout,
            self.on_failure.as_ref(),
            actions.into(),
        )
    }
}

/// The id of the snapshot behind a plan.
pub(crate) const AFTERWARDS: &str = "afterwards";

/// An execution of these actions.
///
/// # Errors
/// Whatever the contract has against it.
fn plan(
    command_id: &str,
    timeout: Value,
    on_failure: Option<&Value>,
    actions: Value,
) -> Result<Parsed, ErrorBody> {
    let mut plan = json!({
        "commandId": command_id,
        "taskId": "mcp",
        "source": "mcp",
        "expectedFormat": "android-ui-automator",
        "timeoutMs": timeout,
        "actions": actions,
        "mode": "direct",
    });
    if let (Some(on_failure), Some(plan)) = (on_failure, plan.as_object_mut()) {
        plan.insert("onFailure".to_owned(), on_failure.clone());
    }
    Execution::from_value(&plan).map_err(ErrorBody::from)
}

/// An action as the contract has it. What stands beside `type` are its params, unless they are given as such.
fn whole(place: usize, given: &Map<String, Value>) -> Value {
    let mut action = Map::new();
    let id = given.get("id").cloned();
    action.insert(
        "id".to_owned(),
        id.unwrap_or_else(|| (place + 1).to_string().into()),
    );
    let mut params = Map::new();
    // What has no type is left as it is: the contract says how it is written.
    let nested = given.contains_key("params") || !given.contains_key("type");
    for (key, value) in given {
        match key.as_str() {
            "id" => {}
            "type" | "params" => {
                action.insert(key.clone(), value.clone());
            }
            // With params of its own, what stands beside them is a mistake that the contract tells.
            _ if nested => {
                action.insert(key.clone(), value.clone());
            }
            _ => {
                params.insert(key.clone(), value.clone());
            }
        }
    }
    if !nested && !params.is_empty() {
        action.insert("params".to_owned(), params.into());
    }
    Value::Object(action)
}

#[cfg(test)]
mod tests {
    use contract::OnFailure;
    use service::inspect::Direction;

    use super::*;

    fn act(arguments: Value) -> Result<Parsed, ErrorBody> {
        let Value::Object(arguments) = arguments else {
            panic!("arguments are an object");
        };
        read::<Act>(ToolName::Act, Some(arguments))?.parsed("c")
    }

    #[test]
    fn params_stand_beside_the_type_or_in_params() {
        let beside =
            act(json!({ "actions": [{ "type": "tap", "matcher": { "textEquals": "A" } }] }));
        let inside = act(
            json!({ "actions": [{ "type": "click", "params": { "matcher": { "textEquals": "A" } } }] }),
        );
        assert_eq!(beside.unwrap().execution, inside.unwrap().execution);
    }

    #[test]
    fn waits_have_the_time_they_need() {
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
    fn a_failure_stops_the_rest_unless_it_is_asked_otherwise() {
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
    fn what_is_wrong_is_said_with_its_path() {
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
            EXECUTION_VALIDATION_FAILED: the arguments of act cannot be used: missing field `actions` | act takes device, actions, snapshot, timeoutMs, onFailure
            EXECUTION_VALIDATION_FAILED: actions must hold 1 to 50 actions, not 0 | 
            EXECUTION_VALIDATION_FAILED: actions.0 must be an object, not a string | 
            EXECUTION_VALIDATION_FAILED: actions must be an array, not a string | 
            EXECUTION_VALIDATION_FAILED: actions must be an array, not an object | 
            EXECUTION_ACTION_UNSUPPORTED: actions.0.type `fly` is not an action type | 
            EXECUTION_VALIDATION_FAILED: actions.0.params.matcher has the unknown key `words` | 
            EXECUTION_VALIDATION_FAILED: the arguments of act cannot be used: unknown field `devise`, expected one of `connection_id`, `device`, `deviceId`, `actions`, `snapshot`, `timeoutMs`, `timeout_ms`, `onFailure`, `on_failure` | act takes device, actions, snapshot, timeoutMs, onFailure"#]].assert_eq(&lines.join("\n"));
    }

    #[test]
    fn counts_are_whole_however_they_are_written() {
        let limit = |limit: Value| {
            let given = json!({ "description": "the button", "limit": limit });
            let described: Result<Described, _> =
                read(ToolName::InspectElement, given.as_object().cloned());
            let inquiry = described.and_then(Described::inquiry);
            inquiry.map(|inquiry| inquiry.request.limit)
        };
        assert_eq!(limit(json!(2)), Ok(Some(2)));
        assert_eq!(limit(json!(2.0)), Ok(Some(2)));
        assert_eq!(limit(Value::Null), Ok(None));
        for wrong in [json!(2.5), json!(-1.0), json!(1e300), json!("2"), json!(0)] {
            assert!(limit(wrong.clone()).is_err(), "{wrong}");
        }
        let given = json!({ "maxSide": 800.0 });
        let picture: Picture = read(ToolName::Screenshot, given.as_object().cloned()).unwrap();
        assert_eq!(picture.longest, Some(800));
    }

    #[test]
    fn what_is_no_argument_is_told_in_words_of_json() {
        let told = |given: Value| {
            let given = given.as_object().cloned();
            let error = read::<Described>(ToolName::InspectElement, given).unwrap_err();
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
            let told = told(given);
            assert!(told.contains(words), "{told}");
        }
    }

    #[test]
    fn descriptions_are_read_under_their_own_names() {
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
        let described: Described =
            read(ToolName::InspectElement, given.as_object().cloned()).unwrap();
        assert_eq!(described.device.as_deref(), Some("sim"));
        let inquiry = described.inquiry().unwrap();
        assert_eq!(inquiry.near.as_ref().unwrap().what, "#header");
        assert_eq!(inquiry.near.unwrap().direction, Some(Direction::Below));
        let attributes = inquiry.request.attributes;
        assert_eq!(attributes.data_testid.as_deref(), Some("login-*"));
        assert!(inquiry.request.strict_stability);
        let nothing: Described = read(ToolName::InspectElement, None).unwrap();
        assert!(nothing.inquiry().is_err());
    }

    #[test]
    fn blank_values_are_refused_with_their_path() {
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
            let described: Described =
                read(ToolName::InspectElement, given.as_object().cloned()).unwrap();
            let error = described.inquiry().unwrap_err();
            assert_eq!(error.code, ErrorCode::ExecutionValidationFailed);
            assert_eq!(error.details.unwrap()["path"], path, "{given}");
        }
    }
}
