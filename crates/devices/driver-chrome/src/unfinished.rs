//! Detects unfinished parts of a page: busy parts, placeholders of missing content, and an empty main part.

use dom::{Dom, ElementId, Facts};
use uitree::Rect;

/// Words in the classes of placeholders.
const PLACEHOLDER_WORDS: [&str; 4] = ["skeleton", "Skeleton", "shimmer", "Shimmer"];

/// Tags of elements that are content without text.
const CONTENT_TAGS: [&str; 12] = [
    "img", "svg", "canvas", "video", "audio", "iframe", "object", "embed", "input", "select",
    "textarea", "button",
];

/// The number of parts of a page that are marked as busy, or are placeholders of missing content.
pub(crate) fn busy_parts(dom: &Dom) -> usize {
    let is_busy = |id: &ElementId| {
        dom.element(*id).attribute("aria-busy") == Some("true") || is_placeholder(dom, *id)
    };
    dom.ids().filter(is_busy).count()
}

/// Whether an element is a placeholder: it has a placeholder class, a size, and no text.
fn is_placeholder(dom: &Dom, id: ElementId) -> bool {
    let element = dom.element(id);
    let is_named = element
        .attribute("class")
        .is_some_and(|classes| PLACEHOLDER_WORDS.iter().any(|name| classes.contains(name)));
    let has_size = |bounds: Rect| bounds.width() > 0 && bounds.height() > 0;
    is_named && element.bounds.is_some_and(has_size) && dom.text(id).trim().is_empty()
}

/// Whether a page has a main part, and it is empty.
pub(crate) fn main_is_empty(dom: &Dom) -> bool {
    let is_main = |id: &ElementId| {
        let element = dom.element(*id);
        &*element.tag == "main" || element.attribute("role") == Some("main")
    };
    let mut parts = dom.ids().filter(is_main).peekable();
    parts.peek().is_some() && parts.all(|part| is_empty(dom, part))
}

fn is_empty(dom: &Dom, part: ElementId) -> bool {
    !dom.subtree(part).any(|id| {
        let element = dom.element(id);
        let has_text = element.runs.is_some() || !element.text.trim().is_empty();
        CONTENT_TAGS.contains(&&*element.tag) || element.is(Facts::VISIBLE) && has_text
    })
}
