//! Finds initials that stand in for pictures.

use std::collections::{HashMap, HashSet};

use crate::{NodeId, Role, UiTree};

/// Maximum distance in nodes from initials to their name: for one letter, for two, and for lists in which every row has initials.
const MAX_DISTANCE: usize = 3;
const MAX_DISTANCE_OF_TWO: usize = 6;
const MAX_DISTANCE_IN_LIST: usize = 9;

/// Minimum number of rows of a list in which every row has initials.
const MIN_ROWS: usize = 3;

impl UiTree {
    /// The nodes that show the initials of the next name or, if all such texts of one size do, of words in their rows, such as a
    /// logo before an offer.
    pub(super) fn initials(&self) -> HashSet<NodeId> {
        let letters = |id: &NodeId| {
            let (node, text) = (self.node(*id), self.node(*id).text.trim());
            let is_short =
                text.chars().count() <= 2 && text.starts_with(|c: char| c.is_ascii_uppercase());
            is_short && !node.can_act() && self.is_on_screen(*id)
        };
        let all: Vec<NodeId> = self.ids().filter(letters).collect();
        let mut sizes: HashMap<(i32, i32), Vec<NodeId>> = HashMap::new();
        for id in &all {
            let bounds = self.node(*id).bounds;
            let size = bounds.map(|bounds| (bounds.width(), bounds.height()));
            sizes.entry(size.unwrap_or_default()).or_default().push(*id);
        }
        let lists = sizes.into_values().filter(|rows| {
            let next = rows.iter().skip(1).copied();
            let ends = next.chain([NodeId(self.len() as u32)]);
            let mut all = rows.iter().zip(ends);
            rows.len() >= MIN_ROWS && all.all(|(row, end)| self.is_initials_before(*row, end))
        });
        let listed: Vec<NodeId> = lists.flatten().collect();
        let next = all
            .into_iter()
            .filter(|id| self.is_initials_of_next(*id) || self.is_initials_of_card(*id));
        next.chain(listed).collect()
    }

    /// Whether words before the node `end` have these initials.
    fn is_initials_before(&self, id: NodeId, end: NodeId) -> bool {
        let initials: Vec<char> = self.node(id).text.trim().chars().collect();
        let next = (id.0 + 1..end.0).map(NodeId).take(MAX_DISTANCE_IN_LIST);
        let mut next = next.filter(|next| self.is_on_screen(*next));
        next.any(|next| {
            self.first_letters(next)
                .windows(initials.len())
                .any(|words| words == initials)
        })
    }

    fn first_letters(&self, id: NodeId) -> Vec<char> {
        let words = self.node(id).text.split_whitespace();
        words.filter_map(|word| word.chars().next()).collect()
    }

    /// Whether the node is the first of a card and shows the initials of the first longer text of the card that is no control.
    fn is_initials_of_card(&self, id: NodeId) -> bool {
        let card = self.cards.of_node(id);
        let Some(card) = card.filter(|card| card.nodes.start == id.0) else {
            return false;
        };
        let initials: Vec<char> = self.node(id).text.trim().chars().collect();
        let mut texts = (id.0 + 1..card.nodes.end).map(NodeId);
        let is_name = |other: &NodeId| {
            let is_control = self.node(*other).can_act() && self.node(*other).role != Role::Text;
            !is_control && self.node(*other).text.chars().count() > initials.len()
        };
        texts
            .find(is_name)
            .is_some_and(|name| self.first_letters(name).starts_with(&initials))
    }

    /// Whether the node shows the initials of the next name. A control may stand between two letters and the name, such as `Follow`.
    fn is_initials_of_next(&self, id: NodeId) -> bool {
        let initials: Vec<char> = self.node(id).text.trim().chars().collect();
        let distance = match initials.len() {
            1 => MAX_DISTANCE,
            _ => MAX_DISTANCE_OF_TWO,
        };
        let next = self.ids().skip(id.index() + 1).take(distance);
        let next = next.filter(|next| self.is_on_screen(*next));
        let mut texts = next.filter(|next| !self.node(*next).text.is_empty());
        let is_longer = |name: NodeId| self.node(name).text.chars().count() > initials.len();
        let is_named = |name: NodeId| {
            let words = self.first_letters(name);
            // A word may precede the name, such as `To:`.
            let mut names = words.windows(initials.len()).take(2);
            is_longer(name) && names.any(|name| name == initials)
        };
        let Some(first) = texts.next() else {
            return false;
        };
        let is_control = distance == MAX_DISTANCE_OF_TWO && self.node(first).can_act();
        let mut after = texts.filter(|text| is_control && !self.contains(first, *text));
        is_named(first) || after.next().is_some_and(is_named)
    }
}

#[cfg(test)]
mod tests {
    use crate::UiTree;

    #[test]
    fn initials_of_the_name_after_a_control_are_omitted() {
        let screen = |initials: &str| {
            let text = format!(
                "
                screen 100x100
                window application active
                  webview [0,0][100,100]
                    text \"{initials}\" [0,0][10,10]
                    button \"Follow\" clickable [20,0][40,10]
                      text \"Follow\" [20,0][40,10]
                    text \"McKinsey & Company\" [0,20][50,30]
                "
            );
            UiTree::parse_notation(&text).unwrap().to_compact()
        };
        assert!(!screen("M&").contains("\"M&\""));
        for other in ["M", "MC", "XL"] {
            assert!(screen(other).contains(&format!("\"{other}\"")), "{other}");
        }
    }

    #[test]
    fn initials_in_every_list_row_are_omitted() {
        let screen = |rows: [(&str, &str); 3]| {
            let rows = rows.iter().enumerate().map(|(at, (letters, offer))| {
                let (top, bottom) = (at * 20, at * 20 + 10);
                format!("    text \"{letters}\" [0,{top}][10,{bottom}]\n    text \"{offer}\" clickable [20,{top}][90,{bottom}]\n")
            });
            let rows: String = rows.collect();
            let text = format!(
                "screen 100x100\nwindow application active\n  webview [0,0][100,100]\n{rows}"
            );
            UiTree::parse_notation(&text).unwrap().to_compact()
        };
        let offers = [
            ("G", "Design intern Google"),
            ("JC", "Analyst JPMorgan Chase"),
            ("M", "Tester Meta"),
        ];
        assert!(!screen(offers).contains("\"G\""));
        // One of them is something else, such as a grade.
        let grades = [offers[0], ("B", "Analyst JPMorgan Chase"), offers[2]];
        assert!(screen(grades).contains("\"G\""));
    }
}
