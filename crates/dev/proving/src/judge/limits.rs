//! Accepted contradictions: for each claim of a result, the faults under which it may be wrong.
//!
//! All other rules hold under every fault.

use driver_sim::journal::Event;

use super::{Findings, Step};
use crate::run::Call;

/// A claim of a result about the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Claim {
    /// Accepted input was executed once.
    ExecutedOnce,
    /// Refused input was not executed.
    NotExecuted,
    /// A touch hit the widget that was observed at its place.
    TargetHit,
    /// The content moved or did not, from two observations.
    ScrollOutcome,
    /// A field has a text.
    FieldText,
    /// The foreground app of an observation.
    Foreground,
    /// A screenshot shows the screen.
    Screenshot,
}

/// Claim, fault, and the name under which the contradiction is counted.
pub(crate) const LIMITS: &[(Claim, &str, &str)] = &[
    (
        Claim::ExecutedOnce,
        "lose_gesture",
        "lose_gesture: the device accepted a gesture that never arrived",
    ),
    (
        Claim::ExecutedOnce,
        "double_gesture",
        "double_gesture: the device executed one gesture twice",
    ),
    (
        Claim::ExecutedOnce,
        "freeze",
        "freeze: the device accepted input that a frozen screen queues or drops",
    ),
    (
        Claim::ExecutedOnce,
        "false_refusal",
        "false_refusal: an action that was executed but reported as refused was sent again",
    ),
    (
        Claim::NotExecuted,
        "false_refusal",
        "false_refusal: the device executed an action and reported a refusal",
    ),
    (
        Claim::NotExecuted,
        "freeze",
        "freeze: an earlier input arrived late",
    ),
    (
        Claim::TargetHit,
        "reorder",
        "reorder: a list was reordered before the finger came down",
    ),
    (
        Claim::TargetHit,
        "banner",
        "banner: a notification appeared before the finger came down",
    ),
    (
        Claim::TargetHit,
        "rotate",
        "rotate: the phone was rotated before the finger came down",
    ),
    (
        Claim::TargetHit,
        "fold",
        "fold: the phone was folded before the finger came down",
    ),
    (
        Claim::TargetHit,
        "update",
        "update: a sheet appeared before the finger came down",
    ),
    (
        Claim::TargetHit,
        "crash",
        "crash: a dialog appeared before the finger came down",
    ),
    (
        Claim::TargetHit,
        "anr",
        "anr: a dialog appeared before the finger came down",
    ),
    (
        Claim::TargetHit,
        "permission",
        "permission: a prompt appeared before the finger came down",
    ),
    (
        Claim::TargetHit,
        "interrupt",
        "interrupt: another app came to the front before the finger came down",
    ),
    (
        Claim::TargetHit,
        "low_memory",
        "low_memory: the app was killed before the finger came down",
    ),
    (
        Claim::TargetHit,
        "screen_off",
        "screen_off: the screen turned off before the finger came down",
    ),
    (
        Claim::TargetHit,
        "latency",
        "latency: the screen changed before the finger came down",
    ),
    (
        Claim::TargetHit,
        "lost_events",
        "lost_events: a change under the finger was not reported",
    ),
    (
        Claim::TargetHit,
        "stale_tree",
        "stale_tree: the target was located in an old tree",
    ),
    (
        Claim::TargetHit,
        "missing_subtree",
        "missing_subtree: the tree lacked the widget under the finger",
    ),
    (
        Claim::TargetHit,
        "wrong_window",
        "wrong_window: the target was located in the tree of another window",
    ),
    (
        Claim::ScrollOutcome,
        "stale_tree",
        "stale_tree: movement was judged from an old tree",
    ),
    (
        Claim::ScrollOutcome,
        "missing_subtree",
        "missing_subtree: a missing part looks like movement",
    ),
    (
        Claim::ScrollOutcome,
        "wrong_window",
        "wrong_window: movement was judged from another window",
    ),
    (
        Claim::ScrollOutcome,
        "freeze",
        "freeze: a swipe moves content later or never",
    ),
    (
        Claim::ScrollOutcome,
        "reorder",
        "reorder: a new order looks like movement",
    ),
    (
        Claim::FieldText,
        "stale_tree",
        "stale_tree: an old tree shows the previous text",
    ),
    (
        Claim::FieldText,
        "drop_text",
        "drop_text: a part of a masked password was lost",
    ),
    (
        Claim::FieldText,
        "freeze",
        "freeze: a field receives a text later or never",
    ),
    (
        Claim::FieldText,
        "false_refusal",
        "false_refusal: a text was written twice",
    ),
    (
        Claim::Foreground,
        "wrong_window",
        "wrong_window: the device reported another app than the one in front",
    ),
    (
        Claim::Screenshot,
        "black_screenshot",
        "black_screenshot: the device returned a black screenshot",
    ),
];

/// Ambiguities of the tree without a fault, by the name under which they are counted.
pub(crate) mod ambiguity {
    /// Text changed in place, as in recycled rows.
    pub(crate) const TEXT_CHANGED: &str = "moved: text inside the container changed by itself";
    /// Content clipped at the edge of a container appears elsewhere when the edge moves.
    pub(crate) const CONTAINER_MOVED: &str =
        "moved: a window slid in or out, or the screen was rotated";
    /// A swipe pressed a row that changed the language.
    pub(crate) const LAYOUT_CHANGED: &str = "moved: a changed setting caused a new layout";
    /// Equal rows, moved by a whole number of them.
    pub(crate) const NO_VISIBLE_MOVE: &str = "still: content moved, and every node is where it was";
    /// The tree does not contain the system bars.
    pub(crate) const UNDER_SYSTEM_BAR: &str = "pressed: a system bar covered the place";
    /// The right widget was hit, but disappeared before the finger was lifted.
    pub(crate) const WIDGET_REMOVED: &str = "pressed: the widget under a held finger disappeared";
    /// Clipped rows keep their bounds while the list scrolls.
    pub(crate) const SCROLL_STOPPED: &str =
        "pressed: the finger stopped scrolling that no observation showed";
    /// On a phone, input takes time to start.
    pub(crate) const INPUT_IN_FLIGHT: &str =
        "pressed: the screen changed while the input was in flight";
    /// A field with "Show password".
    pub(crate) const PASSWORD_REVEALED: &str =
        "revealed: the field showed its password in plain text";

    /// All of them.
    #[cfg(test)]
    pub(crate) const ALL: [&str; 9] = [
        TEXT_CHANGED,
        CONTAINER_MOVED,
        LAYOUT_CHANGED,
        NO_VISIBLE_MOVE,
        UNDER_SYSTEM_BAR,
        WIDGET_REMOVED,
        SCROLL_STOPPED,
        INPUT_IN_FLIGHT,
        PASSWORD_REVEALED,
    ];
}

/// The name of the contradiction that a fault excuses for a claim.
fn excuse(claim: Claim, fault: &str) -> Option<&'static str> {
    LIMITS
        .iter()
        .find(|(row_claim, name, _)| *row_claim == claim && *name == fault)
        .map(|(_, _, description)| *description)
}

impl Step<'_> {
    /// The name of the contradiction that the faults of a call excuse.
    pub(crate) fn excuse_for(&self, claim: Claim, call: &Call) -> Option<&'static str> {
        let fired = self
            .entries(call)
            .iter()
            .find_map(|entry| match entry.what {
                Event::Fault { name, .. } => excuse(claim, name),
                _ => None,
            });
        fired.or_else(|| call.frozen.then(|| excuse(claim, "freeze")).flatten())
    }

    /// Reports that another widget was pressed during a call; accepted if a frozen screen may have queued an earlier input.
    pub(crate) fn contradict_input(
        &self,
        findings: &mut Findings,
        call: &Call,
        rule: &str,
        message: impl Into<String>,
    ) {
        match excuse(Claim::NotExecuted, "freeze").filter(|_| call.frozen) {
            Some(excuse) => findings.accept(excuse),
            None => findings.add(rule, message),
        }
    }

    /// Reports a contradiction of a claim about one call; accepted if a fault of that call excuses it.
    pub(crate) fn contradict(
        &self,
        findings: &mut Findings,
        (claim, call): (Claim, &Call),
        rule: &str,
        message: impl FnOnce() -> String,
    ) {
        match self.excuse_for(claim, call) {
            Some(excuse) => findings.accept(excuse),
            None => findings.add(rule, message()),
        }
    }

    /// As [`contradict`](Self::contradict), for a claim that depends on several calls of the step.
    pub(crate) fn contradict_step(
        &self,
        findings: &mut Findings,
        claim: Claim,
        rule: &str,
        message: impl FnOnce() -> String,
    ) {
        let excuse = self
            .calls
            .iter()
            .find_map(|call| self.excuse_for(claim, call));
        match excuse {
            Some(excuse) => findings.accept(excuse),
            None => findings.add(rule, message()),
        }
    }

    /// As [`contradict_step`](Self::contradict_step), for a text that was read back; only faults of an observation excuse
    /// it.
    pub(crate) fn contradict_observation(
        &self,
        findings: &mut Findings,
        rule: &str,
        message: impl FnOnce() -> String,
    ) {
        let observations = self
            .calls
            .iter()
            .filter(|call| call.observation().is_some());
        let excuse = observations
            .filter_map(|call| self.excuse_for(Claim::FieldText, call))
            .next();
        match excuse {
            Some(excuse) => findings.accept(excuse),
            None => findings.add(rule, message()),
        }
    }

    /// Whether a fault fired during a call.
    pub(crate) fn is_struck(&self, call: &Call) -> bool {
        call.frozen
            || self
                .entries(call)
                .iter()
                .any(|entry| matches!(entry.what, Event::Fault { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn limits_are_unique_and_name_existing_faults() {
        let known: BTreeSet<&str> = driver_sim::fault::rows()
            .iter()
            .map(|row| row.name)
            .collect();
        let mut pairs = BTreeSet::new();
        for (claim, fault, description) in LIMITS {
            assert!(known.contains(fault), "{fault}");
            assert!(description.starts_with(fault), "{description}");
            assert!(pairs.insert((*claim, *fault)), "{claim:?} {fault} twice");
        }
    }

    #[test]
    fn guide_lists_every_limit() {
        let guide = include_str!("../../../../../docs/guides/proof.md");
        for (_, _, description) in LIMITS {
            let (fault, rest) = description.split_once(": ").unwrap();
            let row = format!("| `{fault}` | {rest} |");
            assert!(guide.contains(&row), "docs/guides/proof.md lacks: {row}");
        }
        for name in ambiguity::ALL {
            let item = format!("- *{name}.*");
            assert!(guide.contains(&item), "docs/guides/proof.md lacks: {item}");
        }
    }
}
