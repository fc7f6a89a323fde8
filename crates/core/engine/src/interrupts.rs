//! Interruption rules: when a rule applies, and what each did.

use contract::{Execution, Interrupt, InterruptOutcome, InterruptRule, NodeMatcher};
use uitree::{NodeId, UiTree};

use crate::matcher_to_query::matcher_query;

/// The rules of a run and what they did.
pub(crate) struct Interrupts<'a> {
    execution: &'a Execution,
    states: Vec<RuleState>,
    pub(crate) answered: Vec<Interrupt>,
    /// Whether a rule is changing the device now.
    pub(crate) answering: bool,
}

struct RuleState {
    /// How many times it may still run.
    runs_left: u32,
    /// Whether its node has disappeared since it last ran, so that nothing is answered twice.
    is_ready: bool,
}

impl<'a> Interrupts<'a> {
    /// The rules of a plan.
    pub(crate) fn new(execution: &'a Execution) -> Self {
        let state = |rule: &InterruptRule| RuleState {
            runs_left: rule.max(),
            is_ready: true,
        };
        Self {
            execution,
            states: execution.interrupts().iter().map(state).collect(),
            answered: Vec::new(),
            answering: false,
        }
    }

    /// Whether the plan has rules.
    pub(crate) fn has_rules(&self) -> bool {
        !self.states.is_empty()
    }

    pub(crate) fn rule(&self, index: usize) -> Option<&'a InterruptRule> {
        self.execution.interrupts().get(index)
    }

    /// Notes which rules' nodes are gone from a screen.
    pub(crate) fn note_gone(&mut self, tree: &UiTree) {
        let rules = self.execution.interrupts().iter();
        for (state, rule) in self.states.iter_mut().zip(rules) {
            state.is_ready |= !is_shown(tree, rule);
        }
    }

    /// The first rule that applies to a screen, except those to leave out.
    pub(crate) fn next(&self, tree: &UiTree, excluded: &[usize]) -> Option<usize> {
        let rules = self.execution.interrupts().iter().zip(&self.states);
        let mut applying = rules
            .enumerate()
            .filter(|(_, (rule, state))| {
                state.is_ready && state.runs_left > 0 && is_shown(tree, rule)
            })
            .map(|(index, _)| index);
        applying.find(|index| !excluded.contains(index))
    }

    /// Notes that a rule was not run on this screen. It may run once its node was gone.
    pub(crate) fn refuse(&mut self, rule: usize, step: usize) {
        if let Some(state) = self.states.get_mut(rule) {
            state.is_ready = false;
        }
        self.push_entry(rule, step, InterruptOutcome::Refused);
    }

    /// Notes that a rule is about to run; its outcome is unknown until it is set.
    pub(crate) fn begin(&mut self, rule: usize, step: usize) {
        if let Some(state) = self.states.get_mut(rule) {
            state.is_ready = false;
            state.runs_left = state.runs_left.saturating_sub(1);
        }
        self.push_entry(rule, step, InterruptOutcome::Unknown);
    }

    /// Sets the outcome of the rule that runs.
    pub(crate) fn set_outcome(&mut self, outcome: InterruptOutcome) {
        if let Some(last) = self.answered.last_mut() {
            last.outcome = outcome;
        }
    }

    /// Forgets the last rule: nothing was sent, and its node is gone.
    pub(crate) fn withdraw(&mut self) {
        if let Some(last) = self.answered.pop()
            && let Some(state) = self.states.get_mut(last.rule)
        {
            state.is_ready = true;
            state.runs_left += 1;
        }
    }

    fn push_entry(&mut self, rule: usize, step: usize, outcome: InterruptOutcome) {
        let step_id = self.execution.actions().get(step).map(|action| action.id());
        self.answered.push(Interrupt {
            rule,
            step_id: step_id.unwrap_or_default().to_owned(),
            outcome,
        });
    }

    /// The matchers of the rules.
    pub(crate) fn matchers(&self) -> impl Iterator<Item = &'a NodeMatcher> {
        let rules = self.execution.interrupts().iter();
        rules.flat_map(|rule| rule.matchers().map(|(_, matcher)| matcher))
    }

    /// The CSS selectors of the rules.
    pub(crate) fn css(&self) -> impl Iterator<Item = &'a str> {
        self.matchers().filter_map(|matcher| matcher.css.as_deref())
    }
}

/// Whether the node of a rule is visible.
pub(crate) fn is_shown(tree: &UiTree, rule: &InterruptRule) -> bool {
    tree.find(&matcher_query(rule.when())).is_some()
}

/// Whether a rule must not touch a node: it matches `never`, or is inside a match, or has one inside.
pub(crate) fn is_forbidden(tree: &UiTree, rule: &InterruptRule, touched: NodeId) -> bool {
    let mut forbidden = rule
        .never()
        .iter()
        .flat_map(|matcher| tree.find_all(&matcher_query(matcher)));
    forbidden.any(|id| id == touched || tree.contains(id, touched) || tree.contains(touched, id))
}
