//! Computes the visible bounds of nodes.

use crate::{Node, Rect, Role, Size, State, UiTree, Window};

/// Visible bounds of each node; see [`UiTree::visible_bounds`].
pub(crate) fn visible_bounds(
    nodes: &[Node],
    windows: &[Window],
    screen: Size,
) -> Vec<Option<Rect>> {
    // An empty screen size is unknown and clips nothing.
    let everything = Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
    let screen = screen.to_rect();
    let screen = if screen.is_empty() {
        everything
    } else {
        screen
    };
    // End and clip of each open ancestor that clips.
    let mut clips: Vec<(u32, Option<Rect>)> = Vec::new();
    let mut visible = Vec::with_capacity(nodes.len());
    let mut windows = windows.iter();
    // Clip of a window.
    let mut pane = Some(screen);
    for (place, node) in nodes.iter().enumerate() {
        while clips.last().is_some_and(|(end, _)| *end as usize <= place) {
            clips.pop();
        }
        if node.parent.is_none() {
            pane = match windows.next().and_then(|window| window.bounds) {
                Some(bounds) => bounds.intersect(&screen),
                None => Some(screen),
            };
        }
        let clip = clips.last().map_or(pane, |(_, clip)| *clip);
        let inside = match (node.bounds, clip) {
            (Some(bounds), Some(clip)) if !bounds.is_empty() => match bounds.intersect(&clip) {
                None if floats(nodes, node) => pane.and_then(|pane| bounds.intersect(&pane)),
                inside => inside,
            },
            _ => None,
        };
        visible.push(inside.filter(|_| node.is(State::VISIBLE)));
        // An empty container does not clip.
        if clips_content(node) && node.bounds.is_some_and(|bounds| !bounds.is_empty()) {
            clips.push((node.end.0, inside));
        }
    }
    visible
}

impl UiTree {
    /// A copy in which off-screen content of containers counts as visible.
    pub fn with_off_screen_content(&self) -> UiTree {
        let mut copy = self.clone();
        let nodes = copy.nodes.iter().zip(&mut copy.visible);
        for (node, visible) in nodes.filter(|(node, _)| node.is(State::VISIBLE)) {
            *visible = visible.or_else(|| node.bounds.filter(|bounds| !bounds.is_empty()));
        }
        copy
    }
}

/// Whether a node wholly outside of its parent is visible.
///
/// A recycling list contains no row that is scrolled away, so that such a node floats: a button over the title, in the
/// list below it.
fn floats(nodes: &[Node], node: &Node) -> bool {
    const RECYCLING: [&str; 3] = ["RecyclerView", "ListView", "GridView"];
    node.parent
        .map(|parent| &nodes[parent.index()].class)
        .is_some_and(|class| RECYCLING.iter().any(|name| class.ends_with(name)))
}

/// Whether a class is an HTML tag. App classes have a package or a capital.
fn is_tag(class: &str) -> bool {
    !class.is_empty() && !class.contains(|c: char| c == '.' || c.is_ascii_uppercase())
}

/// Whether `node` clips its content.
fn clips_content(node: &Node) -> bool {
    node.is(State::SCROLLABLE)
        || match node.role {
            // Menus overflow lists on web pages, which clip only if they scroll.
            Role::List | Role::Grid | Role::Pager => !is_tag(&node.class),
            role => role == Role::WebView,
        }
}
