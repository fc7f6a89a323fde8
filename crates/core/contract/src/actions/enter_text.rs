//! `enter_text`: enters text into a field, or a value into a slider.

use std::iter;

use super::prelude::*;

params! {
    |reader| {
        let target = TextTarget::read(reader);
        let submit = reader.flag(ParamKey::Submit);
        let clear = reader.flag(ParamKey::Clear);
        let text = Self::read_text(reader, &clear);
        let container = reader.matcher(ParamKey::Container).and_then(|container| {
            if matches!(target, FieldValue::Value(TextTarget::Focused(_))) {
                reader.refuse(ParamKey::Container, "must not be given with `focused`");
                return None;
            }
            Some(container)
        });
        let retry = reader.node_retry();
    }
    /// Enters text into a field, or a value into a slider, and reads it back.
    ///
    /// The text of a password field is never echoed. A slider takes a number within its range; on phones also a share of it,
    /// such as `70%`, and only that if the phone does not report its range, in which case `data.verified` is `unknown`.
    #[schemars(extend(
            "not" = { "required": ["focused", "container"] },
            "anyOf" = [
                { "properties": { "text": { "pattern": "\\S" } } },
                { "properties": { "text": { "const": "" }, "clear": { "const": true } }, "required": ["clear"] }
            ]
        )
    )]
    pub struct EnterText {
        /// The field.
        #[serde(flatten)]
        target: TextTarget,
        /// The text to enter; not blank, or empty with `"clear": true`, which empties the field.
        #[schemars(length(max = limits::MAX_TEXT_LENGTH))]
        text: String,
        /// Whether to submit the text afterwards, as Enter would.
        #[schemars(extend("default" = false))]
        submit: Option<bool>,
        /// Whether the text replaces the field's content; false appends it.
        #[schemars(extend("default" = true))]
        clear: Option<bool>,
        /// The node to search in.
        container: Option<NodeMatcher>,
        /// Retry policy; preset `UiReadiness`.
        retry: Option<RetryParams>,
    }
}

/// The field that takes the text: one that a matcher describes, or the one with the input focus.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub enum TextTarget {
    /// The field.
    #[serde(rename = "matcher")]
    Node(NodeMatcher),
    /// True for the field that has the input focus, without `matcher`.
    #[serde(rename = "focused")]
    Focused(#[schemars(extend("const" = true))] bool),
}

impl TextTarget {
    /// The matcher of the field.
    pub const fn matcher(&self) -> Option<&NodeMatcher> {
        match self {
            Self::Node(matcher) => Some(matcher),
            Self::Focused(_) => None,
        }
    }

    /// Reads `matcher`, or `focused` instead of it.
    fn read(reader: &mut ParamReader<'_>) -> FieldValue<Self> {
        let has_matcher = reader.has(ParamKey::Matcher);
        let focused = reader.flag(ParamKey::Focused).and_then(|focused| {
            if focused && has_matcher {
                reader.refuse_whole("must not have both `matcher` and `focused`");
                return None;
            }
            if !focused && !has_matcher {
                reader.refuse(
                    ParamKey::Focused,
                    "must be true, or `matcher` must name the field",
                );
                return None;
            }
            Some(focused)
        });
        match focused {
            FieldValue::Value(true) => FieldValue::Value(Self::Focused(true)),
            FieldValue::Broken => {
                reader.matcher(ParamKey::Matcher);
                FieldValue::Broken
            }
            FieldValue::Value(false) | FieldValue::Absent => reader
                .required_matcher(ParamKey::Matcher)
                .and_then(|matcher| Some(Self::Node(matcher))),
        }
    }
}

impl EnterText {
    /// Whether to submit the text afterwards.
    pub fn submit(&self) -> bool {
        self.submit.unwrap_or(false)
    }

    /// Whether the text replaces the field's content.
    pub fn clear(&self) -> bool {
        self.clear.unwrap_or(true)
    }

    /// Reads the text, which may be empty only if the plan says that it clears the field.
    fn read_text(reader: &mut ParamReader<'_>, clear: &FieldValue<bool>) -> FieldValue<String> {
        let text = reader.required(ParamKey::Text, ParamReader::text);
        text.and_then(|text| {
            let empties = text.is_empty() && matches!(clear, FieldValue::Value(true));
            if limits::is_blank(&text) && !empties {
                reader.refuse(
                    ParamKey::Text,
                    "must not be blank; an empty text with `\"clear\": true` empties the field",
                );
                return None;
            }
            Some(text)
        })
    }
}

retry_policy!(EnterText: UI_READINESS);

impl ActionParams for EnterText {
    const FACTS: KindFacts = KindFacts {
        takes_text: true,
        takes_on_missing: true,
        finds: true,
        ..KindFacts::new("matcher text submit? clear?=true", 
            r#"{"matcher":{"resourceId":"com.example:id/search"},"text":"hello world","submit":true}"#,
        )
    };

    fn facts(&self) -> StepFacts<'_> {
        let write = match self.clear() {
            true => Effect::SetText(&self.text),
            false => Effect::AppendText(&self.text),
        };
        let mut operator_gaps = container_gap(self.container.as_ref());
        if self.target.matcher().is_none() {
            operator_gaps.push((ParamKey::Focused, "the app needs a matcher"));
        }
        if !self.clear() {
            operator_gaps.push((
                ParamKey::Clear,
                "the app always replaces the field's content",
            ));
        }
        if self.text.is_empty() {
            operator_gaps.push((ParamKey::Text, "the app cannot empty a field"));
        }
        StepFacts {
            matchers: [self.target.matcher(), self.container.as_ref()],
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
