//! The title of the screen in a window. Screens of one app with different titles show different records in equal rows.
//!
//! A title may be in the toolbar only while the screen is scrolled; before, it is a text of the content. While rows are selected,
//! their number may take its place: `2 selected`.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use super::nodes::{hash_of, is_control, is_heading, is_text, rows, window_identity};
use crate::{NodeId, Role, State, UiTree};

/// The title of a screen, or the texts that may be its title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ScreenTitle {
    /// Hash of the text of the first title outside of lists.
    title: Option<u64>,
    /// The hashes of the texts outside of lists and controls, unless there is a title.
    texts: Vec<u64>,
    /// The first text of a screen that begins with an icon, unless there is a title.
    first: Option<u64>,
}

/// The title that a window shows.
struct ShownTitle {
    title: ScreenTitle,
    node: Option<NodeId>,
    /// The hash of its letters, if it has a number.
    letters_of_count: Option<u64>,
    /// Whether the number is that of the selected rows.
    counts_selection: bool,
}

impl ShownTitle {
    /// The title of a window with these nodes.
    fn of(tree: &UiTree, nodes: Range<u32>) -> Self {
        let mut texts = Vec::new();
        let mut selected = 0;
        let first = first_text(tree, nodes.clone());
        let mut next = nodes.start;
        let mut title = None;
        while next < nodes.end {
            let id = NodeId(next);
            let node = tree.node(id);
            next += 1;
            if let Some(rows) = rows(tree, id) {
                let is_selected = |row: &&NodeId| {
                    let mut inside = tree.subtree(**row).map(|inner| tree.node(inner));
                    inside.any(|inner| inner.is(State::SELECTED) || inner.is(State::CHECKED))
                };
                selected += rows.iter().filter(is_selected).count();
                next = node.end.0;
            } else if tree.is_on_screen(id) && node.role == Role::Title {
                title = title.or(Some(id));
            } else if tree.is_on_screen(id) && is_text(tree, id) {
                texts.push(hash(&node.text));
            }
        }
        let text = title.and_then(|id| {
            let node = tree.node(id);
            let mut names = [&*node.text, &*node.label].into_iter();
            names.find(|text| !text.is_empty())
        });
        let count = text.and_then(number_in);
        Self {
            title: ScreenTitle {
                title: text.map(hash),
                texts: if text.is_none() { texts } else { Vec::new() },
                first: first
                    .filter(|_| text.is_none())
                    .map(|id| hash(&tree.node(id).text)),
            },
            node: title,
            letters_of_count: text.filter(|_| count.is_some()).map(letters),
            counts_selection: selected > 0 && count == Some(selected),
        }
    }
}

/// The first text of a screen that begins with a control without text, such as the name of a person beside the button to go back, or
/// the subject of a message below it: a text before the first list, or a heading in its first row. A page of the web has its own
/// evidence.
fn first_text(tree: &UiTree, nodes: Range<u32>) -> Option<NodeId> {
    let is_shown = |id: &NodeId| tree.is_on_screen(*id);
    let mut controls = nodes.clone().map(NodeId).filter(is_shown);
    let first = controls.find(|id| tree.node(*id).can_act())?;
    let mut next = nodes.start;
    while next < nodes.end {
        let id = NodeId(next);
        let node = tree.node(id);
        next += 1;
        if node.role == Role::WebView {
            return None;
        }
        if let Some(rows) = rows(tree, id) {
            let first = rows.first()?;
            let mut inside = tree.subtree(*first);
            return inside.find(|id| is_heading(tree.node(*id).role));
        } else if has_letters(&node.text) && !node.is(State::EDITABLE) {
            // The own text of a button is what it does.
            if !(node.can_act() && is_control(node.role)) {
                return (id > first && !tree.contains(first, id)).then_some(id);
            }
        }
    }
    None
}

fn has_letters(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}

impl ScreenTitle {
    /// Whether both are titles of one screen.
    pub(super) fn is_of_same_screen(&self, now: &Self) -> bool {
        match (self.title, now.title) {
            (Some(title), None) => now.texts.contains(&title),
            (None, Some(title)) => self.texts.contains(&title),
            (None, None) => match (self.first, now.first) {
                (Some(first), Some(of_now)) => {
                    first == of_now || self.texts.contains(&of_now) || now.texts.contains(&first)
                }
                _ => true,
            },
            (then, now) => then == now,
        }
    }
}

/// The titles of the windows of a screen.
#[derive(Debug, Default)]
pub(super) struct ScreenTitles {
    /// By the identity of the window: the title and, while rows are selected, the letters beside their number.
    by_window: HashMap<u64, (Arc<ScreenTitle>, Option<u64>)>,
    nodes: Vec<NodeId>,
}

impl ScreenTitles {
    /// The titles of the screen that follows.
    pub(super) fn next(&self, tree: &UiTree) -> Self {
        let mut titles = Self::default();
        for window in 0..tree.windows().len() {
            let nodes = tree.windows()[window].root.0..tree.window_end(window);
            let identity = window_identity(tree, window, nodes.clone());
            let shown = ShownTitle::of(tree, nodes);
            titles.nodes.extend(shown.node);
            // While rows are selected, it is the screen on which that began. Those beyond the edge of the screen count, too.
            let before = self.by_window.get(&identity);
            let before = before.filter(|(_, letters)| {
                shown.counts_selection || letters.is_some() && *letters == shown.letters_of_count
            });
            let title = match before {
                Some((title, _)) => (Arc::clone(title), shown.letters_of_count),
                None => (Arc::new(shown.title), None),
            };
            titles.by_window.insert(identity, title);
        }
        titles
    }

    /// The title of the screen in the window with this identity.
    pub(super) fn of(&self, window: u64) -> Option<&Arc<ScreenTitle>> {
        self.by_window.get(&window).map(|(title, _)| title)
    }

    /// Whether a node is the title of a window's screen.
    pub(super) fn is_title(&self, id: NodeId) -> bool {
        self.nodes.contains(&id)
    }
}

/// The only number in a text.
fn number_in(text: &str) -> Option<usize> {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty());
    let number = numbers.next()?.parse().ok()?;
    numbers.next().is_none().then_some(number)
}

fn hash(text: &str) -> u64 {
    hash_of(|hasher| text.hash(hasher))
}

fn letters(text: &str) -> u64 {
    hash(
        &text
            .chars()
            .filter(|c| c.is_alphabetic())
            .collect::<String>(),
    )
}
