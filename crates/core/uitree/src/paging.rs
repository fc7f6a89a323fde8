//! Controls that page through content: arrows beside a title, and buttons for more content.

use crate::{NodeId, State, UiTree};

const BACK_SIGNS: &str = "‹<«←◀◂◄❮❬⟨⬅";
const NEXT_SIGNS: &str = "›>»→▶▸►❯❭⟩➡";
const ARROW_WORDS: [&str; 5] = ["previous", "prev", "earlier", "next", "later"];

/// Whole names of buttons for the next content: `Remind me later` and `Next week` do something else.
const NEXT_NAMES: [&str; 7] = [
    "load more",
    "more results",
    "next",
    "next page",
    "see more",
    "show more",
    "view more",
];

/// Whether a button with this name shows the previous or next content.
pub(crate) fn is_arrow(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    let mut words = name.split_whitespace();
    consists_of(&name, &[BACK_SIGNS, NEXT_SIGNS]) || words.any(|word| ARROW_WORDS.contains(&word))
}

/// Whether a name consists of these signs.
fn consists_of(name: &str, signs: &[&str]) -> bool {
    let is_sign = |sign: char| signs.iter().any(|signs| signs.contains(sign));
    !name.is_empty() && name.chars().all(is_sign)
}

impl UiTree {
    /// The only visible and enabled control for the next content, such as `›` or `Load more`.
    pub fn next_page(&self) -> Option<NodeId> {
        let is_next = |id: &NodeId| {
            let node = self.node(*id);
            let name = if node.text.trim().is_empty() {
                &node.label
            } else {
                &node.text
            };
            let is_usable = node.can_act() && node.is(State::ENABLED) && self.is_on_screen(*id);
            let name = name.trim().to_lowercase();
            is_usable && (consists_of(&name, &[NEXT_SIGNS]) || NEXT_NAMES.contains(&name.as_str()))
        };
        let mut all = self.ids().filter(is_next);
        all.next().filter(|_| all.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use crate::UiTree;

    #[test]
    fn next_page_is_the_only_enabled_control_for_more_content() {
        let name = |controls: &[&str]| {
            let controls: String = controls
                .iter()
                .enumerate()
                .map(|(at, control)| format!("  {control} [0,{}][90,{}]\n", at * 10, at * 10 + 10))
                .collect();
            let screen = format!(
                "screen 100x100\nwindow application active\n column [0,0][100,100]\n{controls}"
            );
            let tree = UiTree::parse_notation(&screen).unwrap();
            tree.next_page().map(|id| tree.node(id).text.to_string())
        };
        let back = "button \"‹\" clickable";
        assert_eq!(
            name(&[back, "button \"›\" clickable"]).as_deref(),
            Some("›")
        );
        assert_eq!(name(&[back, "button \"›\" clickable disabled"]), None);
        assert_eq!(
            name(&["button \"Load more\" clickable"]).as_deref(),
            Some("Load more")
        );
        for other in ["text \"Next\"", "button \"Remind me later\" clickable"] {
            assert_eq!(name(&[other]), None, "{other}");
        }
        // Those of a calendar and of a list.
        assert_eq!(
            name(&["button \"›\" clickable", "link \"Next\" clickable"]),
            None
        );
    }
}
