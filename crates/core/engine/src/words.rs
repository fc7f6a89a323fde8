//! How the nodes of a screen are spoken of in answers.

use escape::Quoted;
use uitree::Node;

/// What a node says: its text, or where it has none its description.
pub(crate) fn words(node: &Node) -> &str {
    if node.text.trim().is_empty() {
        &node.label
    } else {
        &node.text
    }
}

/// The longest text that a message repeats, in characters.
const LONGEST: usize = 120;

/// A value as text, cut where it is too long to be repeated.
pub(crate) fn shortened(value: impl std::fmt::Display) -> String {
    cut(&value.to_string(), LONGEST)
}

/// A text, cut behind its first `longest` characters.
pub(crate) fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Words of the screen between quotes, on one line.
pub(crate) fn quoted(words: &str) -> String {
    Quoted(&shortened(words)).to_string()
}

/// A node in words.
pub(crate) fn name(node: &Node) -> String {
    let said = [&node.text, &node.label, &node.hint, &node.id]
        .into_iter()
        .find(|said| !said.trim().is_empty());
    match said {
        Some(said) => format!("the {} {}", node.role.as_str(), quoted(said)),
        None => format!("a {} without a name", node.role.as_str()),
    }
}
