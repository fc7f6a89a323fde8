//! Descriptions of nodes and values in messages.

use driver::FormRefusal;
use uitree::Node;

/// The text of a node, or else its description.
pub(crate) fn node_text(node: &Node) -> &str {
    if node.text.trim().is_empty() {
        &node.label
    } else {
        &node.text
    }
}

/// Maximum length of a quoted text in a message, in characters.
const MAX_QUOTED: usize = 120;

/// A value as text, truncated to [`MAX_QUOTED`] characters.
pub(crate) fn truncated(value: impl std::fmt::Display) -> String {
    escape::truncate(&value.to_string(), MAX_QUOTED)
}

/// Screen text in quotes, on one line.
pub(crate) fn quoted(text: &str) -> String {
    escape::quoted(text, MAX_QUOTED)
}

/// The field that prevented a form from being submitted, and the device's message about it.
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
