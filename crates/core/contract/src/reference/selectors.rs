//! The page of selectors.

use serde_json::Map;

use super::markdown::{Page, Property, code, codes};
use crate::{keys::MatcherKey, matcher::NodeMatcher, schema};

pub(super) fn page() -> String {
    let mut page = Page::titled("Selectors");
    page.paragraph(
        "A matcher selects a node. It is an object with at least one of these keys; a node must match all given keys. \
        Other keys are refused. In its place, a text view's line of an element can be pasted as a string.",
    );
    let mut properties = Property::all(&schema::of::<NodeMatcher>(), &Map::new());
    properties.sort_by_key(|property| MatcherKey::from_word(&property.name));
    page.table(
        ["key", "also accepted", "range", "meaning"],
        properties.into_iter().map(|property| {
            let aliases =
                MatcherKey::from_word(&property.name).map_or(&[][..], |key| key.aliases());
            [
                code(property.name),
                codes(aliases),
                property.range,
                property.meaning,
            ]
        }),
    );
    page.paragraph(
        "`matcher` selects the node that an action works on, `container` the node to search in, `expectedNode` the \
        node to wait for, `labelMatcher` a label whose value is read.",
    );
    page.paragraph(
        "```json\n{\"textContains\":\"Sign\",\"role\":\"button\"}\n```\n\n```json\n\"button \\\"Sign in\\\" e3\"\n```",
    );
    page.finish()
}
