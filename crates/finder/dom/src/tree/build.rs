//! Turns collected nodes into a screen: parents and all properties.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use uitree::{Attributes, NodeId, NodeSpec, Rect, Role, Size, State, TreeBuilder, WindowKind};

use super::PageTree;
use super::addition::addition;
use super::author_key::author_key;
use super::cards::cards;
use super::class_state::{has_badge, is_unread};
use super::code_name::code_name;
use super::collect::{DraftNode, DraftTree};
use super::drawing::drawing;
use super::palette::swatch_color;
use super::roles::NodeKind;
use super::text::{readable, same};
use super::top_dialog::{TopDialog, declares_modal};
use super::visibility::{ElementFacts, is_seen};
use crate::{Dom, Element, ElementId, Facts, ScopeKind, host};

/// Maximum length of a link in the tree: longer ones carry data.
const MAX_LINK: usize = 512;

pub(super) fn build(dom: &Dom, mut tree: DraftTree) -> PageTree {
    let owners = owners(dom);
    let viewport = dom.viewport();
    let mut builder = TreeBuilder::new(Size::new(viewport.width, viewport.height), 0);
    let title = dom.scopes().first().map(|page| page.title.clone());
    builder.window(
        WindowKind::Application,
        0,
        true,
        title.as_deref().unwrap_or_default(),
    );
    let (roots, mut children) = children_of_drafts(dom, &tree.nodes);
    let top_dialog = TopDialog::find(dom, &tree.nodes);
    let mut ids: Vec<Option<NodeId>> = vec![None; tree.nodes.len()];
    let mut elements = Vec::new();
    // The stack of drafts to open; `None` closes the open node.
    let mut next: Vec<Option<usize>> = roots.into_iter().rev().map(Some).collect();
    while let Some(step) = next.pop() {
        let Some(at) = step else {
            builder.close();
            continue;
        };
        let Some(draft) = tree.nodes.get_mut(at) else {
            continue;
        };
        let element = dom.element(draft.element);
        let owner = owners.get(element.scope.index()).cloned();
        let mut spec = spec(dom, draft, owner.unwrap_or_default());
        if top_dialog
            .as_ref()
            .is_some_and(|dialog| dialog.is_below(dom, draft.element))
        {
            spec.attributes.push(("in-front".into(), "true".into()));
        }
        let id = builder.open(spec);
        elements.push(draft.element);
        if let Some(slot) = ids.get_mut(at) {
            *slot = Some(id);
        }
        next.push(None);
        let drafts = children.get_mut(at).map(std::mem::take).unwrap_or_default();
        next.extend(drafts.into_iter().rev().map(Some));
    }
    let root = elements.first().map(|root| dom.element(*root).handle);
    let origins = elements.iter().map(|id| {
        let mut hasher = DefaultHasher::new();
        // Another process numbers its nodes from the start; the root distinguishes them.
        (root, dom.element(*id).handle).hash(&mut hasher);
        hasher.finish().max(1)
    });
    let origins = origins.collect();
    let keys = elements.iter().map(|id| author_key(dom, *id));
    let keys = keys.collect();
    let nodes = nodes_of_elements(&tree, &ids);
    let tree = builder.finish();
    let added = |(id, element): (NodeId, &ElementId)| Some((id, addition(dom, *element)?));
    let additions = tree.ids().zip(&elements).filter_map(added).collect();
    PageTree {
        tree: tree
            .with_origins(origins)
            .with_author_keys(keys)
            .with_additions(additions)
            .with_cards(cards(dom, &elements)),
        nodes,
        elements,
    }
}

/// The drafts without a parent, and the children of each draft. Merged drafts are left out.
fn children_of_drafts(dom: &Dom, drafts: &[DraftNode]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let parents = parents(dom, drafts);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); drafts.len()];
    let mut roots = Vec::new();
    for (at, _) in drafts.iter().enumerate().filter(|(_, draft)| !draft.merged) {
        let parent = parents.get(at).copied().flatten();
        match parent.and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(at),
            None => roots.push(at),
        }
    }
    (roots, children)
}

/// The node of each element, from the nodes of the drafts.
fn nodes_of_elements(tree: &DraftTree, ids: &[Option<NodeId>]) -> Vec<Option<NodeId>> {
    let node_of = |mut at: usize| {
        // The children of a merged draft belong to its parent.
        loop {
            if let Some(id) = ids.get(at).copied().flatten() {
                return Some(id);
            }
            at = tree.nodes.get(at)?.parent?;
        }
    };
    let mut nodes: Vec<Option<NodeId>> = tree
        .by_element
        .iter()
        .map(|at| at.and_then(node_of))
        .collect();
    for (at, draft) in tree.nodes.iter().enumerate() {
        if let (Some(heading), Some(id)) = (draft.heading, ids.get(at).copied().flatten())
            && let Some(slot) = nodes.get_mut(heading.index())
        {
            *slot = Some(id);
        }
    }
    nodes
}

/// The owner of each scope.
fn owners(dom: &Dom) -> Vec<Arc<str>> {
    let mut owners: Vec<Arc<str>> = Vec::with_capacity(dom.scopes().len());
    for scope in dom.scopes() {
        let around = || {
            let host = dom.element(scope.host?);
            owners.get(host.scope.index()).cloned()
        };
        let own = || Arc::<str>::from(host(&scope.url));
        let owner = match scope.kind {
            ScopeKind::OpenShadow | ScopeKind::ClosedShadow => around().unwrap_or_default(),
            ScopeKind::Document if scope.url.is_empty() || scope.url.starts_with("about:") => {
                around().unwrap_or_else(own)
            }
            ScopeKind::Document => own(),
        };
        owners.push(owner);
    }
    owners
}

/// The parent of each draft: the nearest remaining ancestor, outside of scroll containers that do not scroll
/// it.
fn parents(dom: &Dom, drafts: &[DraftNode]) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let mut parent = draft.parent;
        while let Some(at) = parent.filter(|at| drafts.get(*at).is_none_or(|draft| draft.merged)) {
            parent = parents.get(at).copied().flatten();
        }
        let element = dom.element(draft.element);
        if element.is(Facts::DETACHED_FROM_SCROLL) {
            parent = parent_outside_scrollers(dom, drafts, &parents, parent, element.scroller);
        }
        parents.push(parent);
    }
    parents
}

/// The nearest node from `parent` outwards that only `scroller` scrolls.
fn parent_outside_scrollers(
    dom: &Dom,
    drafts: &[DraftNode],
    parents: &[Option<usize>],
    parent: Option<usize>,
    scroller: Option<ElementId>,
) -> Option<usize> {
    let mut best = parent;
    let mut at = parent;
    while let Some(place) = at {
        let draft = drafts.get(place)?;
        if draft
            .facts
            .is_some_and(|facts| facts.kind == NodeKind::Document)
        {
            break;
        }
        let above = parents.get(place).copied().flatten();
        let is_inside_scroller = scroller.is_none_or(|scroller| {
            scroller != draft.element && dom.contains(scroller, draft.element)
        });
        if is_inside_scroller && dom.element(draft.element).is(Facts::SCROLLS) {
            best = above;
        }
        at = above;
    }
    best
}

/// All properties of a node.
fn spec(dom: &Dom, draft: &mut DraftNode, owner: Arc<str>) -> NodeSpec {
    let Some(facts) = draft.facts else {
        return text_spec(dom, draft, owner);
    };
    let element = dom.element(draft.element);
    // A hidden checkbox has its state shown by its label.
    let control = facts
        .represented_control
        .map_or(element, |control| dom.element(control));
    let mut state = node_state(dom, draft, &facts, control);
    // Taking the text may empty the icons.
    let icons = draft.icons.clone();
    let texts = node_texts(dom, draft, &facts, control);
    if texts.shows_hint {
        state |= State::SHOWING_HINT;
    }
    let role = match facts.role {
        Role::Container if !texts.text.is_empty() => Role::Text,
        Role::Image if facts.clickable => Role::Icon,
        role => role,
    };
    let bounds = if element.parent.is_none() {
        let viewport = dom.viewport();
        Some(Rect::new(0, 0, viewport.width, viewport.height))
    } else {
        element.cut.or(element.bounds)
    };
    let is_picture = !icons.is_empty() && *texts.text == *icons;
    NodeSpec {
        role: Some(role),
        attributes: attributes(dom, draft, control, [&texts.text, &texts.name], is_picture),
        text: texts.text,
        label: texts.name.into(),
        hint: texts.hint,
        id: element.id().into(),
        class: Arc::clone(&element.tag),
        owner,
        bounds,
        drawing: drawing(dom, draft.element, role),
        state,
        ..NodeSpec::default()
    }
}

/// The properties of a node of text that has no element of its own.
fn text_spec(dom: &Dom, draft: &mut DraftNode, owner: Arc<str>) -> NodeSpec {
    let is_picture = draft.text.is_empty() && !draft.icons.is_empty() && !draft.label;
    let picture = is_picture.then(|| ("picture".into(), "true".into()));
    NodeSpec {
        attributes: picture.into_iter().collect(),
        role: Some(if draft.label { Role::Label } else { Role::Text }),
        text: draft.take_text().into(),
        class: "#text".into(),
        owner,
        bounds: draft.bounds,
        state: enabled(dom.element(draft.element)) | State::VISIBLE | clickable(draft.label),
        ..NodeSpec::default()
    }
}

/// The state of a node, without that of its text.
fn node_state(dom: &Dom, draft: &DraftNode, facts: &ElementFacts, control: &Element) -> State {
    let element = dom.element(draft.element);
    let is_root = element.parent.is_none();
    let mut state = states(control);
    if let Some(is_on) = facts.styled_on {
        state |= State::CHECKABLE;
        state.set(State::CHECKED, is_on);
    }
    if facts.chosen {
        state |= State::SELECTED;
    }
    state.set(State::VISIBLE, is_root || is_seen(element));
    state.set(State::CLICKABLE, facts.clickable);
    if draft.heading.is_some() || facts.role == Role::Heading {
        state |= State::HEADING;
    }
    let is_scrollable = match facts.kind {
        // A frame scrolls if its document does.
        NodeKind::Document if !is_root => frame_scrolls(dom, draft.element),
        _ => element.is(Facts::SCROLLS),
    };
    state.set(State::SCROLLABLE, is_scrollable);
    state
}

/// The texts of a node.
struct NodeTexts {
    text: Arc<str>,
    name: String,
    hint: Arc<str>,
    /// Whether the text is the hint.
    shows_hint: bool,
}

/// Chooses text, name and hint of a node. Visible text comes first, whatever the accessible name is.
fn node_texts(
    dom: &Dom,
    draft: &mut DraftNode,
    facts: &ElementFacts,
    control: &Element,
) -> NodeTexts {
    let icons = draft.icons.clone();
    let content = draft.take_text();
    let element = dom.element(draft.element);
    let is_root = element.parent.is_none();
    let hint: Arc<str> = placeholder(control);
    let value = value(control);
    let mut text: Arc<str> = match facts.kind {
        // Selected entries are nodes themselves.
        NodeKind::Field | NodeKind::Structure if facts.role == Role::List => content.into(),
        NodeKind::Field if !value.is_empty() => value,
        _ if content.is_empty() => value,
        _ => content.into(),
    };
    let shows_hint = text.is_empty() && !hint.is_empty() && control.is(Facts::EDITABLE);
    if shows_hint {
        text = Arc::clone(&hint);
    }
    let mut name = readable(&control.name);
    let is_redundant = name.is_empty()
        || same(&name, &text)
        || *name == *hint
        || is_text_with(&icons, &name, &text)
        || facts.kind == NodeKind::Generic && &*element.tag == "label";
    if is_redundant || is_root || draft.unnamed {
        name.clear();
    }
    let title = control.title();
    let has_letters = |text: &str| text.chars().any(char::is_alphanumeric);
    // A title says more than a symbol, which may be drawn only under the mouse.
    let is_symbol = !name.is_empty() && !has_letters(&name) && has_letters(title);
    if is_symbol && text.is_empty() {
        text = name.as_str().into();
    }
    if (name.is_empty() || is_symbol) && !is_root && !same(title, &text) && *title != *hint {
        name = readable(title);
    }
    if facts.clickable && name.is_empty() && text.is_empty() && hint.is_empty() {
        name = swatch_color(dom, draft.element).unwrap_or_default();
    }
    NodeTexts {
        text,
        name,
        hint,
        shows_hint,
    }
}

/// Whether `name` is `text` with the names of its icons before, after or in it.
fn is_text_with(icons: &str, name: &str, text: &str) -> bool {
    if icons.is_empty() {
        return false;
    }
    let mut icons: Vec<&str> = icons.split(' ').collect();
    let words = name.split_whitespace().filter(|word| {
        let icon = icons.iter().position(|icon| icon == word);
        icon.map(|at| icons.swap_remove(at)).is_none()
    });
    same(&words.collect::<Vec<_>>().join(" "), text)
}

fn enabled(element: &Element) -> State {
    if element.is(Facts::DISABLED) {
        State::empty()
    } else {
        State::ENABLED
    }
}

fn clickable(label: bool) -> State {
    if label {
        State::CLICKABLE
    } else {
        State::empty()
    }
}

fn states(element: &Element) -> State {
    let mut state = enabled(element);
    for (fact, bit) in [
        (Facts::CHECKABLE, State::CHECKABLE),
        (Facts::CHECKED, State::CHECKED),
        (Facts::FOCUSABLE, State::FOCUSABLE),
        (Facts::FOCUSED, State::FOCUSED),
        (Facts::PASSWORD, State::PASSWORD),
        (Facts::SELECTED, State::SELECTED),
    ] {
        state.set(bit, element.is(fact));
    }
    // Of dates, the current one is today, which is not selected.
    let current = element.attribute("aria-current");
    state |= match element.is(Facts::CURRENT) && !matches!(current, Some("date" | "time")) {
        true => State::SELECTED,
        false => State::empty(),
    };
    // Any element that takes a value takes it as text.
    let takes_a_value = element.is(Facts::EDITABLE)
        || &*element.tag == "select"
        || (&*element.tag == "input"
            && matches!(element.attribute("type"), Some("range" | "color")));
    let free = !element.facts.intersects(Facts::READ_ONLY | Facts::DISABLED);
    state.set(State::EDITABLE, takes_a_value && free);
    state
}

/// The visible value of a control; the value of a button or option is its name.
fn value(element: &Element) -> Arc<str> {
    let button = &*element.tag == "input"
        && matches!(
            element.attribute("type"),
            Some("submit" | "button" | "reset" | "image" | "file")
        );
    // An option draws its text itself.
    let option = &*element.tag == "option";
    if (button || option) && element.value.is_empty() {
        readable(&element.name).into()
    } else {
        Arc::clone(&element.value)
    }
}

fn placeholder(element: &Element) -> Arc<str> {
    let hint = element
        .attribute("placeholder")
        .or_else(|| element.attribute("aria-placeholder"));
    readable(hint.unwrap_or_default()).into()
}

fn frame_scrolls(dom: &Dom, frame: ElementId) -> bool {
    dom.children(frame)
        .any(|root| dom.element(root).is(Facts::SCROLLS))
}

/// The path of a page's URL, including a client-side one behind `#/`. Queries may contain secrets and are left
/// out.
fn path(url: &str) -> &str {
    let Some((_, rest)) = url.split_once("://").filter(|_| url.starts_with("http")) else {
        return "";
    };
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    let end = match path.find("#/") {
        Some(at) if !path[..at].contains('?') => path[at..].find('?').map(|more| at + more),
        _ => path.find(['?', '#']),
    };
    &path[..end.unwrap_or(path.len())]
}

/// Collects attributes that are set.
#[derive(Default)]
struct AttributeList(Attributes);

impl AttributeList {
    /// Adds an attribute unless its value is empty.
    fn add(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.0.push((key.into(), value.into()));
        }
    }
}

/// Additional attributes for agents.
fn attributes(
    dom: &Dom,
    draft: &DraftNode,
    control: &Element,
    [text, name]: [&str; 2],
    is_picture: bool,
) -> Attributes {
    let element = dom.element(draft.element);
    let mut all = AttributeList::default();
    add_identity(&mut all, dom, draft, [text, name], is_picture);
    if &*control.tag == "input" {
        all.add("type", control.attribute("type").unwrap_or("text"));
    }
    let heading = draft
        .heading
        .map_or(element, |heading| dom.element(heading));
    if let Some(level) = level(heading) {
        all.add("level", &level);
    }
    add_states(&mut all, control);
    let kind = draft.facts.map(|facts| facts.kind);
    if kind == Some(NodeKind::Field) {
        for (key, names) in [
            ("value-min", ["min", "aria-valuemin"]),
            ("value-max", ["max", "aria-valuemax"]),
        ] {
            let value = names.iter().find_map(|name| control.attribute(name));
            all.add(key, value.unwrap_or_default());
        }
    }
    if kind == Some(NodeKind::Landmark) {
        all.add("landmark", &element.role);
    }
    let is_modal = draft.facts.is_some_and(|facts| facts.modal);
    if is_modal || declares_modal(element) {
        all.add("modal", "true");
    }
    if let Some(popup) = control
        .attribute("aria-haspopup")
        .filter(|popup| *popup != "false")
    {
        all.add("popup", popup);
    }
    let description = readable(&control.description);
    if !same(&description, text) && !same(&description, name) {
        all.add("description", &description);
    }
    all.0
}

/// Adds what identifies a node or its content.
fn add_identity(
    all: &mut AttributeList,
    dom: &Dom,
    draft: &DraftNode,
    [text, name]: [&str; 2],
    is_picture: bool,
) {
    let element = dom.element(draft.element);
    let is_clickable = draft.facts.is_some_and(|facts| facts.clickable);
    let is_nameless = text.is_empty() && name.is_empty() && element.id().is_empty();
    if is_nameless && is_clickable {
        all.add(
            "code-name",
            code_name(dom, draft.element).unwrap_or_default(),
        );
    }
    // Its font draws the name of the icon as a picture.
    if is_picture && !is_clickable {
        all.add("picture", "true");
    }
    let is_record = draft.facts.is_some_and(|facts| {
        facts.clickable
            && matches!(
                facts.kind,
                NodeKind::Generic | NodeKind::Group | NodeKind::Text | NodeKind::Structure
            )
            || facts.role == Role::Link
    });
    if is_record && !text.is_empty() && is_unread(dom, draft.element) {
        all.add("unread", "true");
    }
    let role = draft.facts.map(|facts| facts.role);
    let is_control = matches!(
        role,
        Some(Role::Button | Role::Link | Role::Tab | Role::MenuItem)
    );
    if is_control && has_badge(dom, draft.element) {
        all.add("badge", "true");
    }
    if element.parent.is_none() {
        all.add("path", path(&dom.scope(element.scope).url));
    }
    if let Some(href) = element.attribute("href")
        && href.len() <= MAX_LINK
        && !href.starts_with("javascript:")
    {
        all.add("href", href);
    }
}

/// Adds the states of a control that have no flag of their own.
fn add_states(all: &mut AttributeList, control: &Element) {
    for (key, fact, value) in [
        ("expanded", Facts::EXPANDED, "true"),
        ("expanded", Facts::COLLAPSED, "false"),
        ("required", Facts::REQUIRED, "true"),
        ("invalid", Facts::INVALID, "true"),
        ("readonly", Facts::READ_ONLY, "true"),
        ("checked-state", Facts::MIXED, "mixed"),
    ] {
        if control.is(fact) {
            all.add(key, value);
        }
    }
    if control.is(Facts::CURRENT) {
        all.add(
            "current",
            control.attribute("aria-current").unwrap_or("true"),
        );
    }
}

/// The level of a heading.
fn level(element: &Element) -> Option<String> {
    if let Some(level) = element.attribute("aria-level") {
        return (&*element.role == "heading").then(|| level.to_owned());
    }
    let level = element.tag.strip_prefix('h')?;
    let digit = matches!(level, "1" | "2" | "3" | "4" | "5" | "6");
    (digit && &*element.role == "heading").then(|| level.to_owned())
}
