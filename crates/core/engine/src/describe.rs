//! Names of nodes in messages.

use driver::FormRefusal;
use escape::Quoted;
use uitree::Node;

/// The text of a node, or else its description.
pub(crate) fn node_text(node: &Node) -> &str {
    if node.text.trim().is_empty() {
        &node.label
    } else {
        &node.text
    }
}

/// The longest quoted text in a message, in characters.
const MAX: usize = 120;

/// A value as text, truncated to [`MAX`].
pub(crate) fn shortened(value: impl std::fmt::Display) -> String {
    truncate(&value.to_string(), MAX)
}

/// Truncates a text to `longest` characters.
pub(crate) fn truncate(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Screen text in quotes, on one line.
pub(crate) fn quoted(words: &str) -> String {
    Quoted(&shortened(words)).to_string()
}

/// The field because of which a form was not submitted, and what the device says about it.
pub(crate) fn describe_refusal(refusal: &FormRefusal) -> String {
    let field = quoted(&refusal.field);
    match &*refusal.message {
        "" => format!("{field} is not valid"),
        message => format!("{field}: {}", quoted(message)),
    }
}

/// The role and name of a node.
pub(crate) fn describe_node(node: &Node) -> String {
    let name = [&node.text, &node.label, &node.hint, &node.id]
        .into_iter()
        .find(|name| !name.trim().is_empty());
    match name {
        Some(name) => format!("the {} {}", node.role.as_str(), quoted(name)),
        None => format!("a {} without a name", node.role.as_str()),
    }
}
