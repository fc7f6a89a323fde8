//! Hashes of the author's names of an element besides its `id`: test ids and record ids; for the page, its query.

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

/// Maximum number of ancestors that are searched for the record of an element.
const MAX_DEPTH: usize = 3;

/// A hash of the names of an element, or of its nearest ancestor with names; 0 for none.
pub(super) fn author_key(dom: &Dom, id: ElementId) -> u64 {
    if dom.element(id).parent.is_none() {
        return query_key(&dom.scope(dom.page()).url);
    }
    // Menu and list libraries set names on the body when they add an element to it.
    let around = dom.ancestors(id).take(MAX_DEPTH);
    let around = around.take_while(|id| &*dom.element(*id).tag != "body");
    let mut named = std::iter::once(id).chain(around);
    let Some(named) = named.find(|id| has_author_key(dom.element(*id))) else {
        return 0;
    };
    let mut hasher = DefaultHasher::new();
    for name in names(dom.element(named)) {
        name.hash(&mut hasher);
    }
    hasher.finish().max(1)
}

/// Whether an element has a name of its own.
pub(super) fn has_author_key(element: &Element) -> bool {
    names(element).next().is_some()
}

/// A hash of the query of a URL; 0 for none.
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

#[cfg(test)]
mod tests {
    use super::author_key;
    use crate::{Dom, DomBuilder, ElementId, ElementSpec, Viewport};

    /// The page of an address, with a button in a record of a list in the body; both have these names.
    fn page(url: &str, body: &str, record: &str) -> (Dom, ElementId) {
        let mut page = DomBuilder::new(Viewport::default(), url, "");
        let element = |tag: &str, name: &str| ElementSpec {
            tag: tag.into(),
            attributes: [("data-item-id".into(), name.into())].into_iter().collect(),
            ..ElementSpec::default()
        };
        page.open(element("html", ""));
        page.open(element("body", body));
        page.open(element("li", record));
        let button = page.open(element("button", ""));
        for _ in 0..4 {
            page.close();
        }
        (page.finish(), button)
    }

    #[test]
    fn element_is_named_by_its_record_and_not_by_the_body() {
        let key = |body: &str, record: &str| {
            let (dom, button) = page("https://a.test/", body, record);
            author_key(&dom, button)
        };
        assert_eq!(key("", "7"), key("1", "7"));
        assert_ne!(key("", "7"), key("", "8"));
        assert_eq!(key("1", ""), 0);
    }

    #[test]
    fn page_is_named_by_its_query() {
        let key = |url: &str| {
            let (dom, _) = page(url, "", "");
            author_key(&dom, ElementId(0))
        };
        assert_eq!(key("https://a.test/x#?a"), 0);
        assert_eq!(
            key("https://a.test/x?id=7"),
            key("https://a.test/x?id=7#end")
        );
        assert_ne!(key("https://a.test/x?id=7"), key("https://a.test/x?id=8"));
    }
}
