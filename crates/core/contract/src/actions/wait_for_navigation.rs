//! `wait_for_navigation`: waits until an app is in front or a node is visible.

use super::prelude::*;
use super::open_app::package_name;

params! {
    |reader| {
        let expected_node = reader.matcher(ParamKey::ExpectedNode);
        let expected_package = reader.text(ParamKey::ExpectedPackage);
        let is_blank = matches!(&expected_package, FieldValue::Value(name) if limits::is_blank(name));
        // A blank name is no target; if it is the only one, a missing target is reported.
        if expected_node.is_absent() && (expected_package.is_absent() || is_blank) {
            reader.refuse_none_of(
                ParamKey::ExpectedNode,
                "must have at least one of `expectedPackage` and `expectedNode`",
            );
        } else if is_blank {
            reader.refuse(ParamKey::ExpectedPackage, "must not be blank");
        }
        let expected_package = package_name(expected_package, ParamKey::ExpectedPackage, reader);
        let timeout_ms = reader.number(ParamKey::TimeoutMs).and_then(|number| {
            let problem = if number <= 0.0 {
                format!("must be above 0, not {}", format_number(number))
            } else if number > f64::from(limits::MAX_NAVIGATION_MS) {
                format!(
                    "must be at most {}, not {}",
                    limits::MAX_NAVIGATION_MS,
                    format_number(number)
                )
            } else {
                return Millis::new(number);
            };
            reader.refuse(ParamKey::TimeoutMs, problem);
            if number <= 0.0 {
                reader.word_last(TIMEOUT_REQUIRED);
            }
            None
        });
        if timeout_ms.is_absent() {
            reader.refuse_missing(ParamKey::TimeoutMs);
            reader.word_last(TIMEOUT_REQUIRED);
        }
    }
    /// Waits until an app is in the foreground, a node is visible, or both if both are given.
    ///
    /// Conditions that already hold when the step begins count.
    #[schemars(extend("anyOf" = [{ "required": ["expectedPackage"] }, { "required": ["expectedNode"] }])
    )]
    pub struct WaitForNavigation {
        /// The package of the app to wait for. At least one of this and `expectedNode` is required.
        #[schemars(length(max = limits::MAX_PACKAGE_LENGTH), regex(pattern = "\\S"))]
        expected_package: Option<String>,
        /// The node to wait for.
        expected_node: Option<NodeMatcher>,
        /// How long to wait, in milliseconds; more than 0.
        #[schemars(range(max = limits::MAX_NAVIGATION_MS), extend("exclusiveMinimum" = 0))]
        timeout_ms: Millis,
    }
}

/// The message that the published contract quotes.
const TIMEOUT_REQUIRED: &str = "wait_for_navigation requires params.timeoutMs > 0";

impl ActionParams for WaitForNavigation {
    const FACTS: KindFacts = KindFacts {
        node_key: ParamKey::ExpectedNode,
        time_key: Some(ParamKey::TimeoutMs),
        foreign_keys: &[(APP_NAMES, ParamKey::ExpectedPackage)],
        finds: true,
        found: |data| data.get("resolved_package").map(ReturnedData::Outcome),
        ..KindFacts::new("expectedPackage|expectedNode timeoutMs", r#"{"expectedPackage":"com.android.settings","timeoutMs":5000}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        let both = self.expected_package.is_some() && self.expected_node.is_some();
        let gap = (
            ParamKey::ExpectedNode,
            "the app waits for one of the two, not for both",
        );
        StepFacts {
            matchers: [self.expected_node.as_ref(), None],
            wait_limit: Some(self.timeout_ms),
            operator_gaps: both.then_some(gap).into_iter().collect(),
            ..StepFacts::default()
        }
    }
}
