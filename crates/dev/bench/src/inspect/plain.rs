//! A plain relevance ranker as a baseline: words of an element or similar ones, rare ones weighing more, and
//! role words as a condition. It knows no synonyms, positions, order or context, so its results show how hard
//! the cases are.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use dom::{Dom, Facts};

use super::judge::{Answer, Verdict};
use crate::suite::words::{role_word, words};

/// The maximum number of descendants that contribute text.
const MAX_DESCENDANTS: usize = 48;
/// The weight of a word that only authors see.
const HIDDEN_WEIGHT: f64 = 0.5;
/// The factor for an element of another kind than requested.
const OTHER_KIND_FACTOR: f64 = 0.5;
/// The weight of a similar word.
const SIMILAR_WEIGHT: f64 = 0.7;
/// Words with a common prefix of this length are similar.
const MIN_PREFIX: usize = 4;
/// Words of at least this length match with reordered letters.
const MIN_REORDERED: usize = 5;
/// Stop words, as stems.
const STOP_WORDS: [&str; 14] = [
    "the", "a", "an", "of", "in", "on", "to", "for", "with", "at", "and", "my", "this", "from",
];

/// An interactive element.
#[derive(Debug)]
struct Control {
    node: i64,
    /// The common word for its kind.
    role: &'static str,
    /// Its words with their weights.
    words: BTreeMap<String, f64>,
}

/// The controls of a page with their words.
#[derive(Debug)]
pub struct PlainRanker {
    controls: Vec<Control>,
    /// The number of controls with a word.
    counts: BTreeMap<String, usize>,
}

impl PlainRanker {
    /// Reads the controls of a page.
    pub fn new(page: &Dom) -> Self {
        let mut controls = Vec::new();
        for id in page.ids() {
            let element = page.element(id);
            let listens = element.is(Facts::LISTENS) || element.is(Facts::EDITABLE);
            if !element.is(Facts::VISIBLE) || !(listens || role_word(&element.role).is_some()) {
                continue;
            }
            let mut words = BTreeMap::new();
            for key in ["id", "name", "data-testid", "data-test", "data-qa"] {
                add(
                    &mut words,
                    &split_identifier(element.attribute(key)),
                    HIDDEN_WEIGHT,
                );
            }
            for key in ["placeholder", "title", "alt", "aria-label"] {
                add(&mut words, element.attribute(key).unwrap_or_default(), 1.0);
            }
            add(&mut words, &element.name, 1.0);
            for inner in page.subtree(id).take(MAX_DESCENDANTS) {
                add(&mut words, &page.element(inner).text, 1.0);
            }
            controls.push(Control {
                node: element.handle.node,
                // A mere click listener counts as a button.
                role: role_word(&element.role).unwrap_or("button"),
                words,
            });
        }
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for word in controls.iter().flat_map(|control| control.words.keys()) {
            *counts.entry(word.clone()).or_default() += 1;
        }
        Self { controls, counts }
    }

    /// The elements that match words of `query`, the best first, and the verdict: not found without a match,
    /// ambiguous if two match equally well.
    fn rank(&self, query: &str) -> (Verdict, Vec<i64>) {
        let mut query_stem: BTreeSet<String> = words(query).iter().map(|word| stem(word)).collect();
        query_stem.retain(|word| !STOP_WORDS.contains(&&**word));
        let roles: Vec<&str> = query_stem
            .iter()
            .filter_map(|word| kinds(word))
            .flatten()
            .copied()
            .collect();
        let weight = |word: &str| {
            let count = self.counts.get(word).copied().unwrap_or_default();
            (1.0 + self.controls.len() as f64 / (1 + count) as f64).ln()
        };
        let of = |control: &Control| {
            let matched: f64 = query_stem
                .iter()
                .map(|word| score(control, word) * weight(word))
                .sum();
            let own_score: f64 = control.words.iter().map(|(w, part)| part * weight(w)).sum();
            let kind = roles.is_empty() || roles.contains(&control.role);
            // Of elements with the same matches, the one with the fewest other words wins.
            matched
                * (0.7 + 0.3 * matched / own_score.max(f64::MIN_POSITIVE))
                * if kind { 1.0 } else { OTHER_KIND_FACTOR }
        };
        let mut ranked: Vec<(f64, i64)> = self
            .controls
            .iter()
            .map(|control| (of(control), control.node))
            .filter(|(points, _)| *points > 0.0)
            .collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
        let verdict = match ranked.as_slice() {
            [] => Verdict::NotFound,
            [(one, _), (other, _), ..] if one.total_cmp(other).is_eq() => Verdict::Ambiguous,
            _ => Verdict::Certain,
        };
        (verdict, ranked.into_iter().map(|(_, node)| node).collect())
    }

    /// Like [`ask`](Self::ask), as an answer to be judged.
    pub fn answer(&self, query: &str) -> Answer {
        let (verdict, ranked) = self.rank(query);
        Answer {
            verdict,
            score: 0,
            ranked,
            hit: None,
            text: String::new(),
            took: Duration::ZERO,
        }
    }
}

/// How well a control matches a word: exactly, as a longer or shorter form, or with reordered letters.
fn score(control: &Control, query_stem: &str) -> f64 {
    let like = |(control_word, part): (&String, &f64)| -> f64 {
        let (short, long) = if control_word.len() < query_stem.len() {
            (&**control_word, query_stem)
        } else {
            (query_stem, &**control_word)
        };
        let begins = short.len() >= MIN_PREFIX && long.starts_with(short);
        let letters = |word: &str| {
            let mut letters: Vec<char> = word.chars().collect();
            letters.sort_unstable();
            letters
        };
        let swapped =
            query_stem.len() >= MIN_REORDERED && letters(query_stem) == letters(control_word);
        match control_word == query_stem {
            true => *part,
            false if begins || swapped => part * SIMILAR_WEIGHT,
            false => 0.0,
        }
    };
    control.words.iter().map(like).fold(0.0, f64::max)
}

fn add(to: &mut BTreeMap<String, f64>, text: &str, weight: f64) {
    for word in words(text) {
        let part = to.entry(stem(&word)).or_insert(weight);
        *part = part.max(weight);
    }
}

/// `signIn` as `sign In`.
fn split_identifier(identifier: Option<&str>) -> String {
    let mut out = String::new();
    for c in identifier.unwrap_or_default().chars() {
        if c.is_uppercase() && out.ends_with(char::is_lowercase) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// A word without English endings.
fn stem(word: &str) -> String {
    let long = |rest: &&str| rest.chars().count() > 2;
    let bare = ["ings", "ing", "ies", "ied", "es", "ed", "s", "y", "e"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(long));
    bare.unwrap_or(word).to_owned()
}

/// The kinds that a stem means.
fn kinds(stem: &str) -> Option<&'static [&'static str]> {
    Some(match stem {
        "button" => &["button", "menu item", "switch"],
        "link" => &["link"],
        "field" | "input" | "textbox" | "box" => {
            &["text box", "search box", "combo box", "spin button"]
        }
        "checkbox" => &["checkbox", "switch"],
        "radio" => &["radio button"],
        "tab" => &["tab"],
        "dropdown" | "select" | "combo" => &["combo box", "list box"],
        "switch" | "toggl" => &["switch", "checkbox"],
        "slider" => &["slider"],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dom::{DomBuilder, ElementSpec, Handle, Viewport};

    fn page() -> Dom {
        let mut page = DomBuilder::new(Viewport::default(), "", "");
        for (node, role, name) in [
            (1, "link", "Shipping invoices"),
            (2, "button", "Ship"),
            (3, "button", "Save"),
            (4, "textbox", "Save as"),
            (5, "paragraph", "Cancel"),
        ] {
            page.open(ElementSpec {
                role: role.into(),
                name: name.into(),
                facts: Facts::VISIBLE,
                handle: Handle { session: 0, node },
                ..ElementSpec::default()
            });
            page.close();
        }
        page.finish()
    }

    #[test]
    fn rare_words_and_short_names_win_and_kinds_filter() {
        let plain = PlainRanker::new(&page());
        let first = |query: &str| plain.rank(query).1.first().copied();
        assert_eq!(first("save"), Some(3));
        assert_eq!(first("the save field"), Some(4));
        assert_eq!(first("shipping invoice"), Some(1));
        assert_eq!(first("invocie"), Some(1));
        assert_eq!(plain.rank("ship").1, [2, 1]);
        assert_eq!(plain.rank("cancel"), (Verdict::NotFound, vec![]));
    }

    #[test]
    fn equal_names_are_ambiguous() {
        let mut page = DomBuilder::new(Viewport::default(), "", "");
        for node in 1..=2 {
            page.open(ElementSpec {
                role: "button".into(),
                name: "Edit".into(),
                facts: Facts::VISIBLE,
                handle: Handle { session: 0, node },
                ..ElementSpec::default()
            });
            page.close();
        }
        let query_stem = PlainRanker::new(&page.finish()).rank("edit button");
        assert_eq!(query_stem, (Verdict::Ambiguous, vec![1, 2]));
    }
}
