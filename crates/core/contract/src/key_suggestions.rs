//! Suggestions for keys of other tools, and for keys at the wrong level.

use serde_json::{Map, Value};

use crate::{
    actions::ActionKind,
    matcher::MatcherKey,
    payload_keys::{ActionKey, ExecutionKey, ParamKey},
    read::whole_id,
};

/// Other tools' names for the type of an action.
const TYPE_NAMES: &[&str] = &[
    "action",
    "actionType",
    "action_type",
    "kind",
    "name",
    "tool",
    "command",
];

/// The maximum number of keys for which an action's form is guessed.
const MAX_KEYS: usize = 10;

/// The key with the type in an action that has no `type`, and the correct form: `{"click": {…}}` and
/// `{"action": "click", …}` are equivalent.
pub(crate) fn untyped(action: &Map<String, Value>, place: Option<usize>) -> Option<(&str, String)> {
    let named = action.iter().find_map(|(key, value)| {
        let kind = ActionKind::nearest(value.as_str()?)?;
        let known = TYPE_NAMES.contains(&key.as_str());
        known.then_some((key.as_str(), kind))
    });
    if let Some((key, kind)) = named {
        let more = |name: &str| name != key && ActionKey::from_word(name) != Some(ActionKey::Id);
        let filled = action.keys().any(|name| more(name));
        let shape = shape(action, place, kind, filled);
        return Some((
            key,
            format!("`{key}` is called `type` here: did you mean {shape}?"),
        ));
    }
    let mut equivalent_key = action.iter().take(MAX_KEYS).filter_map(|(key, value)| {
        // Our own keys are not types; they are one level too high.
        let ours = ParamKey::from_word(key).is_some()
            || MatcherKey::from_word(key).is_some()
            || ExecutionKey::from_word(key).is_some()
            || ActionKey::from_word(key).is_some();
        let kind = ActionKind::nearest(key).filter(|_| !ours)?;
        Some((key.as_str(), kind, value))
    });
    let (key, kind, value) = equivalent_key.next()?;
    if equivalent_key.next().is_some() {
        return None;
    }
    let filled = value.as_object().is_some_and(|params| !params.is_empty());
    let shape = shape(action, place, kind, filled);
    Some((key, format!("did you mean {shape}?")))
}

/// The correct form of an action for a value that is not an object, such as the name alone.
pub(crate) fn instead_of(value: &Value, place: Option<usize>) -> String {
    match value.as_str().and_then(ActionKind::nearest) {
        Some(kind) => format!("did you mean {}?", shape(&Map::new(), place, kind, false)),
        None => format!(
            "write an action as {}",
            shape(&Map::new(), place, ActionKind::SIMPLEST, false)
        ),
    }
}

/// The form of an action of this kind. Input is not repeated; without input there is an example.
fn shape(
    action: &Map<String, Value>,
    place: Option<usize>,
    kind: ActionKind,
    filled: bool,
) -> String {
    let id = action.get(ActionKey::Id.as_str()).and_then(Value::as_str);
    let id = id.map_or_else(|| (place.unwrap_or(0) + 1).to_string(), whole_id);
    let params = if filled { "{…}" } else { kind.example() };
    format!(
        "{{\"id\": {}, \"type\": \"{kind}\", \"params\": {params}}}",
        Value::from(id)
    )
}

/// The likely intent of an unknown key of `params`.
pub(crate) fn in_params(kind: Option<ActionKind>, name: &str) -> Option<String> {
    let mut key_hints = kind.map_or(&[][..], |kind| kind.facts().wrong_keys).iter();
    if let Some((_, hint)) = key_hints.find(|(key, _)| *key == name) {
        return Some((*hint).to_owned());
    }
    // Keys such as `id` describe a node, but are one level too high.
    if MatcherKey::from_word(name).is_some() {
        return Some(format!("`{name}` belongs inside `{}`", node_of(kind)));
    }
    if let Some((key, remark)) = equivalent_key(kind?, name) {
        return Some(format!("`{name}` is called `{key}` here{remark}"));
    }
    let key = ExecutionKey::from_word(name)?;
    Some(format!("`{key}` belongs to the execution"))
}

/// The likely intent of an unknown key of an action.
pub(crate) fn in_action(kind: Option<ActionKind>, name: &str) -> Option<String> {
    if ["parameters", "args", "arguments"].contains(&name) {
        return Some(format!("`{name}` is called `params` here"));
    }
    if TYPE_NAMES.contains(&name) {
        return Some(format!("`{name}` is called `type` here"));
    }
    if kind.is_some() && kind == ActionKind::parse(name) {
        return Some(format!("the content of `{name}` belongs inside `params`"));
    }
    let facts = kind.map(ActionKind::facts);
    let waits = facts.and_then(|facts| facts.time_key) == Some(ParamKey::TimeoutMs);
    match (ParamKey::from_word(name), ExecutionKey::from_word(name)) {
        (Some(_), Some(_)) if !waits => Some(format!("`{name}` belongs to the execution")),
        (Some(ParamKey::Text), _) if facts.is_some_and(|facts| !facts.takes_text) => Some(format!(
            "`{name}` belongs inside `params.{}`",
            node_of(kind)
        )),
        (Some(_), _) => Some(format!("`{name}` belongs inside `params`")),
        (None, Some(_)) => Some(format!("`{name}` belongs to the execution")),
        (None, None) if MatcherKey::from_word(name).is_some() => Some(format!(
            "`{name}` belongs inside `params.{}`",
            node_of(kind)
        )),
        (None, None) => {
            let (key, remark) = equivalent_key(kind?, name)?;
            Some(format!("`{name}` is called `params.{key}` here{remark}"))
        }
    }
}

/// The likely intent of an unknown key of an execution.
pub(crate) fn in_execution(name: &str) -> Option<String> {
    match name {
        "steps" | "tasks" | "commands" => Some(format!("`{name}` is called `actions` here")),
        "id" => Some("`id` is called `commandId` here".to_owned()),
        "device" | "deviceId" | "device_id" | "serial" => {
            Some("set the device outside the plan".to_owned())
        }
        _ => None,
    }
}

/// The key under which an action takes its node.
fn node_of(kind: Option<ActionKind>) -> ParamKey {
    kind.map_or(ParamKey::Matcher, |kind| kind.facts().node_key)
}

/// The key of this action that another tool calls `name`, and an extra explanation.
fn equivalent_key(kind: ActionKind, name: &str) -> Option<(ParamKey, &'static str)> {
    let plain: String = name
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    let facts = kind.facts();
    match plain.as_str() {
        "ms" | "millis" | "milliseconds" | "duration" | "time" | "delay" | "delayms"
        | "timeout" => facts.time_key.map(|key| (key, "")),
        "seconds" | "secs" | "sec" | "s" => facts.time_key.map(|key| (key, ", in milliseconds")),
        plain => {
            let mut others = facts.foreign_keys.iter();
            let (_, key) = others.find(|(names, _)| names.contains(&plain))?;
            Some((*key, ""))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_names_are_not_our_own() {
        let mut found = 0;
        for kind in ActionKind::ALL {
            for name in [
                "packageName",
                "bundleId",
                "ms",
                "seconds",
                "label",
                "regex",
                "href",
            ] {
                assert!(ParamKey::from_word(name).is_none(), "{name}");
                let Some((key, _)) = equivalent_key(*kind, name) else {
                    continue;
                };
                let mut generator = crate::schema::generator();
                kind.params_schema(&mut generator);
                let definitions = generator.take_definitions(true);
                let schema = definitions.get(kind.params_name().as_ref()).unwrap();
                let quoted = format!("\"{key}\"");
                assert!(schema.to_string().contains(&quoted), "{kind} and {key}");
                found += 1;
            }
        }
        assert!(found > 8, "{found}");
    }
}
