//! Rules for what may interrupt a plan at any time, and what they did.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    actions::{ActionKind, Params},
    limits,
    matcher::{MatcherKey, NodeMatcher},
    operation::Operation,
    payload_keys::ActionKey,
    problem::{Findings, Path},
    read::{self, Keys},
    warning::WarningCode,
    words::words,
};

/// A rule for something that may appear at any time, such as a permission prompt or a cookie banner.
///
/// Whenever an action looks for a node and `when` is visible, the rule's action runs first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct InterruptRule {
    /// The node that shows the interruption; not a reference.
    #[schemars(extend("not" = { "required": ["ref"] }))]
    when: NodeMatcher,
    /// What answers it: a click or a key.
    action: InterruptAction,
    /// How often it may run. Between two times, `when` must have been gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = limits::MAX_INTERRUPT_TIMES), extend("default" = 1))]
    max: Option<u32>,
    /// Nodes that its action never touches, nor anything inside or around them; not references.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = limits::MAX_NEVER),
        extend("items" = { "$ref": "#/$defs/NodeMatcher", "not": { "required": ["ref"] } })
    )]
    never: Vec<NodeMatcher>,
}

/// The action of a rule: type and params, without an id.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct InterruptAction(Operation);

words! {
    /// The keys of a rule.
    pub enum InterruptKey {
        /// The node that shows the interruption.
        When = "when",
        /// What answers it.
        Action = "action",
        /// How often it may run.
        Max = "max",
        /// What it never touches.
        Never = "never",
    }
}

words! {
    /// What became of an interruption.
    pub enum InterruptOutcome {
        /// The action ran, and the node of `when` is gone.
        Done = "done",
        /// The action ran, and the node of `when` is still visible two seconds later.
        StillShown = "still_shown",
        /// The action did not run: it would have touched a node of `never`.
        Refused = "refused",
        /// The action failed, and the step with it.
        Failed = "failed",
        /// Whether the action reached the device, or what came of it, is unknown.
        Unknown = "unknown",
    }
}

/// What a rule did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Interrupt {
    /// The index of the rule.
    pub rule: usize,
    /// The id of the step that was running.
    pub step_id: String,
    /// What became of it.
    pub outcome: InterruptOutcome,
}

impl InterruptRule {
    /// The node that shows the interruption.
    pub const fn when(&self) -> &NodeMatcher {
        &self.when
    }

    /// The params of the action that answers it.
    pub const fn params(&self) -> &Params {
        self.action.0.params()
    }

    /// How often it may run.
    pub fn max(&self) -> u32 {
        self.max.unwrap_or(1)
    }

    /// What it never touches.
    pub fn never(&self) -> &[NodeMatcher] {
        &self.never
    }

    /// Every matcher of the rule, each with its path below the rule.
    pub fn matchers(&self) -> impl Iterator<Item = (String, &NodeMatcher)> {
        let never = self.never.iter().enumerate();
        let never = never.map(|(index, matcher)| (format!("never.{index}"), matcher));
        let action = self.params().matchers();
        std::iter::once(("when".to_owned(), &self.when))
            .chain(action.map(|matcher| ("action.params".to_owned(), matcher)))
            .chain(never)
    }

    pub(crate) fn read_all(
        value: &Value,
        path: &Path,
        findings: &mut Findings,
    ) -> Option<Vec<Self>> {
        let items = read::array(value, limits::MAX_INTERRUPTS, path, findings)?;
        let read: Vec<Option<Self>> = items
            .iter()
            .enumerate()
            .map(|(index, item)| Self::read(item, &path.key(index), findings))
            .collect();
        read.into_iter().collect()
    }

    fn read(value: &Value, path: &Path, findings: &mut Findings) -> Option<Self> {
        let map = read::object(value, path, findings)?;
        let keys = Keys::<InterruptKey>::resolve(map, path, findings);
        let (when, place) = keys.require(InterruptKey::When, path, findings);
        let when = when.and_then(|when| NodeMatcher::read(when, &place, findings));
        let (action, action_path) = keys.require(InterruptKey::Action, path, findings);
        let action = action.and_then(|action| read_action(action, &action_path, findings));
        let (max, place) = keys.take(InterruptKey::Max, path, findings);
        let max = max.and_then(|max| read_times(max, &place, findings));
        let (never, place) = keys.take(InterruptKey::Never, path, findings);
        let never = never.and_then(|never| read_matchers(never, &place, findings));
        let is_known = !keys.has_unknown();
        keys.refuse_unknown(path, findings, read::unexplained);
        let rule = Self {
            when: when.required()?,
            action: InterruptAction(action.required()?),
            max: max.optional()?,
            never: never.optional()?.unwrap_or_default(),
        };
        let mut has_reference = false;
        for (inside, matcher) in rule.matchers() {
            if matcher.reference.is_some() {
                let place = inside
                    .split('.')
                    .fold(path.clone(), |path, key| path.key(key));
                findings.malformed(
                    &place,
                    "must not have a reference: it names an element that is on the screen already",
                );
                has_reference = true;
            }
        }
        (is_known && !has_reference).then_some(rule)
    }
}

fn read_action(value: &Value, path: &Path, findings: &mut Findings) -> Option<Operation> {
    let map = read::object(value, path, findings)?;
    let keys = Keys::<ActionKey>::resolve(map, path, findings);
    let of_steps = [ActionKey::Id, ActionKey::Observe];
    let of_steps = of_steps.into_iter().filter(|key| keys.has(*key));
    let of_steps: Vec<String> = of_steps.map(|key| key.as_str().to_owned()).collect();
    if !of_steps.is_empty() {
        findings.unknown_keys(path, of_steps, None);
        return None;
    }
    let operation = Operation::read(keys, path, findings)?;
    let kind = operation.params().kind();
    if !kind.facts().may_interrupt {
        let allowed: Vec<&str> = interrupting().map(ActionKind::as_str).collect();
        findings.malformed(
            &path.key(ActionKey::Type),
            format_args!("must be {}, not {kind}", allowed.join(" or ")),
        );
        return None;
    }
    if operation.on_missing().is_some() {
        findings.warn(
            WarningCode::ParamNotUsed,
            &path.key(ActionKey::Params).key("onMissing"),
            "has no effect in a rule, which waits until its node is there",
        );
    }
    Some(operation)
}

fn read_times(value: &Value, path: &Path, findings: &mut Findings) -> Option<u32> {
    read::whole(value, (1, limits::MAX_INTERRUPT_TIMES), path, findings)
}

fn read_matchers(value: &Value, path: &Path, findings: &mut Findings) -> Option<Vec<NodeMatcher>> {
    let items = read::array(value, limits::MAX_NEVER, path, findings)?;
    let read: Vec<Option<NodeMatcher>> = items
        .iter()
        .enumerate()
        .map(|(index, item)| NodeMatcher::read(item, &path.key(index), findings))
        .collect();
    read.into_iter().collect()
}

/// The actions that a rule may have.
fn interrupting() -> impl Iterator<Item = ActionKind> {
    let kinds = ActionKind::ALL.iter().copied();
    kinds.filter(|kind| kind.facts().may_interrupt)
}

impl JsonSchema for InterruptAction {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "InterruptAction".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let no_reference = json!({ "not": { "required": [MatcherKey::Ref.as_str()] } });
        let variants: Vec<Value> = interrupting()
            .map(|kind| {
                let mut params = kind.params_schema(generator);
                params.insert(
                    "properties".to_owned(),
                    json!({ "matcher": no_reference, "container": no_reference }),
                );
                json!({
                    "type": "object",
                    "properties": { "type": { "const": kind.as_str() }, "params": params },
                    "required": ["type", "params"],
                    "additionalProperties": false,
                })
            })
            .collect();
        json_schema!({
            "description": "The action of a rule: type and params, without an id.",
            "oneOf": variants,
        })
    }
}
