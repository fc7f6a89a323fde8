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
    fn fit(&self, now: &Evidence, scan: &Scan) -> Fit {
        if self.is_page && now.is_page {
            return Fit::Same;
        }
        let is_told_by_values = self.is_told_by_values || now.is_told_by_values;
        if is_told_by_values && self.values != now.values {
            return Fit::Other;
        }
        if self.sequence == now.sequence {
            return match self.ordinal == now.ordinal {
                true => Fit::Same,
                false => Fit::Other,
            };
        }
        let sides = [side(self.before, now.before), side(self.after, now.after)];
        let has_equal = self.has_equal || now.has_equal;
        // The key of a row has all of its texts.
        if self.names_itself && !has_equal && self.is_same_node(now) {
            return Fit::Same;
        }
        if let Some(fit) = self.fit_while_others_come_or_go(now, sides, scan) {
            return fit;
        }
        // What is beside a container of which there is one says nothing about how it scrolls.
        let is_only = self.has_id && !has_equal || self.is_same_node(now);
        let is_scroller = self.is_scroller && now.is_scroller && is_only;
        let is_search = self.is_search && self.has_id && !has_equal;
        if self.is_unique_like(now, scan) || is_scroller || is_search {
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
        // A row has its own text, and a card that is pressed as a whole; the meaning of other elements may be in the text beside them.
        let is_placed =
            |side: &Side| is_same(side) || is_changed(side) || self.names_itself && is_near(side);
        if !sides.iter().any(is_placed) {
            return match sides == [Side::Replaced; 2] {
                true => Fit::Other,
                false => Fit::Possible,
            };
        }
        let holds = self.names_itself
            || sides.iter().any(is_same)
                && !self.is_led_to_otherwise(now, scan)
                && !sides.contains(&Side::Replaced)
                && !sides.iter().any(is_changed);
        if holds { Fit::Same } else { Fit::Possible }
    }
}

impl Evidence {
    /// How well an element fits whose container only gained units, or only lost some: it is this one if what is next to it is the
    /// same, since what follows it may have opened, and what is before it names it. Of equals, none may have come or gone.
    fn fit_while_others_come_or_go(
        &self,
        now: &Evidence,
        [before, after]: [Side; 2],
        scan: &Scan,
    ) -> Option<Fit> {
        let is_next =
            |old: [u64; NEIGHBORS], new: [u64; NEIGHBORS]| old[0] != 0 && old[0] == new[0];
        let has_equal = self.has_equal || now.has_equal;
        let is_placed = match has_equal {
            true => self.equals == now.equals && before == Side::Same,
            false => {
                is_next(self.before, now.before)
                    || before != Side::Replaced
                        && after != Side::Replaced
                        && is_next(self.after, now.after)
            }
        };
        let is_other = has_equal && self.equals == now.equals && self.ordinal != now.ordinal;
        let is_excluded = self.is_led_to_otherwise(now, scan) || !self.has_only_gained_or_lost(now);
        if !(is_placed || is_other) || is_excluded {
            return None;
        }
        Some(if is_other { Fit::Other } else { Fit::Same })
    }

    /// Whether the only element of its kind is behind the same two units, and an equal one came: an option that is named like the
    /// list that shows it. A page that uses its nodes again would show the next element in a node of another one; if there was
    /// none, either may be meant.
    fn stays_before_a_twin(&self, now: &Evidence) -> bool {
        let is_placed = side(self.before, now.before) == Side::Same && self.after[0] != 0;
        is_placed && !self.has_equal && holds_all(&now.units, &self.units)
    }

    /// Whether units were only added to the container, or only removed from it.
    fn has_only_gained_or_lost(&self, now: &Evidence) -> bool {
        holds_all(&now.units, &self.units) || holds_all(&self.units, &now.units)
    }
}

/// Whether the units of a container are among those of another one, in the same order.
pub(super) fn holds_all<T: PartialEq>(units: &[T], part: &[T]) -> bool {
    let mut units = units.iter();
    part.iter().all(|unit| units.any(|other| other == unit))
}

/// The element that the evidence is about; `None` if there is none, or if several come into question.
pub(super) fn find(evidence: &Evidence, scan: &Scan) -> Option<NodeId> {
    if let Some(origin) = evidence.origin
        && let Some((id, now)) = scan.with_origin(origin)
    {
        let same = now.key == evidence.key
            && evidence.document.is(now.document)
            && (evidence.fit(now, scan).is_right() || evidence.stays_before_a_twin(now));
        return same.then_some(*id);
    }
    let fits = || {
        let alike = scan.with_key(evidence.key);
        let alike = alike.filter(|(_, now)| evidence.document.is(now.document));
        alike.map(|(id, now)| (*id, evidence.fit(now, scan)))
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
