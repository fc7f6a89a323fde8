//! Describes an element in one line.

use std::fmt::Write;

use dom::{Dom, ElementId, Facts};
use uitree::{NodeId, State, UiTree};

use super::feature::is_test_id;

/// Maximum number of characters of a value.
const MAX_VALUE: usize = 40;

/// Maximum number of characters of text.
const MAX_TEXT: usize = 48;

/// Maximum number of attributes.
const MAX_ATTRIBUTES: usize = 4;

/// Shortened source of an element: `<button id="signin">Sign In</button>`. Typed text is left out.
pub fn element_line(page: &Dom, id: ElementId) -> String {
    let element = page.element(id);
    let mut line = format!("<{}", element.tag);
    let rank = |name: &str| match name {
        "id" => Some(0),
        "type" => Some(1),
        "name" => Some(2),
        name if is_test_id(name) => Some(3),
        "role" => Some(4),
        "aria-label" => Some(5),
        "placeholder" => Some(6),
        "title" | "alt" => Some(7),
        "href" => Some(8),
        "class" => Some(9),
        _ => None,
    };
    let mut shown: Vec<(u8, &str, &str)> = element
        .attributes
        .iter()
        .filter(|(_, value)| !value.trim().is_empty())
        .filter_map(|(name, value)| Some((rank(name)?, &**name, value.trim())))
        .collect();
    shown.sort_by_key(|(rank, ..)| *rank);
    for (_, name, value) in shown.into_iter().take(MAX_ATTRIBUTES) {
        // Writing to a string cannot fail.
        let _ = write!(line, " {name}=\"{}\"", truncate(value, MAX_VALUE));
    }
    if element.is(Facts::DISABLED) {
        line.push_str(" disabled");
    }
    line.push('>');
    let words = page.text(id);
    if !words.is_empty() {
        line.push_str(&truncate(&words, MAX_TEXT));
    }
    if !is_void(&element.tag) {
        let _ = write!(line, "</{}>", element.tag);
    }
    line
}

/// Class, text and id of a node.
pub fn node_line(screen: &UiTree, id: NodeId) -> String {
    let node = screen.node(id);
    let mut line = node.role.as_str().to_owned();
    let secret = node.is(State::PASSWORD) && !node.is(State::SHOWING_HINT);
    let own = [&node.text, &node.label, &node.hint]
        .into_iter()
        .skip(usize::from(secret))
        .find(|words| !words.trim().is_empty());
    let words = own.map_or_else(
        || {
            let inside = screen
                .subtree(id)
                .skip(1)
                .take(40)
                .map(|id| screen.node(id));
            let words: Vec<&str> = inside
                .flat_map(|node| [node.text.trim(), node.label.trim()])
                .filter(|words| !words.is_empty())
                .take(3)
                .collect();
            words.join(" ")
        },
        |words| words.trim().to_owned(),
    );
    if !words.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(line, " \"{}\"", truncate(&words, MAX_TEXT));
    }
    if own.is_some_and(|own| **own != *node.label) && !node.label.trim().is_empty() {
        let _ = write!(line, " desc=\"{}\"", truncate(&node.label, MAX_TEXT));
    }
    if !node.id.is_empty() {
        let _ = write!(line, " id={}", truncate(&node.id, 2 * MAX_VALUE));
    } else if words.is_empty() && !node.class.is_empty() {
        let _ = write!(line, " class={}", truncate(&node.class, MAX_VALUE));
    }
    if !node.is(State::ENABLED) {
        line.push_str(" disabled");
    }
    line
}

/// Cuts to one line of `most` characters.
fn truncate(text: &str, most: usize) -> String {
    let mut words = String::new();
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if words.len() > most * 4 {
            break;
        }
    }
    match words.char_indices().nth(most) {
        Some((end, _)) => {
            words.truncate(end);
            words.push('…');
            words
        }
        None => words,
    }
}

/// Elements without an end tag.
fn is_void(tag: &str) -> bool {
    const VOID: &str = "area base br col embed hr img input link meta source track wbr";
    VOID.split(' ').any(|void| void == tag)
}
