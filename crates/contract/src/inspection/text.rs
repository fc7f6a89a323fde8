//! The answer for a model to read: three levels, and never more than it is worth.

use std::fmt::Write;

use super::{InspectVerdict, Inspected, Inspection, SelectorCandidate};

/// How many tokens an answer costs at most, as far as its selectors allow.
const BUDGET: usize = 150;

/// How long the line of an element is at most, and where every byte counts.
const ELEMENT: [usize; 2] = [110, 56];

/// How much is left out.
#[derive(Clone, Copy)]
struct Cut {
    /// How many selectors there are.
    selectors: usize,
    /// Behind how many of them stands how they were found.
    explained: usize,
    /// How long the element's line is.
    element: usize,
}

/// What is left out first, and what then.
const CUTS: [Cut; 8] = [
    Cut {
        selectors: 3,
        explained: 3,
        element: ELEMENT[0],
    },
    Cut {
        selectors: 3,
        explained: 2,
        element: ELEMENT[0],
    },
    Cut {
        selectors: 3,
        explained: 1,
        element: ELEMENT[0],
    },
    Cut {
        selectors: 3,
        explained: 1,
        element: ELEMENT[1],
    },
    Cut {
        selectors: 2,
        explained: 1,
        element: ELEMENT[0],
    },
    Cut {
        selectors: 2,
        explained: 1,
        element: ELEMENT[1],
    },
    Cut {
        selectors: 1,
        explained: 1,
        element: ELEMENT[1],
    },
    Cut {
        selectors: 1,
        explained: 0,
        element: 0,
    },
];

impl Inspection {
    /// The answer in the fewest words that let a model act on it: under 150 tokens, unless one selector alone is longer.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for cut in CUTS {
            text = self.cut(cut);
            if tokens(&text) <= BUDGET {
                break;
            }
        }
        text
    }

    fn cut(&self, cut: Cut) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = match self.verdict {
            InspectVerdict::Certain | InspectVerdict::Unsure => self.levels(&mut text, cut),
            InspectVerdict::Ambiguous => self.choice(&mut text, cut),
            InspectVerdict::NotFound => self.nothing(&mut text, cut),
        };
        text
    }

    /// One element and its selectors.
    fn levels(&self, text: &mut String, cut: Cut) -> std::fmt::Result {
        let query = clipped(&self.query, 48);
        writeln!(text, "Selector Candidates for \"{query}\":")?;
        if !self.missing.is_empty() {
            writeln!(
                text,
                "Unsure: nothing on it says {}",
                self.missing.join(", ")
            )?;
        }
        let Some(first) = self.elements.first() else {
            return Ok(());
        };
        for (at, selector) in first.selectors.iter().take(cut.selectors).enumerate() {
            let level = match at {
                0 => "RECOMMENDED",
                1 => "ALTERNATIVE",
                _ => "FALLBACK",
            };
            let stability = selector.stability;
            writeln!(text, "\n[{}] {level} (Stability: {stability}/100)", at + 1)?;
            writeln!(text, "    Selector: {}", selector.written())?;
            if at < cut.explained {
                writeln!(text, "    Strategy: {}", selector.strategy_words)?;
            }
            if at == 0 {
                if cut.element > 0 {
                    writeln!(
                        text,
                        "    Element: {}",
                        clipped(&first.element, cut.element)
                    )?;
                }
                writeln!(text, "    Visible: {}", first.visible)?;
            }
            if at >= 2 && at < cut.explained && selector.matches == 1 {
                writeln!(text, "    Matches: 1 element")?;
            }
            remarks(text, selector, at < cut.explained)?;
        }
        if first.selectors.is_empty() {
            writeln!(
                text,
                "\n    Element: {}",
                clipped(&first.element, cut.element.max(40))
            )?;
            writeln!(text, "    No selector names it")?;
        }
        Ok(())
    }

    /// Several elements, with what tells them apart.
    fn choice(&self, text: &mut String, cut: Cut) -> std::fmt::Result {
        let count = self.count.unwrap_or(self.elements.len());
        let query = clipped(&self.query, 48);
        writeln!(
            text,
            "AMBIGUOUS: {count} elements match \"{query}\". Say which one:"
        )?;
        for (at, element) in self.elements.iter().take(cut.selectors).enumerate() {
            writeln!(text, "\n[{}] {}", at + 1, apart(element, cut))?;
            if let Some(best) = element.selectors.first() {
                let stability = best.stability;
                writeln!(
                    text,
                    "    Selector: {} (Stability: {stability}/100)",
                    best.written()
                )?;
            }
        }
        Ok(())
    }

    /// Nothing, and what comes nearest.
    fn nothing(&self, text: &mut String, cut: Cut) -> std::fmt::Result {
        writeln!(
            text,
            "NOT FOUND: nothing matches \"{}\".",
            clipped(&self.query, 48)
        )?;
        for element in self.elements.iter().take(cut.selectors) {
            let line = clipped(&element.element, cut.element.max(40));
            writeln!(text, "Nearest: {line}")?;
        }
        Ok(())
    }
}

/// About how many tokens a text has, rather too many than too few: two for each seven letters of ASCII, which prose and
/// selectors do not reach, one for every other character, one for the end of a line and one for what it is indented by.
fn tokens(text: &str) -> usize {
    text.lines()
        .map(|line| {
            let words = line.trim_start();
            let other = words.chars().filter(|c| !c.is_ascii()).count();
            let ascii = words.chars().count() - other;
            (2 * ascii).div_ceil(7) + other + 1 + usize::from(words.len() < line.len())
        })
        .sum()
}

/// What is odd about a selector.
fn remarks(text: &mut String, selector: &SelectorCandidate, explained: bool) -> std::fmt::Result {
    match selector.matches {
        1 if selector.verified => {}
        1 => writeln!(text, "    Verified: false")?,
        matches => writeln!(text, "    Matches: {matches} elements")?,
    }
    match &selector.why {
        Some(why) if explained => writeln!(text, "    \u{26a0} {why}"),
        Some(_) | None => Ok(()),
    }
}

/// What tells an element from the others, or the element itself.
fn apart(element: &Inspected, cut: Cut) -> String {
    match &element.told_apart_by {
        Some(words) => clipped(words, 60),
        None => clipped(&element.element, cut.element.max(40)),
    }
}

/// At most so many characters of a line.
fn clipped(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line)),
        None => line.to_owned(),
    }
}
