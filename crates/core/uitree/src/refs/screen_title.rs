//! The title of the screen in a window. Screens of one app with different titles show different records in equal rows.
//!
//! A title may be in the toolbar only while the screen is scrolled; before, it is a text of the content. While rows are selected,
//! their number may take its place: `2 selected`. A search field may take its place, too: it then is that of the screen before.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use super::nodes::{
    hash_of, identity_hash, is_control, is_heading, is_text, popups, rows, window_identity,
};
use crate::{Node, NodeId, Role, ScrollDirections, State, UiTree};

/// The title of a screen, or the texts that may be its title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ScreenTitle {
    /// Hash of the text of the first title outside of lists.
    title: Option<u64>,
    /// The hashes of the texts outside of lists and controls, unless there is a title.
    texts: Vec<u64>,
    /// The hashes of the names of a screen that begins with an icon; if there is a title, of the header below it.
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
    /// Whether a search field is in the place of the title.
    is_search: bool,
}

impl ShownTitle {
    /// The title of a window with these nodes.
    fn of(tree: &UiTree, nodes: Range<u32>) -> Self {
        let mut texts = Vec::new();
        let mut selected = 0;
        let names = names(tree, nodes.clone());
        let is_search = names.is_none();
        let mut shown = nodes.clone().map(|id| tree.node(NodeId(id)));
        let is_scrolled = shown.any(|node| node.can_scroll.contains(ScrollDirections::UP));
        let mut list = None;
        let mut header = None;
        let mut next = nodes.start;
        let mut title = None;
        while next < nodes.end {
            let id = NodeId(next);
            let node = tree.node(id);
            next += 1;
            if let Some(rows) = rows(tree, id) {
                if list.is_none() {
                    list = Some(identity_hash(tree, id));
                    header = rows.first().and_then(|row| header_name(tree, *row));
                }
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
                    Some(_) => header.into_iter().collect(),
                    None => names.unwrap_or_default(),
                }
                .into_iter()
                .map(|id| hash(&tree.node(id).text))
                .collect(),
                is_scrolled,
            },
            node: title,
            list,
            letters_of_count: text.filter(|_| count.is_some()).map(letters),
            counts_selection: selected > 0 && count == Some(selected),
            is_search: is_search && text.is_none(),
        }
    }
}

/// The names of a screen that begins with a control without text, such as the name of a person beside the button to go back, or the
/// subject of a message below it: the first text before lists, and the first heading there or in the first row of a list, or else
/// the header there. A page of the web has its own evidence. `None` if a field is in their place.
fn names(tree: &UiTree, nodes: Range<u32>) -> Option<Vec<NodeId>> {
    let (mut text, mut heading) = (None, None);
    let shown = || {
        let nodes = nodes.clone().map(NodeId);
        nodes.filter(|id| tree.is_on_screen(*id))
    };
    if shown().any(|id| tree.node(id).role == Role::WebView) {
        return Some(Vec::new());
    }
    let first = shown().find(|id| tree.node(*id).can_act());
    let has_text = |id: NodeId| has_letters(&tree.node(id).text);
    let is_icon = |id: &NodeId| !is_field(tree.node(*id)) && !tree.subtree(*id).any(has_text);
    let first = first.filter(is_icon);
    let mut next = nodes.start;
    while let Some(first) = first
        && next < nodes.end
    {
        let id = NodeId(next);
        let node = tree.node(id);
        next += 1;
        if is_field(node) {
            if id > first && text.is_none() && node.role == Role::TextField {
                return None;
            }
            // Its texts are its value.
            next = node.end.0;
        } else if let Some(rows) = rows(tree, id) {
            if let Some(row) = rows.first() {
                let in_row = || {
                    tree.subtree(*row)
                        .find(|id| is_heading(tree.node(*id).role))
                };
                heading = heading.or_else(in_row).or_else(|| header_name(tree, *row));
            }
            break;
        } else if has_text(id) && id > first && !(node.can_act() && is_control(node.role)) {
            // The own text of a button is what it does.
            text = text.or(Some(id));
            heading = heading.or_else(|| is_heading(node.role).then_some(id));
        }
    }
    let heading = heading.filter(|id| text != Some(*id));
    Some(text.into_iter().chain(heading).collect())
}

fn is_field(node: &Node) -> bool {
    matches!(node.role, Role::TextField | Role::Dropdown)
}

/// The name in a first row that shows an image and presses nothing, such as that of an app above its settings.
fn header_name(tree: &UiTree, row: NodeId) -> Option<NodeId> {
    let inside = || tree.subtree(row).map(|id| (id, tree.node(id)));
    let is_header = inside().any(|(_, node)| node.role == Role::Image)
        && !inside().any(|(_, node)| node.can_act());
    let mut texts = inside().filter(|(_, node)| has_letters(&node.text));
    Some(texts.next().filter(|_| is_header)?.0)
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
            (then, now_title) => {
                then == now_title && (self.has_names_of(now) || now.has_names_of(self))
            }
        }
    }

    /// Whether it has all names of another screen, of which a heading may be scrolled out of view.
    fn has_names_of(&self, other: &Self) -> bool {
        let has = |name| self.names.contains(name) || self.texts.contains(name);
        let is_named = other.title.is_some() || !other.names.is_empty();
        let may_lack = other.names.len() >= self.names.len() || other.is_scrolled && is_named;
        may_lack && other.names.iter().all(has)
    }
}

/// The title of a window, which remains while rows are selected or searched.
#[derive(Clone, Debug)]
struct WindowTitle {
    title: Arc<ScreenTitle>,
    list: Option<u64>,
    /// Whether a search field is in its place.
    is_search: bool,
    /// While rows are selected, the letters beside their number.
    letters: Option<u64>,
}

impl WindowTitle {
    /// Whether the number of selected rows is shown in its place. Those beyond the edge of the screen count, too.
    fn is_of_selection(&self, shown: &ShownTitle) -> bool {
        let is_same_count = self.letters.is_some() && self.letters == shown.letters_of_count;
        self.list == shown.list && (shown.counts_selection || is_same_count)
    }

    /// Whether it remains the title while rows are selected, searched or scrolled; then the screen may no longer show its names.
    fn remains(&self, shown: &ShownTitle) -> bool {
        let is_same_list = shown.list.is_some() && self.list == shown.list;
        let is_search = shown.is_search && (self.is_search || is_same_list);
        let (then, now) = (&*self.title, &shown.title);
        let is_scrolled = now.is_scrolled && then.title == now.title && then.is_of_same_screen(now);
        is_search || is_scrolled || self.is_of_selection(shown)
    }
}

/// The titles of the windows of a screen.
#[derive(Debug, Default)]
pub(super) struct ScreenTitles {
    /// By the identity of the window.
    by_window: HashMap<u64, WindowTitle>,
    nodes: Vec<NodeId>,
    /// How many searches began on an unknown screen.
    searches: u64,
}

impl ScreenTitles {
    /// The titles of the screen that follows.
    pub(super) fn next(&self, tree: &UiTree) -> Self {
        let mut titles = Self {
            searches: self.searches,
            ..Self::default()
        };
        for window in 0..tree.windows().len() {
            let nodes = tree.windows()[window].root.0..tree.window_end(window);
            let identity = window_identity(tree, window, nodes.clone());
            let shown = ShownTitle::of(tree, nodes);
            titles.nodes.extend(shown.node);
            let before = self.by_window.get(&identity);
            let before = before.filter(|before| before.remains(&shown));
            let is_selection = before.is_some_and(|before| before.is_of_selection(&shown));
            let title = match before {
                Some(before) => Arc::clone(&before.title),
                None if shown.is_search => titles.of_new_search(),
                None => Arc::new(shown.title),
            };
            let title = WindowTitle {
                title,
                list: shown.list,
                is_search: shown.is_search,
                letters: shown.letters_of_count.filter(|_| is_selection),
            };
            titles.by_window.insert(identity, title);
        }
        // The tree may lack the window below a dialog.
        if popups(tree).any(|id| tree.node(id).parent.is_none()) {
            for (window, title) in &self.by_window {
                let known = titles.by_window.entry(*window);
                known.or_insert_with(|| title.clone());
            }
        }
        titles
    }

    /// The title of a search that began on an unknown screen: no other search has it.
    fn of_new_search(&mut self) -> Arc<ScreenTitle> {
        self.searches += 1;
        let name = hash_of(|hasher| ("search", self.searches).hash(hasher));
        Arc::new(ScreenTitle {
            names: vec![name],
            ..ScreenTitle::default()
        })
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
