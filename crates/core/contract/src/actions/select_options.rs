//! `select_options`: selects options of a list on a web page.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Effect, KindFacts, Requirement, StepFacts, no_such_action},
};
use crate::{
    limits,
    matcher::NodeMatcher,
    params::ParamReader,
    payload_keys::ParamKey,
    retry::RetryParams,
};

/// Selects exactly these options of a list (`select`) on a web page, and verifies them.
///
/// A list that takes one option is given one. Unless the list has every option, nothing is changed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct SelectOptions {
    /// The list.
    pub matcher: NodeMatcher,
    /// The text, label or value of each option.
    #[schemars(
        length(min = 1, max = limits::MAX_OPTIONS),
        inner(length(max = limits::MAX_TEXT_LENGTH), regex(pattern = "\\S")),
        extend("uniqueItems" = true)
    )]
    pub options: Vec<String>,
    /// The node to search in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// Retry policy; preset `UiReadiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

retry_policy!(SelectOptions: UI_READINESS);

impl ActionParams for SelectOptions {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(&["values", "labels", "choices"], ParamKey::Options)],
        finds: true,
        takes_on_missing: true,
        ..KindFacts::of(
            r#"{"matcher":{"textEquals":"Toppings"},"options":["Cheese","Olives"]}"#,
        )
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let matcher = reader.required_matcher(ParamKey::Matcher);
        let options = reader.required_texts(ParamKey::Options, limits::MAX_OPTIONS);
        let container = reader.matcher(ParamKey::Container);
        let retry = reader.node_retry();
        Some(Self {
            matcher: matcher.required()?,
            options: options.required()?,
            container: container.optional()?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            matchers: [Some(&self.matcher), self.container.as_ref()],
            means_one: true,
            retry: Some(self.retry()),
            effects: vec![Effect::SelectOptions],
            operator_gaps: no_such_action(ParamKey::Options),
            requirements: vec![Requirement::of_pages(
                "type",
                "a phone shows no list of a web page; click the list and then its options",
            )],
            ..StepFacts::default()
        }
    }
}
