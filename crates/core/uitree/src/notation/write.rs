//! Writes the notation.

use super::{COMMON_PACKAGE, DEEPEST_INDENT, SCREEN, words};
use crate::{Node, UiTree, Window, WindowKind};
use escape::{Quoted, is_unseen};
use std::fmt::{self, Write};

impl UiTree {
    /// Writes one line per node. [`parse_notation`](UiTree::parse_notation) reads an equal tree back.
    ///
    /// A line has the role and what is not the default: `button "Sign in" #com.shop:id/login .Button
    /// [40,600][1040,720] clickable`.
    pub fn to_notation(&self) -> String {
        const USUAL_LINE: usize = 100;
        let mut text = String::with_capacity(self.len() * USUAL_LINE);
        // Writing to a string cannot fail.
        let _ = self.write_notation(&mut text);
        text
    }

    fn write_notation(&self, text: &mut String) -> fmt::Result {
        if self.screen != SCREEN || self.rotation != 0 {
            write!(text, "screen {}x{}", self.screen.width, self.screen.height)?;
            if self.rotation != 0 {
                write!(text, " rotation={}", self.rotation)?;
            }
            text.push('\n');
        }
        let mut windows = self.windows.iter().enumerate();
        let mut base = 0;
        // Number of children written for each open node, to leave out consecutive indexes.
        let mut counts: Vec<u32> = Vec::new();
        for node in &self.nodes {
            let holder = node.parent.map(|parent| self.node(parent));
            let mut owner = holder.map_or("", |holder| &holder.owner);
            if holder.is_none()
                && let Some((at, window)) = windows.next()
            {
                // After a window line only another one ends its content.
                if base == 1 || !is_plain(window, at) {
                    write_window(text, window, at, &node.owner)?;
                    owner = &node.owner;
                    base = 1;
                }
            }
            let level = base + node.depth;
            if level <= DEEPEST_INDENT {
                (0..level).for_each(|_| text.push_str("  "));
            } else {
                (0..DEEPEST_INDENT).for_each(|_| text.push_str("  "));
                write!(text, "~{level} ")?;
            }
            counts.truncate(node.depth as usize);
            let expected = counts.last().copied().unwrap_or(0);
            if let Some(count) = counts.last_mut() {
                *count += 1;
            }
            counts.push(0);
            write_node(text, node, owner, expected)?;
            text.push('\n');
        }
        Ok(())
    }
}

/// Whether the window at `place` is the default for a top-level node.
fn is_plain(window: &Window, place: usize) -> bool {
    window.kind == WindowKind::Application
        && window.layer == 0
        && window.active == (place == 0)
        && window.bounds.is_none()
        && window.title.is_empty()
}

fn write_window(text: &mut String, window: &Window, place: usize, owner: &str) -> fmt::Result {
    write!(text, "window {}", window.kind.as_str())?;
    if window.layer != 0 {
        write!(text, " layer={}", window.layer)?;
    }
    match (window.active, place) {
        (true, _) => text.push_str(" active"),
        (false, 0) => text.push_str(" inactive"),
        (false, _) => {}
    }
    if let Some(bounds) = window.bounds {
        write!(text, " {bounds}")?;
    }
    if !window.title.is_empty() {
        write!(text, " {}", Quoted(&window.title))?;
    }
    if !owner.is_empty() {
        write!(text, " owner={}", UnquotedValue(owner))?;
    }
    text.push('\n');
    Ok(())
}

fn write_node(text: &mut String, node: &Node, owner: &str, index: u32) -> fmt::Result {
    text.push_str(node.role.as_str());
    if !node.text.is_empty() {
        write!(text, " {}", Quoted(&node.text))?;
    }
    if !node.label.is_empty() {
        write!(text, " label={}", Quoted(&node.label))?;
    }
    if !node.hint.is_empty() {
        write!(text, " hint={}", Quoted(&node.hint))?;
    }
    if !node.can_scroll.is_empty() {
        write!(text, " can-scroll=\"{}\"", node.can_scroll)?;
    }
    if !node.id.is_empty() {
        write!(text, " #{}", UnquotedValue(&node.id))?;
    }
    if !node.class.is_empty() {
        write_class(text, &node.class)?;
    }
    if &*node.owner != owner {
        write!(text, " owner={}", UnquotedValue(&node.owner))?;
    }
    match node.bounds {
        Some(bounds) => write!(text, " {bounds}")?,
        None => text.push_str(" unplaced"),
    }
    for (word, bit) in words::SET {
        if node.is(bit) {
            write!(text, " {word}")?;
        }
    }
    for (word, bit) in words::UNSET {
        if !node.is(bit) {
            write!(text, " {word}")?;
        }
    }
    if node.index != index {
        write!(text, " index={}", node.index)?;
    }
    for (name, value) in &node.attributes {
        write!(text, " @{name}={}", Quoted(value))?;
    }
    Ok(())
}

fn write_class(text: &mut String, class: &str) -> fmt::Result {
    let common = class
        .strip_prefix(COMMON_PACKAGE)
        .filter(|name| !name.is_empty() && !name.contains('.') && is_bare(name));
    match common {
        Some(name) => write!(text, " .{name}"),
        None if class.contains('.') => write!(text, " .{}", UnquotedValue(class)),
        None => write!(text, " .{}", Quoted(class)),
    }
}

/// A value, without quotes where possible.
pub(crate) struct UnquotedValue<'a>(pub(crate) &'a str);

impl fmt::Display for UnquotedValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match is_bare(self.0) {
            true => f.write_str(self.0),
            false => Quoted(self.0).fmt(f),
        }
    }
}

/// Whether `value` needs no quotes.
pub(crate) fn is_bare(value: &str) -> bool {
    !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == '"' || is_unseen(c))
}
