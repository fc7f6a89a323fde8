//! Accepted contradictions: for each claim of a result, the faults under which it may be wrong.
//!
//! All other rules hold under every fault.

use std::sync::LazyLock;

use driver_sim::journal::Event;

use super::{Findings, Step};
use crate::run::Call;

/// A claim of a result about the phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Accepted input was executed once.
    ExecutedOnce,
    NotExecuted,
    /// A touch hit the widget that was observed at its place.
    TargetHit,
    /// The content moved or did not, from two observations.
    ScrollOutcome,
    FieldText,
    Foreground,
    Screenshot,
}

const GUIDE: &str = include_str!("../../../../../docs/guides/proof.md");

/// The heading of the guide's table for each claim.
const TABLES: [(&str, Claim); 7] = [
    ("Accepted input happened exactly once", Claim::ExecutedOnce),
    ("Refused input did not happen", Claim::NotExecuted),
    (
        "A touch hit the element that was observed at its place",
        Claim::TargetHit,
    ),
    ("The reported scrolling is correct", Claim::ScrollOutcome),
    ("The field holds the text", Claim::FieldText),
    ("The reported foreground app is in front", Claim::Foreground),
    ("The screenshot shows the screen", Claim::Screenshot),
];

/// A fault that excuses a contradiction of a claim.
struct Limit {
    claim: Claim,
    fault: &'static str,
    /// The fault and the reason, under which the contradiction is counted.
    name: &'static str,
}

static LIMITS: LazyLock<Vec<Limit>> = LazyLock::new(|| {
    let mut claim = None;
    let mut limits = Vec::new();
    for line in GUIDE.lines() {
        if let Some(heading) = line.strip_prefix("**") {
            let table = TABLES.iter().find(|(text, _)| heading.starts_with(text));
            claim = table.map(|(_, claim)| *claim);
        } else if let Some(claim) = claim
            && let Some(row) = line.strip_prefix("| `")
            && let Some((fault, reason)) = row.trim_end_matches(" |").split_once("` | ")
        {
            let name = format!("{fault}: {reason}").leak();
            limits.push(Limit { claim, fault, name });
        }
    }
    limits
});

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
    pub(crate) const PASSWORD_REVEALED: &str =
        "revealed: the field showed its password in plain text";

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
    let mut limits = LIMITS.iter();
    let limit = limits.find(|limit| limit.claim == claim && limit.fault == fault);
    limit.map(|limit| limit.name)
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
    fn guide_has_a_table_of_existing_faults_for_each_claim() {
        let known: BTreeSet<&str> = driver_sim::fault::rows()
            .iter()
            .map(|row| row.name)
            .collect();
        for limit in LIMITS.iter() {
            assert!(known.contains(limit.fault), "{}", limit.fault);
        }
        for (heading, claim) in TABLES {
            let rows = LIMITS.iter().filter(|limit| limit.claim == claim);
            assert!(rows.count() > 0, "docs/guides/proof.md lacks: {heading}");
        }
        assert_eq!(LIMITS.len(), 33);
    }

    #[test]
    fn guide_lists_every_ambiguity() {
        for name in ambiguity::ALL {
            let item = format!("- *{name}.*");
            assert!(GUIDE.contains(&item), "docs/guides/proof.md lacks: {item}");
        }
    }
}
