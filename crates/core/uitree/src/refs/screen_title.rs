//! The title of the screen in a window. Screens of one app with different titles show different records in equal rows.
//!
//! A title may be in the toolbar only while the screen is scrolled; before, it is a text of the content. While rows are selected,
//! their number may take its place: `2 selected`.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use super::nodes::{
    hash_of, identity_hash, is_control, is_heading, is_text, rows, window_identity,
};
use crate::{NodeId, Role, ScrollDirections, State, UiTree};

/// The title of a screen, or the texts that may be its title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ScreenTitle {
    /// Hash of the text of the first title outside of lists.
    title: Option<u64>,
    /// The hashes of the texts outside of lists and controls, unless there is a title.
    texts: Vec<u64>,
    /// The hashes of the names of a screen that begins with an icon, unless there is a title.
    names: Vec<u64>,
    /// Whether content is scrolled out of view above it.
    is_scrolled: bool,
}

/// The title that a window shows.
struct ShownTitle {
    title: ScreenTitle,
    node: Option<NodeId>,
    /// The identity hash of the first list.
    list: Option<u64>,
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
        let names = names(tree, nodes.clone());
        let mut shown = nodes.clone().map(|id| tree.node(NodeId(id)));
        let is_scrolled = shown.any(|node| node.can_scroll.contains(ScrollDirections::UP));
        let mut list = None;
        let mut next = nodes.start;
        let mut title = None;
        while next < nodes.end {
            let id = NodeId(next);
            let node = tree.node(id);
            next += 1;
            if let Some(rows) = rows(tree, id) {
                list = list.or_else(|| Some(identity_hash(tree, id)));
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
                names: match text {
                    Some(_) => Vec::new(),
                    None => names.map(|id| hash(&tree.node(id).text)).collect(),
                },
                is_scrolled,
            },
            node: title,
            list,
            letters_of_count: text.filter(|_| count.is_some()).map(letters),
            counts_selection: selected > 0 && count == Some(selected),
        }
    }
}

/// The names of a screen that begins with a control without text, such as the name of a person beside the button to go back, or the
/// subject of a message below it: the first text before lists, and the first heading there or in the first row of a list. A page of
/// the web has its own evidence.
fn names(tree: &UiTree, nodes: Range<u32>) -> impl Iterator<Item = NodeId> {
    let (mut text, mut heading) = (None, None);
    let mut shown = nodes
        .clone()
        .map(NodeId)
        .filter(|id| tree.is_on_screen(*id));
    let first = shown.find(|id| tree.node(*id).can_act());
    let has_text = |id: NodeId| has_letters(&tree.node(id).text);
    let first = first.filter(|first| !tree.subtree(*first).any(has_text));
    let mut next = nodes.start;
    while let Some(first) = first
        && next < nodes.end
    {
        let id = NodeId(next);
        let node = tree.node(id);
        next += 1;
        if node.role == Role::WebView {
            (text, heading) = (None, None);
            break;
        }
        if matches!(node.role, Role::TextField | Role::Dropdown) {
            // Its texts are its value.
            next = node.end.0;
        } else if let Some(rows) = rows(tree, id) {
            let mut inside = rows.first().into_iter().flat_map(|row| tree.subtree(*row));
            heading = heading.or_else(|| inside.find(|id| is_heading(tree.node(*id).role)));
            break;
        } else if has_text(id) && id > first && !(node.can_act() && is_control(node.role)) {
            // The own text of a button is what it does.
            text = text.or(Some(id));
            heading = heading.or_else(|| is_heading(node.role).then_some(id));
        }
    }
    text.into_iter()
        .chain(heading.filter(|id| text != Some(*id)))
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
            (None, None) => {
                // A heading may be scrolled out of view.
                let has_names = |of: &Self, with: &Self| {
                    let has = |name| of.names.contains(name) || of.texts.contains(name);
                    let may_lack = with.names.len() >= of.names.len()
                        || with.is_scrolled && !with.names.is_empty();
                    may_lack && with.names.iter().all(has)
                };
                has_names(self, now) || has_names(now, self)
            }
            (then, now) => then == now,
        }
    }
}

/// The title of a window, which remains while rows are selected.
#[derive(Debug)]
struct WindowTitle {
    title: Arc<ScreenTitle>,
    list: Option<u64>,
    /// While rows are selected, the letters beside their number.
    letters: Option<u64>,
}

/// The titles of the windows of a screen.
#[derive(Debug, Default)]
pub(super) struct ScreenTitles {
    /// By the identity of the window.
    by_window: HashMap<u64, WindowTitle>,
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
            let before = before.filter(|before| {
                let letters = before.letters;
                let is_same = letters.is_some() && letters == shown.letters_of_count;
                before.list == shown.list && (shown.counts_selection || is_same)
            });
            let (title, letters) = match before {
                Some(before) => (Arc::clone(&before.title), shown.letters_of_count),
                None => (Arc::new(shown.title), None),
            };
            let list = shown.list;
            let title = WindowTitle {
                title,
                list,
                letters,
            };
            titles.by_window.insert(identity, title);
        }
        titles
    }

    /// The title of the screen in the window with this identity.
    pub(super) fn of(&self, window: u64) -> Option<&Arc<ScreenTitle>> {
        self.by_window.get(&window).map(|window| &window.title)
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
