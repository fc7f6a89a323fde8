//! `read_text`: reads the text of a node.

use super::prelude::*;
use super::validator::Validator;

params! {
    |reader|
    /// Reads the text of a node or of all matching nodes.
    pub struct ReadText {
        /// The node to read.
        matcher: NodeMatcher = reader.required_matcher(ParamKey::Matcher),
        /// The node to search in.
        container: Option<NodeMatcher> = reader.matcher(ParamKey::Container),
        /// The required form of the text; any other text is a failure.
        #[serde(flatten)]
        validator: Option<Validator> = Validator::read(reader),
        /// Retry policy; preset `UiReadiness`.
        retry: Option<RetryParams> = reader.node_retry(),
        /// Whether to read all matching nodes; `data.text` is then a JSON array of strings, empty if none matches, and
        /// `data.text_out_of_view` one of those that are scrolled out of view, if the screen has any.
        #[schemars(extend("default" = false))]
        all: Option<bool> = reader.flag(ParamKey::All),
    }
}

impl ReadText {
    /// Whether to read all matching nodes.
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
        ..KindFacts::new("matcher all?", 
            r#"{"matcher":{"textContains":"Order"},"validator":"regex","validatorPattern":"^ORD-[0-9]{6}$"}"#,
        )
    };

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
fn found(data: &StepData) -> Option<ReturnedData<'_>> {
    let text = data.get("text")?;
    Some(match data.get("all") {
        Some(_) => ReturnedData::List {
            short: text,
            json: text,
            out_of_view: data.get("text_out_of_view"),
        },
        None => ReturnedData::Text(text),
    })
}
