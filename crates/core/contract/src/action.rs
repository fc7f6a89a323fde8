//! One action of an execution.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeMap};
use serde_json::{Map, Value};

use crate::{
    actions::{ActionKind, Params},
    invalid::Invalid,
    key_suggestions, limits,
    params::{ActionTraits, ParamReader, in_order},
    payload_keys::{ActionKey, ParamKey},
    problem::{Findings, Path},
    read::{self, Keys, shortened},
};

/// A validated action: its id and its params.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    id: String,
    params: Params,
    /// Whether the input had `params`, which the output then repeats.
    has_params: bool,
    /// Params that the contract knows but this action does not use: the output repeats them.
    unused: BTreeMap<ParamKey, Value>,
}

impl Action {
    /// The name of the step, given by the caller.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The type of the action.
    #[must_use]
    pub const fn kind(&self) -> ActionKind {
        self.params.kind()
    }

    /// Its parameters.
    #[must_use]
    pub const fn params(&self) -> &Params {
        &self.params
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
            findings.unknown_keys(path, vec![shortened(key)], Some(hint));
            return None;
        }
        let (id, place) = keys.require(ActionKey::Id, path, findings);
        let id = id.and_then(|id| read::name(id, limits::MAX_ID_LENGTH, &place, findings));
        let (kind, place) = keys.require(ActionKey::Type, path, findings);
        let kind = kind
            .and_then(|name| read::text(name, limits::MAX_TYPE_LENGTH, &place, findings))
            .and_then(|name| known(name, &place, findings))
            .required();
        let (params, place) = keys.take(ActionKey::Params, path, findings);
        let has_params = params.is_given();
        let reader = match params {
            read::FieldValue::Absent => Some(ParamReader::nothing(place, findings)),
            read::FieldValue::Broken => None,
            read::FieldValue::Value(value) => {
                let traits = kind.map(|kind| ActionTraits {
                    name: kind.as_str(),
                    takes_text: kind.facts().takes_text,
                });
                let explain = |name: &str| key_suggestions::in_params(kind, name);
                ParamReader::read(value, place, traits, explain, findings)
            }
        };
        let read = match (kind, reader) {
            (Some(kind), Some(mut reader)) => {
                let params = Params::read(kind, &mut reader);
                let unused = reader.into_unused(kind.as_str());
                params.map(|params| (params, unused))
            }
            (None, _) | (_, None) => None,
        };
        keys.refuse_unknown(path, findings, |name| {
            key_suggestions::in_action(kind, name)
        });
        let (params, unused) = read?;
        Some(Self {
            id: id.required()?.to_owned(),
            params,
            has_params,
            unused,
        })
    }

    fn params_map(&self) -> Result<Map<String, Value>, serde_json::Error> {
        in_order(&self.params, &self.unused)
    }
}

fn known(name: &str, path: &Path, findings: &mut Findings) -> Option<ActionKind> {
    let kind = ActionKind::parse(name);
    if kind.is_none() {
        let suggestion = ActionKind::nearest(name).map(ActionKind::as_str);
        findings.unknown_type(path, &shortened(name), suggestion);
    }
    kind
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("type", &self.kind())?;
        if self.has_params {
            let params = self.params_map().map_err(serde::ser::Error::custom)?;
            map.serialize_entry("params", &params)?;
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
