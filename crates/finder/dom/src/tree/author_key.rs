//! What the author of a page calls an element, beside its `id`: test ids and the ids of records; for the page, its query.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::{Dom, Element, ElementId};

/// Attributes for tests of the page.
const TEST_IDS: [&str; 6] = [
    "data-cy",
    "data-qa",
    "data-test",
    "data-test-id",
    "data-testid",
    "data-tid",
];

/// How many ancestors are searched for the record that an element belongs to.
const MAX_DEPTH: usize = 3;

/// A number for the names of an element, or of the nearest element around it that has some; 0 for none.
pub(super) fn of(dom: &Dom, id: ElementId) -> u64 {
    if dom.element(id).parent.is_none() {
        return query_key(&dom.scope(dom.page()).url);
    }
    let around = dom.ancestors(id).take(MAX_DEPTH);
    let named = std::iter::once(id).chain(around).find(|id| {
        let mut names = names(dom.element(*id));
        names.next().is_some()
    });
    let Some(named) = named else {
        return 0;
    };
    let mut hasher = DefaultHasher::new();
    for name in names(dom.element(named)) {
        name.hash(&mut hasher);
    }
    hasher.finish().max(1)
}

/// A number for the query of an address; 0 for none.
fn query_key(url: &str) -> u64 {
    let document = url.split_once('#').map_or(url, |(document, _)| document);
    document.split_once('?').map_or(0, |(_, query)| {
        let mut hasher = DefaultHasher::new();
        query.hash(&mut hasher);
        hasher.finish().max(1)
    })
}

/// The attributes that name an element: `data-testid`, `data-order-id`, `data-key` and the like.
fn names(element: &Element) -> impl Iterator<Item = (&str, &str)> {
    let attributes = element.attributes.iter();
    let all = attributes.map(|(name, value)| (&**name, &**value));
    all.filter(|(name, value)| {
        let is_record = name
            .strip_prefix("data-")
            .and_then(|rest| rest.rsplit('-').next())
            .is_some_and(|last| matches!(last, "id" | "key"));
        !value.is_empty() && (is_record || TEST_IDS.contains(name))
    })
}
