//! Which node scrolls.

use contract::{Direction, ErrorCode};
use uitree::{NodeId, Rect, Role, State, UiTree, WindowKind};

use super::{Scrolling, is_sideways};
use crate::click::drawer;
use crate::failure::Failure;
use crate::lookup::{container_not_found, query};
use crate::words::name;

/// The node that scrolls.
pub(super) fn resolve(tree: &UiTree, scrolling: &Scrolling<'_>) -> Result<NodeId, Failure> {
    let scrolls = |id: &NodeId| tree.is_on_screen(*id) && tree.node(*id).is(State::SCROLLABLE);
    // What lies behind an open drawer is seen and not reached: a finger would move the drawer instead.
    let reached = |id: NodeId| match drawer(tree, id) {
        None => Ok(id),
        Some(drawer) => {
            let message = format!(
                "{} lies behind {}, which takes every touch",
                name(tree.node(id)),
                name(tree.node(drawer))
            );
            Err(Failure::new(ErrorCode::ContainerNotScrollable, message).again())
        }
    };
    let Some(matcher) = scrolling.container else {
        return largest(tree, scrolling.direction).ok_or_else(|| {
            Failure::new(
                ErrorCode::ContainerNotFound,
                "nothing on the screen scrolls",
            )
            .again()
        });
    };
    let Some(container) = tree.find(&query(matcher)) else {
        return Err(container_not_found(tree, matcher));
    };
    if scrolls(&container) {
        return reached(container);
    }
    let inside = scrolling
        .first_scrollable_child
        .then(|| tree.subtree(container).find(scrolls))
        .flatten();
    inside.map_or_else(
        || {
            Err(Failure::new(
                ErrorCode::ContainerNotScrollable,
                if scrolling.first_scrollable_child {
                    format!("{matcher} does not scroll, and nothing in it does")
                } else {
                    format!(
                        "{matcher} does not scroll itself, and findFirstScrollableChild is false"
                    )
                },
            )
            .again())
        },
        reached,
    )
}

/// The largest container that scrolls along the direction's axis, in the topmost window that has one; else the largest
/// that scrolls at all. A keyboard is not what is meant.
fn largest(tree: &UiTree, direction: Direction) -> Option<NodeId> {
    let mut windows: Vec<_> = tree
        .windows()
        .iter()
        .filter(|window| matches!(window.kind, WindowKind::Application | WindowKind::System))
        .collect();
    windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
    let in_window = |root: NodeId, fits: &dyn Fn(NodeId) -> bool| {
        tree.subtree(root)
            .filter(|id| tree.node(*id).is(State::SCROLLABLE) && fits(*id))
            .filter(|id| drawer(tree, *id).is_none())
            .filter_map(|id| tree.visible_bounds(id).map(|bounds| (id, bounds)))
            .max_by_key(|(id, bounds)| {
                let area = i64::from(bounds.width()) * i64::from(bounds.height());
                // Of equal ones the outermost, which comes first in the document.
                (area, std::cmp::Reverse(*id))
            })
            .map(|(id, _)| id)
    };
    let along = |id: NodeId| along(tree, id, direction);
    windows
        .iter()
        .find_map(|window| in_window(window.root, &along))
        .or_else(|| {
            windows
                .iter()
                .find_map(|window| in_window(window.root, &|_| true))
        })
}

/// The part of a container that a finger reaches: what can be seen of it above the keyboard.
pub(super) fn free_bounds(tree: &UiTree, id: NodeId) -> Option<Rect> {
    let own = tree.window_of(id);
    let mut free = tree.visible_bounds(id)?;
    for window in tree.windows() {
        if window.kind == WindowKind::InputMethod
            && window.layer > own.layer
            && let Some(keyboard) = tree.touch_bounds(window)
            && keyboard.top > free.top
        {
            free.bottom = free.bottom.min(keyboard.top);
        }
    }
    (!free.is_empty()).then_some(free)
}

/// Whether a container of an earlier screen is the one of a later screen, as far as its names tell.
pub(super) fn is_same(before: &UiTree, old: NodeId, after: &UiTree, new: NodeId) -> bool {
    let (old, new) = (before.node(old), after.node(new));
    (&old.id, &old.class, &old.owner) == (&new.id, &new.class, &new.owner)
}

/// Whether a container can be expected to scroll along the direction's axis.
fn along(tree: &UiTree, id: NodeId, direction: Direction) -> bool {
    let node = tree.node(id);
    let sideways = node.role == Role::Pager
        || node.role == Role::TabBar
        || node.class.contains("Horizontal")
        || lies_in_a_line(tree, id);
    sideways == is_sideways(direction)
}

/// Whether a container's children stand side by side and none below another.
fn lies_in_a_line(tree: &UiTree, id: NodeId) -> bool {
    let places: Vec<Rect> = tree
        .children(id)
        .filter_map(|child| tree.visible_bounds(child))
        .collect();
    places.len() > 1
        && places
            .windows(2)
            .all(|pair| pair[1].left >= pair[0].right && pair[1].top < pair[0].bottom)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The id of the container that is taken when none is named.
    fn taken(screen: &str, direction: Direction) -> String {
        let tree = UiTree::parse_notation(screen).unwrap();
        largest(&tree, direction)
            .map_or_else(|| "none".to_owned(), |id| tree.node(id).id.to_string())
    }

    #[test]
    fn the_container_is_the_one_that_runs_the_right_way() {
        let screen = "
            column [0,0][1080,2000]
              pager #pages scrollable [0,0][1080,2000]
                list #rows scrollable [0,400][1080,1900]
                  text \"one\" [0,400][1080,500]
                  text \"two\" [0,500][1080,600]
                node #chips scrollable [0,200][1080,300]
                  chip \"a\" [0,200][200,300]
                  chip \"b\" [200,200][400,300]
        ";
        assert_eq!(taken(screen, Direction::Down), "rows");
        assert_eq!(taken(screen, Direction::Right), "pages");
        assert_eq!(taken("text \"still\"", Direction::Down), "none");
    }

    #[test]
    fn a_container_in_a_window_above_goes_first() {
        let screen = "
            window application layer=1 active
              list #below scrollable [0,0][1080,2000]
            window application layer=2
              list #above scrollable [100,100][500,500]
        ";
        assert_eq!(taken(screen, Direction::Down), "above");
    }
}
