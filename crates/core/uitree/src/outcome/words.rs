//! The texts of elements, and their number on each screen.

use std::collections::HashMap;

use escape::Quoted;

use crate::{Node, NodeId, UiTree};

/// Maximum number of characters of a quoted text.
const MAX: usize = 32;

/// Number of elements with each text, before and after.
pub(super) struct TextCounts<'t>([HashMap<&'t str, u32>; 2]);

impl<'t> TextCounts<'t> {
    pub(super) fn of(before: &'t UiTree, after: &'t UiTree) -> Self {
        Self([before, after].map(|tree| {
            let mut counts = HashMap::new();
            for id in tree.ids() {
                let node = tree.node(id);
                let (text, label) = (node.text.trim(), node.label.trim());
                let label = Some(label).filter(|label| *label != text);
                let texts = [Some(text), label].into_iter().flatten();
                for text in texts.filter(|text| !text.is_empty()) {
                    *counts.entry(text).or_default() += 1;
                }
            }
            counts
        }))
    }

    fn count(&self, words: &str) -> [u32; 2] {
        let count = |counts: &HashMap<&str, u32>| counts.get(words).copied().unwrap_or(0);
        self.0.each_ref().map(count)
    }

    /// Whether the later screen has a text more often.
    pub(super) fn has_more(&self, words: &str) -> bool {
        let [before, after] = self.count(words);
        after > before
    }

    /// Whether the later screen has a text less often.
    pub(super) fn has_less(&self, words: &str) -> bool {
        let [before, after] = self.count(words);
        after < before
    }
}

/// The text of an element, else its label.
pub(super) fn words(node: &Node) -> &str {
    let names = [&node.text, &node.label];
    let name = names.into_iter().find(|name| !name.trim().is_empty());
    name.map_or("", |name| name.trim())
}

pub(super) fn has_words(node: &Node) -> bool {
    !words(node).is_empty()
}

/// The texts and labels of an element and its descendants.
pub(super) fn words_in(tree: &UiTree, id: NodeId) -> Vec<&str> {
    let nodes = tree.subtree(id).map(|id| tree.node(id));
    let words = nodes.flat_map(|node| [&*node.text, &*node.label]);
    words.filter(|words| !words.trim().is_empty()).collect()
}

/// The texts and labels of the nearest ancestor with any.
pub(super) fn words_around(tree: &UiTree, id: NodeId) -> Vec<&str> {
    let mut around = tree.ancestors(id).map(|around| words_in(tree, around));
    around.find(|words| !words.is_empty()).unwrap_or_default()
}

/// The old and the new text; long texts with a common start are cut before their difference.
pub(super) fn describe_change(node: &Node, was: &str, is: &str) -> String {
    if was.is_empty() {
        return format!("{} now {}", node.role.as_str(), quoted(is));
    }
    let pairs = was.chars().zip(is.chars());
    let same = pairs.take_while(|(was, is)| was == is).count();
    let from = match same + MAX / 2 > MAX {
        true => same - MAX / 4,
        false => 0,
    };
    let [was, is] = [was, is].map(|text| match from {
        0 => quoted(text),
        _ => quoted(&format!("…{}", text.chars().skip(from).collect::<String>())),
    });
    format!("{was} now {is}")
}

pub(super) fn quoted(text: &str) -> String {
    let short: String = text.chars().take(MAX).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{}{dots}", Quoted(&short))
}
