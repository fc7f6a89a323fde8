//! `select_options`: selects options of a list on a web page.

use super::prelude::*;

params! {
    |reader|
    /// Selects exactly these options of a list (`select`) on a web page, and verifies them.
    ///
    /// A list that takes one option is given one. Unless the list has every option, nothing is changed.
    pub struct SelectOptions {
        /// The list.
        matcher: NodeMatcher = reader.required_matcher(ParamKey::Matcher),
        /// The text, label or value of each option.
        #[schemars(
            length(min = 1, max = limits::MAX_OPTIONS),
            inner(length(max = limits::MAX_TEXT_LENGTH), regex(pattern = "\\S")),
            extend("uniqueItems" = true)
        )]
        options: Vec<String> = reader.required_texts(ParamKey::Options, limits::MAX_OPTIONS),
        /// The node to search in.
        container: Option<NodeMatcher> = reader.matcher(ParamKey::Container),
        /// Retry policy; preset `UiReadiness`.
        retry: Option<RetryParams> = reader.node_retry(),
    }
}

retry_policy!(SelectOptions: UI_READINESS);

impl ActionParams for SelectOptions {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(&["values", "labels", "choices"], ParamKey::Options)],
        finds: true,
        takes_on_missing: true,
        ..KindFacts::new("matcher options", 
            r#"{"matcher":{"textEquals":"Toppings"},"options":["Cheese","Olives"]}"#,
        )
    };

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
