//! `wait_until`: waits until one of several conditions holds.

use super::prelude::*;
use crate::condition::Condition;
use crate::warning::WarningCode;

params! {
    |reader| {
        let any_of = reader.required(ParamKey::AnyOf, ParamReader::conditions);
        let container = reader.matcher(ParamKey::Container);
        let timeout_ms = reader.millis_clamped(ParamKey::TimeoutMs, limits::MIN_WAIT_MS, limits::MAX_WAIT_MS);
        let timeout = match timeout_ms {
            FieldValue::Value(timeout) => timeout,
            FieldValue::Absent | FieldValue::Broken => DEFAULT,
        };
        let conditions = match &any_of {
            FieldValue::Value(conditions) => conditions.as_slice(),
            FieldValue::Absent | FieldValue::Broken => &[],
        };
        for (index, condition) in conditions.iter().enumerate() {
            if let Condition::Quiet(quiet) = condition
                && *quiet >= timeout
            {
                let what = format!(
                    "is {quiet}, but the step waits only {timeout} ms: this condition cannot hold"
                );
                let place = format!("{index}.{}", condition.key());
                reader.warn_inside(WarningCode::OutlastsTimeout, ParamKey::AnyOf, &place, &what);
            }
        }
    }
    /// Waits until one of several conditions holds, without scrolling.
    ///
    /// Conditions that already hold count; if several hold, the first one in the list is reported. `data.condition` and
    /// `data.condition_index` say which one it was.
    pub struct WaitUntil {
        /// The conditions, of which one suffices.
        #[schemars(length(min = 1, max = limits::MAX_CONDITIONS))]
        any_of: Vec<Condition>,
        /// The node to search in. Nothing is inside a container that is not on the screen.
        container: Option<NodeMatcher>,
        /// How long to wait, in milliseconds. Values outside the range are clamped.
        #[schemars(range(min = limits::MIN_WAIT_MS, max = limits::MAX_WAIT_MS), extend("default" = limits::DEFAULT_WAIT_MS))]
        timeout_ms: Option<Millis>,
    }
}

/// How long it waits if nothing is said.
const DEFAULT: Millis = Millis::whole(limits::DEFAULT_WAIT_MS);

impl WaitUntil {
    /// How long to wait.
    pub fn timeout(&self) -> Millis {
        self.timeout_ms.unwrap_or(DEFAULT)
    }
}

impl ActionParams for WaitUntil {
    const FACTS: KindFacts = KindFacts {
        node_key: ParamKey::AnyOf,
        time_key: Some(ParamKey::TimeoutMs),
        found: |data| data.get("met").map(ReturnedData::Outcome),
        ..KindFacts::new("anyOf=[{visible|gone:matcher}|…] timeoutMs?", 
            r#"{"anyOf":[{"visible":{"textEquals":"Order placed"}},{"text":{"matcher":{"role":"alert"},"contains":"declined"}}],"timeoutMs":10000}"#,
        )
    };

    fn facts(&self) -> StepFacts<'_> {
        let requirement = |(index, condition): (usize, &Condition)| {
            let (device, what) = match condition {
                Condition::Url(_) => (DeviceKind::Page, "only web pages have an address"),
                Condition::App(_) => (DeviceKind::Phone, "only phones have apps"),
                _ => return None,
            };
            let key = condition.key();
            Some(Requirement {
                path: format!("params.{}.{index}.{key}", ParamKey::AnyOf),
                device,
                what,
            })
        };
        StepFacts {
            matchers: [None, self.container.as_ref()],
            condition_matchers: self.any_of.iter().filter_map(Condition::matcher).collect(),
            wait_limit: Some(self.timeout()),
            requirements: self.any_of.iter().enumerate().filter_map(requirement).collect(),
            operator_gaps: vec![(ParamKey::AnyOf, "the app has no such action")],
            ..StepFacts::default()
        }
    }
}
