//! Candidates of a phone screen.

mod kind;
mod nearby_text;

use std::sync::Arc;

use uitree::{Node, NodeId, Role, State as Facts, UiTree, WindowKind};

use self::{
    kind::{is_interactive, kind},
    nearby_text::nearby_text,
};
use super::{
    Candidate, Context, ContextKind, Kind, Name, Names, RawAttributes, Source, State, Subject,
    TreeNode, Visibility,
    sections::{LOOKS_LIKE, Sections},
    text::{add_piece, meaningful_words},
};

const MAX_TEXT: usize = 240;
const MAX_VISITED: usize = 64;
const MAX_PIECES: usize = 8;
const MAX_LEVELS: usize = 48;
/// A larger row is a section.
const MAX_IN_ROW: usize = 60;

impl Subject {
    /// Candidates of a phone screen. Positions are those of its nodes.
    pub fn from_tree(screen: &UiTree) -> Self {
        let click_targets = click_targets(screen);
        let mut sections = Sections::default();
        let mut candidates = Vec::new();
        let mut window = None;
        for id in screen.ids() {
            let root = screen.window_of(id).root;
            if window != Some(root) {
                window = Some(root);
                sections = Sections::default();
            }
            sections.enter(id.index());
            heading(screen, &click_targets, id, &mut sections);
            let found = candidate(screen, &click_targets, &sections, id);
            candidates.push(found.unwrap_or_else(|| structural(screen, id)));
        }
        let nodes = screen
            .ids()
            .map(|id| TreeNode {
                parent: screen.node(id).parent.map(NodeId::index),
                end: end_of(screen, id),
                bounds: screen.node(id).bounds,
                text_bounds: None,
            })
            .collect();
        Self {
            candidates,
            nodes,
            screen: screen.screen(),
            extent: screen.screen().to_rect(),
        }
    }
}

fn end_of(screen: &UiTree, id: NodeId) -> usize {
    screen
        .subtree(id)
        .next_back()
        .map_or(id.index() + 1, |last| last.index() + 1)
}

/// For each node the one that takes its taps.
fn click_targets(screen: &UiTree) -> Vec<Option<NodeId>> {
    let mut click_targets: Vec<Option<NodeId>> = Vec::with_capacity(screen.len());
    for id in screen.ids() {
        let node = screen.node(id);
        let around = node
            .parent
            .and_then(|parent| click_targets.get(parent.index()).copied().flatten());
        click_targets.push(if is_interactive(node) {
            Some(id)
        } else {
            around
        });
    }
    click_targets
}

/// A resource id without its package.
fn local_id(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

/// Opens the section of the heading `id`.
fn heading(screen: &UiTree, click_targets: &[Option<NodeId>], id: NodeId, sections: &mut Sections) {
    let node = screen.node(id);
    let words = if node.text.is_empty() {
        &node.label
    } else {
        &node.text
    };
    if words.is_empty() || words.len() > 120 || !screen.is_on_screen(id) {
        return;
    }
    let marked = node.is(Facts::HEADING) || matches!(node.role, Role::Heading);
    let in_actor = click_targets.get(id.index()).copied().flatten().is_some();
    let level = match node.role {
        Role::Title if !in_actor => 1,
        _ if marked => 2,
        _ if !in_actor
            && meaningful_words(local_id(&node.id)).iter().any(|word| {
                matches!(
                    &**word,
                    "title" | "header" | "heading" | "category" | "section"
                )
            }) =>
        {
            LOOKS_LIKE
        }
        _ => return,
    };
    let window = screen.window_of(id).root;
    sections.heading(level, Arc::clone(words), id.index(), end_of(screen, window));
}

fn candidate(
    screen: &UiTree,
    click_targets: &[Option<NodeId>],
    sections: &Sections,
    id: NodeId,
) -> Option<Candidate> {
    let node = screen.node(id);
    let is_interactive = is_interactive(node);
    let target = click_targets.get(id.index()).copied().flatten();
    if !is_interactive && target.is_some() {
        // Text in a control belongs to the control.
        return None;
    }
    let (kind, kinds) = kind(node, is_interactive);
    let has_text = !node.text.is_empty() || !node.label.is_empty() || !node.hint.is_empty();
    if !is_interactive
        && !has_text
        && matches!(kind, Kind::Other | Kind::Row | Kind::Text | Kind::Label)
    {
        return None;
    }
    let kind = if kind == Kind::Other {
        Kind::Text
    } else {
        kind
    };
    let beside = nearby_text(screen, id, kind);
    let label = beside.and_then(|at| screen.visible_bounds(at));
    let names = names(screen, click_targets, id, kind, beside);
    let mut state = state(node.state);
    state.set(State::INTERACTIVE, is_interactive);
    let words = names
        .iter()
        .any(|name| matches!(name.source, Source::Text | Source::Placeholder));
    if is_interactive && !words && matches!(kind, Kind::Button | Kind::Image | Kind::Clickable) {
        state |= State::PICTURE;
    }
    match depth(screen, id) {
        std::cmp::Ordering::Greater => state |= State::ON_TOP,
        std::cmp::Ordering::Less => state |= State::BEHIND,
        std::cmp::Ordering::Equal => {}
    }
    let mut context = Vec::new();
    sections.context(id.index(), &mut context);
    add_contexts(screen, id, &mut context);
    Some(Candidate {
        kind,
        kinds,
        names,
        state,
        label,
        context,
        ..structural(screen, id)
    })
}

/// A candidate for filters and for questions about its text.
fn structural(screen: &UiTree, id: NodeId) -> Candidate {
    let node = screen.node(id);
    let (kind, kinds) = kind(node, false);
    let text = Some(&node.text).filter(|text| !text.is_empty());
    Candidate {
        place: id.index(),
        kind,
        kinds,
        role: Arc::from(node.role.as_str()),
        tag: Arc::clone(&node.class),
        names: text.map(Name::shown).into_iter().collect(),
        state: state(node.state) | State::STRUCTURAL,
        bounds: screen.visible_bounds(id).or(node.bounds),
        label: None,
        visibility: visibility(screen, id),
        context: Vec::new(),
        raw: raw(node),
    }
}

fn raw(node: &Node) -> RawAttributes {
    RawAttributes {
        id: Arc::clone(&node.id),
        test_id: Arc::clone(&node.id),
        class: Arc::clone(&node.class),
        placeholder: if node.is(Facts::SHOWING_HINT) && node.hint.is_empty() {
            Arc::clone(&node.text)
        } else {
            Arc::clone(&node.hint)
        },
        ..RawAttributes::default()
    }
}

fn visibility(screen: &UiTree, id: NodeId) -> Visibility {
    match (screen.visible_bounds(id), screen.node(id).bounds) {
        (Some(_), _) => Visibility::Shown,
        (None, _) if screen.off_screen_side(id).is_some() => Visibility::Scrolled,
        (None, Some(bounds)) if !bounds.is_empty() => Visibility::Hidden,
        (None, _) => Visibility::Empty,
    }
}

fn state(facts: Facts) -> State {
    const SAME: &[(Facts, State)] = &[
        (Facts::EDITABLE, State::EDITABLE),
        (Facts::CHECKABLE, State::CHECKABLE),
        (Facts::CHECKED, State::CHECKED),
        (Facts::SELECTED, State::SELECTED),
        (Facts::FOCUSED, State::FOCUSED),
        (Facts::PASSWORD, State::PASSWORD),
    ];
    let mut state = SAME
        .iter()
        .filter(|(fact, _)| facts.contains(*fact))
        .fold(State::empty(), |state, (_, same)| state | *same);
    state.set(State::DISABLED, !facts.contains(Facts::ENABLED));
    state
}

/// Compares the window of `id` with the active one: above it, or below a dialog.
fn depth(screen: &UiTree, id: NodeId) -> std::cmp::Ordering {
    let own = screen.window_of(id);
    let apps = screen
        .windows()
        .iter()
        .filter(|window| window.kind == WindowKind::Application);
    let top = apps
        .clone()
        .max_by_key(|window| (window.active, window.layer));
    let several = apps.count() > 1;
    match top {
        Some(top) if several && own.kind == WindowKind::Application => {
            if top.root == own.root {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Less
            }
        }
        _ => std::cmp::Ordering::Equal,
    }
}

fn names(
    screen: &UiTree,
    click_targets: &[Option<NodeId>],
    id: NodeId,
    kind: Kind,
    beside: Option<NodeId>,
) -> Vec<Name> {
    let node = screen.node(id);
    let mut names = Names::default();
    let field = kind == Kind::TextField;
    let source = match node.is(Facts::SHOWING_HINT) {
        true => Source::Placeholder,
        false if field => Source::Value,
        false => Source::Text,
    };
    for (source, text) in [
        (Source::Accessible, &node.label),
        (source, &node.text),
        (Source::Placeholder, &node.hint),
    ] {
        names.add(source, Arc::clone(text));
    }
    if is_interactive(node) && !field {
        let pieces: Vec<&Arc<str>> = pieces(screen, click_targets, id).collect();
        let mut whole = String::new();
        for piece in &pieces {
            add_piece(&mut whole, piece, MAX_TEXT);
        }
        // The first piece is the title of a row.
        for piece in pieces.into_iter().take(MAX_PIECES) {
            names.add(Source::Text, Arc::clone(piece));
        }
        names.add(Source::Text, whole);
    }
    if let Some(beside) = beside {
        names.add(Source::Label, Arc::clone(&screen.node(beside).text));
    }
    names.add_words(Source::Id, local_id(&node.id));
    for (key, value) in &node.attributes {
        match &**key {
            "tooltip" | "tooltip-text" => names.add(Source::Title, Arc::clone(value)),
            "state-description" => names.add(Source::Description, Arc::clone(value)),
            _ => {}
        }
    }
    // Classes of the platform name kinds and no elements.
    if !node.class.starts_with("android") {
        let class = node.class.rsplit('.').next().unwrap_or(&node.class);
        names.add_words(Source::Class, class);
    }
    names.sorted()
}

/// Text in `id` outside of its controls.
fn pieces<'t>(
    screen: &'t UiTree,
    click_targets: &'t [Option<NodeId>],
    id: NodeId,
) -> impl Iterator<Item = &'t Arc<str>> {
    screen
        .subtree(id)
        .skip(1)
        .take(MAX_VISITED)
        .filter(move |at| click_targets.get(at.index()).copied().flatten() == Some(id))
        .flat_map(|at| {
            let node = screen.node(at);
            [&node.text, &node.label]
        })
        .filter(|text| !text.is_empty())
}

/// Adds the contexts of `id`.
fn add_contexts(screen: &UiTree, id: NodeId, context: &mut Vec<Context>) {
    let mut rows = 0;
    for up in screen.ancestors(id).take(MAX_LEVELS) {
        let node = screen.node(up);
        let size = end_of(screen, up) - up.index();
        let of_list = node
            .parent
            .is_some_and(|parent| matches!(screen.node(parent).role, Role::List | Role::Grid));
        let row = matches!(
            node.role,
            Role::ListItem | Role::Row | Role::Card | Role::MenuItem
        ) || of_list
            || node.is(Facts::CLICKABLE);
        let part = match node.role {
            Role::Toolbar => Some(ContextKind::Header),
            Role::TabBar => Some(ContextKind::Navigation),
            Role::Dialog | Role::Menu => Some(ContextKind::Dialog),
            _ => None,
        };
        if let Some(kind) = part {
            context.push(Context::new(kind, Arc::clone(&node.label), up.index()));
        } else if row && rows < 3 && (2..=MAX_IN_ROW).contains(&size) {
            let mut text = String::new();
            for at in screen.subtree(up).take(MAX_VISITED) {
                let inner = screen.node(at);
                add_piece(&mut text, &inner.text, MAX_TEXT);
                add_piece(&mut text, &inner.label, MAX_TEXT);
            }
            if !text.is_empty() {
                rows += 1;
                context.push(Context::new(ContextKind::Row, Arc::from(text), up.index()));
            }
        }
    }
}
