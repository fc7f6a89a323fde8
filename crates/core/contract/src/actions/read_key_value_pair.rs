//! `read_key_value_pair`: reads the value that belongs to a label.

use super::prelude::*;

params! {
    |reader|
    /// Reads the value next to a label, as in a settings list.
    pub struct ReadKeyValuePair {
        /// The node to search in.
        container: Option<NodeMatcher> = reader.matcher(ParamKey::Container),
        /// Retry policy; preset `UiReadiness`.
        retry: Option<RetryParams> = reader.node_retry(),
        /// The label.
        label_matcher: NodeMatcher = reader.required_matcher(ParamKey::LabelMatcher),
        /// Whether to read the pairs of all matching labels.
        #[schemars(extend("default" = false))]
        all: Option<bool> = reader.flag(ParamKey::All),
    }
}

impl ReadKeyValuePair {
    /// Whether to read the pairs of all matching labels.
    pub fn all(&self) -> bool {
        self.all.unwrap_or(false)
    }
}

retry_policy!(ReadKeyValuePair: UI_READINESS);

impl ActionParams for ReadKeyValuePair {
    const FACTS: KindFacts = KindFacts {
        node_key: ParamKey::LabelMatcher,
        foreign_keys: &[(&["label"], ParamKey::LabelMatcher)],
        takes_on_missing: true,
        finds: true,
        found,
        ..KindFacts::new("labelMatcher", r#"{"labelMatcher":{"textEquals":"Battery"}}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        let mut operator_gaps = container_gap(self.container.as_ref());
        if self.all() {
            operator_gaps.push((ParamKey::All, "the app reads only the first pair"));
        }
        StepFacts {
            matchers: [Some(&self.label_matcher), self.container.as_ref()],
            means_one: !self.all(),
            retry: Some(self.retry()),
            operator_gaps,
            ..StepFacts::default()
        }
    }
}

/// Several pairs are a JSON array; the short form is the first value.
fn found(data: &StepData) -> Option<ReturnedData<'_>> {
    let value = data.get("value")?;
    let several = data.get("count").is_some_and(|count| count != "1");
    Some(match data.get("pairs").filter(|_| several) {
        Some(json) => ReturnedData::List { short: value, json, out_of_view: None },
        None => ReturnedData::Text(value),
    })
}
