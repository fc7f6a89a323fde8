//! The tree query of a matcher.

use contract::NodeMatcher;
use uitree::Query;

use crate::refs;

/// The tree query of a matcher.
pub(crate) fn query(matcher: &NodeMatcher) -> Query {
    if let Some(reference) = &matcher.reference {
        // The element was marked when the screen was observed.
        return Query::new().css(refs::mark(reference));
    }
    Query {
        id: matcher.resource_id.clone(),
        role: matcher.role.clone(),
        text: matcher.text_equals.clone(),
        text_contains: matcher.text_contains.clone(),
        label: matcher.content_desc_equals.clone(),
        label_contains: matcher.content_desc_contains.clone(),
        css: matcher.css.clone(),
    }
}
