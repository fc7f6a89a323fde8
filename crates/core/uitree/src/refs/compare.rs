//! Decides which element of a screen the evidence is about.

use super::evidence::NEIGHBORS;
use super::{Evidence, Scan};
use crate::NodeId;

/// What one side of an element says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// The nearest unit is the same, and the next one is not another.
    Same,
    /// The nearest unit is another, and the two behind it are the same.
    Changed,
    /// One of the screens does not show what is there.
    Unknown,
    /// A unit was inserted or removed.
    Shifted,
    /// Another unit is there.
    Replaced,
}

fn side(old: [u64; NEIGHBORS], new: [u64; NEIGHBORS]) -> Side {
    let [old_near, old_far, old_farther] = old;
    let [new_near, new_far, new_farther] = new;
    if old_near == 0 || new_near == 0 {
        return Side::Unknown;
    }
    if old_near == new_near {
        return match old_far == new_far || old_far == 0 || new_far == 0 {
            true => Side::Same,
            false => Side::Shifted,
        };
    }
    if old_far != 0 && old_farther != 0 && (old_far, old_farther) == (new_far, new_farther) {
        return Side::Changed;
    }
    match old_near == new_far || old_far == new_near {
        true => Side::Shifted,
        false => Side::Replaced,
    }
}

/// How well what is beside an element fits the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// The element is this one, unless another comes into question.
    Same,
    /// It may be this one.
    Possible,
    /// It is another.
    Other,
}

impl Evidence {
    /// How well what is beside an element with the same key fits.
    fn fit(&self, now: &Evidence) -> Fit {
        if self.sequence == now.sequence {
            return match self.ordinal == now.ordinal {
                true => Fit::Same,
                false => Fit::Other,
            };
        }
        let sides = [side(self.before, now.before), side(self.after, now.after)];
        let has_equal = self.has_equal || now.has_equal;
        if !has_equal
            && !sides.contains(&Side::Replaced)
            && self.is_beside_the_same_after_insertions(now)
        {
            return Fit::Same;
        }
        let is_same = |side: &Side| *side == Side::Same;
        let is_changed = |side: &Side| *side == Side::Changed;
        if !sides.iter().any(|side| is_same(side) || is_changed(side)) {
            return match sides == [Side::Replaced; 2] {
                true => Fit::Other,
                false => Fit::Possible,
            };
        }
        let has_double = self.has_double || now.has_double;
        let holds = match has_equal {
            true => !has_double && sides == [Side::Same; 2],
            // A row has its own text; the meaning of other elements may be in the text beside them.
            false if self.in_list => true,
            false => {
                sides.iter().any(is_same)
                    && !sides.contains(&Side::Replaced)
                    && !sides.iter().any(is_changed)
            }
        };
        if holds { Fit::Same } else { Fit::Possible }
    }
}

impl Evidence {
    /// Whether what is next to an element on one side is the same, and units were only added to its container.
    fn is_beside_the_same_after_insertions(&self, now: &Evidence) -> bool {
        let is_next =
            |old: [u64; NEIGHBORS], new: [u64; NEIGHBORS]| old[0] != 0 && old[0] == new[0];
        let mut added = now.units.iter();
        (is_next(self.before, now.before) || is_next(self.after, now.after))
            && self
                .units
                .iter()
                .all(|unit| added.any(|other| other == unit))
    }
}

/// The element that the evidence is about; `None` if there is none, or if several come into question.
pub(super) fn find(evidence: &Evidence, scan: &Scan) -> Option<NodeId> {
    if let Some(origin) = evidence.origin
        && let Some((id, now)) = scan.with_origin(origin)
    {
        let same = now.key == evidence.key
            && evidence.document.is(now.document)
            && evidence.fit(now) == Fit::Same;
        return same.then_some(*id);
    }
    let mut found = None;
    let alike = scan.with_key(evidence.key);
    for (id, now) in alike.filter(|(_, now)| evidence.document.is(now.document)) {
        match evidence.fit(now) {
            Fit::Other => {}
            Fit::Same if found.is_none() => found = Some(*id),
            Fit::Same | Fit::Possible => return None,
        }
    }
    found
}
