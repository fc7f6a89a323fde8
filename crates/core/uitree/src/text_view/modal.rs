//! What a modal dialog covers: counted, not shown.

use super::line::{Line, Rank};
use crate::{NodeId, Role, State, UiTree};

/// Takes the lines of what a modal dialog of the window covers; returns one that counts them.
pub(super) fn take_covered(lines: &mut Vec<Line>, window: NodeId, tree: &UiTree) -> Option<Line> {
    let dialog = dialog(tree, window)?;
    let before = lines.len();
    lines.retain(|line| line.id().is_none_or(|id| !is_covered(tree, dialog, id)));
    let covered = before - lines.len();
    let elements = if covered == 1 { "element" } else { "elements" };
    let words = format!("behind the dialog: {covered} {elements}");
    (covered > 0).then(|| Line::of(Rank::Window, 0, words))
}

/// The uppermost modal dialog of a window.
fn dialog(tree: &UiTree, window: NodeId) -> Option<NodeId> {
    let is_inert = !tree.node(window).is(State::ENABLED);
    let is_modal = |id: &NodeId| {
        let node = tree.node(*id);
        // Everything but a modal dialog is inert, or the page says so.
        let is_modal =
            node.attribute("modal") == Some("true") || (is_inert && node.is(State::ENABLED));
        node.role == Role::Dialog && is_modal && tree.is_on_screen(*id)
    };
    tree.subtree(window).rfind(is_modal)
}

/// Whether a modal dialog covers a node: one that is before it, or inert. Menus of the dialog may be behind it in the document.
fn is_covered(tree: &UiTree, dialog: NodeId, id: NodeId) -> bool {
    let is_around = tree.contains(id, dialog) || tree.contains(dialog, id) || id == dialog;
    !is_around && (id < dialog || !tree.node(id).is(State::ENABLED))
}

#[cfg(test)]
mod tests {
    use crate::UiTree;

    fn view(dialog: &str, state: &str) -> String {
        let screen = format!(
            "
            screen 100x100
            window application active
              webview {state} [0,0][100,100]
                button \"Delete all\" clickable {state} [0,0][100,10]
                text \"60 orders\" {state} [0,10][100,20]
                dialog label=\"Delete?\" {dialog} [0,30][100,80]
                  button \"Cancel\" clickable [0,30][50,40]
                menu [0,80][100,100]
                  menuitem \"Later\" clickable [0,80][100,90]
            "
        );
        UiTree::parse_notation(&screen).unwrap().to_compact()
    }

    #[test]
    fn elements_behind_a_modal_dialog_are_counted() {
        expect_test::expect![[r#"
            application
             webview disabled
              dialog label="Delete?"
               button "Cancel"
              menuitem "Later"
            behind the dialog: 2 elements
        "#]]
        .assert_eq(&view("", "disabled"));
        assert!(view("", "").contains("60 orders"));
    }
}
