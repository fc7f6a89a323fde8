//! Picks one of a series that is described only by its kind: `the second image`, `the third icon in the second row`.

use std::collections::BTreeMap;

use uitree::Rect;

use super::{
    lexicon::{self, Region},
    position,
    score::{Score, Scorer, Signal, most_points, share},
    terms::{Class, Term},
    weights,
};
use crate::subject::{Candidate, Kind, Kinds, State};

/// A place in a series. Numbers count from 1, from the end if negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Count {
    /// The line of a grid.
    line: Option<i32>,
    /// The place in that line, or in the series.
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
    pub(super) fn prefer_member(&self, scores: &mut [Score]) -> bool {
        let one = self.query.terms.iter().any(|term| term.text == "one");
        let asks = self.query.role.is_some() || self.query.asks_for_text() || one;
        let count = self.count();
        let describes_more = if count.line.is_some() {
            self.query.terms.iter().any(describes_more)
        } else {
            let mut spans = self.query.spans.iter();
            self.named || spans.any(|span| span.relation.is_plain())
        };
        if describes_more || !asks || count == Count::default() {
            return false;
        }
        let around = if count.line.is_some() {
            Vec::new()
        } else {
            self.query.terms_in_loose_spans()
        };
        let mut series = self.series(scores, &around);
        if self.query.from_end {
            series.reverse();
        }
        let Some(chosen) = pick(&series, count) else {
            return false;
        };
        let best = most_points(scores);
        if let Some(score) = scores.get_mut(chosen) {
            let points = (best - score.points).max(0.0) + weights::ORDINAL;
            score.add(Signal::Ordinal, points);
            score.met = 1.0;
        }
        true
    }

    /// The described place.
    fn count(&self) -> Count {
        let mut count = Count {
            line: self.outer_line(),
            place: None,
        };
        for (at, term) in self.query.terms.iter().enumerate() {
            let Some(number) = lexicon::ordinal(&term.text).filter(|_| term.quote.is_none()) else {
                continue;
            };
            if self.is_line(at + 1) {
                count.line = count.line.or(Some(number));
            } else if matches!(term.class, Class::Ordinal(_) | Class::Content) {
                count.place = count.place.or(Some(number));
            }
        }
        count
    }

    /// The described place in a line that is described as well.
    pub(super) fn place_in_line(&self) -> Option<i32> {
        let count = self.count();
        count.place.filter(|_| count.line.is_some())
    }

    /// Those of `all` that are in the described line, if a place and a line are described: `the third card of the second
    /// row`.
    pub(super) fn in_described_line(
        &self,
        all: &[usize],
        bounds: impl Fn(usize) -> Option<Rect>,
    ) -> Vec<usize> {
        let count = self.count();
        let (Some(line), Some(_)) = (count.line, count.place) else {
            return all.to_vec();
        };
        let member = |at: &usize| bounds(*at).map(|bounds| Member { at: *at, bounds });
        let mut members: Vec<Member> = all.iter().filter_map(member).collect();
        position::sort_in_reading_order(&mut members, |member| member.bounds);
        match nth(&lines(&members), line) {
            Some(line) => line.iter().map(|member| member.at).collect(),
            None => all.to_vec(),
        }
    }

    /// Whether the word at `at` is of a line: `second row`.
    pub(super) fn is_of_line(&self, at: usize) -> bool {
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
    /// Only those whose surroundings have the words `around`.
    fn series(&self, scores: &[Score], around: &[usize]) -> Vec<Member> {
        const IN_REGION: f32 = 0.6;
        const LOOSELY: f32 = 0.5;
        const IN_IT: f32 = 0.6;
        // "Option", "item" and "box" may mean anything in a series.
        let boxes = Kinds::of(&[Kind::TextField, Kind::CheckBox]);
        let any = self.query.role.is_some_and(|role| {
            role.kinds.has(Kind::Option) || role.kinds.with(boxes) == role.kinds
        });
        let least = if any { LOOSELY } else { 1.0 };
        // "Button" means the buttons in entries, and entries where there are none.
        let is_so = |candidate: &Candidate| {
            let role = self.query.role;
            role.is_none_or(|role| role.kinds.has(candidate.kind))
        };
        let mut only_called_so = true;
        let mut all: Vec<Member> = Vec::new();
        let mut alike: BTreeMap<(&str, &str, &str), Vec<Member>> = BTreeMap::new();
        for (at, score) in scores.iter().enumerate() {
            let Some(candidate) = score.of(self.subject) else {
                continue;
            };
            let Some(bounds) = candidate.described_bounds() else {
                continue;
            };
            let regions = &self.query.regions;
            let there = regions.is_empty()
                || position::in_regions(self.subject, candidate, regions) >= IN_REGION;
            let there = there
                && (around.is_empty()
                    || share(&score.terms, &self.matches.weights, around) >= IN_IT);
            let described =
                !candidate.state.contains(State::BEHIND) && self.kind_fit(candidate) >= least;
            if !described || !there || self.is_header_row(candidate) {
                continue;
            }
            match (is_so(candidate), only_called_so) {
                (false, false) => continue,
                (true, true) => {
                    only_called_so = false;
                    all.clear();
                    alike.clear();
                }
                _ => {}
            }
            let member = Member { at, bounds };
            all.push(member);
            let class = candidate.raw.class.split_ascii_whitespace().next();
            let look = (
                &*candidate.tag,
                class.unwrap_or_default(),
                if candidate.raw.href.is_empty() {
                    &*candidate.raw.id
                } else {
                    ""
                },
            );
            alike.entry(look).or_default().push(member);
        }
        let area = |members: &[Member]| -> i64 {
            let area = |bounds: Rect| i64::from(bounds.width()) * i64::from(bounds.height());
            members.iter().map(|member| area(member.bounds)).sum()
        };
        let mut series = alike
            .into_values()
            .filter(|members| members.len() > 1)
            .max_by_key(|members| area(members))
            .filter(|_| self.query.regions.is_empty())
            .unwrap_or(all);
        position::sort_in_reading_order(&mut series, |member| member.bounds);
        series
    }
}

/// Whether the word describes more than a place in a grid.
fn describes_more(term: &Term) -> bool {
    let counts = lexicon::ordinal(&term.text).is_some()
        || matches!(&*term.text, "row" | "line" | "column")
        || lexicon::role_word(&term.text).is_some()
        || lexicon::region(&term.text).is_some();
    term.class == Class::Content && term.weight > 0.1 && !counts
}

/// The described member, by its position among the scores.
fn pick(series: &[Member], count: Count) -> Option<usize> {
    let Some(line) = count.line else {
        return nth(series, count.place?).map(|member| member.at);
    };
    let lines = lines(series);
    let line = nth(&lines, line)?;
    nth(line, count.place.unwrap_or(1)).map(|member| member.at)
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
pub(super) fn nth<T>(of: &[T], wanted: i32) -> Option<&T> {
    let count = usize::try_from(wanted.unsigned_abs()).ok()?;
    let at = if wanted > 0 {
        count.checked_sub(1)
    } else {
        of.len().checked_sub(count)
    };
    of.get(at?)
}
