//! The answer as short text for a model, with at most three selector candidates.

use std::fmt::Write;

use super::{InspectVerdict, InspectedElement, Inspection, SelectorCandidate};
use crate::answer::fallback_line;
use crate::warning::Warning;

/// The token budget of three candidates, unless the selectors alone exceed it.
const BUDGET: usize = 200;

/// The maximum lengths of parts of an answer.
#[derive(Clone, Copy)]
struct TextLimits {
    /// The length of the first element's line.
    first: usize,
    /// The length of the other elements' lines.
    others: usize,
    /// The number of remarks about stability.
    remarks: usize,
}

impl TextLimits {
    const fn new(first: usize, others: usize, remarks: usize) -> Self {
        Self {
            first,
            others,
            remarks,
        }
    }

    const fn element(self, at: usize) -> usize {
        if at == 0 { self.first } else { self.others }
    }
}

/// The answer is shortened in these steps until it fits the budget.
const TEXT_LIMITS: [TextLimits; 7] = [
    TextLimits::new(110, 110, 20),
    TextLimits::new(110, 60, 1),
    TextLimits::new(110, 40, 0),
    TextLimits::new(80, 40, 0),
    TextLimits::new(60, 24, 0),
    TextLimits::new(40, 20, 0),
    TextLimits::new(24, 12, 0),
];

/// The maximum length of the repeated query.
const QUERY: usize = 48;

/// A selector and its element.
struct Candidate<'i> {
    element: &'i InspectedElement,
    selector: Option<&'i SelectorCandidate>,
}

impl Inspection {
    /// The answer as short text: at most 200 tokens for three candidates, unless their selectors alone are
    /// longer. The first line says if the first element is uncertain.
    pub fn to_text(&self) -> String {
        let candidates = self.candidates();
        let budget = BUDGET * candidates.len().max(3) / 3;
        let mut text = String::new();
        for cut in TEXT_LIMITS {
            text.clear();
            // Writing to a string cannot fail.
            let _ = match self.verdict {
                InspectVerdict::NotFound => self.write_not_found(&mut text, cut),
                InspectVerdict::Certain | InspectVerdict::Unsure | InspectVerdict::Ambiguous => {
                    self.write_candidates(&mut text, &candidates, cut)
                }
            };
            if tokens(&text) <= budget {
                break;
            }
        }
        let warnings = self.warnings.iter().map(Warning::line);
        let fallback = fallback_line(self.via, self.via_reason.as_ref(), &self.warnings);
        for line in warnings.chain(fallback) {
            // The answer ends with a line break.
            text.push_str(&line);
            text.push('\n');
        }
        text
    }

    /// The candidates to choose from: for a certain element its selectors, otherwise the best selector of each
    /// element, then the others of the first.
    fn candidates<'i>(&'i self) -> Vec<Candidate<'i>> {
        let Some((first, others)) = self.elements.split_first() else {
            return Vec::new();
        };
        let best = |element: &'i InspectedElement| Candidate {
            element,
            selector: element.selectors.first(),
        };
        let more = first.selectors.iter().skip(1).map(|selector| Candidate {
            element: first,
            selector: Some(selector),
        });
        let mut candidates = vec![best(first)];
        if self.is_named_by_reference() {
            return candidates;
        }
        if self.verdict != InspectVerdict::Certain {
            candidates.extend(others.iter().map(best));
        }
        let limit = first.selectors.len().max(candidates.len());
        candidates.extend(more);
        candidates.truncate(limit);
        candidates
    }

    /// Whether a client needs only the reference of the element; the best selector is a fallback.
    fn is_named_by_reference(&self) -> bool {
        let first = self.elements.first();
        self.verdict == InspectVerdict::Certain
            && first.is_some_and(|first| first.session_ref.is_some())
    }

    fn write_candidates(
        &self,
        text: &mut String,
        candidates: &[Candidate<'_>],
        cut: TextLimits,
    ) -> std::fmt::Result {
        let query = clipped(&self.query, QUERY.min(cut.first));
        match self.verdict {
            InspectVerdict::Unsure if self.missing.is_empty() => {
                writeln!(text, "UNSURE: check the element before acting")?;
            }
            InspectVerdict::Unsure => {
                let missing = clipped(&self.missing.join(", "), QUERY);
                writeln!(text, "UNSURE: no element says {missing}")?;
            }
            InspectVerdict::Ambiguous => {
                let count = self.count.unwrap_or(self.elements.len());
                writeln!(text, "AMBIGUOUS: {count} elements match equally well")?;
            }
            InspectVerdict::Certain | InspectVerdict::NotFound => {}
        }
        writeln!(text, "Selector Candidates for \"{query}\":")?;
        let mut lowest_stability = None;
        for (at, candidate) in candidates.iter().enumerate() {
            let level = match at {
                // Only a certain match is recommended.
                0 if self.verdict == InspectVerdict::Certain => "RECOMMENDED",
                0 if self.verdict == InspectVerdict::Unsure => "NEAREST",
                0 | 1 => "ALTERNATIVE",
                _ => "FALLBACK",
            };
            let line = element_line(candidate.element, cut.element(at));
            let Some(selector) = candidate.selector else {
                writeln!(text, "\n[{}] {level}", at + 1)?;
                writeln!(text, "    Element: {line}\n    No selector")?;
                continue;
            };
            let stability = selector.stability;
            writeln!(text, "\n[{}] {level} (Stability: {stability}/100)", at + 1)?;
            writeln!(text, "    Selector: {}", escape::line(&selector.written()))?;
            writeln!(text, "    Strategy: {}", selector.strategy_words)?;
            writeln!(text, "    Matches: {}", matches(selector))?;
            writeln!(text, "    Element: {line}")?;
            // An element is described only once.
            let known = at > 0
                && candidates
                    .first()
                    .is_some_and(|first| first.element.reference == candidate.element.reference);
            if !known {
                write_visibility(text, at, candidate.element)?;
            }
            if let Some(apart) = &candidate.element.told_apart_by {
                let all = candidates.iter().map(|other| &other.element.told_apart_by);
                let all: Vec<&str> = all.flatten().map(String::as_str).collect();
                let words = clip_distinct(apart, &all, cut.first.min(60));
                writeln!(text, "    Which: {words}")?;
            }
            match &selector.why {
                Some(why) if at < cut.remarks => {
                    writeln!(text, "    \u{26a0}\u{fe0f} {}", escape::line(why))?
                }
                Some(_) | None => {}
            }
            if at >= 2
                && lowest_stability.is_some_and(|lowest_stability| stability < lowest_stability)
            {
                writeln!(text, "    \u{26a0}\u{fe0f} Less stable than options above")?;
            }
            lowest_stability = Some(lowest_stability.map_or(stability, |lowest_stability: u8| {
                lowest_stability.min(stability)
            }));
        }
        if self.is_named_by_reference() {
            return Ok(());
        }
        let closing = match self.verdict {
            InspectVerdict::Ambiguous => "Add one of these details to the description.",
            InspectVerdict::Unsure => "Check the element before you use its selector.",
            _ => "Use the RECOMMENDED selector for best reliability.",
        };
        writeln!(text, "\n{closing}")
    }

    /// The answer without a match, with the closest elements.
    fn write_not_found(&self, text: &mut String, cut: TextLimits) -> std::fmt::Result {
        let query = clipped(&self.query, QUERY);
        writeln!(text, "NOT FOUND: nothing matches \"{query}\".")?;
        for (at, nearest) in self.elements.iter().enumerate() {
            let line = element_line(nearest, cut.element(at));
            writeln!(text, "Closest: {line}")?;
        }
        Ok(())
    }
}

/// The line of an element, clipped to `max` characters, with its reference as in text views.
fn element_line(element: &InspectedElement, max: usize) -> String {
    let line = clipped(&element.element, max);
    match &element.session_ref {
        Some(reference) => format!("{line} {reference}"),
        None => line,
    }
}

/// Whether the first element is visible, and why others are not.
fn write_visibility(text: &mut String, at: usize, element: &InspectedElement) -> std::fmt::Result {
    match &element.why_not_visible {
        Some(why) => writeln!(text, "    Visible: false ({})", escape::line(why)),
        None if at == 0 || !element.visible => writeln!(text, "    Visible: {}", element.visible),
        None => Ok(()),
    }
}

/// The number of matches of a selector, and whether it was checked.
fn matches(selector: &SelectorCandidate) -> String {
    let checked = if selector.verified {
        ""
    } else {
        " (not verified)"
    };
    match selector.matches {
        1 => format!("1 element{checked}"),
        matches => format!("{matches} elements{checked}"),
    }
}

/// The longer words of every answer, one token each.
const FRAME: &[&str] = &[
    "Selector",
    "Candidates",
    "Stability",
    "Strategy",
    "selector",
    "reliability",
    "reference",
    "attribute",
];

/// Estimates the number of tokens of a text, as an upper bound: one per seven letters of a word with the space
/// before it, or three capitals, three digits, or two punctuation marks; a run of white space is one.
fn tokens(text: &str) -> usize {
    let kind = |c: char| match c {
        c if c.is_alphabetic() => 'a',
        c if c.is_numeric() => '0',
        c if c.is_whitespace() => ' ',
        _ => '.',
    };
    let mut count = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let letters = run.chars().count();
        count += match kind(first) {
            // Scripts other than Latin need a token for nearly every letter.
            'a' if !run.is_ascii() => letters,
            'a' if FRAME.contains(&run) => 1,
            'a' if run.bytes().all(|byte| byte.is_ascii_uppercase()) => letters.div_ceil(3),
            'a' => letters.div_ceil(7),
            '0' => letters.div_ceil(3),
            // A single space belongs to the word after it.
            ' ' => usize::from(run != " ") + usize::from(run.contains('\n') && run.ends_with(' ')),
            _ => letters.div_ceil(2),
        };
        rest = after;
    }
    count
}

/// A text on one line, clipped to `max` characters.
fn clipped(text: &str, max: usize) -> String {
    let line = escape::line(text);
    match line.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(&line)),
        None => line.into_owned(),
    }
}

/// Clips a text to one line of about `max` characters so that it still differs from `all`: drops the common prefix if the clipped
/// texts would be equal.
fn clip_distinct(own: &str, all: &[&str], max: usize) -> String {
    let short = clipped(own, max);
    let is_alike = |other: &&&str| **other != own && clipped(other, max) == short;
    let alike: Vec<&str> = all.iter().filter(is_alike).copied().collect();
    if alike.is_empty() {
        return short;
    }
    let differs = |at: usize, letter: char| {
        let start = own.get(..at + letter.len_utf8()).unwrap_or(own);
        alike.iter().any(|other| !other.starts_with(start))
    };
    let first = own
        .char_indices()
        .find(|(at, letter)| differs(*at, *letter));
    let common = first.map_or(own, |(at, _)| &own[..at]);
    let head = common.find('"').map_or("", |at| &common[..=at]);
    let tail = common.rfind(' ').map_or(own, |at| &own[at + 1..]);
    let max = max.saturating_sub(head.chars().count()).max(12);
    format!("{}…{}", escape::line(head), clipped(tail, max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishing_words_are_never_clipped_to_the_same_text() {
        let row = |number: u32| format!("in the row of \"Invoice {number} of March, paid\"");
        let all = [row(1001), row(1002), "in the footer".to_owned()];
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let words = |max| [0, 1, 2].map(|at| clip_distinct(all[at], &all, max));
        let expected = [
            "in the row of \"Invoice 1001…",
            "in the row of \"Invoice 1002…",
            "in the footer",
        ];
        assert_eq!(words(27), expected);
        let expected = [
            "in the row of \"…1001 of Marc…",
            "in the row of \"…1002 of Marc…",
            "in the footer",
        ];
        assert_eq!(words(20), expected);
    }
}
