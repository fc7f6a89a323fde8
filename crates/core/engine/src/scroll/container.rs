//! Resolves the node that scrolls.

use contract::{Direction, ErrorCode};
use uitree::{Axis, NodeId, Rect, Role, State, UiTree, WindowKind};

use super::{ScrollRequest, axis, is_sideways};
use crate::describe::describe_node;
use crate::failure::Failure;
use crate::matcher_to_query::matcher_query;
use crate::screen_lookup::{self, container_not_found};

/// The direction in which a node is scrolled out of its container.
pub(crate) fn out_of_view(tree: &UiTree, id: NodeId) -> Option<Direction> {
    let (container, scrolled) = scroll_container_of(tree, id)?;
    let view = tree.visible_bounds(container)?;
    // If no part of a node is visible, a platform may report inverted bounds.
    let bounds = tree
        .node(scrolled)
        .bounds
        .filter(|bounds| bounds.left != bounds.right || bounds.top != bounds.bottom)?;
    if bounds.top >= view.bottom {
        Some(Direction::Down)
    } else if bounds.bottom <= view.top {
        Some(Direction::Up)
    } else if bounds.left >= view.right {
        Some(Direction::Right)
    } else if bounds.right <= view.left {
        Some(Direction::Left)
    } else {
        None
    }
}

/// The nearest visible scroll container of a node, and the node that it scrolls: the node itself, or an inner
/// scroll container that is not visible.
fn scroll_container_of(tree: &UiTree, id: NodeId) -> Option<(NodeId, NodeId)> {
    let mut scrolled = id;
    for container in tree.ancestors(id) {
        if tree.node(container).is(State::SCROLLABLE) {
            if tree.is_on_screen(container) {
                return Some((container, scrolled));
            }
            scrolled = container;
        }
    }
    None
}

pub(super) fn resolve(tree: &UiTree, request: &ScrollRequest<'_>) -> Result<NodeId, Failure> {
    let is_scrollable =
        |id: &NodeId| tree.is_on_screen(*id) && tree.node(*id).is(State::SCROLLABLE);
    // Content behind an open drawer is visible but not reachable: a finger would move the drawer.
    let reachable = |id: NodeId| match tree.open_drawer_over(id) {
        None => Ok(id),
        Some(drawer) => {
            let message = format!(
                "{} lies behind {}, which receives every touch",
                describe_node(tree.node(id)),
                describe_node(tree.node(drawer))
            );
            Err(Failure::new(ErrorCode::ContainerNotScrollable, message).retryable_until_settled())
        }
    };
    if let Some(target) = request.around {
        let scope = screen_lookup::scope(tree, target.container)?;
        let is_inside = |id: &NodeId| scope.is_none_or(|scope| tree.contains(scope, *id));
        let query = matcher_query(target.matcher);
        let mut all = tree.find_all(&query);
        all.extend(tree.find_hidden(&query));
        tree.put_covered_last(&mut all);
        return all
            .into_iter()
            .find(is_inside)
            .and_then(|node| scroll_container_of(tree, node))
            .map(|(container, _)| container)
            .ok_or_else(|| {
                Failure::new(
                    ErrorCode::ContainerNotFound,
                    "nothing on the screen scrolls around the node",
                )
            });
    }
    let Some(matcher) = request.container else {
        return largest(tree, request.direction).ok_or_else(|| {
            Failure::new(
                ErrorCode::ContainerNotFound,
                "nothing on the screen scrolls",
            )
            .retryable_until_settled()
        });
    };
    let Some(container) = tree.find(&matcher_query(matcher)) else {
        return Err(container_not_found(tree, matcher));
    };
    if is_scrollable(&container) {
        return reachable(container);
    }
    let inner = request
        .first_scrollable_child
        .then(|| tree.subtree(container).find(is_scrollable))
        .flatten();
    inner.map_or_else(
        || {
            Err(Failure::new(
                ErrorCode::ContainerNotScrollable,
                if request.first_scrollable_child {
                    format!("{matcher} does not scroll, and nothing in it does")
                } else {
                    format!(
                        "{matcher} does not scroll itself, and findFirstScrollableChild is false"
                    )
                },
            )
            .retryable_until_settled())
        },
        reachable,
    )
}

/// The most containers that a failure names.
const MAX_LISTED: usize = 3;

/// What else scrolls in the window of a container, other than what is around it; `None` if nothing does.
pub(super) fn describe_others(tree: &UiTree, scrolled: NodeId) -> Option<String> {
    let window = tree.window_of(scrolled).root;
    let others: Vec<String> = tree
        .subtree(window)
        .filter(|id| tree.is_on_screen(*id) && !tree.contains(*id, scrolled))
        .map(|id| tree.node(id))
        .filter(|node| node.is(State::SCROLLABLE) && node.role != Role::TextField)
        .map(|node| match &*node.id {
            "" => describe_node(node),
            id => format!(
                "#{}",
                escape::truncate(id, crate::near_miss::MAX_TEXT_LENGTH)
            ),
        })
        .collect();
    let listed = others.iter().take(MAX_LISTED);
    let listed = listed.map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = match others.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!listed.is_empty()).then(|| format!("not scrolled: {listed}{more}; `container` selects one"))
}

/// The largest container that scrolls along the axis, in the topmost window that has one; else the largest
/// scroll container. Those of a modal dialog come first. Keyboards are skipped, and what is behind a panel.
fn largest(tree: &UiTree, direction: Direction) -> Option<NodeId> {
    let mut windows: Vec<_> = tree
        .windows()
        .iter()
        .filter(|window| matches!(window.kind, WindowKind::Application | WindowKind::System))
        .collect();
    windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
    let in_window = |root: NodeId, accepts: &dyn Fn(NodeId) -> bool| {
        let all: Vec<(NodeId, Rect)> = tree
            .subtree(root)
            .filter(|id| tree.node(*id).is(State::SCROLLABLE) && accepts(*id))
            .filter(|id| tree.open_drawer_over(*id).is_none())
            .filter_map(|id| tree.visible_bounds(id).map(|bounds| (id, bounds)))
            .collect();
        all.iter()
            .copied()
            .filter(|behind| !all.iter().any(|panel| is_in_front(tree, *panel, *behind)))
            .max_by_key(|(id, bounds)| {
                let area = i64::from(bounds.width()) * i64::from(bounds.height());
                // Of containers of equal size, the outermost, which comes first in the document.
                (area, std::cmp::Reverse(*id))
            })
            .map(|(id, _)| id)
    };
    let in_any = |accepts: &dyn Fn(NodeId) -> bool| {
        let mut roots = windows.iter().map(|window| window.root);
        roots.find_map(|root| in_window(root, accepts))
    };
    let scrolls_along = |id: NodeId| scrolls_along(tree, id, direction);
    let in_front = |id: NodeId| tree.is_in_front_of_dialogs(id);
    in_any(&|id| in_front(id) && scrolls_along(id))
        .or_else(|| in_any(&in_front))
        .or_else(|| in_any(&scrolls_along))
        .or_else(|| in_any(&|_| true))
}

/// Whether something scrolls that no modal dialog covers.
pub(super) fn scrolls_in_front(tree: &UiTree) -> bool {
    let mut shown = tree.ids().filter(|id| tree.is_on_screen(*id));
    shown.any(|id| tree.node(id).is(State::SCROLLABLE) && tree.is_in_front_of_dialogs(id))
}

/// The least part of a container that a panel in front of it covers, as a divisor. A smaller one, such as a chat, leaves the
/// content in use.
const MIN_COVERED_DIVISOR: i64 = 5;

/// Whether a container is a panel in front of a good part of another one that comes before it.
fn is_in_front(tree: &UiTree, panel: (NodeId, Rect), behind: (NodeId, Rect)) -> bool {
    let area = |bounds: Rect| i64::from(bounds.width()) * i64::from(bounds.height());
    let covered = panel.1.intersect(&behind.1).map_or(0, area);
    panel.0 > behind.0
        && !tree.contains(behind.0, panel.0)
        && covered * MIN_COVERED_DIVISOR >= area(behind.1)
}

/// The visible part of a container above the keyboard.
pub(super) fn unobstructed_bounds(tree: &UiTree, id: NodeId) -> Option<Rect> {
    let window_of_container = tree.window_of(id);
    let mut free = tree.visible_bounds(id)?;
    for window in tree.windows() {
        if window.kind == WindowKind::InputMethod
            && window.layer > window_of_container.layer
            && let Some(keyboard) = tree.touch_bounds(window)
            && keyboard.top > free.top
        {
            free.bottom = free.bottom.min(keyboard.top);
        }
    }
    (!free.is_empty()).then_some(free)
}

/// The edges of bounds along an axis.
const fn edges(bounds: Rect, axis: Axis) -> (i32, i32) {
    match axis {
        Axis::Horizontal => (bounds.left, bounds.right),
        Axis::Vertical => (bounds.top, bounds.bottom),
    }
}

/// The extents of the content of a container along a direction: each leaf with words or an action, relative to the start of its
/// visible part; and the length of that part.
fn content_spans(tree: &UiTree, id: NodeId, direction: Direction) -> (Vec<(i32, i32)>, i32) {
    let Some(shown) = tree.visible_bounds(id) else {
        return (Vec::new(), 0);
    };
    let (first, last) = edges(shown, axis(direction));
    let span = |bounds: Rect| {
        let (start, end) = edges(bounds, axis(direction));
        match direction {
            Direction::Down | Direction::Right => {
                (start.saturating_sub(first), end.saturating_sub(first))
            }
            Direction::Up | Direction::Left => {
                (last.saturating_sub(end), last.saturating_sub(start))
            }
        }
    };
    let leaves = tree.subtree(id).skip(1).filter(|inner| {
        let node = tree.node(*inner);
        let has_text = !(node.text.is_empty() && node.label.is_empty());
        tree.children(*inner).next().is_none() && (has_text || node.is(State::CLICKABLE))
    });
    let bounds = leaves.filter_map(|inner| tree.node(inner).bounds);
    let mut spans: Vec<(i32, i32)> = bounds
        .filter(|bounds| !bounds.is_empty())
        .map(span)
        .collect();
    spans.sort_unstable();
    (spans, span(shown).1)
}

/// How much of what was seen stays in view, as a divisor of the length of the container.
const OVERLAP_DIVISOR: i32 = 8;

/// The distance after which what the tree has beyond the edge, without a gap where a page may draw more, ends a little behind
/// the start of what is shown: it was looked at. `usual` if that is farther.
pub(super) fn delta_past_known_content(
    tree: &UiTree,
    id: NodeId,
    direction: Direction,
    default_delta: (i32, i32),
) -> (i32, i32) {
    let (spans, length) = content_spans(tree, id, direction);
    let mut end = length;
    for (start, last) in spans {
        if start > end.saturating_add(length / 2) {
            break;
        }
        end = end.max(last);
    }
    let known_distance = end - length / OVERLAP_DIVISOR;
    match direction {
        Direction::Down => (0, known_distance.max(default_delta.1)),
        Direction::Up => (0, -known_distance.max(-default_delta.1)),
        Direction::Right => (known_distance.max(default_delta.0), 0),
        Direction::Left => (-known_distance.max(-default_delta.0), 0),
    }
}

/// Whether a container shows nothing in the half to which it was scrolled.
pub(super) fn is_empty_at_edge(tree: &UiTree, id: NodeId, direction: Direction) -> bool {
    let (spans, length) = content_spans(tree, id, direction);
    !spans
        .into_iter()
        .any(|(start, end)| start < length && end > length / 2)
}

/// Whether two containers of different screens have the same id and class.
pub(super) fn is_same(before: &UiTree, old: NodeId, after: &UiTree, new: NodeId) -> bool {
    let (old, new) = (before.node(old), after.node(new));
    (&old.id, &old.class, &old.owner) == (&new.id, &new.class, &new.owner)
}

/// Whether a container probably scrolls along the axis of the direction: by its content beyond its edges, its kind, or the
/// layout of its content. The content of a page has columns for other reasons.
pub(super) fn scrolls_along(tree: &UiTree, id: NodeId, direction: Direction) -> bool {
    if let Some(overflow) = overflow_axis(tree, id) {
        return overflow == axis(direction);
    }
    let node = tree.node(id);
    if node.role == Role::WebView {
        // A part of the page that has more to show scrolls in place of the page.
        let mut descendants = tree.subtree(id).skip(1);
        let has_more = |part: NodeId| {
            tree.node(part).is(State::SCROLLABLE)
                && overflow_axis(tree, part) == Some(axis(direction))
        };
        return !is_sideways(direction) && !descendants.any(has_more);
    }
    let sideways = node.role == Role::Pager
        || node.role == Role::TabBar
        || node.class.contains("Horizontal")
        || is_one_line(tree, id, Axis::Horizontal);
    sideways == is_sideways(direction)
}

/// The only axis along which the tree has content of a container beyond its edges.
fn overflow_axis(tree: &UiTree, id: NodeId) -> Option<Axis> {
    let shown = tree.visible_bounds(id)?;
    let is_content = |inner: &NodeId| {
        scroll_container_of(tree, *inner).is_some_and(|(container, _)| container == id)
    };
    let descendants = tree.subtree(id).skip(1);
    let bounds = descendants
        .filter(|inner| tree.node(*inner).is(State::VISIBLE) && is_content(inner))
        .filter_map(|inner| tree.node(inner).bounds)
        .filter(|bounds| !bounds.is_empty());
    let (mut vertical, mut sideways) = (false, false);
    for bounds in bounds {
        vertical |= bounds.top >= shown.bottom || bounds.bottom <= shown.top;
        sideways |= bounds.left >= shown.right || bounds.right <= shown.left;
    }
    match (vertical, sideways) {
        (true, false) => Some(Axis::Vertical),
        (false, true) => Some(Axis::Horizontal),
        _ => None,
    }
}

/// Whether a container is known to scroll only across the axis of the direction.
pub(super) fn scrolls_only_across(tree: &UiTree, id: NodeId, direction: Direction) -> bool {
    known_axis(tree, id).is_some_and(|known| known != axis(direction))
}

/// Whether a container is known to scroll along the axis of the direction.
pub(super) fn scrolls_along_for_sure(tree: &UiTree, id: NodeId, direction: Direction) -> bool {
    match tree.node(id).role {
        Role::Pager | Role::TabBar => is_sideways(direction),
        _ => known_axis(tree, id) == Some(axis(direction)),
    }
}

/// Whether the content stays where a resting finger leaves it: pages beside each other turn by the speed of the finger.
pub(super) fn stops_at_finger(tree: &UiTree, id: NodeId, direction: Direction) -> bool {
    !is_sideways(direction) || tree.node(id).class.ends_with("HorizontalScrollView")
}

/// The scroll axis of a container, by its class or its content.
fn known_axis(tree: &UiTree, id: NodeId) -> Option<Axis> {
    let class = tree.node(id).class.rsplit('.').next().unwrap_or_default();
    let by_class = match class {
        "HorizontalScrollView" => Some(Axis::Horizontal),
        "ScrollView" | "NestedScrollView" | "ListView" | "ExpandableListView" | "GridView" => {
            Some(Axis::Vertical)
        }
        _ => None,
    };
    // Two cells side by side may be the only row of a grid, and positions of web content do not show the axis.
    let is_row = |axis| tree.children(id).count() > 2 || axis == Axis::Vertical;
    by_class.or_else(|| {
        [Axis::Horizontal, Axis::Vertical]
            .into_iter()
            .filter(|_| !matches!(tree.node(id).role, Role::Grid | Role::WebView))
            .find(|axis| is_row(*axis) && is_one_line(tree, id, *axis))
    })
}

/// Whether the children of a container form one line along the axis.
fn is_one_line(tree: &UiTree, id: NodeId, axis: Axis) -> bool {
    let other = match axis {
        Axis::Horizontal => Axis::Vertical,
        Axis::Vertical => Axis::Horizontal,
    };
    let spans_of = |bounds: Rect| (edges(bounds, axis), edges(bounds, other));
    let child_spans: Vec<_> = tree
        .children(id)
        .filter_map(|child| tree.visible_bounds(child))
        .map(spans_of)
        .collect();
    child_spans.len() > 1
        && child_spans.windows(2).all(|pair| {
            let [(before, before_cross), (after, after_cross)] = [pair[0], pair[1]];
            after.0 >= before.1 && after_cross.0 < before_cross.1 && before_cross.0 < after_cross.1
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The id of the default container.
    fn default_container(screen: &str, direction: Direction) -> String {
        let tree = UiTree::parse_notation(screen).unwrap();
        largest(&tree, direction)
            .map_or_else(|| "none".to_owned(), |id| tree.node(id).id.to_string())
    }

    #[test]
    fn default_container_scrolls_along_the_axis() {
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
        assert_eq!(default_container(screen, Direction::Down), "rows");
        assert_eq!(default_container(screen, Direction::Right), "pages");
        assert_eq!(default_container("text \"still\"", Direction::Down), "none");
    }

    #[test]
    fn panel_in_front_scrolls_before_a_larger_container() {
        let page = |panel: &str| {
            format!(
                "screen 1280x700\nwindow application active
                  webview [0,0][1280,700]
                    node #mail scrollable [200,100][1280,700]
                      text \"One\" [200,100][1280,200]
                      text \"Nine\" [200,900][1280,1000]
                    node #panel scrollable {panel}
                      text \"Theme\" [900,0][1280,100]
                      text \"Account\" [900,900][1280,1000]"
            )
        };
        assert_eq!(
            default_container(&page("[880,0][1280,700]"), Direction::Down),
            "panel"
        );
        // A chat in a corner, or something beside it.
        assert_eq!(
            default_container(&page("[1080,400][1280,700]"), Direction::Down),
            "mail"
        );
        assert_eq!(
            default_container(&page("[0,0][200,700]"), Direction::Down),
            "mail"
        );
    }

    #[test]
    fn page_in_columns_scrolls_down() {
        let page = |main: &str, below: &str| {
            format!(
                "screen 1280x700\nwebview #page scrollable [0,0][1280,700]
                  node #sidebar scrollable [0,0][260,700]
                    button \"Wallet\" [0,0][260,60]
                    button \"Help\" [270,60][300,120]
                  node #main {main} [260,0][1280,700]
                    button \"Pay\" [260,0][500,60]
                    button \"More\" {below}"
            )
        };
        let beyond = page("", "[260,900][500,960]");
        assert_eq!(default_container(&beyond, Direction::Down), "page");
        assert_eq!(default_container(&beyond, Direction::Right), "sidebar");
        // Nothing is known to be beyond its edges.
        let short = page("", "[260,60][500,120]");
        assert_eq!(default_container(&short, Direction::Down), "page");
        let inner = page("scrollable", "[260,900][500,960]");
        assert_eq!(default_container(&inner, Direction::Down), "main");
    }

    #[test]
    fn out_of_view_node_has_a_direction() {
        let direction = |screen: &str| {
            let tree = UiTree::parse_notation(screen).unwrap();
            let id = *tree.find_hidden(&uitree::Query::new().id("it")).first()?;
            out_of_view(&tree, id)
        };
        let list = "screen 900x900\ncolumn [0,0][900,900]\n  list scrollable [0,100][900,800]\n";
        let inside_list = |node: &str| format!("{list}    button #it {node}");
        assert_eq!(
            direction(&inside_list("[0,900][900,1000]")),
            Some(Direction::Down)
        );
        assert_eq!(
            direction(&inside_list("[0,8190][900,800]")),
            Some(Direction::Down)
        );
        assert_eq!(
            direction(&inside_list("[0,0][900,100]")),
            Some(Direction::Up)
        );
        assert_eq!(
            direction(&inside_list("[900,200][1800,300]")),
            Some(Direction::Right)
        );
        assert_eq!(
            direction(&inside_list("[0,0][0,0]")),
            None,
            "it has no place"
        );
        assert_eq!(direction(&inside_list("[0,200][900,300] invisible")), None);
        assert_eq!(
            direction("screen 900x900\ncolumn [0,0][900,900]\n  button #it [0,900][900,1000]"),
            None,
            "nothing scrolls"
        );
        let nested = format!(
            "{list}    list scrollable [0,900][900,1200]\n      button #it [0,5000][900,5100]"
        );
        assert_eq!(
            direction(&nested),
            Some(Direction::Down),
            "its list comes first"
        );
    }

    #[test]
    fn axis_is_known_by_class_or_content() {
        let is_across = |screen: &str, direction| {
            let tree = UiTree::parse_notation(screen).unwrap();
            let id = tree.find(&uitree::Query::new().id("it")).unwrap();
            scrolls_only_across(&tree, id, direction)
        };
        let stacked =
            "node #it scrollable [0,0][900,900]\n  row [0,0][900,400]\n  row [0,400][900,900]";
        assert!(is_across(stacked, Direction::Left));
        assert!(!is_across(stacked, Direction::Down));
        let pair =
            "node #it scrollable [0,0][900,400]\n  chip [0,0][400,400]\n  chip [400,0][600,400]";
        assert!(
            !is_across(pair, Direction::Down),
            "it may be the only row of a grid"
        );
        let line = format!("{pair}\n  chip [600,0][900,400]");
        let line = &*line;
        assert!(is_across(line, Direction::Down));
        assert!(!is_across(line, Direction::Right));
        let grid = "node #it scrollable [0,0][900,900]\n  card [0,0][400,400]\n  card [400,0][900,400]\n  card [0,400][400,900]";
        assert!(!is_across(grid, Direction::Left));
        assert!(!is_across(grid, Direction::Down));
        // A pager with a single page has no known axis.
        let page = "pager #it scrollable [0,0][900,900]\n  row [0,0][900,900]";
        assert!(!is_across(page, Direction::Left));
        assert!(!is_across(page, Direction::Down));
        let class = "node #it .ScrollView scrollable [0,0][900,900]";
        assert!(is_across(class, Direction::Left));
        assert!(!is_across(class, Direction::Up));
    }

    #[test]
    fn container_in_topmost_window_wins() {
        let screen = "
            window application layer=1 active
              list #below scrollable [0,0][1080,2000]
            window application layer=2
              list #above scrollable [100,100][500,500]
        ";
        assert_eq!(default_container(screen, Direction::Down), "above");
    }
}
