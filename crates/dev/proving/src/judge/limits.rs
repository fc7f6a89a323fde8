//! What no client can know: for each claim of an answer, the faults under which it may be wrong.
//!
//! Everything that is not in this table holds under every fault: deadlines, order, schemas, secrets, that nothing is sent
//! twice that may have been done, and that what is acted on is what was named on the screen that was seen.

use driver_sim::journal::Event;

use super::{Findings, Step};
use crate::world::Call;

/// Something that an answer claims of the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Claim {
    /// What the device took has happened, once.
    Once,
    /// What the device refused has not happened.
    Refused,
    /// A finger met the widget that lay there when the screen was seen.
    Met,
    /// The content has moved, or it has not, as two looks show it.
    Moved,
    /// A field holds a text.
    Written,
    /// The app that a look tells is in front.
    Front,
    /// A picture shows the screen.
    Picture,
}

/// One limit: the claim, the fault, and the name under which it is counted.
pub(crate) const LIMITS: &[(Claim, &str, &str)] = &[
    (
        Claim::Once,
        "lose_gesture",
        "lose_gesture: the device took a gesture that never arrived",
    ),
    (
        Claim::Once,
        "double_gesture",
        "double_gesture: the device took one gesture and made two",
    ),
    (
        Claim::Once,
        "freeze",
        "freeze: the device took an input that a frozen screen keeps or loses",
    ),
    (
        Claim::Once,
        "false_refusal",
        "false_refusal: an act that was refused and done was sent again",
    ),
    (
        Claim::Refused,
        "false_refusal",
        "false_refusal: the device said that it refused and did it",
    ),
    (
        Claim::Refused,
        "freeze",
        "freeze: an earlier input arrived late",
    ),
    (
        Claim::Met,
        "reorder",
        "reorder: a list had another order when the finger arrived",
    ),
    (
        Claim::Met,
        "banner",
        "banner: a notification came down before the finger",
    ),
    (
        Claim::Met,
        "rotate",
        "rotate: the phone was turned before the finger came down",
    ),
    (
        Claim::Met,
        "fold",
        "fold: the phone was folded before the finger came down",
    ),
    (
        Claim::Met,
        "update",
        "update: a sheet came up before the finger came down",
    ),
    (
        Claim::Met,
        "crash",
        "crash: a dialog came up before the finger came down",
    ),
    (
        Claim::Met,
        "anr",
        "anr: a dialog came up before the finger came down",
    ),
    (
        Claim::Met,
        "permission",
        "permission: a prompt came up before the finger came down",
    ),
    (
        Claim::Met,
        "interrupt",
        "interrupt: another app came to the front before the finger came down",
    ),
    (
        Claim::Met,
        "low_memory",
        "low_memory: the app was ended before the finger came down",
    ),
    (
        Claim::Met,
        "screen_off",
        "screen_off: the screen went dark before the finger came down",
    ),
    (
        Claim::Met,
        "latency",
        "latency: the finger came down later than the screen was seen",
    ),
    (
        Claim::Met,
        "lost_events",
        "lost_events: what moved under the finger was not reported",
    ),
    (
        Claim::Met,
        "stale_tree",
        "stale_tree: the device gave an old tree for the finger's place",
    ),
    (
        Claim::Met,
        "missing_subtree",
        "missing_subtree: the tree did not have what lay under the finger",
    ),
    (
        Claim::Met,
        "wrong_window",
        "wrong_window: the device gave another window's tree for the finger's place",
    ),
    (
        Claim::Moved,
        "stale_tree",
        "stale_tree: an old tree tells what moved",
    ),
    (
        Claim::Moved,
        "missing_subtree",
        "missing_subtree: a part that is missing looks like movement",
    ),
    (
        Claim::Moved,
        "wrong_window",
        "wrong_window: another window tells what moved",
    ),
    (
        Claim::Moved,
        "freeze",
        "freeze: a swipe moves content later or never",
    ),
    (
        Claim::Moved,
        "reorder",
        "reorder: another order looks like movement",
    ),
    (
        Claim::Written,
        "stale_tree",
        "stale_tree: an old tree shows what a field held",
    ),
    (
        Claim::Written,
        "drop_text",
        "drop_text: a password that shows nothing lost a part",
    ),
    (
        Claim::Written,
        "freeze",
        "freeze: a field takes a text later or never",
    ),
    (
        Claim::Written,
        "false_refusal",
        "false_refusal: a text was written twice",
    ),
    (
        Claim::Front,
        "wrong_window",
        "wrong_window: the device told another app than the one in front",
    ),
    (
        Claim::Picture,
        "black_screenshot",
        "black_screenshot: the device gave a black picture",
    ),
];

/// What looks alike to everybody who sees only the tree, without any fault; each is counted by its name.
pub(crate) mod alike {
    /// Words of the content changed in place, as rows do that are replaced by others.
    pub(crate) const WORDS: &str = "moved: words inside the container changed by themselves";
    /// What is cut off at the edge of a container is seen at another place in it when the edge moves.
    pub(crate) const FRAME: &str = "moved: a window slid in or out, or the screen was turned";
    /// A swipe across a list presses the row under it, and the row chose another language.
    pub(crate) const LAID_OUT: &str = "moved: the phone was set up anew and all was laid out again";
    /// Equal rows, moved by a whole number of them.
    pub(crate) const STILL: &str = "still: moved, and every node inside is where it was";
    /// The tree leaves the system's bars out.
    pub(crate) const BARRED: &str = "pressed: a bar of the system lay over the place";
    /// The finger had met the right thing, and that did not last as long as the finger was held.
    pub(crate) const HELD: &str = "pressed: what the finger was held on went away under it";
    /// What is cut to the same place while its list runs on.
    pub(crate) const STOPPED: &str =
        "pressed: a finger stopped content that no look showed running";
    /// An input of a phone takes a moment to start.
    pub(crate) const LATE: &str = "pressed: the screen changed while the input was on its way";
    /// A field that shows what it hides otherwise.
    pub(crate) const SHOWN: &str = "told: a password that its field showed in plain letters";

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
    /// The limit that a call has met for a claim, by the faults that struck it.
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
