//! Whether an element is visible, and why not.

use dom::{Dom, ElementId, Facts};
use driver_chrome::page::PageObservation;
use inspect::selectors::{element_line, node_line};
use uitree::{NodeId, Rect, UiTree};

/// How many descendants of a control without a box are searched for one.
const MAX_BOXES: usize = 32;

/// The maximal length of the name of a covering element.
const MAX_NAME_LENGTH: usize = 48;

/// Why a node of a phone's screen is not visible; `None` if it is.
pub(super) fn why_not_on_phone(tree: &UiTree, id: NodeId) -> Option<String> {
    // A phone cuts the bounds of what is scrolled out of view, often to nothing.
    match tree.off_screen_side(id) {
        Some("below") => return Some("below the fold".to_owned()),
        Some("above") => return Some("above the fold".to_owned()),
        Some(_) => return Some("scrolled out of view".to_owned()),
        None => {}
    }
    let bounds = tree.node(id).bounds.filter(|bounds| !bounds.is_empty());
    let Some(bounds) = bounds else {
        return Some("has no size".to_owned());
    };
    let Some(seen) = tree.visible_bounds(id) else {
        return Some(off_screen(bounds, tree.screen().to_rect()).to_owned());
    };
    let over = engine::covering(tree, id, seen.center())?;
    Some(covered_by(&node_line(tree, over)))
}

/// Why an element of a page is not visible; `None` if it is.
pub(super) fn why_not_on_page(seen: &PageObservation, id: ElementId) -> Option<String> {
    let dom = &seen.dom;
    // A control without a box is where its content is.
    let shown = dom.subtree(id).take(MAX_BOXES).find(|inside| {
        let inner = dom.element(*inside);
        inner.is(Facts::VISIBLE) && inner.bounds.is_some_and(|bounds| !bounds.is_empty())
    });
    let Some((shown, bounds)) = shown.and_then(|id| Some((id, dom.element(id).bounds?))) else {
        let empty = dom
            .element(id)
            .bounds
            .is_none_or(|bounds| bounds.is_empty());
        let why = if empty { "has no size" } else { "hidden" };
        return Some(why.to_owned());
    };
    let viewport = dom.viewport();
    let screen = Rect::new(0, 0, viewport.width, viewport.height);
    let Some(left) = bounds.intersect(&screen) else {
        return Some(off_screen(bounds, screen).to_owned());
    };
    let tree = &seen.observation.tree;
    let left = match seen.node_of(shown) {
        Some(node) => match tree.visible_bounds(node) {
            Some(rest) => rest.intersect(&left).unwrap_or(left),
            None => return Some("scrolled out of view".to_owned()),
        },
        None => left,
    };
    let over = covering_element(seen, dom, shown, left)?;
    Some(covered_by(&element_line(dom, over)))
}

/// On which side of the screen a rectangle is.
fn off_screen(bounds: Rect, screen: Rect) -> &'static str {
    if bounds.top >= screen.bottom {
        "below the fold"
    } else if bounds.bottom <= screen.top {
        "above the fold"
    } else if bounds.intersect(&screen).is_none() {
        "off screen"
    } else {
        "scrolled out of view"
    }
}

/// The element that is painted over the center of an element and intercepts clicks.
fn covering_element(
    seen: &PageObservation,
    dom: &Dom,
    id: ElementId,
    area: Rect,
) -> Option<ElementId> {
    let middle = area.center();
    let paint = dom.element(id).paint;
    let holds = |other: ElementId| match seen.node_of(other) {
        Some(node) => seen.observation.tree.visible_bounds(node),
        None => dom.element(other).bounds,
    };
    dom.ids().find(|other| {
        let element = dom.element(*other);
        let opaque = element.fill.is_some()
            || matches!(&*element.tag, "img" | "video" | "canvas" | "iframe");
        opaque
            && element.paint > paint
            && element.is(Facts::VISIBLE)
            && !dom.contains(id, *other)
            && !dom.contains(*other, id)
            && element.bounds.is_some_and(|bounds| bounds.contains(middle))
            && holds(*other).is_some_and(|bounds| bounds.contains(middle))
    })
}

fn covered_by(line: &str) -> String {
    let name = match line.char_indices().nth(MAX_NAME_LENGTH) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line)),
        None => line.to_owned(),
    };
    format!("covered by {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phone_nodes_are_visible_or_covered_or_below_the_fold() {
        let tree = UiTree::parse_notation(
            r#"
window application layer=2 active "Alert" owner=com.a
  column #com.a:id/alert [100,800][980,1400] clickable
    text "Sure?" [120,820][900,900]
window application layer=1 "App" owner=com.a
  column [0,0][1080,2400]
    button "Top" [0,100][400,200] clickable
    button "Under" [200,1000][600,1100] clickable
    button "Far" [0,2500][400,2600] clickable
    list #com.a:id/list [0,1500][1080,2000] scrollable
      button "Row" [0,2000][400,2000] clickable
      button "Gone" [0,0][0,0] clickable
"#,
        )
        .unwrap();
        let why = |text: &str| {
            let id = tree.ids().find(|id| *tree.node(*id).text == *text);
            why_not_on_phone(&tree, id.unwrap()).unwrap_or_default()
        };
        assert_eq!(why("Top"), "");
        assert!(why("Under").starts_with("covered by "), "{}", why("Under"));
        assert_eq!(why("Far"), "below the fold");
        assert_eq!(why("Row"), "below the fold");
        assert_eq!(why("Gone"), "has no size");
    }
}
