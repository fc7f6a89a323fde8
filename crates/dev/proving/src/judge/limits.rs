//! Limits of what a client can know: for each claim of an answer, the faults under which it may be wrong.
//!
//! Everything else holds under every fault: deadlines, order, schemas, secrets, that input whose outcome is unknown is not
//! sent again, and that the target is the named node of the observed screen.

use driver_sim::journal::Event;

use super::{Findings, Step};
use crate::world::Call;

/// A claim of an answer about the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Claim {
    /// Input that the device accepted was executed, once.
    Once,
    /// Input that the device refused was not executed.
    Refused,
    /// The finger met the widget that was observed at that place.
    Met,
    /// The content moved or did not, judged by two observations.
    Moved,
    /// A field holds a text.
    Written,
    /// The app that an observation reports as the foreground app.
    Front,
    /// A screenshot shows the screen.
    Picture,
}

/// Claim, fault, and the name under which the limit is counted.
pub(crate) const LIMITS: &[(Claim, &str, &str)] = &[
    (
        Claim::Once,
        "lose_gesture",
        "lose_gesture: the device accepted a gesture that never arrived",
    ),
    (
        Claim::Once,
        "double_gesture",
        "double_gesture: the device executed one gesture twice",
    ),
    (
        Claim::Once,
        "freeze",
        "freeze: the device accepted input that a frozen screen queues or drops",
    ),
    (
        Claim::Once,
        "false_refusal",
        "false_refusal: an action that was executed but reported as refused was sent again",
    ),
    (
        Claim::Refused,
        "false_refusal",
        "false_refusal: the device executed an action and reported a refusal",
    ),
    (
        Claim::Refused,
        "freeze",
        "freeze: an earlier input arrived late",
    ),
    (
        Claim::Met,
        "reorder",
        "reorder: a list was reordered before the finger came down",
    ),
    (
        Claim::Met,
        "banner",
        "banner: a notification appeared before the finger came down",
    ),
    (
        Claim::Met,
        "rotate",
        "rotate: the phone was rotated before the finger came down",
    ),
    (
        Claim::Met,
        "fold",
        "fold: the phone was folded before the finger came down",
    ),
    (
        Claim::Met,
        "update",
        "update: a sheet appeared before the finger came down",
    ),
    (
        Claim::Met,
        "crash",
        "crash: a dialog appeared before the finger came down",
    ),
    (
        Claim::Met,
        "anr",
        "anr: a dialog appeared before the finger came down",
    ),
    (
        Claim::Met,
        "permission",
        "permission: a prompt appeared before the finger came down",
    ),
    (
        Claim::Met,
        "interrupt",
        "interrupt: another app came to the front before the finger came down",
    ),
    (
        Claim::Met,
        "low_memory",
        "low_memory: the app was killed before the finger came down",
    ),
    (
        Claim::Met,
        "screen_off",
        "screen_off: the screen turned off before the finger came down",
    ),
    (
        Claim::Met,
        "latency",
        "latency: the screen changed before the finger came down",
    ),
    (
        Claim::Met,
        "lost_events",
        "lost_events: a change under the finger was not reported",
    ),
    (
        Claim::Met,
        "stale_tree",
        "stale_tree: the target was located in an old tree",
    ),
    (
        Claim::Met,
        "missing_subtree",
        "missing_subtree: the tree lacked the widget under the finger",
    ),
    (
        Claim::Met,
        "wrong_window",
        "wrong_window: the target was located in the tree of another window",
    ),
    (
        Claim::Moved,
        "stale_tree",
        "stale_tree: movement was judged from an old tree",
    ),
    (
        Claim::Moved,
        "missing_subtree",
        "missing_subtree: a missing part looks like movement",
    ),
    (
        Claim::Moved,
        "wrong_window",
        "wrong_window: movement was judged from another window",
    ),
    (
        Claim::Moved,
        "freeze",
        "freeze: a swipe moves content later or never",
    ),
    (
        Claim::Moved,
        "reorder",
        "reorder: a new order looks like movement",
    ),
    (
        Claim::Written,
        "stale_tree",
        "stale_tree: an old tree shows the previous text",
    ),
    (
        Claim::Written,
        "drop_text",
        "drop_text: a part of a masked password was lost",
    ),
    (
        Claim::Written,
        "freeze",
        "freeze: a field receives a text later or never",
    ),
    (
        Claim::Written,
        "false_refusal",
        "false_refusal: a text was written twice",
    ),
    (
        Claim::Front,
        "wrong_window",
        "wrong_window: the device reported another app than the one in front",
    ),
    (
        Claim::Picture,
        "black_screenshot",
        "black_screenshot: the device returned a black screenshot",
    ),
];

/// Ambiguities of the tree that need no fault, by the name under which they are counted.
pub(crate) mod alike {
    /// Text changed in place, as in recycled rows.
    pub(crate) const WORDS: &str = "moved: text inside the container changed by itself";
    /// Content clipped at the edge of a container appears elsewhere when the edge moves.
    pub(crate) const FRAME: &str = "moved: a window slid in or out, or the screen was rotated";
    /// A swipe pressed a row that changed the language.
    pub(crate) const LAID_OUT: &str = "moved: a changed setting caused a new layout";
    /// Equal rows, moved by a whole number of them.
    pub(crate) const STILL: &str = "still: content moved, and every node is where it was";
    /// The tree does not contain the system bars.
    pub(crate) const BARRED: &str = "pressed: a system bar covered the place";
    /// The right widget was met, but it disappeared before the finger was lifted.
    pub(crate) const HELD: &str = "pressed: the widget under a held finger disappeared";
    /// Clipped rows keep their bounds while the list scrolls.
    pub(crate) const STOPPED: &str =
        "pressed: the finger stopped scrolling that no observation showed";
    /// On a phone, input takes time to start.
    pub(crate) const LATE: &str = "pressed: the screen changed while the input was in flight";
    /// A field with "Show password".
    pub(crate) const SHOWN: &str = "revealed: the field showed its password in plain text";

    /// All of them.
    #[cfg(test)]
    pub(crate) const ALL: [&str; 9] = [
        WORDS, FRAME, LAID_OUT, STILL, BARRED, HELD, STOPPED, LATE, SHOWN,
    ];
}

/// The limit that a fault is for a claim, if it is one.
fn limit(claim: Claim, fault: &str) -> Option<&'static str> {
    LIMITS
        .iter()
        .find(|(own, name, _)| *own == claim && *name == fault)
        .map(|(_, _, says)| *says)
}

impl Step<'_> {
    /// The limit that the faults of a call impose on a claim.
    pub(crate) fn limit_of(&self, claim: Claim, call: &Call) -> Option<&'static str> {
        let struck = self
            .entries(call)
            .iter()
            .find_map(|entry| match entry.what {
                Event::Fault { name, .. } => limit(claim, name),
                _ => None,
            });
        struck.or_else(|| call.frozen.then(|| limit(claim, "freeze")).flatten())
    }

    /// Notes that something else was pressed during a call: a limit if an earlier input may have arrived that a frozen
    /// screen had kept, a violation otherwise.
    pub(crate) fn deny_other(
        &self,
        found: &mut Findings,
        call: &Call,
        rule: &str,
        message: impl Into<String>,
    ) {
        match limit(Claim::Refused, "freeze").filter(|_| call.frozen) {
            Some(limit) => found.limit(limit),
            None => found.note(rule, message),
        }
    }

    /// Notes that a claim about one call is denied: a limit if a fault struck that call under which nobody could know, a
    /// violation otherwise.
    pub(crate) fn deny(
        &self,
        found: &mut Findings,
        (claim, call): (Claim, &Call),
        rule: &str,
        message: impl FnOnce() -> String,
    ) {
        match self.limit_of(claim, call) {
            Some(limit) => found.limit(limit),
            None => found.note(rule, message()),
        }
    }

    /// As [`deny`](Self::deny), of a claim that rests on several calls of the step.
    pub(crate) fn deny_all(
        &self,
        found: &mut Findings,
        claim: Claim,
        rule: &str,
        message: impl FnOnce() -> String,
    ) {
        let limit = self
            .calls
            .iter()
            .find_map(|call| self.limit_of(claim, call));
        match limit {
            Some(limit) => found.limit(limit),
            None => found.note(rule, message()),
        }
    }

    /// As [`deny_all`](Self::deny_all), of a text that was read back: only what struck a look can be the reason.
    pub(crate) fn deny_looks(
        &self,
        found: &mut Findings,
        rule: &str,
        message: impl FnOnce() -> String,
    ) {
        let looks = self.calls.iter().filter(|call| call.seen().is_some());
        let limit = looks
            .filter_map(|call| self.limit_of(Claim::Written, call))
            .next();
        match limit {
            Some(limit) => found.limit(limit),
            None => found.note(rule, message()),
        }
    }

    /// Whether any fault struck a call.
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
    fn every_limit_is_of_a_fault_that_exists_and_stands_once() {
        let known: BTreeSet<&str> = driver_sim::fault::rows()
            .iter()
            .map(|row| row.name)
            .collect();
        let mut seen = BTreeSet::new();
        for (claim, fault, says) in LIMITS {
            assert!(known.contains(fault), "{fault}");
            assert!(says.starts_with(fault), "{says}");
            assert!(seen.insert((*claim, *fault)), "{claim:?} {fault} twice");
        }
    }

    #[test]
    fn the_guide_names_every_limit() {
        let guide = include_str!("../../../../../docs/guides/proof.md");
        for (_, _, says) in LIMITS {
            let (fault, rest) = says.split_once(": ").unwrap();
            let row = format!("| `{fault}` | {rest} |");
            assert!(guide.contains(&row), "docs/guides/proof.md lacks: {row}");
        }
        for name in alike::ALL {
            let item = format!("- *{name}.*");
            assert!(guide.contains(&item), "docs/guides/proof.md lacks: {item}");
        }
    }
}
