//! Warnings about a plan as a whole: duplicate ids, and waits longer than the time limit.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::{
    action::Action,
    number::{Millis, format_number},
    payload_keys::ActionKey,
    payload_keys::ExecutionKey,
    payload_keys::ParamKey,
    problem::{Findings, Path},
    warning::WarningCode,
    words::Word,
};

/// Warns about duplicate ids, once per id, at the second action that has it.
pub(crate) fn duplicates(actions: &[Action], path: &Path, findings: &mut Findings) {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, action) in actions.iter().enumerate() {
        let count = seen.entry(action.id()).or_default();
        *count += 1;
        if *count == 2 {
            let all = actions.iter().filter(|other| other.id() == action.id());
            findings.warn(
                WarningCode::DuplicateActionId,
                &path.key(index).key("id"),
                format_args!("is `{}`, the id of {} actions", action.id(), all.count()),
            );
        }
    }
}

/// Warns about pauses and waits that are longer than the time limit of the execution.
pub(crate) fn waits_beyond_timeout(
    map: &Map<String, Value>,
    timeout: Millis,
    actions: &[Action],
    findings: &mut Findings,
) {
    let whole = Path::whole("the payload");
    let slept: f64 = actions
        .iter()
        .filter_map(|action| action.params().facts().pause)
        .map(Millis::as_f64)
        .sum();
    if slept > timeout.as_f64() {
        findings.warn(
            WarningCode::OutlastsTimeout,
            &whole.key(spelled(map, ExecutionKey::TimeoutMs)),
            format_args!(
                "is {timeout}, but the plan sleeps {}: it will time out",
                format_number(slept)
            ),
        );
    }
    let raw = map.get(ExecutionKey::Actions.as_str());
    for (index, action) in actions.iter().enumerate() {
        let waits = action.params().facts().wait_limit;
        let Some(waits) = waits.filter(|waits| *waits > timeout) else {
            continue;
        };
        let params = raw
            .and_then(|raw| raw.get(index)?.get(ActionKey::Params.as_str()))
            .and_then(Value::as_object);
        let key = params.map_or("timeoutMs", |params| spelled(params, ParamKey::TimeoutMs));
        findings.warn(
            WarningCode::OutlastsTimeout,
            &whole.key("actions").key(index).key("params").key(key),
            format_args!(
                "is {waits}, but the execution times out after {timeout}; raise its timeoutMs"
            ),
        );
    }
}

/// The given spelling of a key; the canonical one wins.
fn spelled<W: Word>(map: &Map<String, Value>, key: W) -> &'static str {
    std::iter::once(key.word())
        .chain(key.other_words().iter().copied())
        .find(|word| map.contains_key(*word))
        .unwrap_or(key.word())
}
