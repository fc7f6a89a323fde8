//! The elements and texts that a reader of several screens has seen.

use std::collections::{HashMap, HashSet};

use super::parse::{Element, parse, strings};

/// The last seen version of each element, on any screen.
#[derive(Clone, Debug, Default)]
pub struct ShownLines {
    /// The keys of each reference.
    elements: HashMap<String, Vec<String>>,
    texts: HashSet<Vec<String>>,
    /// The quoted strings of all elements.
    strings: HashSet<String>,
}

impl ShownLines {
    /// Stores the lines of a screen.
    pub fn note(&mut self, screen: &str) {
        /// Maximum number of elements and of strings. Above it all are forgotten, and their lines written again.
        const MAX: usize = 4096;
        if self.elements.len() > MAX || self.strings.len() > MAX {
            *self = Self::default();
        }
        for element in parse(screen).into_iter().flat_map(|row| row.elements) {
            let strings = strings(&element.written).map(str::to_owned);
            self.strings.extend(strings);
            match element.reference {
                Some(reference) => {
                    self.elements.insert(reference, element.keys);
                }
                None => {
                    self.texts.insert(element.keys);
                }
            }
        }
    }

    /// Whether all elements and texts of a screen were shown unchanged.
    pub fn has_all(&self, screen: &str) -> bool {
        let elements = parse(screen).into_iter().flat_map(|row| row.elements);
        elements
            .into_iter()
            .all(|element| self.knows(&element, true))
    }

    /// Whether an element with this reference was shown.
    pub(crate) fn has(&self, reference: &str) -> bool {
        self.elements.contains_key(reference)
    }

    /// Whether a quoted string of any element was shown.
    pub(crate) fn has_string(&self, text: &str) -> bool {
        self.strings.contains(text)
    }

    /// Whether an element was shown unchanged, or a text after one that was. Another text is new, such as an error that appears again.
    pub(crate) fn knows(&self, element: &Element, is_after_known: bool) -> bool {
        match &element.reference {
            Some(reference) => self.elements.get(reference) == Some(&element.keys),
            None => is_after_known && self.texts.contains(&element.keys),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difference_for_reader;

    #[test]
    fn seen_lines_are_counted() {
        let row = |name: &str, at: usize| {
            format!(
                " checkbox unchecked e{at} text \"{name}\" e{} same: e{} e{}\n",
                at + 1,
                at + 2,
                at + 3
            )
        };
        let first = " checkbox unchecked e1 text \"Ann\" e2 button \"☆\" e3 \"✓\" e4\n".to_owned();
        let page = |rows: &[String]| format!("application a\n webview /\n{}", rows.concat());
        let all = [
            first.clone(),
            row("Ben", 11),
            row("Cleo", 21),
            row("Dan with a name that is longer than one line", 31),
            row("Eve", 41),
            row("Flo", 51),
        ];
        let mut shown = ShownLines::default();
        shown.note(&page(&all));
        let cleo = first.replace("Ann", "Cleo").replace(" e", " e2");
        let scrolled = page(&[vec![cleo], all[3..].to_vec()].concat());
        // The row that the others refer to is off-screen.
        let checked = scrolled.replace("unchecked e51", "checked e51");
        assert_eq!(
            difference_for_reader(&page(&all[..3]), &checked, &shown).unwrap(),
            "+ checkbox unchecked e31 text \"Dan…\" … 2 lines as before\n+ checkbox checked e51 text \"Flo\" e52 button \"☆\" e53 \"✓\" e54\n- 2 lines: \"Ann\" \"Ben\"\n"
        );
        assert_eq!(
            difference_for_reader(
                &page(&all),
                &page(&[first, row("Ben", 11), row("Gil", 61)]),
                &shown
            )
            .unwrap(),
            "+ checkbox unchecked e61 text \"Gil\" e62 button \"☆\" e63 \"✓\" e64\n- 4 lines: \"Cleo\" \"Dan with a name that is longer …\"\n"
        );
        // Its last seen version is another one.
        shown.note(&scrolled.replace("unchecked e31", "checked e31"));
        assert!(
            difference_for_reader(&page(&all[..3]), &scrolled, &shown)
                .unwrap()
                .contains("+ checkbox unchecked e31 text \"Dan with a name")
        );
    }

    #[test]
    fn focus_of_a_seen_element_is_new() {
        let end = " text \"The end of the page\"\n".repeat(3);
        let page = |lines: &str| format!("application a\n{lines}{end}");
        let before = page(" button \"One\" focused e1\n button \"Two\" e2 \"Three\" e3\n");
        let mut shown = ShownLines::default();
        shown.note(&before);
        let after = page(" button \"One\" e1 \"Two\" focused e2\n button \"Three\" e3\n");
        let change = difference_for_reader(&before, &after, &shown).unwrap();
        assert_eq!(change, "+ button \"Two\" focused e2\n");
    }

    #[test]
    fn options_of_a_reopened_list_are_written() {
        let page = |options: &str| {
            format!(
                "application a\n webview /\n \"Card\" e1\n{options} \"Save\" e9\n \"Help\" e10\n \"Terms\" e11\n \"Imprint and privacy\" e12\n \"About this company\" e13\n"
            )
        };
        let mut shown_lines = ShownLines::default();
        shown_lines.note(&page(" button \"Visa\" e2 \"Master\" e3\n"));
        let closed = page("");
        let again = " button \"Visa\" e2 \"Master\" e3\n";
        assert_eq!(
            difference_for_reader(&closed, &page(again), &shown_lines).unwrap(),
            "+ button \"Visa\" e2 \"Master\" e3\n"
        );
        let more = " button \"Visa\" e2 \"Master\" e3 \"Chase\" e4\n";
        assert_eq!(
            difference_for_reader(&closed, &page(more), &shown_lines).unwrap(),
            "+ button \"Visa\" e2 \"Master\" e3 \"Chase\" e4\n"
        );
    }
}
