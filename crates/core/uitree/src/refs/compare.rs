//! Finds the element of a screen that matches the evidence.

use super::by_unique_name::count_removed;
use super::evidence::NEIGHBORS;
use super::{Evidence, Scan};
use crate::NodeId;

/// How the neighbors on one side compare with the earlier screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NeighborMatch {
    /// The nearest item is equal, and the next is equal or unknown.
    Same,
    /// The nearest item is equal, and the next differs.
    OnlyNearest,
    /// The nearest item differs, and the next two are equal.
    OnlyNearestChanged,
    /// The nearest item is not in the tree of one of the screens.
    Unknown,
    /// An item was inserted next to the element, or removed there.
    Shifted,
    /// Any other difference.
    Replaced,
}

fn compare_neighbors(old: [u64; NEIGHBORS], new: [u64; NEIGHBORS]) -> NeighborMatch {
    let [old_near, old_far, old_farther] = old;
    let [new_near, new_far, new_farther] = new;
    if old_near == 0 || new_near == 0 {
        return NeighborMatch::Unknown;
    }
    if old_near == new_near {
        return match old_far == new_far || old_far == 0 || new_far == 0 {
            true => NeighborMatch::Same,
            false => NeighborMatch::OnlyNearest,
        };
    }
    if old_far != 0 && old_farther != 0 && (old_far, old_farther) == (new_far, new_farther) {
        return NeighborMatch::OnlyNearestChanged;
    }
    match old_near == new_far || old_far == new_near {
        true => NeighborMatch::Shifted,
        false => NeighborMatch::Replaced,
    }
}

/// How well a candidate with the same key fits the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// A match: the neighbors on both sides are unchanged. `Unlikely` candidates are ignored.
    Between,
    /// A match, unless another candidate may also match.
    Same,
    /// May match, so that any other match is ambiguous.
    Possible,
    /// As `Possible`, but no neighbor is unchanged.
    Unlikely,
    /// No match.
    Other,
}

impl Fit {
    /// Whether it is a match, unless another candidate also is.
    const fn is_match(self) -> bool {
        matches!(self, Self::Between | Self::Same)
    }
}

impl Evidence {
    /// How well a candidate with the same key fits.
    fn fit(&self, now: &Evidence, scan: &Scan) -> Fit {
        if self.is_page && now.is_page {
            return Fit::Same;
        }
        let has_values = self.is_distinguished_by_values || now.is_distinguished_by_values;
        if has_values && self.values != now.values {
            return Fit::Other;
        }
        if self.sequence == now.sequence {
            return match self.ordinal == now.ordinal {
                true => Fit::Same,
                false => Fit::Other,
            };
        }
        let before = compare_neighbors(self.before, now.before);
        let sides = [before, compare_neighbors(self.after, now.after)];
        let has_equal = self.has_equal || now.has_equal;
        // The key includes all texts of the row.
        let is_only = self.has_identifying_text && !has_equal;
        if is_only && (self.is_same_node(now) || self.has_most_items(now)) {
            return Fit::Same;
        }
        if let Some(fit) = self.fit_after_insert_or_remove(now, sides, scan) {
            return fit;
        }
        // A unique container scrolls the same content whatever its neighbors are.
        let has_only_id = self.has_id && !has_equal || self.is_same_node(now);
        let is_scroller = self.is_scroller && now.is_scroller && has_only_id;
        let is_search = self.is_search && self.has_id && !has_equal;
        if self.is_unique_match(now, scan) || is_scroller || is_search {
            return Fit::Same;
        }
        let is_same = |side: &NeighborMatch| *side == NeighborMatch::Same;
        let is_nearest_same =
            |side: &NeighborMatch| is_same(side) || *side == NeighborMatch::OnlyNearest;
        let is_changed = |side: &NeighborMatch| *side == NeighborMatch::OnlyNearestChanged;
        if has_equal {
            let is_ambiguous =
                self.has_equal_with_same_neighbor || now.has_equal_with_same_neighbor;
            let is_between =
                !is_ambiguous && sides.iter().all(is_nearest_same) && sides.iter().any(is_same);
            let is_possible = sides.iter().any(is_nearest_same) || sides.iter().any(is_changed);
            return match is_between {
                true => Fit::Between,
                false if is_possible => Fit::Possible,
                false if sides == [NeighborMatch::Replaced; 2] => Fit::Other,
                false => Fit::Unlikely,
            };
        }
        // An element without an identifying text may depend on the text next to it.
        let has_text = self.has_identifying_text;
        let is_confirmed =
            |side| is_same(side) || is_changed(side) || has_text && is_nearest_same(side);
        if !sides.iter().any(is_confirmed) {
            return match sides == [NeighborMatch::Replaced; 2] {
                true => Fit::Other,
                false => Fit::Possible,
            };
        }
        let is_match = has_text
            || sides.iter().any(is_same)
                && !self.has_other_lead_texts(now, scan)
                && !sides.contains(&NeighborMatch::Replaced)
                && !sides.iter().any(is_changed);
        if is_match { Fit::Same } else { Fit::Possible }
    }

    /// Fit of an element whose container only gained or only lost items. It matches if a direct neighbor is unchanged. Equal
    /// elements match only if their number is unchanged.
    fn fit_after_insert_or_remove(
        &self,
        now: &Evidence,
        [before, after]: [NeighborMatch; 2],
        scan: &Scan,
    ) -> Option<Fit> {
        let is_nearest_same =
            |old: [u64; NEIGHBORS], new: [u64; NEIGHBORS]| old[0] != 0 && old[0] == new[0];
        let has_equal = self.has_equal || now.has_equal;
        let has_same_neighbor = match has_equal {
            true => self.equal_count == now.equal_count && before == NeighborMatch::Same,
            false => {
                is_nearest_same(self.before, now.before)
                    || before != NeighborMatch::Replaced
                        && after != NeighborMatch::Replaced
                        && is_nearest_same(self.after, now.after)
            }
        };
        let is_other =
            has_equal && self.equal_count == now.equal_count && self.ordinal != now.ordinal;
        let is_excluded =
            self.has_other_lead_texts(now, scan) || !self.is_insert_or_remove_only(now);
        if !(has_same_neighbor || is_other) || is_excluded {
            return None;
        }
        Some(if is_other { Fit::Other } else { Fit::Same })
    }

    /// Whether at most a quarter of the items of its scope, and no more than two, are gone.
    fn has_most_items(&self, now: &Self) -> bool {
        let removed = count_removed(&self.item_hashes, &now.item_hashes);
        removed <= 2 && removed * 4 <= self.item_hashes.len()
    }

    /// Whether the element was unique, its predecessors are unchanged, and an equal element was added: for example an option with
    /// the same name as its list. False if nothing followed the element before, since the page may have recycled its node.
    fn is_followed_by_new_equal(&self, now: &Evidence) -> bool {
        let is_before_same = compare_neighbors(self.before, now.before) == NeighborMatch::Same;
        is_before_same
            && self.after[0] != 0
            && !self.has_equal
            && is_subsequence(&self.item_hashes, &now.item_hashes)
    }

    /// Whether items were only inserted into the scope, or only removed from it.
    fn is_insert_or_remove_only(&self, now: &Evidence) -> bool {
        let (old, new) = (&self.item_hashes, &now.item_hashes);
        is_subsequence(old, new) || is_subsequence(new, old)
    }
}

/// Whether `part` is a subsequence of `items`.
pub(super) fn is_subsequence<T: PartialEq>(part: &[T], items: &[T]) -> bool {
    let mut items = items.iter();
    part.iter().all(|item| items.any(|other| other == item))
}

/// The element that matches the evidence; `None` if no element or more than one may match.
pub(super) fn find(evidence: &Evidence, scan: &Scan) -> Option<NodeId> {
    if let Some(origin) = evidence.origin
        && let Some((id, now)) = scan.with_origin(origin)
    {
        let same = now.key == evidence.key
            && evidence.document.matches(now.document)
            && (evidence.fit(now, scan).is_match() || evidence.is_followed_by_new_equal(now));
        return same.then_some(*id);
    }
    let fits = || {
        let equals = scan.with_key(evidence.key);
        let equals = equals.filter(|(_, now)| evidence.document.matches(now.document));
        equals.map(|(id, now)| (*id, evidence.fit(now, scan)))
    };
    let mut matches = fits().filter(|(_, fit)| fit.is_match());
    let (found, fit) = matches.next()?;
    let is_ambiguous = |other: Fit| match other {
        Fit::Possible => true,
        Fit::Unlikely => fit != Fit::Between,
        Fit::Between | Fit::Same | Fit::Other => false,
    };
    let is_only = matches.next().is_none() && !fits().any(|(_, fit)| is_ambiguous(fit));
    is_only.then_some(found)
}
