//! Matches the elements of two screens.

use std::collections::{HashMap, HashSet};

use super::parse::{Element, ParsedLine, strings};
use crate::Role;
use crate::lis::longest_increasing_subsequence;
use crate::text_view::line::references::is_reference;

/// Maximum number of pairs of keys; larger screens are not compared.
const MAX_PAIRS: usize = 4_000_000;

/// All elements of a screen and their comparison keys.
pub(super) struct ScreenElements<'r> {
    /// Index of the line, and element.
    pub(super) elements: Vec<(usize, &'r Element)>,
    /// Index of the element, and key.
    pub(super) keys: Vec<(usize, &'r str)>,
}

impl<'r> ScreenElements<'r> {
    pub(super) fn of(lines: &'r [ParsedLine<'_>]) -> Self {
        let lines = lines.iter().enumerate();
        let elements = lines.flat_map(|(at, line)| line.elements.iter().map(move |own| (at, own)));
        let elements: Vec<(usize, &Element)> = elements.collect();
        let all = elements.iter().enumerate();
        let keys = all.flat_map(|(at, (_, own))| own.keys.iter().map(move |key| (at, &**key)));
        let keys = keys.collect();
        Self { elements, keys }
    }

    /// Number of elements with each list of keys.
    fn counts(&self) -> HashMap<&'r [String], usize> {
        let mut counts: HashMap<&[String], usize> = HashMap::new();
        for (_, own) in &self.elements {
            *counts.entry(&*own.keys).or_default() += 1;
        }
        counts
    }

    pub(super) fn references(&self) -> HashSet<&'r str> {
        let references = self
            .elements
            .iter()
            .map(|(_, own)| own.reference.as_deref());
        references.flatten().collect()
    }
}

/// How an element differs from the earlier screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementChange {
    New,
    /// Unchanged, in the same order.
    Same,
    /// Unchanged, but at another place.
    Moved,
    /// It lost an exclusive state (such as `selected`) that another element gained.
    Implied,
    /// The earlier screen does not have it, but one before does.
    SeenBefore,
}

/// The matched elements of two screens.
pub(super) struct Matches<'f, 'r> {
    old: &'f ScreenElements<'r>,
    new: &'f ScreenElements<'r>,
    /// For each key of the new screen the index of its partner on the old one.
    partners: &'f [Option<usize>],
    /// The keys of the old screen with a partner.
    matched: HashSet<usize>,
    /// The elements of the old screen with a key without partner.
    pub(super) unmatched: Vec<usize>,
}

impl<'f, 'r> Matches<'f, 'r> {
    pub(super) fn of(
        old: &'f ScreenElements<'r>,
        new: &'f ScreenElements<'r>,
        partners: &'f [Option<usize>],
    ) -> Self {
        let matched: HashSet<usize> = partners.iter().flatten().copied().collect();
        let mut unmatched: Vec<usize> = Vec::new();
        for (at, (element, _)) in old.keys.iter().enumerate() {
            if !matched.contains(&at) && unmatched.last() != Some(element) {
                unmatched.push(*element);
            }
        }
        Self {
            old,
            new,
            partners,
            matched,
            unmatched,
        }
    }

    /// The keys of an element of the new screen.
    fn keys(&self, element: usize) -> std::ops::Range<usize> {
        let begin = self.new.keys.partition_point(|(own, _)| *own < element);
        begin..begin + self.new.elements[element].1.keys.len()
    }

    /// The first and last line of a matched element on the old screen.
    pub(super) fn old_lines(&self, element: usize) -> Option<(usize, usize)> {
        let keys = self.keys(element);
        let line = |at: usize| {
            let (element, _) = self.old.keys[self.partners[at]?];
            Some(self.old.elements[element].0)
        };
        line(keys.start).zip(line(keys.end.checked_sub(1)?))
    }

    /// The change of each element of the new screen, and the old elements of the implied ones.
    pub(super) fn changes(
        &self,
        has_new_name: &dyn Fn(usize) -> bool,
    ) -> (Vec<ElementChange>, HashSet<usize>) {
        let has_partners = |at: usize| self.keys(at).all(|key| self.partners[key].is_some());
        let got_focus = |at: usize| {
            let partner = self.partners[self.keys(at).start];
            let was = partner.map(|key| self.old.elements[self.old.keys[key].0].1.is_focused);
            self.new.elements[at].1.is_focused && was != Some(true)
        };
        let (old_counts, new_counts) = (self.old.counts(), self.new.counts());
        let unmatched: HashSet<&[String]> = self
            .unmatched
            .iter()
            .map(|at| &*self.old.elements[*at].1.keys)
            .collect();
        let was_there = |keys: &[String]| unmatched.contains(keys);
        let is_only = |keys: &[String]| {
            [&old_counts, &new_counts]
                .iter()
                .all(|counts| counts.get(keys) == Some(&1))
        };
        let mut changes: Vec<ElementChange> = (0..self.new.elements.len())
            .map(|at| {
                let keys = &*self.new.elements[at].1.keys;
                match has_partners(at) {
                    true if got_focus(at) => ElementChange::New,
                    true => ElementChange::Same,
                    false if has_new_name(at) => ElementChange::New,
                    false if was_there(keys) && is_only(keys) => ElementChange::Moved,
                    false => ElementChange::New,
                }
            })
            .collect();
        let implied = self.implied(&changes);
        for at in implied.keys() {
            changes[*at] = ElementChange::Implied;
        }
        (changes, implied.into_values().collect())
    }

    /// The new elements that only lost an exclusive state, or that no longer scroll, with their old ones.
    fn implied(&self, changes: &[ElementChange]) -> HashMap<usize, usize> {
        let new = || (0..changes.len()).filter(|at| changes[*at] == ElementChange::New);
        let words = |at: usize| self.new.elements[at].1.words();
        let mut before: HashMap<Vec<&str>, usize> = HashMap::new();
        for state in ["selected", "checked"] {
            let gained: HashSet<&str> = new()
                .filter(|at| words(*at).contains(&state))
                .map(|at| self.new.elements[at].1.role())
                .collect();
            for at in &self.unmatched {
                let own = self.old.elements[*at].1;
                let is_of_kind = state == "selected" || own.role() == Role::Radio.as_str();
                if is_of_kind && gained.contains(own.role()) && own.words().contains(&state) {
                    let others = own.words().into_iter().filter(|word| *word != state);
                    before.insert(others.collect(), *at);
                }
            }
        }
        for at in &self.unmatched {
            let own = self.old.elements[*at].1;
            if own.is_scrollable {
                let is_content = |word: &&str| Some(*word) != own.reference.as_deref();
                before.insert(own.words().into_iter().filter(is_content).collect(), *at);
            }
        }
        new()
            .filter_map(|at| Some((at, *before.get(&words(at))?)))
            .collect()
    }

    /// The number of matched keys up to each key of a screen; equal for keys at the same place.
    fn gaps(keys: usize, is_matched: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut count = 0;
        let gaps = (0..keys).map(|at| {
            count += usize::from(is_matched(at));
            count
        });
        gaps.collect()
    }

    /// The names of removed elements. Replaced elements (as many new ones of the same role at the same place) do not count, except
    /// rows with another text.
    pub(super) fn removed(
        &self,
        lines: &[ParsedLine<'_>],
        changes: &[ElementChange],
        implied: &HashSet<usize>,
    ) -> Vec<Option<String>> {
        let references = self.new.references();
        let old_references = self.old.references();
        let has = |all: &HashSet<&str>, own: &Element| {
            let reference = own.reference.as_deref();
            reference.is_some_and(|reference| all.contains(reference))
        };
        let moved: HashSet<&[String]> = (self.new.elements.iter().zip(changes))
            .filter(|(_, change)| **change == ElementChange::Moved)
            .map(|((_, own), _)| &*own.keys)
            .collect();
        let old_gaps = Self::gaps(self.old.keys.len(), |at| self.matched.contains(&at));
        let new_gaps = Self::gaps(self.new.keys.len(), |at| self.partners[at].is_some());
        let mut balance: HashMap<(usize, &str), isize> = HashMap::new();
        let mut added: HashMap<(usize, &str), Vec<&Element>> = HashMap::new();
        for (at, change) in changes.iter().enumerate() {
            let own = self.new.elements[at].1;
            let unmatched = self.keys(at).find(|key| self.partners[*key].is_none());
            if let Some(key) =
                unmatched.filter(|_| *change == ElementChange::New && !has(&old_references, own))
            {
                let place = (new_gaps[key], own.role());
                *balance.entry(place).or_default() += 1;
                added.entry(place).or_default().push(own);
            }
        }
        let first_unmatched = |at: usize| {
            let begin = self.old.keys.partition_point(|(own, _)| *own < at);
            (begin..)
                .find(|key| !self.matched.contains(key))
                .unwrap_or(begin)
        };
        let gone = self.unmatched.iter().copied().filter(|at| {
            let own = self.old.elements[*at].1;
            !has(&references, own) && !implied.contains(at) && !moved.contains(&*own.keys)
        });
        let gone: Vec<usize> = gone.collect();
        let place = |at: usize| {
            (
                old_gaps[first_unmatched(at)],
                self.old.elements[at].1.role(),
            )
        };
        for at in &gone {
            *balance.entry(place(*at)).or_default() -= 1;
        }
        let count = |gone: &[usize]| {
            let mut counts: HashMap<usize, usize> = HashMap::new();
            for at in gone {
                *counts.entry(self.old.elements[*at].0).or_default() += 1;
            }
            counts
        };
        let counts = count(&gone);
        // The whole row was removed, and no new element is the row with another value.
        let is_other_row = |at: usize| {
            let (line, own) = self.old.elements[at];
            let elements = &lines[line].elements;
            let is_removed = counts.get(&line) == Some(&elements.len());
            let has_reference = elements.iter().any(|own| own.reference.is_some());
            let added = added.get(&place(at)).into_iter().flatten();
            let mut added = added.map(|new| differs_only_in_values(own, new, has_reference));
            is_removed && is_row_text(own) && !added.any(|is_same| is_same)
        };
        let gone = gone.into_iter();
        let gone = gone.filter(|at| balance.get(&place(*at)) != Some(&0) || is_other_row(*at));
        let gone: Vec<usize> = gone.collect();
        let counts = count(&gone);
        let on_both: HashSet<&str> = self.new.keys.iter().map(|(_, key)| *key).collect();
        let name = |own: &Element| {
            let keys = own.keys.iter().filter(|key| !on_both.contains(&***key));
            let mut names = keys.flat_map(|key| strings(key));
            let name = names.find(|name| name.contains(char::is_alphanumeric));
            name.map(str::to_owned)
        };
        let mut removed: Vec<Option<String>> = Vec::new();
        let mut last_line = None;
        for at in gone {
            let (line, own) = self.old.elements[at];
            // A removed line counts once.
            let is_removed = counts.get(&line) == Some(&lines[line].elements.len());
            match removed
                .last_mut()
                .filter(|_| is_removed && last_line == Some(line))
            {
                Some(line_name) => *line_name = line_name.take().or_else(|| name(own)),
                None => removed.push(name(own)),
            }
            last_line = Some(line);
        }
        removed
    }
}

/// Whether an element may be a row or its text: neither a value nor a placeholder such as `Loading…`.
fn is_row_text(own: &Element) -> bool {
    let roles = [
        Role::Text,
        Role::ListItem,
        Role::Row,
        Role::Card,
        Role::Link,
    ];
    let is_row = roles.iter().any(|role| role.as_str() == own.role());
    let text = own.keys.concat();
    let has_words = strings(&text).any(|text| text.contains(char::is_alphabetic));
    is_row
        && has_words
        && !strings(&text).any(|text| text.ends_with("…\"") || text.ends_with("...\""))
}

/// Whether two elements differ only in values. Static texts are compared by common words.
fn differs_only_in_values(old: &Element, new: &Element, has_reference: bool) -> bool {
    let words = |own: &Element| -> Vec<String> {
        let text: String = own.keys.iter().flat_map(|key| strings(key)).collect();
        let words = text.split(|letter: char| !letter.is_alphabetic());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let references = |own: &Element| -> Vec<String> {
        let words = own.words().into_iter().filter(|word| is_reference(word));
        words.map(str::to_owned).collect()
    };
    let has_same_control = references(old)
        .iter()
        .any(|own| references(new).contains(own));
    let (old, new) = (words(old), words(new));
    match has_reference {
        true => has_same_control || old == new,
        false => old.iter().any(|word| new.contains(word)),
    }
}

/// For each key of `new`, as a number, the index of its partner in `old`, so that as many as possible keep their order; `None` if
/// there are too many. Elements with references are matched first.
pub(super) fn common(
    (old, old_numbers): (&ScreenElements<'_>, &[u32]),
    (new, new_numbers): (&ScreenElements<'_>, &[u32]),
) -> Option<Vec<Option<usize>>> {
    let with_references = |screen: &ScreenElements<'_>, numbers: &[u32]| {
        let keys = screen.keys.iter().zip(numbers).enumerate();
        let with_reference = keys.filter(|(_, ((element, _), _))| {
            let (_, own) = screen.elements[*element];
            own.reference.is_some()
        });
        with_reference
            .map(|(at, (_, number))| (*number, at))
            .collect::<Vec<_>>()
    };
    let known: HashMap<u32, usize> = with_references(old, old_numbers).into_iter().collect();
    let pairs = with_references(new, new_numbers).into_iter();
    let pairs = pairs.filter_map(|(number, at)| Some((*known.get(&number)?, at)));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    let olds: Vec<usize> = pairs.iter().map(|(old, _)| *old).collect();
    let stayed = pairs.into_iter().zip(longest_increasing_subsequence(&olds));
    let stayed = stayed
        .filter(|(_, has_stayed)| *has_stayed)
        .map(|(pair, _)| pair);
    let ends = [(old_numbers.len(), new_numbers.len())];
    let mut partners = vec![None; new_numbers.len()];
    let (mut old_begin, mut new_begin) = (0, 0);
    for (old_at, new_at) in stayed.chain(ends) {
        let between = common_between(
            &old_numbers[old_begin..old_at],
            &new_numbers[new_begin..new_at],
        )?;
        for (at, partner) in between.into_iter().enumerate() {
            partners[new_begin + at] = partner.map(|partner| old_begin + partner);
        }
        if let Some(partner) = partners.get_mut(new_at) {
            *partner = Some(old_at);
        }
        (old_begin, new_begin) = (old_at + 1, new_at + 1);
    }
    Some(partners)
}

/// The partners between two matched elements with references.
fn common_between(old: &[u32], new: &[u32]) -> Option<Vec<Option<usize>>> {
    let pairs = old.iter().zip(new);
    let prefix = pairs.take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
    let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
    let suffix = pairs.take_while(|(old, new)| old == new).count();
    let old_rest = &old_rest[..old_rest.len() - suffix];
    let new_rest = &new_rest[..new_rest.len() - suffix];
    if old_rest.len().saturating_mul(new_rest.len()) > MAX_PAIRS {
        return None;
    }
    let between = longest_common(old_rest, new_rest).into_iter();
    let between = between.map(|at| at.map(|at| prefix + at));
    let equal_end = (old.len() - suffix..old.len()).map(Some);
    Some(
        (0..prefix)
            .map(Some)
            .chain(between)
            .chain(equal_end)
            .collect(),
    )
}

/// The longest common subsequence: for each number of `new` its index in `old`.
fn longest_common(old: &[u32], new: &[u32]) -> Vec<Option<usize>> {
    // The lengths of the longest common subsequences of the rests of both.
    let width = new.len() + 1;
    let mut lengths = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            lengths[i * width + j] = if old[i] == new[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let mut places = vec![None; new.len()];
    let (mut i, mut j) = (0, 0);
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            places[j] = Some(i);
            i += 1;
            j += 1;
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    places
}
