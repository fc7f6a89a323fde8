//! Decides which element of a screen the evidence is about.

use super::evidence::NEIGHBORS;
use super::{Evidence, Scan};
use crate::NodeId;

/// What one side of an element says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// The nearest unit is the same, and the next one is not another.
    Same,
    /// The nearest unit is the same, and the next one is another.
    Near,
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
            false => Side::Near,
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
    /// The element is this one: it is between the same two.
    Between,
    /// The element is this one, unless another comes into question.
    Same,
    /// It may be this one.
    Possible,
    /// It may be this one if none is better: nothing beside it is the same.
    Unlikely,
    /// It is another.
    Other,
}

impl Fit {
    /// Whether the element is this one, unless another is it, too.
    const fn is_right(self) -> bool {
        matches!(self, Self::Between | Self::Same)
    }
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
        let is_near = |side: &Side| matches!(side, Side::Same | Side::Near);
        let is_changed = |side: &Side| *side == Side::Changed;
        let has_double = self.has_double || now.has_double;
        if has_equal {
            let is_between = !has_double && sides.iter().all(is_near) && sides.iter().any(is_same);
            return match is_between {
                true => Fit::Between,
                false if sides.iter().any(is_near) || sides.iter().any(is_changed) => Fit::Possible,
                false if sides == [Side::Replaced; 2] => Fit::Other,
                false => Fit::Unlikely,
            };
        }
        if !sides.iter().any(|side| is_same(side) || is_changed(side)) {
            return match sides == [Side::Replaced; 2] {
                true => Fit::Other,
                false => Fit::Possible,
            };
        }
        // A row has its own text; the meaning of other elements may be in the text beside them.
        let holds = self.in_list
            || sides.iter().any(is_same)
                && !sides.contains(&Side::Replaced)
                && !sides.iter().any(is_changed);
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
            && evidence.fit(now).is_right();
        return same.then_some(*id);
    }
    let fits = || {
        let alike = scan.with_key(evidence.key);
        let alike = alike.filter(|(_, now)| evidence.document.is(now.document));
        alike.map(|(id, now)| (*id, evidence.fit(now)))
    };
    let mut right = fits().filter(|(_, fit)| fit.is_right());
    let (found, fit) = right.next()?;
    let is_doubt = |other: Fit| match other {
        Fit::Possible => true,
        Fit::Unlikely => fit != Fit::Between,
        Fit::Between | Fit::Same | Fit::Other => false,
    };
    let is_only = right.next().is_none() && !fits().any(|(_, fit)| is_doubt(fit));
    is_only.then_some(found)
}
