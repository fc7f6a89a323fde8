//! Elements that modal dialogs cover.

use crate::{NodeId, Role, State, UiTree};

impl UiTree {
    /// Moves nodes that a modal dialog covers to the end.
    pub fn put_covered_last(&self, ids: &mut [NodeId]) {
        let dialogs = self.modal_dialogs();
        ids.sort_by_key(|id| dialogs.iter().any(|dialog| self.is_covered(*dialog, *id)));
    }

    /// The nodes that no modal dialog covers, or all of them if all are covered. Covered nodes must be last.
    pub fn uncovered<'a>(&self, ids: &'a [NodeId]) -> &'a [NodeId] {
        let dialogs = self.modal_dialogs();
        let is_covered = |id: &NodeId| dialogs.iter().any(|dialog| self.is_covered(*dialog, *id));
        match ids.partition_point(|id| !is_covered(id)) {
            0 => ids,
            end => &ids[..end],
        }
    }

    /// The modal dialog that covers a node.
    pub fn covering_dialog(&self, id: NodeId) -> Option<NodeId> {
        let mut dialogs = self.modal_dialogs().into_iter();
        dialogs.find(|dialog| self.is_covered(*dialog, id))
    }

    /// The open drawer above a node, which receives every touch, also outside its bounds. A drawer that is locked open is beside the
    /// content, as on tablets, and covers nothing.
    pub fn open_drawer_over(&self, id: NodeId) -> Option<NodeId> {
        let around = self.ancestors(id);
        let mut layouts =
            around.filter(|around| self.node(*around).class.ends_with("DrawerLayout"));
        layouts.find_map(|layout| {
            let mut children = self.children(layout);
            let is_around = |child: &NodeId| *child == id || self.contains(*child, id);
            let content = children.find(is_around).and_then(|id| self.node(id).bounds);
            children.find(|drawer| {
                let bounds = self.node(*drawer).bounds.zip(content);
                let is_beside = bounds.is_some_and(|(one, other)| one.intersect(&other).is_none());
                self.is_on_screen(*drawer) && !is_beside
            })
        })
    }

    /// Whether a node is in or above the modal dialog of its window, or the window has none.
    pub fn is_in_front_of_dialogs(&self, id: NodeId) -> bool {
        let is_behind =
            |dialog: &NodeId| self.is_covered(*dialog, id) || self.contains(id, *dialog);
        !self.modal_dialogs().iter().any(is_behind)
    }

    fn modal_dialogs(&self) -> Vec<NodeId> {
        let windows = self.windows.iter();
        windows
            .filter_map(|window| self.modal_dialog(window.root))
            .collect()
    }

    /// The uppermost modal dialog of a window.
    pub(crate) fn modal_dialog(&self, window: NodeId) -> Option<NodeId> {
        let is_inert = !self.node(window).is(State::ENABLED);
        let is_modal = |id: &NodeId| {
            let node = self.node(*id);
            // Everything but a modal dialog is inert, or the dialog has the attribute.
            let is_modal =
                node.attribute("modal") == Some("true") || (is_inert && node.is(State::ENABLED));
            node.role == Role::Dialog && is_modal && self.is_on_screen(*id)
        };
        self.subtree(window).rfind(is_modal)
    }

    /// Whether a modal dialog covers a node of its window: an inert one, or one before it that is not painted in front. Menus of the
    /// dialog may follow it in the document.
    pub(crate) fn is_covered(&self, dialog: NodeId, id: NodeId) -> bool {
        let is_around = self.contains(id, dialog) || self.contains(dialog, id) || id == dialog;
        let is_same_window = self.window_of(id).root == self.window_of(dialog).root;
        let node = self.node(id);
        let is_behind = id < dialog && node.attribute("in-front").is_none();
        is_same_window && !is_around && (is_behind || !node.is(State::ENABLED))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Query, UiTree};

    #[test]
    fn drawer_beside_the_content_covers_nothing() {
        let screen = |left: u32| {
            UiTree::parse_notation(&format!(
                "
                screen 100x100
                window application active
                  node .androidx.drawerlayout.widget.DrawerLayout [0,0][100,100]
                    column [{left},0][100,100]
                      button \"Send\" clickable #send [60,0][90,10]
                    column #drawer [0,0][40,100]
                      button \"Inbox\" clickable #inbox [0,0][40,10]
                "
            ))
            .unwrap()
        };
        let drawer = |tree: &UiTree, id| {
            let node = tree.find(&Query::new().id(id)).unwrap();
            tree.open_drawer_over(node).is_some()
        };
        assert!(drawer(&screen(0), "send"));
        assert!(!drawer(&screen(40), "send"));
        assert!(!drawer(&screen(0), "inbox"));
    }

    #[test]
    fn element_painted_in_front_is_not_covered() {
        let tree = UiTree::parse_notation(
            "
            screen 100x100
            window application active
              webview [0,0][100,100]
                button \"Undo\" clickable #toast [0,0][100,10] @in-front=\"true\"
                button \"Save\" clickable #below [0,0][100,10]
                dialog [0,30][100,80] @modal=\"true\"
            ",
        )
        .unwrap();
        let covered = |id| {
            let node = tree.find(&Query::new().id(id)).unwrap();
            tree.covering_dialog(node).is_some()
        };
        assert_eq!((covered("toast"), covered("below")), (false, true));
    }

    #[test]
    fn covered_nodes_are_last() {
        let tree = UiTree::parse_notation(
            "
            screen 100x100
            window application active
              webview [0,0][100,100]
                button \"Save\" clickable #below [0,0][100,10]
                dialog [0,30][100,80] @modal=\"true\"
                  button \"Save\" clickable #inside [0,30][50,40]
            ",
        )
        .unwrap();
        let mut found = tree.find_all(&Query::new().text("Save"));
        tree.put_covered_last(&mut found);
        let ids: Vec<&str> = found.iter().map(|id| &*tree.node(*id).id).collect();
        assert_eq!(ids, ["inside", "below"]);
        assert_eq!(tree.uncovered(&found), &found[..1]);
        assert_eq!(tree.uncovered(&found[1..]), &found[1..]);
    }
}
