//! Finds initials, which pages show in place of a picture.

use crate::{NodeId, UiTree};

/// How many nodes behind its initials a name may be, and behind two letters, of which fewer words are the initials.
const DISTANCE: usize = 3;
const DISTANCE_OF_TWO: usize = 6;

impl UiTree {
    /// Whether the node shows the initials of the name behind it. Between two letters and the name may be a control, such as
    /// the one to follow a company.
    pub(super) fn is_initials_of_next(&self, id: NodeId) -> bool {
        let initials: Vec<char> = self.node(id).text.trim().chars().collect();
        let distance = match *initials {
            [first] if first.is_ascii_uppercase() => DISTANCE,
            [first, _] if first.is_ascii_uppercase() => DISTANCE_OF_TWO,
            _ => return false,
        };
        let next = self.ids().skip(id.index() + 1).take(distance);
        let next = next.filter(|next| self.is_on_screen(*next));
        let mut texts = next.filter(|next| !self.node(*next).text.is_empty());
        let is_name = |name: NodeId| {
            let name = self.node(name).text.split_whitespace();
            let words: Vec<char> = name.filter_map(|word| word.chars().next()).collect();
            // Words before the name, such as `To:`, may lead to it.
            let mut names = words.windows(initials.len()).take(2);
            names.any(|name| name == initials)
        };
        let is_longer = |name: NodeId| self.node(name).text.chars().count() > initials.len();
        let is_named = |name: NodeId| is_longer(name) && is_name(name);
        let Some(first) = texts.next() else {
            return false;
        };
        let is_control = distance == DISTANCE_OF_TWO && self.node(first).can_act();
        let mut behind = texts.filter(|text| is_control && !self.contains(first, *text));
        is_named(first) || behind.next().is_some_and(is_named)
    }
}

#[cfg(test)]
mod tests {
    use crate::UiTree;

    #[test]
    fn initials_of_the_name_behind_a_control_are_left_out() {
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
}
