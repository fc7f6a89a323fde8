//! Properties of single nodes and windows that are evidence.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::{Node, NodeId, Rect, Role, State, UiTree, WindowKind};

/// Maximum number of preceding nodes to examine.
pub(super) const MAX_DISTANCE: usize = 200;

/// Whether an element can have a reference.
pub(super) fn can_have_ref(node: &Node) -> bool {
    node.can_act() || node.is(State::SCROLLABLE)
}

pub(super) fn hash_of(write: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut hasher = DefaultHasher::new();
    write(&mut hasher);
    // 0 means none, 1 means a value.
    hasher.finish().max(2)
}

/// Hash of the properties of a node that do not change when it is used: without its state and the value of a field.
pub(super) fn identity_hash(tree: &UiTree, id: NodeId) -> u64 {
    let node = tree.node(id);
    hash_of(|hasher| {
        node.role.hash(hasher);
        node.class.hash(hasher);
        node.id.hash(hasher);
        // The author's key of a page is its query.
        if node.parent.is_some() {
            tree.author_key(id).hash(hasher);
        }
        node.attribute("href").hash(hasher);
        let name = |id: NodeId| {
            name_of(tree.node(id)).map(|name| without_addition(name, tree.addition(id)))
        };
        name(id).hash(hasher);
        let whole = node.can_act() && !holds_value(node) && rows(tree, id).is_none();
        let inside = || tree.subtree(id).skip(1);
        if whole && !inside().any(|inner| tree.node(inner).can_act()) {
            let addition = tree.addition(id);
            let is_addition =
                |inner: &NodeId| !addition.is_empty() && &*tree.node(*inner).text == addition;
            for inner in inside().filter(|inner| !is_addition(inner)) {
                name(inner).hash(hasher);
            }
        }
    })
}

/// A name without the text that CSS adds before or after it, unless nothing else is left.
fn without_addition<'n>(name: &'n str, addition: &str) -> &'n str {
    let rest = name.strip_suffix(addition);
    let rest = rest.or_else(|| name.strip_prefix(addition)).unwrap_or(name);
    let rest = rest.trim();
    if rest.is_empty() { name } else { rest }
}

/// Whether the texts of a node and its descendants are a value that a user sets.
pub(super) fn holds_value(node: &Node) -> bool {
    node.is(State::EDITABLE) || matches!(node.role, Role::Slider | Role::Dropdown)
}

/// The names of a node without the value of a field. A label and an equal text, as shown on hover, are the same name.
pub(super) fn name_of(node: &Node) -> [&str; 3] {
    let (text, label) = (&*node.text, &*node.label);
    if !holds_value(node) {
        return match text.is_empty() || text == label {
            true => [label, "", &node.hint],
            false => [text, label, &node.hint],
        };
    }
    // Some drop-down lists have their value as label.
    let is_value = node.role == Role::Dropdown
        && !label.is_empty()
        && text.split(label).all(|rest| rest.trim().is_empty());
    let label = if is_value { "" } else { label };
    ["", label, &node.hint]
}

/// The fewest letters and words of a text that identifies an element.
pub(super) const LONG: (usize, usize) = (24, 4);

/// Whether an element without controls inside has a text at least as long as [`LONG`], and its role shows content.
pub(super) fn has_long_text(tree: &UiTree, id: NodeId) -> bool {
    let node = tree.node(id);
    let shows = matches!(
        node.role,
        Role::Text | Role::Container | Role::Link | Role::ListItem | Role::Card | Role::Row
    );
    let mut inside = tree.subtree(id).skip(1).map(|inner| tree.node(inner));
    if !shows || !node.can_act() || inside.any(Node::can_act) {
        return false;
    }
    let texts = || tree.subtree(id).map(|inner| &*tree.node(inner).text);
    let letters = texts().flat_map(str::chars).filter(|c| c.is_alphabetic());
    let words = texts().flat_map(str::split_whitespace);
    letters.count() >= LONG.0 && words.count() >= LONG.1
}

/// Whether a node is a search or filter field.
pub(super) fn is_search(node: &Node) -> bool {
    let has_word = |text: &&Arc<str>| {
        let text = text.to_lowercase();
        text.contains("search") || text.contains("filter")
    };
    let is_field = node.is(State::EDITABLE) && !node.is(State::PASSWORD);
    is_field && [&node.id, &node.hint, &node.label].iter().any(has_word)
}

/// Whether a node can be an item of its scope.
pub(super) fn is_evidence(node: &Node) -> bool {
    can_have_ref(node) || !(node.text.is_empty() && node.label.is_empty() && node.hint.is_empty())
}

/// Whether a node is a landmark that the pages of an app share: a header, footer, sidebar, navigation or search.
pub(crate) fn is_page_landmark(node: &Node) -> bool {
    matches!(
        node.attribute("landmark"),
        Some("banner" | "complementary" | "contentinfo" | "navigation" | "search")
    )
}

/// The label or the title of a dialog; `None` for any other node.
pub(super) fn dialog_name(tree: &UiTree, id: NodeId) -> Option<&str> {
    let node = tree.node(id);
    if node.role != Role::Dialog {
        return None;
    }
    let titles = tree.subtree(id).map(|inner| tree.node(inner));
    let title = titles
        .filter(|inner| matches!(inner.role, Role::Title | Role::Heading))
        .map(|title| &*title.text);
    let mut names = std::iter::once(&*node.label).chain(title);
    names.find(|name| !name.trim().is_empty())
}

/// Whether a node is a dialog, a menu, or a window of an app that leaves a quarter of the screen or more to others.
fn is_popup(tree: &UiTree, id: NodeId) -> bool {
    let node = tree.node(id);
    let is_small_window = || {
        let screen = tree.screen().to_rect().area();
        node.parent.is_none()
            && tree.window_of(id).kind == WindowKind::Application
            && node
                .bounds
                .is_some_and(|bounds| bounds.area() * 4 <= screen * 3)
    };
    matches!(node.role, Role::Dialog | Role::Menu) || is_small_window()
}

/// The dialogs, menus and small windows of a screen.
pub(super) fn popups(tree: &UiTree) -> impl Iterator<Item = NodeId> + '_ {
    tree.ids().filter(|id| is_popup(tree, *id))
}

/// The innermost dialog, menu or small window around a node.
pub(super) fn popup_around(tree: &UiTree, id: NodeId) -> Option<NodeId> {
    tree.ancestors(id).find(|around| is_popup(tree, *around))
}

/// Whether a node contains what differs between pages.
pub(super) fn is_content(node: &Node) -> bool {
    node.role == Role::Dialog || node.attribute("landmark") == Some("main")
}

/// Whether a node only shows a value without letters, such as a counter or a price.
pub(super) fn is_value(tree: &UiTree, id: NodeId) -> bool {
    let node = tree.node(id);
    !can_have_ref(node)
        && node.id.is_empty()
        && !tree
            .ancestors(id)
            .take(3)
            .any(|around| tree.node(around).can_act())
        && !name_of(node)
            .iter()
            .any(|name| name.chars().any(char::is_alphabetic))
}

/// Whether a text is the initials in an avatar without a picture.
pub(crate) fn is_initials(text: &str) -> bool {
    let text = text.trim();
    text.chars().count() <= 2 && text.chars().all(|sign| sign.is_uppercase() || sign == '&')
}

/// Whether two elements overlap vertically.
pub(super) const fn overlaps_y(one: Rect, other: Rect) -> bool {
    one.top < other.bottom && other.top < one.bottom
}

/// Whether the text of an element with this role is its own name rather than the name of its row.
pub(super) const fn is_control(role: Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::Switch
            | Role::CheckBox
            | Role::Radio
            | Role::Toggle
            | Role::Icon
            | Role::TextField
            | Role::Dropdown
            | Role::Slider
            | Role::Progress
    )
}

pub(super) fn is_in_control(tree: &UiTree, id: NodeId) -> bool {
    let mut around = tree.ancestors(id).map(|around| tree.node(around));
    around.any(|around| around.can_act() && is_control(around.role))
}

pub(super) const fn is_heading(role: Role) -> bool {
    matches!(role, Role::Heading | Role::Title)
}

/// Whether a node is a text that may name the record of the controls beside it.
pub(super) fn is_text(tree: &UiTree, id: NodeId) -> bool {
    let node = tree.node(id);
    !node.text.trim().is_empty() && !is_control(node.role) && !is_in_control(tree, id)
}

/// The texts directly before an element among `nodes`, the nearest first: those between the controls beside it and the control
/// before these, up to a heading. `None` if they are too far away.
pub(super) fn texts_before(
    tree: &UiTree,
    id: NodeId,
    nodes: impl DoubleEndedIterator<Item = NodeId>,
) -> Option<Vec<NodeId>> {
    let mut texts = Vec::new();
    for (distance, other) in nodes.rev().enumerate() {
        if distance == MAX_DISTANCE {
            return None;
        }
        let node = tree.node(other);
        if is_text(tree, other) && !tree.contains(other, id) {
            texts.push(other);
            if is_heading(node.role) {
                break;
            }
        } else if !texts.is_empty() && node.can_act() && !tree.contains(other, id) {
            break;
        }
    }
    Some(texts)
}

/// The rows of a list: its children, or those of its only child.
pub(super) fn rows(tree: &UiTree, id: NodeId) -> Option<Vec<NodeId>> {
    let node = tree.node(id);
    match node.role {
        Role::List | Role::Grid | Role::Menu | Role::Pager | Role::TabBar => {}
        _ => return None,
    }
    let is_holder = |only: NodeId| {
        let node = tree.node(only);
        let is_row = matches!(node.role, Role::ListItem | Role::Row | Role::Card);
        !is_row && !can_have_ref(node) && tree.children(only).next().is_some()
    };
    let mut holder = id;
    loop {
        let children: Vec<NodeId> = tree.children(holder).collect();
        match children.as_slice() {
            [] => return None,
            [only] if is_holder(*only) => holder = *only,
            _ => return Some(children),
        }
    }
}

/// The document of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DocumentKey {
    /// The platform's number of its root.
    root: Option<u64>,
    /// Hash of the query of its address.
    pub(super) query: u64,
}

impl DocumentKey {
    pub(super) fn of(tree: &UiTree, root: NodeId) -> Self {
        Self {
            root: tree.origin(root),
            query: tree.author_key(root),
        }
    }

    /// Whether it is the same document, even with another address set by a script, or the same page reloaded.
    pub(super) fn matches(self, other: Self) -> bool {
        self.query == other.query || (self.root.is_some() && self.root == other.root)
    }
}

/// Identifies a window and the page in it, whatever the title of its screen.
pub(super) fn window_identity(tree: &UiTree, window: usize, nodes: std::ops::Range<u32>) -> u64 {
    let shown = &tree.windows()[window];
    let letters = |text: &str| -> String { text.chars().filter(|c| c.is_alphabetic()).collect() };
    hash_of(|hasher| {
        shown.kind.as_str().hash(hasher);
        letters(&shown.title).hash(hasher);
        tree.node(shown.root).owner.hash(hasher);
        let pages = nodes.map(NodeId).filter(|id| tree.is_on_screen(*id));
        for page in pages
            .map(|id| tree.node(id))
            .filter(|node| node.role == Role::WebView)
        {
            page.attribute("path").hash(hasher);
            page.owner.hash(hasher);
        }
    })
}
