//! Finds what covers a node: windows, drawers, and nodes drawn later.

use uitree::{NodeId, Point, Refs, Role, State, UiTree, WindowKind};

use crate::close_control::close_control;
use crate::describe::{describe_node, node_text};

/// Whether a node has text or is clickable.
fn has_content(tree: &UiTree, id: NodeId) -> bool {
    let node = tree.node(id);
    node.is(State::CLICKABLE) || !node_text(node).trim().is_empty()
}

/// Whether a point is at most the node's height away from the node.
fn is_beside(tree: &UiTree, id: NodeId, at: Point) -> bool {
    tree.visible_bounds(id).is_some_and(|bounds| {
        let margin = bounds.height();
        at.x >= bounds.left - margin
            && at.x < bounds.right + margin
            && at.y >= bounds.top - margin
            && at.y < bounds.bottom + margin
    })
}

/// The node that covers `id` at a point: a window above, an open drawer, or a node drawn later in its own window.
pub fn covering(tree: &UiTree, id: NodeId, at: Point) -> Option<NodeId> {
    let covered_window = tree.window_of(id);
    let contains_point = |id: NodeId| {
        tree.visible_bounds(id)
            .is_some_and(|bounds| bounds.contains(at))
    };
    let above = tree
        .windows()
        .iter()
        .filter(|window| window.layer > covered_window.layer)
        .find(|window| {
            let touched = tree.touch_bounds(window);
            touched.is_some_and(|bounds| bounds.contains(at))
        })
        .map(|window| window.root);
    // A container without content is often transparent; the padding of a message or a card is not.
    let is_padded = |other: NodeId| {
        let parent = tree.node(other).parent;
        parent.is_some_and(|parent| !tree.contains(parent, id) && contains_point(parent))
            && is_beside(tree, other, at)
    };
    // An empty node without text is usually a backdrop, such as that of a sheet.
    let is_backdrop =
        node_text(tree.node(id)).trim().is_empty() && tree.children(id).next().is_none();
    let drawn_later = || {
        tree.subtree(covered_window.root)
            .filter(|other| *other > id && !tree.contains(id, *other))
            .find(|other| {
                let has_text = has_content(tree, *other);
                contains_point(*other) && (has_text || is_backdrop) || has_text && is_padded(*other)
            })
    };
    above
        .or_else(|| tree.open_drawer_over(id))
        .or_else(drawn_later)
}

/// Describes that a node is covered, by what, and what closes the cover.
pub(crate) fn describe_covered(
    tree: &UiTree,
    covered: NodeId,
    cover: NodeId,
    refs: Option<&Refs>,
) -> String {
    let node = describe_node(tree.node(covered));
    let mut message = format!("{node} is covered by {}", describe_cover(tree, cover));
    if let Some(close) = describe_close(tree, covered, cover, refs) {
        message.push_str("; ");
        message.push_str(&close);
    }
    message
}

/// Describes what closes a cover: the back key for a keyboard, else a control with such a name or id. First comes the control of
/// a dialog that has the name of the covered node.
pub(crate) fn describe_close(
    tree: &UiTree,
    covered: NodeId,
    cover: NodeId,
    refs: Option<&Refs>,
) -> Option<String> {
    if tree.window_of(cover).kind == WindowKind::InputMethod {
        return Some("press_key back hides it".to_owned());
    }
    let describe = |id: NodeId| {
        let node = describe_node(tree.node(id));
        let reference = refs.and_then(|refs| refs.lock().assign(tree).get(id));
        match reference {
            Some(reference) => format!("{reference}, {node}"),
            None => node,
        }
    };
    let same_name = same_name_in_front(tree, covered, cover);
    let same_name = same_name.map(|id| format!("in front of it is {}", describe(id)));
    let close = close_control(tree, covered, cover);
    let close = close.map(|id| format!("to close it try {}", describe(id)));
    let parts: Vec<String> = same_name.into_iter().chain(close).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The control of a dialog whose name begins or ends with that of the node behind it, as `Delete` does with `Delete file`.
fn same_name_in_front(tree: &UiTree, covered: NodeId, cover: NodeId) -> Option<NodeId> {
    let name_of = |id: NodeId| node_text(tree.node(id)).trim().to_lowercase();
    let name = name_of(covered);
    let has_same_name = |id: &NodeId| {
        let other = name_of(*id);
        let has_name = other.starts_with(&name) || other.ends_with(&name);
        tree.is_on_screen(*id) && tree.node(*id).is(State::CLICKABLE) && has_name
    };
    let is_dialog = tree.node(cover).role == Role::Dialog && !name.is_empty();
    is_dialog.then(|| tree.subtree(cover).find(has_same_name))?
}

/// Describes a covering node; a window by its kind.
pub(crate) fn describe_cover(tree: &UiTree, id: NodeId) -> String {
    let window = tree.window_of(id);
    match window.kind {
        _ if window.root != id => describe_node(tree.node(id)),
        WindowKind::InputMethod => "the keyboard".to_owned(),
        WindowKind::Application | WindowKind::System | WindowKind::AccessibilityOverlay => {
            match &*tree.node(id).owner {
                "" => "a window above".to_owned(),
                owner => format!("a window of {owner}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use uitree::Query;

    use super::*;

    /// The node over the center of the node with this id.
    fn covering_id(screen: &str, id: &str) -> Option<String> {
        let tree = UiTree::parse_notation(screen).unwrap();
        let node = tree.find(&Query::new().id(id)).unwrap();
        let at = tree.visible_bounds(node).unwrap().center();
        covering(&tree, node, at).map(|id| tree.node(id).id.to_string())
    }

    #[test]
    fn control_that_closes_the_cover_is_mentioned_with_its_reference() {
        let screen = "
            screen 100x100
            window application active
              column [0,0][100,100]
                column [0,0][100,100]
                  button \"Close account\" clickable [0,0][40,10]
                  button \"Buy\" #buy clickable [0,50][100,60]
                container [0,40][100,90]
                  text \"We use cookies\" [0,40][100,60]
                  button \"Accept\" clickable [0,60][50,70]
                  button label=\"Close banner\" clickable [50,60][100,70]
        ";
        let tree = UiTree::parse_notation(screen).unwrap();
        let buy = tree.find(&Query::new().id("buy")).unwrap();
        let cover = covering(&tree, buy, Point { x: 50, y: 55 }).unwrap();
        let refs = Refs::new(uitree::RefTable::default());
        assert_eq!(
            describe_covered(&tree, buy, cover, Some(&refs)),
            "the button \"Buy\" is covered by the text \"We use cookies\"; to close it try e4, the button \"Close banner\""
        );
        let without = screen.replace("Close banner", "Settings");
        let tree = UiTree::parse_notation(&without).unwrap();
        assert_eq!(describe_close(&tree, buy, cover, None), None);
    }

    #[test]
    fn dialog_control_with_the_name_of_the_covered_node_is_mentioned() {
        let screen = "
            screen 100x100
            window application active
              column [0,0][100,100]
                button \"Revoke\" #behind clickable [0,0][40,10]
                dialog \"Revoke key\" #dialog [0,0][100,100]
                  text \"Revoke it?\" [0,0][100,20]
                  button \"Cancel\" clickable [0,60][50,70]
                  button \"Revoke key\" clickable [50,60][100,70]
        ";
        let tree = UiTree::parse_notation(screen).unwrap();
        let node = |id: &str| tree.find(&Query::new().id(id)).unwrap();
        assert_eq!(
            describe_close(&tree, node("behind"), node("dialog"), None).as_deref(),
            Some(
                "in front of it is the button \"Revoke key\"; to close it try the button \"Cancel\""
            )
        );
    }

    #[test]
    fn covering_node_is_found() {
        let tree = UiTree::parse_notation(
            "
            window application layer=0 active
              column [0,0][1080,2400]
                text \"Under\" #under [0,100][500,200]
                text \"Free\" #free [0,300][500,400]
                text \"Keyed\" #keyed [0,2000][500,2100]
                row [0,150][1080,250]
                  text \"Added\" #bar [0,150][1080,250]
            window input-method layer=10
              node #keys [0,1500][1080,2400]
        ",
        )
        .unwrap();
        let covering_id = |id: &str| {
            let node = tree.find(&Query::new().id(id)).unwrap();
            let at = tree.visible_bounds(node).unwrap().center();
            covering(&tree, node, at).map(|id| tree.node(id).id.to_string())
        };
        assert_eq!(covering_id("under").as_deref(), Some("bar"));
        assert_eq!(covering_id("keyed").as_deref(), Some("keys"));
        assert_eq!(covering_id("free"), None);
    }

    #[test]
    fn window_covers_its_touchable_bounds() {
        // The root node of a keyboard covers nearly the whole screen.
        let screen = "
            window application layer=0 active
              column [0,0][1080,2340]
                button \"Send\" #send [0,300][500,400] clickable
                button \"Under\" #under [0,2000][500,2100] clickable
            window input-method layer=10 [0,1517][1080,2340]
              container #keys [0,0][1080,2340]
        ";
        assert_eq!(covering_id(screen, "send"), None);
        assert_eq!(covering_id(screen, "under").as_deref(), Some("keys"));
    }

    #[test]
    fn padding_of_a_message_covers() {
        let screen = "
            container [0,0][360,640]
              button \"Zoom out\" #zoom [296,513][344,561] clickable
              button \"Zoom in\" #free [296,413][344,461] clickable
              container #glass [0,0][360,640]
                container #message [8,529][352,577]
                  text \"No place is known\" #words [24,543][336,563]
        ";
        assert_eq!(covering_id(screen, "zoom").as_deref(), Some("words"));
        assert_eq!(covering_id(screen, "free"), None);
    }

    #[test]
    fn sheet_covers_content_behind_it() {
        let screen = "
            container [0,0][1080,2340]
              button #touch_outside [0,0][1080,2340] clickable
              container #sheet [0,1103][1080,2340]
                text \"Update\" [63,1300][1017,1400]
        ";
        assert_eq!(
            covering_id(screen, "touch_outside").as_deref(),
            Some("sheet")
        );
    }

    #[test]
    fn open_drawer_covers_content_beside_it() {
        let screen = |drawer: &str| {
            format!(
                "
            container .DrawerLayout [0,0][1080,2340]
              column [0,0][1080,2340]
                tab \"Inbox\" #inbox [800,1986][1080,2196] clickable
              {drawer}
        "
            )
        };
        let open = screen("container #nav_view [0,0][788,2340]");
        assert_eq!(covering_id(&open, "inbox").as_deref(), Some("nav_view"));
        assert_eq!(covering_id(&screen(""), "inbox"), None);
    }
}
