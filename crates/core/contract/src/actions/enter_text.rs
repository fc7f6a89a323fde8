//! `enter_text`: enters text into a field.

use std::iter;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Effect, KindFacts, StepFacts, container_gap},
};
use crate::{
    limits,
    matcher::NodeMatcher,
    params::ParamReader,
    payload_keys::ParamKey,
    retry::{Retry, RetryParams},
};

/// Enters text into a field and reads it back.
///
/// The text of a password field is never echoed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct EnterText {
    /// The field.
    pub matcher: NodeMatcher,
    /// The text to enter.
    #[schemars(length(max = limits::MAX_TEXT_LENGTH), regex(pattern = "\\S"))]
    pub text: String,
    /// Whether to submit the text afterwards, as Enter would.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = false))]
    pub submit: Option<bool>,
    /// Whether the text replaces the field's content; false appends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = true))]
    pub clear: Option<bool>,
    /// The node to search in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// Retry policy; preset `UiReadiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

impl EnterText {
    /// Whether to submit the text afterwards.
    #[must_use]
    pub fn submit(&self) -> bool {
        self.submit.unwrap_or(false)
    }

    /// Whether the text replaces the field's content.
    #[must_use]
    pub fn clear(&self) -> bool {
        self.clear.unwrap_or(true)
    }

    /// The retry policy in effect.
    #[must_use]
    pub fn retry(&self) -> Retry {
        self.retry
            .map_or(Retry::UI_READINESS, |retry| retry.policy())
    }
}

impl ActionParams for EnterText {
    const FACTS: KindFacts = KindFacts {
        takes_text: true,
        takes_on_missing: true,
        finds: true,
        ..KindFacts::of(
            r#"{"matcher":{"resourceId":"com.example:id/search"},"text":"hello world","submit":true}"#,
        )
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let matcher = reader.required_matcher(ParamKey::Matcher);
        let text = reader.required_text(ParamKey::Text);
        let submit = reader.flag(ParamKey::Submit);
        let clear = reader.flag(ParamKey::Clear);
        let container = reader.matcher(ParamKey::Container);
        let retry = reader.retry(ParamKey::Retry);
        Some(Self {
            matcher: matcher.required()?,
            text: text.required()?,
            submit: submit.optional()?,
            clear: clear.optional()?,
            container: container.optional()?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        let write = match self.clear() {
            true => Effect::SetText(&self.text),
            false => Effect::AppendText(&self.text),
        };
        let mut operator_gaps = container_gap(self.container.as_ref());
        if !self.clear() {
            operator_gaps.push((
                ParamKey::Clear,
                "the app always replaces the field's content",
            ));
        }
        StepFacts {
            matchers: [Some(&self.matcher), self.container.as_ref()],
            means_one: true,
            retry: Some(self.retry()),
            effects: iter::once(write)
                .chain(self.submit().then_some(Effect::Submit))
                .collect(),
            operator_gaps,
            ..StepFacts::default()
        }
    }
}
