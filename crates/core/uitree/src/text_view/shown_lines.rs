//! The elements and texts of the lines that the reader of several screens has been shown.

use std::collections::{HashMap, HashSet};

use super::unfold::{Element, rows, strings};

/// How each element was shown last, on whichever screen.
#[derive(Clone, Debug, Default)]
pub struct ShownLines {
    /// By reference.
    elements: HashMap<String, Vec<String>>,
    texts: HashSet<Vec<String>>,
    /// The quoted strings of all of them.
    strings: HashSet<String>,
}

impl ShownLines {
    /// Stores the lines of a screen.
    pub fn note(&mut self, screen: &str) {
        /// The most elements and texts; without them their lines are written again.
        const MAX: usize = 4096;
        if self.elements.len() > MAX || self.strings.len() > MAX {
            *self = Self::default();
        }
        for element in rows(screen).into_iter().flat_map(|row| row.elements) {
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

    /// Whether all elements and texts of a screen were shown as they are.
    pub fn has_all(&self, screen: &str) -> bool {
        let elements = rows(screen).into_iter().flat_map(|row| row.elements);
        elements
            .into_iter()
            .all(|element| self.knows(&element, true))
    }

    /// Whether an element with this reference was shown.
    pub(super) fn has(&self, reference: &str) -> bool {
        self.elements.contains_key(reference)
    }

    /// Whether a text in quotes was shown, of whichever element.
    pub(super) fn has_string(&self, text: &str) -> bool {
        self.strings.contains(text)
    }

    /// Whether an element was shown as it is, or a text behind one that was. Any other text is news: an error that appears again.
    pub(super) fn knows(&self, element: &Element, is_behind_known: bool) -> bool {
        match &element.reference {
            Some(reference) => self.elements.get(reference) == Some(&element.keys),
            None => is_behind_known && self.texts.contains(&element.keys),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::news;

    #[test]
    fn lines_that_were_shown_are_counted() {
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
        // The first row is out of view, to which the others refer.
        let checked = scrolled.replace("unchecked e51", "checked e51");
        assert_eq!(
            news(&page(&all[..3]), &checked, &shown).unwrap(),
            "+ checkbox unchecked e31 text \"Dan…\" … 2 lines as before\n+ checkbox checked e51 text \"Flo\" e52 button \"☆\" e53 \"✓\" e54\n- 2 lines: \"Ann\" \"Ben\"\n"
        );
        assert_eq!(
            news(
                &page(&all),
                &page(&[first, row("Ben", 11), row("Gil", 61)]),
                &shown
            )
            .unwrap(),
            "+ checkbox unchecked e61 text \"Gil\" e62 button \"☆\" e63 \"✓\" e64\n- 4 lines: \"Cleo\" \"Dan with a name that is longer …\"\n"
        );
        // It was shown otherwise since.
        shown.note(&scrolled.replace("unchecked e31", "checked e31"));
        assert!(
            news(&page(&all[..3]), &scrolled, &shown)
                .unwrap()
                .contains("+ checkbox unchecked e31 text \"Dan with a name")
        );
    }

    #[test]
    fn focus_of_an_element_that_was_shown_is_new() {
        let end = " text \"The end of the page\"\n".repeat(3);
        let page = |lines: &str| format!("application a\n{lines}{end}");
        let before = page(" button \"One\" focused e1\n button \"Two\" e2 \"Three\" e3\n");
        let mut shown = ShownLines::default();
        shown.note(&before);
        let after = page(" button \"One\" e1 \"Two\" focused e2\n button \"Three\" e3\n");
        let change = news(&before, &after, &shown).unwrap();
        assert_eq!(change, "+ button \"Two\" focused e2\n");
    }

    #[test]
    fn options_of_a_list_that_opens_again_are_written_whole() {
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
            news(&closed, &page(again), &shown_lines).unwrap(),
            "+ button \"Visa\" e2 \"Master\" e3\n"
        );
        let more = " button \"Visa\" e2 \"Master\" e3 \"Chase\" e4\n";
        assert_eq!(
            news(&closed, &page(more), &shown_lines).unwrap(),
            "+ button \"Visa\" e2 \"Master\" e3 \"Chase\" e4\n"
        );
    }
}
