//! One action of an execution.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeMap};
use serde_json::Value;

use crate::{
    actions::{ActionKind, Params},
    invalid::Invalid,
    key_suggestions, limits,
    operation::Operation,
    payload_keys::{ActionKey, ParamKey},
    problem::{Findings, Path},
    read::{self, Keys},
    words::{Observe, OnMissing},
};

/// A validated action: its id, type, params, and what it returns of the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    id: String,
    operation: Operation,
    observe: Option<Observe>,
}

impl Action {
    /// The name of the step, given by the caller.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The type of the action.
    pub const fn kind(&self) -> ActionKind {
        self.operation.params().kind()
    }

    /// Its parameters.
    pub const fn params(&self) -> &Params {
        self.operation.params()
    }

    /// What its result has of the screen after it.
    pub const fn observe(&self) -> Option<Observe> {
        self.observe
    }

    /// What happens when its node is not found.
    pub fn on_missing(&self) -> OnMissing {
        self.operation.on_missing().unwrap_or(OnMissing::Fail)
    }

    /// The params that the Operator app would ignore, and what it does instead.
    pub fn operator_gaps(&self) -> Vec<(ParamKey, &'static str)> {
        let gap = (
            ParamKey::OnMissing,
            "the app fails if the node is not found",
        );
        let skips = self.on_missing() == OnMissing::Skip;
        let mut gaps = self.params().facts().operator_gaps;
        gaps.extend(skips.then_some(gap));
        gaps
    }

    pub(crate) fn read(value: &Value, path: &Path, findings: &mut Findings) -> Option<Self> {
        let Value::Object(map) = value else {
            let what = format!("must be an object, not {}", read::kind(value));
            let hint = key_suggestions::instead_of(value, findings.action());
            findings.malformed_with_hint(path, what, Some(hint));
            return None;
        };
        let keys = Keys::<ActionKey>::resolve(map, path, findings);
        if !keys.has(ActionKey::Type)
            && let Some((key, hint)) = key_suggestions::untyped(map, findings.action())
        {
            // Without a known type nothing else can be checked.
            findings.unknown_keys(path, vec![escape::truncate_input(key)], Some(hint));
            return None;
        }
        let (id, place) = keys.require(ActionKey::Id, path, findings);
        let id = id.and_then(|id| read::name(id, limits::MAX_ID_LENGTH, &place, findings));
        let (observe, place) = keys.take(ActionKey::Observe, path, findings);
        let observe = observe.and_then(|value| read::word::<Observe>(value, &place, findings));
        let operation = Operation::read(keys, path, findings)?;
        Some(Self {
            id: id.required()?.to_owned(),
            operation,
            observe: observe.optional()?,
        })
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        self.operation.serialize_into(&mut map)?;
        if let Some(observe) = self.observe {
            map.serialize_entry(ActionKey::Observe.as_str(), &observe)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let mut findings = Findings::default();
        let action = Self::read(&value, &Path::whole("the action"), &mut findings);
        Invalid::unless_clean(findings, action, &value)
            .map(|(action, _)| action)
            .map_err(de::Error::custom)
    }
}

impl JsonSchema for Action {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Action".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let variants: Vec<Value> = ActionKind::ALL
            .iter()
            .map(|kind| variant(*kind, generator).to_value())
            .collect();
        json_schema!({
            "description": "One action: the name of the step, its type, and its params.",
            "oneOf": variants,
        })
    }
}

fn variant(kind: ActionKind, generator: &mut SchemaGenerator) -> Schema {
    let params = kind.params_schema(generator);
    let needs_params = generator
        .definitions()
        .get(kind.params_name().as_ref())
        .is_some_and(|schema| !ActionKind::accepts_nothing(schema));
    let mut observe = generator.subschema_for::<Observe>();
    observe.insert(
        "description".to_owned(),
        "What the result of the step has of the screen after it, in its data `changes` or `screen`."
            .into(),
    );
    let mut required = vec!["id", "type"];
    if needs_params {
        required.push("params");
    }
    json_schema!({
        "type": "object",
        "properties": {
            "id": {
                "description": "The id of the step, repeated in its result.",
                "type": "string",
                "maxLength": limits::MAX_ID_LENGTH,
                "pattern": "\\S",
            },
            "type": { "const": kind.as_str() },
            "params": params,
            "observe": observe,
        },
        "required": required,
        "additionalProperties": false,
    })
}

impl ActionKind {
    /// Whether the schema of an action's params accepts `{}`.
    fn accepts_nothing(schema: &Value) -> bool {
        ["required", "oneOf", "anyOf"]
            .iter()
            .all(|keyword| schema.get(keyword).is_none())
    }
}
