//! Which part of each node can be seen.

use crate::{Node, Rect, Role, Size, State, Window};

/// For each node the part that can be seen; [`UiTree::visible_bounds`](crate::UiTree::visible_bounds) has the rules.
pub(crate) fn visible_bounds(
    nodes: &[Node],
    windows: &[Window],
    screen: Size,
) -> Vec<Option<Rect>> {
    // An empty screen size means that nobody knows it, and then it cuts nothing off.
    let everything = Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
    let screen = screen.to_rect();
    let screen = if screen.is_empty() {
        everything
    } else {
        screen
    };
    // For each open ancestor that clips: where it ends and what is left to see inside it.
    let mut clips: Vec<(u32, Option<Rect>)> = Vec::new();
    let mut visible = Vec::with_capacity(nodes.len());
    let mut windows = windows.iter();
    // What is left of the screen for the nodes of a window.
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
        // An empty container says nothing about where its content is, so it does not cut.
        if clips_content(node) && node.bounds.is_some_and(|bounds| !bounds.is_empty()) {
            clips.push((node.end.0, inside));
        }
    }
    visible
}

/// Whether a node that lies wholly outside of what holds it can be seen there all the same.
///
/// A list that recycles its rows holds none that was scrolled away, so what lies outside of it is no row but something
/// that floats: a button over the title, hung into the list below it.
fn floats(nodes: &[Node], node: &Node) -> bool {
    const RECYCLING: [&str; 3] = ["RecyclerView", "ListView", "GridView"];
    node.parent
        .map(|parent| &nodes[parent.index()].class)
        .is_some_and(|class| RECYCLING.iter().any(|name| class.ends_with(name)))
}

/// Whether a class is the tag of a web page's element: classes of apps have a package, or begin with a capital.
fn is_tag(class: &str) -> bool {
    !class.is_empty() && !class.contains(|c: char| c == '.' || c.is_ascii_uppercase())
}

/// Whether content that lies outside `node` is cut off.
fn clips_content(node: &Node) -> bool {
    node.is(State::SCROLLABLE)
        || match node.role {
            // Menus fly out of the lists of web pages, which cut nothing off unless they scroll.
            Role::List | Role::Grid | Role::Pager => !is_tag(&node.class),
            Role::WebView => true,
            Role::Container
            | Role::Row
            | Role::Column
            | Role::Toolbar
            | Role::TabBar
            | Role::ListItem
            | Role::Tab
            | Role::Card
            | Role::Button
            | Role::TextField
            | Role::Switch
            | Role::CheckBox
            | Role::Radio
            | Role::Toggle
            | Role::Icon
            | Role::Image
            | Role::Chip
            | Role::Menu
            | Role::MenuItem
            | Role::Text
            | Role::Label
            | Role::Title
            | Role::Link
            | Role::Slider
            | Role::Progress
            | Role::Dropdown
            | Role::Dialog
            | Role::Heading
            | Role::Unknown => false,
        }
}
