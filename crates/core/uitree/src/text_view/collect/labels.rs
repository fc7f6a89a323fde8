//! The importance of a node, and labels beside controls.

use super::WindowWriter;
use super::nodes::shows_id;
use crate::text_view::line::Rank;
use crate::text_view::line::text::contains_words;
use crate::{NodeId, Role, State};

/// Maximum distance in nodes from a control to its label.
const MAX_LABEL_DISTANCE: usize = 4;

impl WindowWriter<'_> {
    /// The importance of the line of a node.
    pub(super) fn rank(&self, id: NodeId, whole: bool) -> Rank {
        let node = self.tree.node(id);
        let last = if whole { node.end.0 } else { id.0 + 1 };
        let has_name = || {
            let mut nodes = (id.0..last).map(|id| self.tree.node(NodeId(id)));
            nodes.any(|node| {
                !(node.text.is_empty() && node.label.is_empty() && node.hint.is_empty())
            })
        };
        if node.is(State::FOCUSED) || node.role == Role::Dialog {
            Rank::Focus
        } else if node.can_act() && (has_name() || shows_id(node)) {
            Rank::Control
        } else if node.can_act() {
            Rank::NamelessControl
        } else if node.is(State::SCROLLABLE) {
            Rank::Scrollable
        } else if matches!(node.role, Role::Title | Role::Heading) {
            Rank::Heading
        } else {
            Rank::Text
        }
    }

    /// Whether the text of the node is the name of an adjacent control, so that the line of the control has it.
    pub(super) fn labels_a_control(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        if !matches!(node.role, Role::Label | Role::Text) || !node.label.is_empty() {
            return false;
        }
        let name = label_text(&node.text);
        let is_named_so = |near: NodeId| {
            let near = self.tree.node(near);
            // A value is not a name.
            let has_value = matches!(near.role, Role::TextField | Role::Dropdown);
            let text = if has_value { "" } else { &*near.text };
            let names = [&*near.label, text];
            // The name of a checkbox may consist of several labels.
            let has_parts = node.role == Role::Label && near.is(State::CHECKABLE);
            near.can_act()
                && self.tree.node(id).owner == near.owner
                && names
                    .iter()
                    .any(|own| label_text(own) == name || has_parts && contains_words(own, name))
        };
        let is_visible = |id: &NodeId| self.tree.is_on_screen(*id);
        let after = (id.0 + 1..self.tree.len() as u32).map(NodeId);
        let before = (0..id.0).rev().map(NodeId);
        !name.is_empty()
            && (after
                .filter(is_visible)
                .take(MAX_LABEL_DISTANCE)
                .any(is_named_so)
                || before
                    .filter(is_visible)
                    .take(MAX_LABEL_DISTANCE)
                    .any(is_named_so))
    }
}

/// The text of a label without white space and final marks.
fn label_text(text: &str) -> &str {
    text.trim().trim_end_matches([':', '*']).trim_end()
}

#[cfg(test)]
mod tests {
    use crate::text_view::compact;

    #[test]
    fn label_of_several_texts_is_written_once() {
        let screen = "
            screen 100x100
            window application active
              webview [0,0][100,100]
                radio label=\"Card Your bank converts\" checkable clickable [0,0][10,10]
                label \"Card\" clickable [10,0][50,5]
                label \"Your bank converts\" clickable [10,5][50,10]
                label \"Later\" clickable [10,20][50,30]
            ";
        expect_test::expect![[r#"
            application
            webview
            radio label="Card Your bank converts" unchecked
            label "Later" clickable
        "#]]
        .assert_eq(&compact(screen));
    }
}
