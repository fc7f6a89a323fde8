//! Finds the boundaries of rows and cards.

use crate::text_view::line::Line;
use crate::{NodeId, UiTree};

/// The elements of all lines.
pub(crate) struct Groups<'t> {
    tree: &'t UiTree,
    /// In document order.
    written: Vec<NodeId>,
}

impl<'t> Groups<'t> {
    pub(crate) fn of(lines: &[Line], tree: &'t UiTree) -> Self {
        let ids = lines.iter().flat_map(|line| &line.parts);
        let mut written: Vec<NodeId> = ids.filter_map(|part| part.id).collect();
        written.sort_unstable();
        Self { tree, written }
    }

    /// Whether the last element of `line` and the first of `next` are in different rows or cards: an ancestor of one of them
    /// contains elements of further lines, but not the other. If the last element is a text, only ancestors of the first count.
    pub(crate) fn separates(&self, line: &Line, next: &Line) -> bool {
        let last = line.parts.iter().rev().find_map(|part| part.id);
        let (Some(last), Some(first)) = (last, next.id()) else {
            return false;
        };
        let card = |id: NodeId| self.tree.cards.of_node(id);
        let cards = card(last).zip(card(first));
        // A tag with its remove button is no card with lines of its own.
        if cards.is_some_and(|(one, other)| {
            one.nodes.end <= other.nodes.start && one.nodes.len().max(other.nodes.len()) > 2
        }) {
            return true;
        }
        let is_own = |id: NodeId| {
            let parts = line.parts.iter().chain(&next.parts);
            let mut ids = parts.filter_map(|part| part.id);
            ids.any(|own| own == id || self.tree.contains(own, id))
        };
        let has_others = |own: NodeId, other: NodeId| {
            let around = std::iter::once(own).chain(self.tree.ancestors(own));
            let around =
                around.take_while(|around| *around != other && !self.tree.contains(*around, other));
            around.last().is_some_and(|part| {
                let begin = self.written.partition_point(|id| *id < part);
                let end = self
                    .written
                    .partition_point(|id| id.0 < self.tree.node(part).end.0);
                self.written[begin..end].iter().any(|id| !is_own(*id))
            })
        };
        has_others(first, last) || self.tree.node(last).can_act() && has_others(last, first)
    }

    /// Whether the last element of `line` and the first of `next` are at the same height.
    pub(crate) fn are_level(&self, line: &Line, next: &Line) -> bool {
        let last = line.parts.iter().rev().find_map(|part| part.id);
        let bounds = |id: Option<NodeId>| self.tree.visible_bounds(id?);
        bounds(last)
            .zip(bounds(next.id()))
            .is_some_and(|(one, other)| one.shares_row(&other))
    }
}

#[cfg(test)]
mod tests {
    use crate::text_view::view;

    #[test]
    fn controls_of_cards_and_toolbars_are_on_lines_of_their_own() {
        let screen = "
            screen 200x200
            window application active
              webview [0,0][200,200]
                column [0,0][60,40]
                  text \"Card A\" [0,0][50,10]
                  text \"$10\" [0,20][50,30]
                  button \"Buy\" clickable [0,30][20,40]
                column [60,0][120,50]
                  text \"Card B with a long name\" [60,0][120,30]
                  button \"Buy\" clickable [60,30][80,40]
                column [120,0][180,50]
                  text \"Card C\" [120,30][170,40]
                  button \"Buy\" clickable [120,42][140,50]
                row [0,60][200,70]
                  text \"Milk\" [0,60][50,70]
                  button \"Done\" clickable [60,60][90,70]
                row [0,80][200,90]
                  button \"Drop first\" clickable [0,80][50,90]
                  button \"Rotate\" clickable [60,80][90,90]
        ";
        expect_test::expect![[r#"
            application
            webview
            "Card A"
            "$10"
            button "Buy" e1
            "Card B with a long name"
            button "Buy" e2
            "Card C"
            button "Buy" e3
            "Milk" button "Done" e4
            button "Drop first" e5 "Rotate" e6
        "#]]
        .assert_eq(&view(screen));
    }

    #[test]
    fn texts_of_other_cards_and_rows_are_on_lines_of_their_own() {
        let screen = "
            screen 200x200
            window application active
              webview [0,0][200,200]
                text \"Card A $10\" [0,0][50,20]
                button \"Buy\" clickable [0,20][20,30]
                text \"Card B long name $30\" [60,0][120,30]
                button \"Buy\" clickable [60,30][80,40]
                button \"Delete\" clickable [0,50][20,60]
                text \"Ann\" [22,50][40,60]
                button \"Delete\" clickable [0,62][20,72]
                text \"Bob\" [22,62][40,72]
                text \"Cid\" [150,74][170,84]
                button \"Delete\" clickable [172,74][199,84]
        ";
        expect_test::expect![[r#"
            application
            webview
            "Card A $10"
            button "Buy" e1
            "Card B long name $30"
            button "Buy" e2
            button "Delete" e3 text "Ann"
            button "Delete" e4 text "Bob"
            "Cid" button "Delete" e5
        "#]]
        .assert_eq(&view(screen));
    }
}
