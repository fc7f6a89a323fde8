//! Converts a matcher into the query that the tree compares with its nodes.

use contract::NodeMatcher;
use uitree::Query;

/// The tree query of a matcher.
pub(crate) fn matcher_query(matcher: &NodeMatcher) -> Query {
    if let Some(reference) = &matcher.reference {
        // The element was marked when the screen was observed.
        return Query::new().css(reference_mark(reference));
    }
    Query {
        css: matcher.css.clone(),
        ..query_without_css(matcher)
    }
}

/// The tree query of a matcher, without its CSS selector and reference.
pub fn query_without_css(matcher: &NodeMatcher) -> Query {
    Query {
        id: matcher.resource_id.clone(),
        role: matcher.role.clone(),
        text: matcher.text_equals.clone(),
        text_contains: matcher.text_contains.clone(),
        label: matcher.content_desc_equals.clone(),
        label_contains: matcher.content_desc_contains.clone(),
        ..Query::default()
    }
}

/// The mark of a reference's element on a screen. It is no CSS selector.
pub(crate) fn reference_mark(reference: &str) -> String {
    format!("@{reference}")
}
