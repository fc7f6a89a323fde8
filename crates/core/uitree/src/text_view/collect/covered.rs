//! Elements that a modal dialog covers.

use crate::text_view::line::{Line, Rank};
use crate::{NodeId, UiTree};

/// Removes the lines of elements that a modal dialog of the window covers; returns a line with their number.
pub(super) fn take(lines: &mut Vec<Line>, window: NodeId, tree: &UiTree) -> Option<Line> {
    let dialog = tree.modal_dialog(window)?;
    let before = lines.len();
    lines.retain(|line| line.id().is_none_or(|id| !tree.is_covered(dialog, id)));
    let covered = before - lines.len();
    // A container behind a dialog cannot scroll.
    let parts = lines.iter_mut().flat_map(|line| &mut line.parts);
    let is_around = |id: NodeId| id != dialog && tree.contains(id, dialog);
    let around = parts.filter(|part| part.id.is_some_and(is_around));
    for part in around {
        if let Some((states, _)) = part.states.split_once(" (") {
            part.states = states.to_owned();
        }
    }
    let elements = if covered == 1 { "element" } else { "elements" };
    let words = format!("behind the dialog: {covered} {elements}");
    (covered > 0).then(|| Line::of(Rank::Window, 0, words))
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
