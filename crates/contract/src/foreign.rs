//! Keys that other tools use or that stand one level too high or too low: what was probably meant.

use crate::{actions::ActionKind, execution::ExecutionKey, matcher::MatcherKey, params::ParamKey};

/// What an unknown key of `params` was probably meant to be.
pub(crate) fn in_params(kind: Option<ActionKind>, name: &str) -> Option<String> {
    if kind == Some(ActionKind::SnapshotUi) && name == "format" {
        return Some(
            "`format` was removed from snapshot_ui, the answer is always hierarchy_xml; leave it out"
                .to_owned(),
        );
    }
    // `id` and the like say which node is meant, one level too high.
    if MatcherKey::from_word(name).is_some() {
        return Some(format!("`{name}` belongs inside `{}`", node_of(kind)));
    }
    if kind == Some(ActionKind::Click) && ["x", "y"].contains(&name) {
        return Some(format!("`{name}` belongs inside `coordinate`"));
    }
    if let Some((key, remark)) = meant(kind?, name) {
        return Some(format!("`{name}` is called `{key}` here{remark}"));
    }
    let key = ExecutionKey::from_word(name)?;
    Some(format!("`{key}` belongs to the execution"))
}

/// What an unknown key of an action was probably meant to be.
pub(crate) fn in_action(kind: Option<ActionKind>, name: &str) -> Option<String> {
    if ["parameters", "args", "arguments"].contains(&name) {
        return Some(format!("`{name}` is called `params` here"));
    }
    if ["action", "actionType", "action_type", "kind"].contains(&name) {
        return Some(format!("`{name}` is called `type` here"));
    }
    let waits = kind.and_then(waiting) == Some(ParamKey::TimeoutMs);
    match (ParamKey::from_word(name), ExecutionKey::from_word(name)) {
        (Some(_), Some(_)) if !waits => Some(format!("`{name}` belongs to the execution")),
        (Some(ParamKey::Text), _) if kind.is_some_and(|kind| kind != ActionKind::EnterText) => {
            Some(format!(
                "`{name}` belongs inside `params.{}`",
                node_of(kind)
            ))
        }
        (Some(_), _) => Some(format!("`{name}` belongs inside `params`")),
        (None, Some(_)) => Some(format!("`{name}` belongs to the execution")),
        (None, None) if MatcherKey::from_word(name).is_some() => Some(format!(
            "`{name}` belongs inside `params.{}`",
            node_of(kind)
        )),
        (None, None) => {
            let (key, remark) = meant(kind?, name)?;
            Some(format!("`{name}` is called `params.{key}` here{remark}"))
        }
    }
}

/// What an unknown key of an execution was probably meant to be.
pub(crate) fn in_execution(name: &str) -> Option<String> {
    match name {
        "steps" | "tasks" | "commands" => Some(format!("`{name}` is called `actions` here")),
        "id" => Some("`id` is called `commandId` here".to_owned()),
        "device" | "deviceId" | "device_id" | "serial" => {
            Some("the device is not named in the plan, but beside it".to_owned())
        }
        _ => None,
    }
}

/// The key under which an action takes the node that is meant.
fn node_of(kind: Option<ActionKind>) -> ParamKey {
    match kind {
        Some(ActionKind::ReadKeyValuePair) => ParamKey::LabelMatcher,
        Some(ActionKind::WaitForNavigation) => ParamKey::ExpectedNode,
        Some(ActionKind::Scroll) => ParamKey::Container,
        _ => ParamKey::Matcher,
    }
}

/// Whether a key says which node is meant.
pub(crate) fn is_node(key: ParamKey) -> bool {
    look_alikes(key).iter().any(|other| {
        matches!(
            other,
            ParamKey::Matcher | ParamKey::LabelMatcher | ParamKey::ExpectedNode
        )
    })
}

/// Keys of other actions that are taken for this one.
pub(crate) fn look_alikes(wanted: ParamKey) -> &'static [ParamKey] {
    match wanted {
        ParamKey::Matcher => &[ParamKey::LabelMatcher, ParamKey::ExpectedNode],
        ParamKey::LabelMatcher => &[ParamKey::Matcher, ParamKey::ExpectedNode],
        ParamKey::ExpectedNode => &[ParamKey::Matcher, ParamKey::LabelMatcher],
        ParamKey::ApplicationId => &[ParamKey::ExpectedPackage],
        ParamKey::DurationMs => &[ParamKey::TimeoutMs],
        ParamKey::TimeoutMs => &[ParamKey::DurationMs, ParamKey::MaxDurationMs],
        _ => &[],
    }
}

/// The key under which an action takes how long it may wait.
fn waiting(kind: ActionKind) -> Option<ParamKey> {
    match kind {
        ActionKind::Sleep => Some(ParamKey::DurationMs),
        ActionKind::WaitForNode | ActionKind::WaitForNavigation => Some(ParamKey::TimeoutMs),
        ActionKind::ScrollUntil => Some(ParamKey::MaxDurationMs),
        _ => None,
    }
}

/// The key of this action that another tool calls like this, and what else there is to know.
fn meant(kind: ActionKind, name: &str) -> Option<(ParamKey, &'static str)> {
    let plain: String = name
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    match plain.as_str() {
        "packagename" | "bundleid" | "apppackage" | "appname" | "pkg" => match kind {
            ActionKind::OpenApp | ActionKind::CloseApp => Some((ParamKey::ApplicationId, "")),
            ActionKind::WaitForNavigation => Some((ParamKey::ExpectedPackage, "")),
            _ => None,
        },
        "ms" | "millis" | "milliseconds" | "duration" | "time" | "delay" | "delayms"
        | "timeout" => waiting(kind).map(|key| (key, "")),
        "seconds" | "secs" | "sec" | "s" => waiting(kind).map(|key| (key, ", in milliseconds")),
        "label" if kind == ActionKind::ReadKeyValuePair => Some((ParamKey::LabelMatcher, "")),
        "regex" | "pattern" if kind == ActionKind::ReadText => {
            Some((ParamKey::ValidatorPattern, ""))
        }
        "keycode" | "button" if kind == ActionKind::PressKey => Some((ParamKey::Key, "")),
        "link" | "href" if kind == ActionKind::OpenUri => Some((ParamKey::Uri, "")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_foreign_name_is_one_of_ours() {
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
                let Some((key, _)) = meant(*kind, name) else {
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
