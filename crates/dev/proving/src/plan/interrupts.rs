//! Plans with rules for interruptions. Their steps press nothing, so that every press is that of a rule.

use serde_json::{Map, Value, json};

use super::matchers::Purpose;
use super::{Planner, View};

const STEPS: [&str; 4] = [
    "wait_for_node",
    "wait_until",
    "read_text",
    "read_key_value_pair",
];

impl Planner {
    /// A step that presses nothing.
    pub(super) fn quiet_action(&mut self, view: &View<'_>) -> (&'static str, Value) {
        loop {
            let (kind, params) = self.action(view);
            if STEPS.contains(&kind) {
                return (kind, params);
            }
        }
    }

    /// One to three rules about what is on the screen, or may be.
    pub(super) fn interrupt_rules(&mut self, view: &View<'_>) -> Vec<Value> {
        let count = 1 + self.below(3);
        (0..count).map(|_| self.interrupt_rule(view)).collect()
    }

    fn interrupt_rule(&mut self, view: &View<'_>) -> Value {
        // A rule is for what is not on the screen yet, and takes no references.
        let view = &View {
            last_ref: 0,
            ..*view
        };
        let when = self.matcher(view, Purpose::Any);
        let action = if self.chance(25) {
            json!({ "type": "press_key", "params": { "key": "back" } })
        } else {
            let matcher = self.matcher(view, Purpose::Click);
            json!({ "type": "click", "params": { "matcher": matcher } })
        };
        let mut rule = Map::new();
        rule.insert("when".to_owned(), when);
        rule.insert("action".to_owned(), action);
        if self.chance(60) {
            rule.insert("max".to_owned(), (1 + self.below(3)).into());
        }
        if self.chance(50) {
            let never = (0..1 + self.below(2)).map(|_| self.matcher(view, Purpose::Any));
            let never: Vec<Value> = never.collect();
            rule.insert("never".to_owned(), never.into());
        }
        rule.into()
    }
}
