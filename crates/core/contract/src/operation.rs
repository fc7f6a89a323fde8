//! What an action does: its type and its params, without an id.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value};

use crate::{
    actions::{ActionKind, Params},
    key_suggestions, limits,
    params::{ActionTraits, ParamReader, in_order},
    payload_keys::{ActionKey, ParamKey},
    problem::{Findings, Path},
    read::{self, FieldValue, Keys},
    words::OnMissing,
};

/// A type of action and its params, validated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Operation {
    params: Params,
    on_missing: Option<OnMissing>,
    /// Whether the input had `params`, which the output then repeats.
    has_params: bool,
    /// Params that the contract knows but this action does not use: the output repeats them.
    unused: BTreeMap<ParamKey, Value>,
}

impl Operation {
    /// Its parameters.
    pub(crate) const fn params(&self) -> &Params {
        &self.params
    }

    /// What happens when its node is not found, if that is given.
    pub(crate) const fn on_missing(&self) -> Option<OnMissing> {
        self.on_missing
    }

    /// Reads type and params; other keys than those of an action are refused.
    pub(crate) fn read(
        keys: Keys<'_, ActionKey>,
        path: &Path,
        findings: &mut Findings,
    ) -> Option<Self> {
        let (kind, place) = keys.require(ActionKey::Type, path, findings);
        let kind = kind
            .and_then(|name| read::text(name, limits::MAX_TYPE_LENGTH, &place, findings))
            .and_then(|name| known(name, &place, findings))
            .required();
        let (params, place) = keys.take(ActionKey::Params, path, findings);
        let has_params = params.is_present();
        let reader = match params {
            FieldValue::Absent => Some(ParamReader::nothing(place, findings)),
            FieldValue::Broken => None,
            FieldValue::Value(value) => {
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
                let on_missing = read_on_missing(kind, params.as_ref(), &mut reader);
                let unused = reader.into_unused(kind.as_str());
                params
                    .zip(on_missing.optional())
                    .map(|(params, on_missing)| Self {
                        params,
                        on_missing,
                        has_params,
                        unused,
                    })
            }
            (None, _) | (_, None) => None,
        };
        keys.refuse_unknown(path, findings, |name| {
            key_suggestions::in_action(kind, name)
        });
        read
    }

    /// Adds type and params to an object.
    pub(crate) fn serialize_into<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("type", &self.params.kind())?;
        if self.has_params {
            let params = self.params_map().map_err(serde::ser::Error::custom)?;
            map.serialize_entry("params", &params)?;
        }
        Ok(())
    }

    fn params_map(&self) -> Result<Map<String, Value>, serde_json::Error> {
        let mut others = self.unused.clone();
        if let Some(on_missing) = self.on_missing {
            others.insert(ParamKey::OnMissing, on_missing.as_str().into());
        }
        in_order(&self.params, &others)
    }
}

impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.serialize_into(&mut map)?;
        map.end()
    }
}

/// Reads `onMissing`, which all actions that look for a node share.
fn read_on_missing(
    kind: ActionKind,
    params: Option<&Params>,
    reader: &mut ParamReader<'_>,
) -> FieldValue<OnMissing> {
    if !kind.facts().takes_on_missing {
        return FieldValue::Absent;
    }
    let on_missing = reader.word::<OnMissing>(ParamKey::OnMissing);
    let has_node = params.is_none_or(|params| params.facts().matchers[0].is_some());
    if on_missing.is_present() && !has_node {
        reader.warn_unused(ParamKey::OnMissing, "has no effect without a matcher");
    }
    on_missing
}

fn known(name: &str, path: &Path, findings: &mut Findings) -> Option<ActionKind> {
    let kind = ActionKind::parse(name);
    if kind.is_none() {
        let suggestion = ActionKind::nearest(name).map(ActionKind::as_str);
        let param = ActionKind::implied_param(name);
        findings.unknown_type(path, &escape::truncate_input(name), suggestion, param);
    }
    kind
}
