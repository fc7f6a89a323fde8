//! Text in the name of an element that is not part of its name.

use std::sync::Arc;

use super::author_key::has_author_key;
use crate::{Dom, Element, ElementId};

/// Maximum number of elements in one with a counter.
const MAX_ELEMENTS: u32 = 12;

/// Maximum length of a counter.
const MAX_COUNTER: usize = 6;

/// What styles add before or after the text of an element, or its counter.
pub(super) fn addition(dom: &Dom, id: ElementId) -> Option<Arc<str>> {
    added_by_style(dom.element(id)).or_else(|| counter(dom, id))
}

fn added_by_style(element: &Element) -> Option<Arc<str>> {
    let runs = element.runs.as_deref()?;
    let shown: String = runs.iter().map(|run| &*run.text).collect();
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let own = Some(&*element.text).filter(|own| !own.is_empty())?;
    let rest = shown.strip_prefix(own);
    let rest = rest.or_else(|| shown.strip_suffix(own))?.trim();
    (!rest.is_empty()).then(|| rest.into())
}

/// The number in an element of its own behind the name of a tab, of a control of a navigation, header or sidebar, or of one
/// with a test or record id.
fn counter(dom: &Dom, id: ElementId) -> Option<Arc<str>> {
    let element = dom.element(id);
    if element.end.0 - id.0 > MAX_ELEMENTS {
        return None;
    }
    let has_text = |at: &ElementId| !dom.element(*at).text.is_empty();
    let mut texts = dom.subtree(id).rev().filter(has_text);
    let last = texts.next().filter(|last| *last != id)?;
    let has_name = texts.any(|at| dom.element(at).text.chars().any(char::is_alphabetic));
    let is_named = || &*element.role == "tab" || has_author_key(element);
    let is_in_landmark = || {
        dom.ancestors(id)
            .any(|around| is_landmark(&dom.element(around).role))
    };
    let counter = &dom.element(last).text;
    (has_name && is_counter(counter) && (is_named() || is_in_landmark()))
        .then(|| Arc::clone(counter))
}

fn is_landmark(role: &str) -> bool {
    matches!(role, "navigation" | "complementary" | "banner" | "tablist")
}

/// Whether a text is a number such as `12`, `(3)` or `99+`.
fn is_counter(text: &str) -> bool {
    let number = text.trim_matches(['(', ')', '[', ']', '+']);
    let is_digit = |letter: char| letter.is_ascii_digit() || matches!(letter, ',' | '.');
    text.len() <= MAX_COUNTER
        && number.chars().any(|letter| letter.is_ascii_digit())
        && number.chars().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::addition;
    use crate::{Dom, DomBuilder, ElementId, ElementSpec, Viewport};

    /// A button with a name, and a number in an element of its own, in an element with this role.
    fn page(around: &str, test_id: &str, name: &str, number: &str) -> (Dom, ElementId) {
        let mut page = DomBuilder::new(Viewport::default(), "https://a.test/", "");
        let element = |role: &str, text: &str| ElementSpec {
            role: role.into(),
            text: text.into(),
            ..ElementSpec::default()
        };
        page.open(element("document", ""));
        page.open(element(around, ""));
        let button = page.open(ElementSpec {
            attributes: [("data-testid".into(), test_id.into())]
                .into_iter()
                .collect(),
            ..element("button", "")
        });
        for text in [name, number] {
            page.open(element("", text));
            page.close();
        }
        for _ in 0..3 {
            page.close();
        }
        (page.finish(), button)
    }

    #[test]
    fn counter_is_number_behind_name_of_control_in_landmark_or_with_test_id() {
        let counter = |around: &str, test_id: &str, name: &str, number: &str| {
            let (dom, button) = page(around, test_id, name, number);
            addition(&dom, button)
        };
        for number in ["10", "(3)", "99+"] {
            let found = counter("navigation", "", "Inbox", number);
            assert_eq!(found.as_deref(), Some(number));
        }
        assert_eq!(
            counter("main", "split-inbox", "Inbox", "4").as_deref(),
            Some("4")
        );
        for (around, name, number) in [
            ("main", "Inbox", "4"),
            ("navigation", "1", "4"),
            ("navigation", "Inbox", "new"),
            ("navigation", "Inbox", "20261128"),
        ] {
            assert_eq!(
                counter(around, "", name, number),
                None,
                "{around} {name} {number}"
            );
        }
    }
}
