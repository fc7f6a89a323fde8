//! Text in the name of an element that is not part of its name.

use std::sync::Arc;

use super::author_key::has_author_key;
use crate::{Dom, Element, ElementId};

/// Maximum number of elements in one with a counter.
const MAX_ELEMENTS: u32 = 12;

/// Words in the classes of counters.
const COUNTER_WORDS: [&str; 7] = [
    "badge",
    "count",
    "counter",
    "dot",
    "notification",
    "notifications",
    "unread",
];

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

/// The number behind the name of a tab, of a control of a navigation, header or sidebar, or of one with a test or record id, in
/// an element of its own whose class says that it counts. Any other number may identify a record, such as an order.
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
    let counter = dom.element(last);
    let is_counter = is_number(&counter.text) && counter.classes().any(is_counter_class);
    (has_name && is_counter && (is_named() || is_in_landmark())).then(|| Arc::clone(&counter.text))
}

fn is_counter_class(class: &str) -> bool {
    let class = class.to_ascii_lowercase();
    class
        .split(['-', '_'])
        .any(|word| COUNTER_WORDS.contains(&word))
}

fn is_landmark(role: &str) -> bool {
    matches!(role, "navigation" | "complementary" | "banner" | "tablist")
}

/// Whether a text is a number such as `12`, `(3)` or `99+`.
fn is_number(text: &str) -> bool {
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

    /// A button with a name, and a number in an element of its own with this class, in an element with this role.
    fn page(
        [around, test_id]: [&str; 2],
        name: &str,
        [class, number]: [&str; 2],
    ) -> (Dom, ElementId) {
        let mut page = DomBuilder::new(Viewport::default(), "https://a.test/", "");
        let element = |role: &str, text: &str, attribute: [&str; 2]| ElementSpec {
            role: role.into(),
            text: text.into(),
            attributes: [attribute.map(Into::into).into()].into_iter().collect(),
            ..ElementSpec::default()
        };
        page.open(element("document", "", ["lang", "en"]));
        page.open(element(around, "", ["lang", "en"]));
        let button = page.open(element("button", "", ["data-testid", test_id]));
        for (text, class) in [(name, "label"), (number, class)] {
            page.open(element("", text, ["class", class]));
            page.close();
        }
        for _ in 0..3 {
            page.close();
        }
        (page.finish(), button)
    }

    #[test]
    fn counter_is_number_with_such_class_in_landmark_or_with_test_id() {
        let counter = |place: [&str; 2], name: &str, number: [&str; 2]| {
            let (dom, button) = page(place, name, number);
            addition(&dom, button)
        };
        let nav = ["navigation", ""];
        for number in ["10", "(3)", "99+"] {
            let found = counter(nav, "Inbox", ["nav__badge", number]);
            assert_eq!(found.as_deref(), Some(number));
        }
        let tab = counter(["main", "split-inbox"], "Inbox", ["split-count", "4"]);
        assert_eq!(tab.as_deref(), Some("4"));
        for (place, name, number) in [
            (["main", ""], "Inbox", ["badge", "4"]),
            (nav, "1", ["badge", "4"]),
            (nav, "Inbox", ["badge", "new"]),
            (nav, "Inbox", ["badge", "20261128"]),
            (nav, "Order", ["number", "17"]),
            (["main", "open-order"], "Order", ["", "17"]),
        ] {
            assert_eq!(
                counter(place, name, number),
                None,
                "{place:?} {name} {number:?}"
            );
        }
    }
}
