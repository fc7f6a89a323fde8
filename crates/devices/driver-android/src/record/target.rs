//! Resolves the node at a coordinate of a screen.

use uitree::{NodeId, Point, Rect, State, UiTree, Window, WindowKind};

/// The states that take a press.
const TAKES: State = State::CLICKABLE
    .union(State::LONG_CLICKABLE)
    .union(State::CHECKABLE)
    .union(State::EDITABLE);

/// The target of a touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TouchTarget {
    /// The kind of the window.
    pub(super) window: WindowKind,
    /// The root of the window.
    pub(super) root: NodeId,
    /// The node that takes a press there, else the last node there.
    pub(super) node: NodeId,
    /// The scroll container there.
    pub(super) scrolls: Option<NodeId>,
}

/// The target at a coordinate, in the topmost window there.
pub(super) fn touch_target(tree: &UiTree, at: Point) -> Option<TouchTarget> {
    let holds = |id: NodeId| {
        tree.visible_bounds(id)
            .is_some_and(|bounds| bounds.contains(at))
    };
    let mut windows: Vec<&Window> = tree
        .windows()
        .iter()
        .filter(|window| {
            let touched = tree.touch_bounds(window);
            touched.is_some_and(|bounds| bounds.contains(at))
        })
        .collect();
    windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
    let window = windows.first()?;
    let there: Vec<NodeId> = tree.subtree(window.root).filter(|id| holds(*id)).collect();
    // Nodes drawn later are above.
    let takes = there
        .iter()
        .rev()
        .find(|id| tree.node(**id).state.intersects(TAKES));
    let node = takes.or(there.last()).copied()?;
    let scrolls = there
        .iter()
        .rev()
        .find(|id| tree.node(**id).is(State::SCROLLABLE))
        .copied();
    Some(TouchTarget {
        window: window.kind,
        root: window.root,
        node,
        scrolls,
    })
}

/// Whether both nodes are equal on both screens.
pub(super) fn same(one: (&UiTree, NodeId), other: (&UiTree, NodeId)) -> bool {
    let (a, b) = (one.0.node(one.1), other.0.node(other.1));
    a.id == b.id
        && a.class == b.class
        && a.owner == b.owner
        && a.label == b.label
        && a.bounds == b.bounds
        && words(one.0, one.1) == words(other.0, other.1)
}

/// The text of a node, or of the first descendant with text. A password field has none.
pub(super) fn words(tree: &UiTree, id: NodeId) -> Option<String> {
    first(tree, id, |node| {
        let hides = node.is(State::PASSWORD) || node.is(State::SHOWING_HINT);
        if hides { "" } else { node.text.trim() }
    })
}

/// The name of a node, or of the first descendant with a name.
pub(super) fn name(tree: &UiTree, id: NodeId) -> Option<String> {
    first(tree, id, |node| node.label.trim())
}

fn first(tree: &UiTree, id: NodeId, text: impl Fn(&uitree::Node) -> &str) -> Option<String> {
    tree.subtree(id)
        .map(|each| text(tree.node(each)))
        .find(|text| !text.is_empty())
        .map(str::to_owned)
}

/// The bounds of a node; all zeros if unknown.
pub(super) fn bounds(tree: &UiTree, id: NodeId) -> Rect {
    tree.node(id).bounds.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touch_hits_topmost_pressable_node() {
        let tree = UiTree::parse_notation(
            "window application layer=0 active\n  list #list [0,0][1000,2000] scrollable\n    row #row [0,0][1000,200] clickable\n      \
             text \"Wi-Fi\" [0,0][400,200]\n      switch #switch [800,0][1000,200] clickable\n    text #plain \"Plain\" \
             [0,200][1000,400]\nwindow input-method layer=10\n  node #keys [0,1000][1000,2000]\n",
        )
        .unwrap();
        let id = |x, y| {
            let met = touch_target(&tree, Point::new(x, y)).unwrap();
            (
                tree.node(met.node).id.to_string(),
                met.window,
                met.scrolls.is_some(),
            )
        };
        assert_eq!(
            id(100, 100),
            ("row".to_owned(), WindowKind::Application, true)
        );
        assert_eq!(id(900, 100).0, "switch");
        assert_eq!(id(100, 300).0, "plain");
        assert_eq!(
            id(100, 1500),
            ("keys".to_owned(), WindowKind::InputMethod, false)
        );
        assert_eq!(touch_target(&tree, Point::new(5000, 0)), None);
        let row = touch_target(&tree, Point::new(100, 100)).unwrap().node;
        assert_eq!(words(&tree, row).as_deref(), Some("Wi-Fi"));
    }

    #[test]
    fn password_text_is_not_reported() {
        let text = "column [0,0][100,100]\n  textfield #pw \"secret\" [0,0][100,50] editable password\n  text \"open\" [0,50][100,100]\n";
        let tree = UiTree::parse_notation(text).unwrap();
        let field = tree.ids().nth(1).unwrap();
        assert_eq!(words(&tree, field), None);
    }
}
