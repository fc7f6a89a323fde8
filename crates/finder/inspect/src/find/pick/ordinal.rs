//! Picks one of several: `the second account`, `the last button`, `the star on the first post`.

use crate::find::{
    pick::{entry_list, series::nth},
    read::terms::Class,
    score::{Score, Scorer, Signal, max_points, name_match::has_words, raise, share, weights},
    verdict,
    words::{stem::stem, tokens::plain_words, verbs},
};
use crate::subject::{Candidate, Kind, State};

impl Scorer<'_> {
    /// Adds points to the described one of several equal candidates.
    pub(crate) fn apply_ordinal(&self, scores: &mut [Score]) {
        const MIN_COVERED: f32 = 0.6;
        let Some(ordinal) = self.place_in_line().or(self.query.ordinal) else {
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
        let best = max_points(scores);
        let counted_terms = entry_list::counted_terms(self.query);
        if self.is_in_text(scores, term, &counted_terms) {
            return;
        }
        let group = self.equal_candidates(scores, best, &counted_terms);
        let group = self.in_described_line(&group, |at| {
            scores.get(at)?.candidate_in(self.subject)?.bounds
        });
        let coverage = scores
            .iter()
            .filter(|score| score.points >= best)
            .map(|score| share(&score.terms, &self.matches.weights, &counted_terms))
            .fold(0.0, f32::max);
        let enough = group.len() >= least_count(ordinal) && group.len() > 1;
        let is_counted = enough && !in_span && (coverage > MIN_COVERED || counted_terms.is_empty());
        let member = nth(&group, ordinal).copied();
        let shown_share = member.and_then(|at| scores.get(at)).map_or(0.0, |score| {
            share(&score.literal, &self.matches.weights, &counted_terms)
        });
        // If only the author calls the elements so, the entries of a list are counted.
        let only_navigates = self.query.action.is_none() || self.query.reaches;
        let is_author_name =
            is_counted && only_navigates && shown_share <= MIN_COVERED && !counted_terms.is_empty();
        if (!is_counted || is_author_name) && self.pick_list_entry(scores, ordinal, &counted_terms)
        {
            return;
        }
        // "Sign up under the second plan": each plan has a button of this name.
        if (is_counted || (enough && in_span))
            && let Some(score) = member.and_then(|at| scores.get_mut(at))
        {
            score.add(Signal::Ordinal, weights::ORDINAL);
        }
    }

    /// Whether a candidate or a text around it has the ordinal before its noun: "First name", "Second question" for `yes for
    /// the second question`, but not "Last used" for `remove the last passkey`.
    fn is_in_text(&self, scores: &[Score], ordinal: Option<usize>, counted: &[usize]) -> bool {
        let best = max_points(scores);
        let Some((ordinal, noun)) = ordinal.zip(counted.first()) else {
            return false;
        };
        let phrase = [ordinal, *noun].map(|at| self.query.terms.get(at).map(|term| &*term.stem));
        let has_phrase = |text: &str| {
            let words = plain_words(text);
            let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
            let mut pairs = stems.windows(2);
            pairs.any(|pair| pair.iter().map(|stem| Some(&**stem)).eq(phrase))
        };
        scores
            .iter()
            .filter(|score| score.points >= best - weights::MAX_ORDINAL_LEAD)
            .filter_map(|score| score.candidate_in(self.subject))
            .any(|it| {
                let names = it.names.iter().map(|name| &name.text);
                let context = it.context.iter().map(|context| &context.text);
                names.chain(context).any(|text| has_phrase(text))
            })
    }

    /// Visible candidates that look like the best, with about the same points, in document order.
    fn equal_candidates(&self, scores: &[Score], best: f32, counted: &[usize]) -> Vec<usize> {
        let look = |candidate: &'_ Candidate| {
            let class = candidate.raw.class.split_ascii_whitespace().next();
            (
                candidate.kind,
                candidate.tag.clone(),
                class.map(str::to_owned),
            )
        };
        let fits = |score: &Score| {
            score.candidate_in(self.subject).filter(|candidate| {
                candidate.visibility.is_visible()
                    && !self.is_header_row(candidate)
                    && !self.leads_to_all(candidate, counted)
            })
        };
        let best_look = scores
            .iter()
            .filter(|score| score.points >= best)
            .find_map(fits)
            .map(look);
        scores
            .iter()
            .enumerate()
            .filter(|(_, score)| score.points >= best - weights::MAX_ORDINAL_LEAD)
            .filter(|(_, score)| fits(score).is_some_and(|it| Some(look(it)) == best_look))
            .map(|(at, _)| at)
            .collect()
    }

    /// Whether its name has the plural of the counted noun: "Invoices" for `the second invoice`.
    fn leads_to_all(&self, candidate: &Candidate, counted: &[usize]) -> bool {
        let words = plain_words(candidate.name());
        let mut nouns = counted.iter().filter_map(|at| self.query.terms.get(*at));
        nouns.any(|noun| {
            let is_plural = |word: &String| word.ends_with('s') && *word != noun.text;
            !noun.text.ends_with('s')
                && words
                    .iter()
                    .any(|word| is_plural(word) && stem(word) == noun.stem)
        })
    }

    /// Whether the element is a header row.
    pub(crate) fn is_header_row(&self, candidate: &Candidate) -> bool {
        candidate.kind == Kind::Row && entry_list::is_header_row(self.subject, candidate.place)
    }

    /// Picks the target in the described entry of the best list.
    ///
    /// Returns whether there is one.
    fn pick_list_entry(&self, scores: &mut [Score], ordinal: i32, counted: &[usize]) -> bool {
        /// Maximum number of lists that are checked.
        const MAX_LISTS: usize = 24;
        const MAX_FIT_BEHIND: f32 = 0.35;
        let lists =
            entry_list::matching_lists(self.subject, self.query, counted, least_count(ordinal));
        let best_fit = lists.first().map_or(0.0, |list| list.fit);
        let other_terms = self.other_terms(counted);
        let mut chosen: Option<(f32, f32, usize)> = None;
        let fitting = |list: &&entry_list::EntryList| list.fit >= best_fit - MAX_FIT_BEHIND;
        for list in lists.iter().filter(fitting).take(MAX_LISTS) {
            let rows =
                self.in_described_line(&list.rows, |row| self.subject.nodes.get(row)?.bounds);
            let Some((worth, at)) =
                nth(&rows, ordinal).and_then(|row| self.best_in_entry(scores, *row, &other_terms))
            else {
                continue;
            };
            let total = worth + list.fit;
            if chosen.is_none_or(|(best, _, _)| total > best + 0.06) {
                chosen = Some((total, list.fit, at));
            }
        }
        let Some((_, best_fit, at)) = chosen else {
            return false;
        };
        let best = max_points(scores);
        if let Some(score) = scores.get_mut(at) {
            for term in counted {
                raise(&mut score.terms, *term, best_fit.max(0.6));
            }
            score.required_coverage =
                verdict::required_coverage(self.query, &self.matches.weights, score);
            let points = (best - score.points).max(0.0) + weights::ORDINAL * best_fit;
            score.add(Signal::Ordinal, points);
        }
        true
    }

    /// Terms that are not counted.
    fn other_terms(&self, counted: &[usize]) -> Vec<usize> {
        let mut others = self.query.positions(|term| {
            let is_name =
                term.class == Class::Content || (term.class == Class::Verb && !self.query.reaches);
            is_name && term.weight > 0.3
        });
        others.retain(|at| !counted.contains(at) && !self.is_part_of_line_phrase(*at));
        others
    }

    /// The candidate in the entry at `row` that matches the other terms best, with its value.
    fn best_in_entry(&self, scores: &[Score], row: usize, rest: &[usize]) -> Option<(f32, usize)> {
        const MIN_NAME: f32 = 0.3;
        const LONG_TITLE: usize = 60;
        let entry = self.subject.range(row);
        let mut chosen: Option<(f32, usize)> = None;
        for (at, score) in scores.iter().enumerate() {
            let Some(candidate) = score.candidate_in(self.subject) else {
                continue;
            };
            let is_interactive = candidate.state.contains(State::INTERACTIVE);
            if !entry.contains(&candidate.place)
                || !candidate.visibility.is_visible()
                || candidate.names.is_empty() && !is_interactive
            {
                continue;
            }
            let name_share = if rest.is_empty() {
                0.0
            } else {
                share(&score.terms, &self.matches.weights, rest)
            };
            let signal_points: f32 = score
                .signals
                .iter()
                .filter(|(signal, _)| matches!(signal, Signal::Kind | Signal::Action))
                .map(|(_, points)| points / 40.0)
                .sum();
            // Links open the entry; checkboxes and stars do not.
            let is_icon = candidate.state.contains(State::PICTURE) && !has_words(candidate);
            let control_bonus = if score.has(Signal::Column) {
                0.3
            } else if !is_interactive {
                0.0
            } else if candidate.kinds.intersects(verbs::CHECKS) || is_icon {
                0.2
            } else {
                0.3
            };
            // The title opens the entry. It is longer than tags and bylines.
            let title_bonus = match candidate.kind {
                Kind::Link => {
                    0.04 * candidate.name().len().min(LONG_TITLE) as f32 / LONG_TITLE as f32
                }
                _ => 0.0,
            };
            // An entry without a match may belong to another list.
            let name_bonus = if name_share > MIN_NAME { 0.5 } else { 0.0 };
            let total = name_share + name_bonus + signal_points + control_bonus + title_bonus;
            if chosen.is_none_or(|(best, _)| total > best + 0.01) {
                chosen = Some((total, at));
            }
        }
        chosen
    }
}

/// Minimum number of entries for this ordinal.
const fn least_count(ordinal: i32) -> usize {
    ordinal.unsigned_abs() as usize
}
