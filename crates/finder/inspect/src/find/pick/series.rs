//! Picks one of a series that is described only by its kind: `the second image`, `the third icon in the second row`.

use std::collections::BTreeMap;

use uitree::Rect;

use crate::find::{
    read::terms::{Class, Term},
    score::{Score, Scorer, Signal, max_points, position, share, weights},
    words::lexicon::{self, Region},
};
use crate::subject::{Candidate, State};

/// An ordinal in a grid or a series: from 1, or from the end if negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct GridOrdinal {
    /// The line of a grid.
    line: Option<i32>,
    /// The position in that line, or in the series.
    place: Option<i32>,
}

/// An element of a series.
#[derive(Clone, Copy)]
struct Member {
    /// Position among the scores.
    at: usize,
    bounds: Rect,
}

impl Scorer<'_> {
    /// Ranks the described one of a series first. Returns whether there is one.
    pub(crate) fn prefer_member(&self, scores: &mut [Score]) -> bool {
        let says_one = self.query.terms.iter().any(|term| term.text == "one");
        let describes_kind = self.query.role.is_some() || self.query.asks_for_text() || says_one;
        let ordinal = self.grid_ordinal();
        let names_more = if ordinal.line.is_some() {
            self.query.terms.iter().any(describes_more)
        } else {
            let mut spans = self.query.spans.iter();
            self.has_name || spans.any(|span| span.relation.is_spatial())
        };
        if names_more || !describes_kind || ordinal == GridOrdinal::default() {
            return false;
        }
        let context_terms = if ordinal.line.is_some() {
            Vec::new()
        } else {
            self.query.terms_in_loose_spans()
        };
        let mut series = self.series(scores, &context_terms);
        if self.query.from_end {
            series.reverse();
        }
        let Some(chosen) = pick(&series, ordinal) else {
            return false;
        };
        let most = max_points(scores);
        if let Some(score) = scores.get_mut(chosen) {
            let points = (most - score.points).max(0.0) + weights::ORDINAL;
            score.add(Signal::Ordinal, points);
            score.required_coverage = 1.0;
        }
        true
    }

    /// The described line and position.
    fn grid_ordinal(&self) -> GridOrdinal {
        let mut ordinal = GridOrdinal {
            line: self.outer_line().or_else(|| self.number_after("row")),
            place: self.number_after("column"),
        };
        for (at, term) in self.query.terms.iter().enumerate() {
            let Some(number) = lexicon::ordinal(&term.text).filter(|_| term.quote.is_none()) else {
                continue;
            };
            if self.is_line(at + 1) {
                ordinal.line = ordinal.line.or(Some(number));
            } else if matches!(term.class, Class::Ordinal(_) | Class::Content) {
                ordinal.place = ordinal.place.or(Some(number));
            }
        }
        ordinal
    }

    /// The number after `word`: `row 2`.
    fn number_after(&self, word: &str) -> Option<i32> {
        let mut places = (0..self.query.terms.len()).filter(|at| self.query.word(*at) == word);
        places.find_map(|at| self.query.word(at + 1).parse().ok())
    }

    /// The described place in a line that is described as well.
    pub(crate) fn place_in_line(&self) -> Option<i32> {
        let ordinal = self.grid_ordinal();
        ordinal.place.filter(|_| ordinal.line.is_some())
    }

    /// Those of `items` that are in the described line, if a position and a line are described: `the third card of the second
    /// row`.
    pub(crate) fn in_described_line(
        &self,
        items: &[usize],
        bounds: impl Fn(usize) -> Option<Rect>,
    ) -> Vec<usize> {
        let ordinal = self.grid_ordinal();
        let (Some(line), Some(_)) = (ordinal.line, ordinal.place) else {
            return items.to_vec();
        };
        let member = |at: &usize| bounds(*at).map(|bounds| Member { at: *at, bounds });
        let mut members: Vec<Member> = items.iter().filter_map(member).collect();
        position::sort_in_reading_order(&mut members, |member| member.bounds);
        match nth(&lines(&members), line) {
            Some(line) => line.iter().map(|member| member.at).collect(),
            None => items.to_vec(),
        }
    }

    /// Whether the word at `at` is part of a phrase for a line: `second row`.
    pub(crate) fn is_part_of_line_phrase(&self, at: usize) -> bool {
        self.is_line(at)
            || (self.is_line(at + 1) && lexicon::ordinal(self.query.word(at)).is_some())
    }

    fn is_line(&self, at: usize) -> bool {
        matches!(self.query.word(at), "row" | "line")
    }

    /// The line in "the top row" and "the bottom row".
    fn outer_line(&self) -> Option<i32> {
        let terms = self.query.terms.iter().enumerate();
        let mut lines = terms.filter(|(at, _)| self.is_line(at + 1));
        lines.find_map(|(_, term)| match term.class {
            Class::Region(Region::Top) => Some(1),
            Class::Region(Region::Bottom) => Some(-1),
            _ => None,
        })
    }

    /// The visible elements of the described kind that look alike and take up most of the screen, else all of them.
    /// Only those whose context has the words of `context_terms`.
    fn series(&self, scores: &[Score], context_terms: &[usize]) -> Vec<Member> {
        const MIN_REGION: f32 = 0.6;
        const MIN_CONTEXT: f32 = 0.6;
        // "Button" means the buttons in entries, or the entries themselves if no entry has a button.
        let is_exact_kind = |candidate: &Candidate| {
            let role = self.query.role;
            role.is_none_or(|role| role.kinds.contains(candidate.kind))
        };
        let mut only_loose_matches = true;
        let mut members: Vec<Member> = Vec::new();
        let mut by_appearance: BTreeMap<(&str, &str, &str), Vec<Member>> = BTreeMap::new();
        for (at, score) in scores.iter().enumerate() {
            let Some(candidate) = score.candidate_in(self.subject) else {
                continue;
            };
            let Some(bounds) = candidate.described_bounds() else {
                continue;
            };
            let regions = &self.query.regions;
            let is_in_region = regions.is_empty()
                || position::in_regions(self.subject, candidate, regions) >= MIN_REGION;
            let is_in_context = context_terms.is_empty()
                || share(&score.terms, &self.matches.weights, context_terms) >= MIN_CONTEXT;
            let is_described =
                !candidate.state.contains(State::BEHIND) && self.kind_fit(candidate) >= 1.0;
            if !is_described || !is_in_region || !is_in_context || self.is_header_row(candidate) {
                continue;
            }
            // Exact matches replace the loose ones before them.
            match (is_exact_kind(candidate), only_loose_matches) {
                (false, false) => continue,
                (true, true) => {
                    only_loose_matches = false;
                    members.clear();
                    by_appearance.clear();
                }
                _ => {}
            }
            let member = Member { at, bounds };
            members.push(member);
            let class = candidate.raw.class.split_ascii_whitespace().next();
            let appearance = (
                &*candidate.tag,
                class.unwrap_or_default(),
                if candidate.raw.href.is_empty() {
                    &*candidate.raw.id
                } else {
                    ""
                },
            );
            by_appearance.entry(appearance).or_default().push(member);
        }
        let area = |members: &[Member]| -> i64 {
            let area = |bounds: Rect| i64::from(bounds.width()) * i64::from(bounds.height());
            members.iter().map(|member| area(member.bounds)).sum()
        };
        let mut series = by_appearance
            .into_values()
            .filter(|members| members.len() > 1)
            .max_by_key(|members| area(members))
            .filter(|_| self.query.regions.is_empty())
            .unwrap_or(members);
        position::sort_in_reading_order(&mut series, |member| member.bounds);
        series
    }
}

/// Whether the word describes more than a position in a grid.
fn describes_more(term: &Term) -> bool {
    let is_grid_word = lexicon::ordinal(&term.text).is_some()
        || term.text.parse::<i32>().is_ok()
        || matches!(&*term.text, "row" | "line" | "column")
        || lexicon::role_word(&term.text).is_some()
        || lexicon::region(&term.text).is_some();
    term.class == Class::Content && term.weight > 0.1 && !is_grid_word
}

/// The described member, by its position among the scores.
fn pick(series: &[Member], ordinal: GridOrdinal) -> Option<usize> {
    let Some(line) = ordinal.line else {
        return nth(series, ordinal.place?).map(|member| member.at);
    };
    let lines = lines(series);
    let line = nth(&lines, line)?;
    nth(line, ordinal.place.unwrap_or(1)).map(|member| member.at)
}

/// The lines of a series in reading order.
fn lines(series: &[Member]) -> Vec<&[Member]> {
    let overlaps = |a: &Member, b: &Member| {
        let middle = b.bounds.center().y;
        a.bounds.top <= middle && middle < a.bounds.bottom
    };
    series.chunk_by(overlaps).collect()
}

/// The nth item; negative from the end.
pub(crate) fn nth<T>(items: &[T], ordinal: i32) -> Option<&T> {
    let count = usize::try_from(ordinal.unsigned_abs()).ok()?;
    let at = if ordinal > 0 {
        count.checked_sub(1)
    } else {
        items.len().checked_sub(count)
    };
    items.get(at?)
}
