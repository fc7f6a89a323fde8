//! `read_text`: reads the text of a node.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Found, KindFacts, StepFacts},
    validator::Validator,
};
use crate::{
    matcher::NodeMatcher,
    params::ParamReader,
    payload_keys::ParamKey,
    retry::RetryParams,
    step_data::StepData,
};

/// Reads the text of a node or of all matching nodes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct ReadText {
    /// The node to read.
    pub matcher: NodeMatcher,
    /// The node to search in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// The required form of the text; any other text is a failure.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub validator: Option<Validator>,
    /// Retry policy; preset `UiReadiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
    /// Whether to read all matching nodes; `data.text` is then a JSON array of strings, empty if none matches, and
    /// `data.text_out_of_view` one of those that are scrolled out of view, if the screen has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = false))]
    pub all: Option<bool>,
}

impl ReadText {
    /// Whether to read all matching nodes.
    #[must_use]
    pub fn all(&self) -> bool {
        self.all.unwrap_or(false)
    }
}

retry_policy!(ReadText: UI_READINESS);

impl ActionParams for ReadText {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(&["regex", "pattern"], ParamKey::ValidatorPattern)],
        takes_on_missing: true,
        finds: true,
        found,
        ..KindFacts::of(
            r#"{"matcher":{"textContains":"Order"},"validator":"regex","validatorPattern":"^ORD-[0-9]{6}$"}"#,
        )
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let matcher = reader.required_matcher(ParamKey::Matcher);
        let container = reader.matcher(ParamKey::Container);
        let validator = Validator::read(reader);
        let retry = reader.node_retry();
        let all = reader.flag(ParamKey::All);
        Some(Self {
            matcher: matcher.required()?,
            container: container.optional()?,
            validator: validator.optional()?,
            retry: retry.optional()?,
            all: all.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        let unchecked = self.all() && self.validator.is_some();
        let gap = (
            ParamKey::Validator,
            "the app does not validate when it reads all",
        );
        StepFacts {
            matchers: [Some(&self.matcher), self.container.as_ref()],
            means_one: !self.all(),
            retry: Some(self.retry()),
            operator_gaps: unchecked.then_some(gap).into_iter().collect(),
            ..StepFacts::default()
        }
    }
}

/// Several texts are a JSON array.
fn found(data: &StepData) -> Option<Found<'_>> {
    let text = data.get("text")?;
    Some(match data.get("all") {
        Some(_) => Found::List {
            short: text,
            json: text,
            out_of_view: data.get("text_out_of_view"),
        },
        None => Found::Text(text),
    })
}
