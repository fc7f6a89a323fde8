//! Parts of a page that are not finished: busy ones, those that stand for missing content, and an empty main part.

use dom::{Dom, ElementId, Facts};
use uitree::Rect;

/// Words in the classes of elements that stand for content.
const STANDS_FOR_CONTENT: [&str; 4] = ["skeleton", "Skeleton", "shimmer", "Shimmer"];

/// Elements that are content without text.
const CONTENT: [&str; 12] = [
    "img", "svg", "canvas", "video", "audio", "iframe", "object", "embed", "input", "select",
    "textarea", "button",
];

/// The number of parts of a page that say that they are busy, or stand for content that is still missing.
pub(crate) fn busy_parts(dom: &Dom) -> usize {
    let is_busy = |id: &ElementId| {
        dom.element(*id).attribute("aria-busy") == Some("true") || is_skeleton(dom, *id)
    };
    dom.ids().filter(is_busy).count()
}

/// Whether an element stands for content: it has a class of such elements, a size, and no text.
fn is_skeleton(dom: &Dom, id: ElementId) -> bool {
    let element = dom.element(id);
    let is_named = element
        .attribute("class")
        .is_some_and(|classes| STANDS_FOR_CONTENT.iter().any(|name| classes.contains(name)));
    let has_size = |bounds: Rect| bounds.width() > 0 && bounds.height() > 0;
    is_named && element.bounds.is_some_and(has_size) && dom.text(id).trim().is_empty()
}

/// Whether a page has a main part, and nothing is in it.
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
        CONTENT.contains(&&*element.tag) || element.is(Facts::VISIBLE) && has_text
    })
}
