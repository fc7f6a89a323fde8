//! Picks one of several: `the second account`, `the last button`, `the star on the first post`.

use super::{
    entry_list,
    name_match::has_words,
    regions,
    score::{Score, Scorer, Signal, most_points, raise, share},
    series::nth,
    terms::Class,
    verbs, verdict, weights,
};
use crate::subject::{Candidate, Kind, Source, State};

impl Scorer<'_> {
    /// Adds points to the described one of several equal candidates.
    pub(super) fn apply_ordinal(&self, scores: &mut [Score]) {
        const COVERED: f32 = 0.6;
        let Some(wanted) = self.place_in_line().or(self.query.ordinal) else {
            return;
        };
        let term = self
            .query
            .terms
            .iter()
            .position(|term| matches!(term.class, Class::Ordinal(_)));
        let in_span = term
            .and_then(|term| self.query.terms.get(term))
            .is_some_and(|term| term.span.is_some());
        let best = most_points(scores);
        // "First name" is a name.
        let is_name = scores
            .iter()
            .filter(|score| score.points >= best - 1.0)
            .any(|score| {
                let own = |of: &[f32]| term.and_then(|term| of.get(term)).copied();
                let said = if in_span {
                    &score.terms
                } else {
                    &score.literal
                };
                own(said).unwrap_or_default() > 0.65 && score.own > 0.6
            });
        if is_name {
            return;
        }
        let counted = entry_list::counted_terms(self.query);
        if let Some(page) = self.page_link(wanted, &counted)
            && let Some(score) = scores.iter_mut().find(|score| score.candidate == page)
        {
            if let Some(term) = term {
                raise(&mut score.terms, term, 1.0);
            }
            for at in &counted {
                raise(&mut score.terms, *at, 1.0);
            }
            score.met = verdict::met(self.query, &self.matches.weights, score);
            let points = (best - score.points).max(0.0) + weights::ORDINAL;
            score.points += points;
            score
                .signals
                .push((Signal::Ordinal, weights::ORDINAL.min(points)));
            return;
        }
        let group = self.equal_candidates(scores, best);
        let group = self.in_described_line(&group, |at| scores.get(at)?.of(self.subject)?.bounds);
        let covers = scores
            .iter()
            .filter(|score| score.points >= best)
            .map(|score| share(&score.terms, &self.matches.weights, &counted))
            .fold(0.0, f32::max);
        let enough = group.len() >= least_count(wanted) && group.len() > 1;
        let counts = enough && !in_span && (covers > COVERED || counted.is_empty());
        let member = nth(&group, wanted).copied();
        let shows = member.and_then(|at| scores.get(at)).map_or(0.0, |score| {
            share(&score.literal, &self.matches.weights, &counted)
        });
        // Entries called so by their authors are counted as entries, and so is what is "in the list".
        let reaches = self.query.action.is_none() || self.query.reaches;
        let called_so =
            counts && reaches && (shows <= COVERED || self.counts_in_list()) && !counted.is_empty();
        if (!counts || called_so) && self.pick_list_entry(scores, wanted, &counted) {
            return;
        }
        // "Sign up under the second plan": each plan has one.
        if (counts || (enough && in_span))
            && let Some(score) = member.and_then(|at| scores.get_mut(at))
        {
            score.add(Signal::Ordinal, weights::ORDINAL);
        }
    }

    /// Whether it says no more of the place than that it is a list: `the third question in the list`.
    fn counts_in_list(&self) -> bool {
        let mut terms = self.query.terms.iter();
        terms.any(|term| term.class == Class::Filler && regions::is_holder(&term.text))
    }

    /// The link to the page of this number, or to the last page.
    fn page_link(&self, wanted: i32, counted: &[usize]) -> Option<usize> {
        let [of, number @ ..] = counted else {
            return None;
        };
        let word = |at: &usize| self.query.terms.get(*at).map(|term| &*term.text);
        let numbered = number.iter().all(|at| word(at) == Some("number"));
        if word(of) != Some("page") || !numbered {
            return None;
        }
        let page = |candidate: &Candidate| -> Option<i32> {
            let purpose = candidate.named_by(Source::Purpose)?;
            purpose.strip_prefix("page ")?.parse().ok()
        };
        let pages = || {
            let all = self.subject.candidates().iter().enumerate();
            all.filter_map(|(at, candidate)| Some((at, page(candidate)?)))
        };
        match wanted {
            1.. => pages().find(|(_, number)| *number == wanted),
            -1 => pages().max_by_key(|(_, number)| *number),
            _ => None,
        }
        .map(|(at, _)| at)
    }

    /// Visible candidates of the same kind and about the same points as the best, in document order.
    fn equal_candidates(&self, scores: &[Score], best: f32) -> Vec<usize> {
        let candidate = |score: &Score| score.of(self.subject);
        let kind = scores
            .iter()
            .filter(|score| score.points >= best)
            .find_map(candidate)
            .map(|candidate| candidate.kind);
        let mut before = "";
        scores
            .iter()
            .enumerate()
            .filter(|(_, score)| score.points >= best - weights::ORDINAL_REACH)
            .filter(|(_, score)| {
                candidate(score).is_some_and(|candidate| {
                    candidate.visibility.is_visible()
                        && Some(candidate.kind) == kind
                        && !self.is_header_row(candidate)
                })
            })
            .filter(|(_, score)| {
                // The picture and title link of an entry count as one.
                let address = candidate(score).map_or("", |candidate| &*candidate.raw.href);
                let again = verdict::has_target(address) && address == before;
                before = address;
                !again
            })
            .map(|(at, _)| at)
            .collect()
    }

    /// Whether the element is a header row.
    pub(super) fn is_header_row(&self, candidate: &Candidate) -> bool {
        candidate.kind == Kind::Row && entry_list::is_header_row(self.subject, candidate.place)
    }

    /// Picks the entry of the best list and the target inside it.
    ///
    /// Returns whether there is one.
    fn pick_list_entry(&self, scores: &mut [Score], wanted: i32, counted: &[usize]) -> bool {
        /// Most lists that are checked.
        const MAX_LISTS: usize = 24;
        const AS_FITTING: f32 = 0.35;
        let lists =
            entry_list::matching_lists(self.subject, self.query, counted, least_count(wanted));
        let fits = lists.first().map_or(0.0, |list| list.fit);
        let rest = self.other_terms(counted);
        let mut chosen: Option<(f32, f32, usize)> = None;
        let fitting = |list: &&entry_list::EntryList| list.fit >= fits - AS_FITTING;
        for list in lists.iter().filter(fitting).take(MAX_LISTS) {
            let rows =
                self.in_described_line(&list.rows, |row| self.subject.nodes.get(row)?.bounds);
            let Some((worth, at)) =
                nth(&rows, wanted).and_then(|row| self.best_in_entry(scores, *row, &rest))
            else {
                continue;
            };
            let whole = worth + list.fit;
            if chosen.is_none_or(|(best, _, _)| whole > best + 0.06) {
                chosen = Some((whole, list.fit, at));
            }
        }
        let Some((_, fits, at)) = chosen else {
            return false;
        };
        let best = most_points(scores);
        if let Some(score) = scores.get_mut(at) {
            for term in counted {
                raise(&mut score.terms, *term, fits.max(0.6));
            }
            score.met = verdict::met(self.query, &self.matches.weights, score);
            let points = (best - score.points).max(0.0) + weights::ORDINAL * fits;
            score.add(Signal::Ordinal, points);
        }
        true
    }

    /// Terms that are not counted.
    fn other_terms(&self, counted: &[usize]) -> Vec<usize> {
        let mut others = self.query.positions(|term| {
            let names =
                term.class == Class::Content || (term.class == Class::Verb && !self.query.reaches);
            names && term.weight > 0.3
        });
        others.retain(|at| !counted.contains(at) && !self.is_of_line(*at));
        others
    }

    /// The candidate in the entry at `row` that matches the other terms best, with its value.
    fn best_in_entry(&self, scores: &[Score], row: usize, rest: &[usize]) -> Option<(f32, usize)> {
        const NAMED: f32 = 0.3;
        const LONG_TITLE: usize = 60;
        let entry = self.subject.range(row);
        let mut chosen: Option<(f32, usize)> = None;
        for (at, score) in scores.iter().enumerate() {
            let Some(candidate) = score.of(self.subject) else {
                continue;
            };
            let acts = candidate.state.contains(State::INTERACTIVE);
            if !entry.contains(&candidate.place)
                || !candidate.visibility.is_visible()
                || candidate.names.is_empty() && !acts
            {
                continue;
            }
            let says = if rest.is_empty() {
                0.0
            } else {
                share(&score.terms, &self.matches.weights, rest)
            };
            let taken: f32 = score
                .signals
                .iter()
                .filter(|(signal, _)| matches!(signal, Signal::Kind | Signal::Action))
                .map(|(_, points)| points / 40.0)
                .sum();
            // A link opens the entry; a checkbox or a star does not.
            let drawn = candidate.state.contains(State::PICTURE) && !has_words(candidate);
            let primary = if !acts {
                0.0
            } else if candidate.kinds.meets(verbs::CHECKS) || drawn {
                0.2
            } else {
                0.3
            };
            let itself = if candidate.place == row && acts && (rest.is_empty() || says > 0.3) {
                0.1
            } else {
                0.0
            };
            // The title opens the entry. It is longer than tags and bylines.
            let title = match candidate.kind {
                Kind::Link => {
                    0.04 * candidate.name().len().min(LONG_TITLE) as f32 / LONG_TITLE as f32
                }
                _ => 0.0,
            };
            // An entry without a match may belong to another list.
            let answers = if says > NAMED { 0.5 } else { 0.0 };
            let worth = says + answers + taken + primary + itself + title;
            if chosen.is_none_or(|(best, _)| worth > best + 0.01) {
                chosen = Some((worth, at));
            }
        }
        chosen
    }
}

/// Least number of entries for this ordinal.
const fn least_count(wanted: i32) -> usize {
    wanted.unsigned_abs() as usize
}
