//! Summarizes what an action changed on the screen.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::diff::diff_with_off_screen;
use crate::lis::longest_increasing_subsequence;
use crate::{Change, Difference, Node, NodeId, Role, State, UiTree, describe};

mod element;
mod keyboard;
mod words;

use element::{
    DESELECTED_RANK, INCIDENTAL_RANK, LAST_RESORT_RANK, Rank, changed, content, describe_field,
};
use keyboard::{Keyboards, is_of_keyboard};
use words::{TextCounts, has_words, quoted, words};

/// Summaries of movement.
const MOVED: &str = "the content moved";
const REORDERED: &str = "the order of the elements changed";

/// What an action changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The most noticeable change.
    pub summary: String,
    /// Whether any press or scroll causes it: focus of a control that takes no text, or moved content. More may follow.
    pub is_incidental: bool,
    /// Whether only the scroll position changed.
    pub is_movement: bool,
}

impl Outcome {
    fn of(summary: String) -> Self {
        Self {
            summary,
            is_incidental: false,
            is_movement: false,
        }
    }
}

/// The most noticeable change from one screen to the next: another app, page or screen, a dialog, the value of a field, the state
/// of a switch, another text. Among equally noticeable ones, prefer the change of the `pressed` element, a node of `before`. `None`
/// if no visible element changed.
pub fn outcome(before: &UiTree, after: &UiTree, pressed: Option<NodeId>) -> Option<Outcome> {
    new_app(before, after)
        .or_else(|| opened_dialog(before, after))
        .or_else(|| page(before, after))
        .or_else(|| closed_dialog(before, after))
        .or_else(|| title(before, after))
        .map(Outcome::of)
        .or_else(|| element_change(before, after, pressed))
}

/// The foreground app, if it is another one.
fn new_app(before: &UiTree, after: &UiTree) -> Option<String> {
    let owner = |tree: &UiTree| {
        let window = tree.windows().iter().find(|window| window.active);
        let root = window.or(tree.windows().first())?.root;
        (tree.node(root).role != Role::WebView).then(|| tree.node(root).owner.to_string())
    };
    let (old, new) = (owner(before)?, owner(after)?);
    (old != new && !new.is_empty()).then(|| format!("app {new}"))
}

/// The names of the dialogs on a screen.
fn dialogs(tree: &UiTree) -> Vec<String> {
    let visible = tree.ids().filter(|id| tree.is_on_screen(*id));
    let dialogs = visible.filter(|id| tree.node(*id).role == Role::Dialog);
    dialogs.map(|id| name_of_dialog(tree, id)).collect()
}

fn name_of_dialog(tree: &UiTree, id: NodeId) -> String {
    let text = |id: NodeId| {
        let node = tree.node(id);
        // The value of a field is no name.
        let text = match node.is(State::EDITABLE) {
            true => &node.hint,
            false => &node.text,
        };
        let names = [&node.label, text];
        let name = names.into_iter().find(|name| !name.trim().is_empty());
        name.map(|name| quoted(name))
    };
    let title = tree
        .subtree(id)
        .find(|inner| matches!(tree.node(*inner).role, Role::Title | Role::Heading));
    // The title of a page is not that of a dialog in it.
    let window = tree.window_of(id);
    let is_page = tree.node(window.root).role == Role::WebView;
    let window = Some(&*window.title).filter(|title| !(title.is_empty() || is_page));
    let own = text(id).or_else(|| title.and_then(text));
    own.or_else(|| window.map(quoted))
        .or_else(|| tree.subtree(id).find_map(text))
        .unwrap_or_default()
}

fn opened_dialog(before: &UiTree, after: &UiTree) -> Option<String> {
    let old = dialogs(before);
    let opened = dialogs(after).into_iter().find(|name| !old.contains(name));
    opened.map(|name| dialog_is(&name, "opened"))
}

fn closed_dialog(before: &UiTree, after: &UiTree) -> Option<String> {
    let new = dialogs(after);
    let closed = dialogs(before).into_iter().find(|name| !new.contains(name));
    closed.map(|name| dialog_is(&name, "closed"))
}

fn dialog_is(name: &str, verb: &str) -> String {
    match name.is_empty() {
        true => format!("dialog {verb}"),
        false => format!("dialog {name} {verb}"),
    }
}

/// The first visible node of a role.
fn first_visible(tree: &UiTree, role: Role) -> Option<NodeId> {
    let mut ids = tree.ids();
    ids.find(|id| tree.node(*id).role == role && tree.is_on_screen(*id))
}

/// What a screen is: its dialog, its title or the address of its page; `None` if it has none of them.
pub fn screen_name(tree: &UiTree) -> Option<String> {
    let dialog = dialogs(tree).pop().filter(|name| !name.is_empty());
    let dialog = dialog.map(|name| format!("dialog {name}"));
    let title = || title_text(tree).map(|title| format!("screen {}", quoted(&title)));
    let page = || address(tree).map(|(host, path)| format!("page {host}{path}"));
    dialog.or_else(title).or_else(page)
}

/// The host and path of a page.
fn address(tree: &UiTree) -> Option<(String, String)> {
    let page = tree.node(first_visible(tree, Role::WebView)?);
    let path = page.attribute("path").unwrap_or_default().to_owned();
    Some((page.owner.to_string(), path))
}

/// The text of the title of a screen, if it is not blank.
fn title_text(tree: &UiTree) -> Option<String> {
    let node = tree.node(first_visible(tree, Role::Title)?);
    // The label of a number says what it counts.
    let has_letters = |name: &&Arc<str>| name.chars().any(char::is_alphabetic);
    let name = [&node.text, &node.label].into_iter().find(has_letters);
    let name = name.unwrap_or(&node.text);
    (!name.trim().is_empty()).then(|| name.to_string())
}

/// The page, if it is another one.
fn page(before: &UiTree, after: &UiTree) -> Option<String> {
    let ((old_host, old_path), (host, path)) = (address(before)?, address(after)?);
    if host != old_host {
        return Some(format!("page {host}{path}"));
    }
    (path != old_path).then(|| format!("page {path}"))
}

/// The title of the screen, if it is another one. A text of the screen that collapsed into its toolbar is none.
fn title(before: &UiTree, after: &UiTree) -> Option<String> {
    let new = title_text(after)?;
    // The name of a row is often the title of the screen that it opens.
    let is_in_control = |id: NodeId| {
        let mut around = std::iter::once(id).chain(before.ancestors(id));
        around.any(|around| before.node(around).is(State::CLICKABLE))
    };
    let is_text =
        |id: NodeId| before.is_on_screen(id) && *before.node(id).text == *new && !is_in_control(id);
    let is_same = match title_text(before) {
        Some(old) => old == new,
        None => before.ids().any(is_text),
    };
    (!is_same).then(|| format!("screen {}", quoted(&new)))
}

/// The most noticeable change of an element. Scrolling into or out of view is none.
fn element_change(before: &UiTree, after: &UiTree, pressed: Option<NodeId>) -> Option<Outcome> {
    let found = diff_with_off_screen(before, after);
    let mut best: Option<(Rank, String)> = None;
    // A press of a row or label also presses the control inside.
    let is_pressed = |old: NodeId| {
        let is_within = |pressed| before.contains(pressed, old) || before.contains(old, pressed);
        pressed.is_some_and(|pressed| pressed == old || is_within(pressed))
    };
    let mut count = 0;
    let known_fields = fields(before);
    let mut moved = found.offset != (0, 0);
    let counts = TextCounts::of(before, after);
    let keyboard = Keyboards::of(before, after);
    // A text may become a field while it is edited.
    let is_other_kind = |tree: &UiTree, id: NodeId, other: &UiTree| {
        let node = tree.node(id);
        let mut others = other.ids().map(|id| other.node(id));
        node.is(State::EDITABLE)
            && !others.any(|other| other.is(State::EDITABLE) && words(other) == words(node))
    };
    let mut note = |(rank, words): (Rank, String)| {
        count += u32::from(rank.0 < LAST_RESORT_RANK && rank.0 != DESELECTED_RANK);
        if best.as_ref().is_none_or(|(known, _)| rank < *known) {
            best = Some((rank, words));
        }
    };
    keyboard.toggled().map(&mut note);
    for change in &found.on_screen {
        if is_of_keyboard((before, after), change) {
            if keyboard.toggled().is_none() {
                note(((LAST_RESORT_RANK, 0), "keyboard changed".to_owned()));
            }
            continue;
        }
        match change {
            Change::Changed {
                before: old,
                after: new,
                differences,
                ..
            } => match changed((before, *old), (after, *new), differences, &counts) {
                // The checked radio button or the focused field comes first.
                Some((rank, words)) => {
                    let node = after.node(*new);
                    // A page clears its fields when it is submitted.
                    let is_cleared = node.is(State::EDITABLE) && content(node).is_empty();
                    let rank = match is_cleared && !is_pressed(*old) {
                        true => rank.max(4),
                        false => rank,
                    };
                    let preferred = match node.is(State::EDITABLE) {
                        true => State::FOCUSED,
                        false => State::CHECKED,
                    };
                    let second_rank = match is_pressed(*old) {
                        true => 0,
                        false => 1 + u8::from(!node.is(preferred)),
                    };
                    note(((rank, second_rank), words));
                }
                None => {
                    moved |= differences.iter().any(|difference| match difference {
                        Difference::Moved { .. } => true,
                        Difference::Text { after, .. } | Difference::Label { after, .. } => {
                            !after.is_empty()
                        }
                        _ => false,
                    });
                }
            },
            Change::Appeared { after: new, .. } => {
                let node = after.node(*new);
                let known = known_fields.get(&field_key(node));
                let known = known.filter(|_| node.is(State::EDITABLE));
                if !has_words(node) {
                    note((
                        (LAST_RESORT_RANK, 1),
                        format!("{} appeared", describe(after, *new)),
                    ));
                } else if let Some(values) = known {
                    if values.contains(&content(node)) {
                        moved = true;
                    } else {
                        note(((0, 1), describe_field(after, *new)));
                    }
                } else if is_other_kind(after, *new, before) {
                    note(((3, 3), format!("{} appeared", describe(after, *new))));
                } else if !counts.has_more(words(node)) || keyboard.uncovered(after, *new) {
                    moved = true;
                } else {
                    // A new heading is a new section, which is more noticeable than a changed text.
                    let rank = match node.role {
                        Role::Heading => (2, 1),
                        _ => (3, appearance_rank(node)),
                    };
                    note((rank, format!("{} appeared", describe(after, *new))));
                }
            }
            Change::Disappeared { before: old, .. } => {
                let node = before.node(*old);
                let rank = if !has_words(node) {
                    (LAST_RESORT_RANK, 2)
                } else if is_other_kind(before, *old, after) {
                    (4, 4)
                } else if !counts.has_less(words(node)) || keyboard.covered(before, *old) {
                    moved = true;
                    continue;
                } else {
                    (4, 4)
                };
                note((rank, format!("{} gone", describe(before, *old))));
            }
        }
    }
    let is_noticed = best
        .as_ref()
        .is_some_and(|((rank, _), _)| *rank < INCIDENTAL_RANK);
    if !is_noticed
        && found.offset == (0, 0)
        && let Some(words) = off_screen_changes((before, after), &found.off_screen, &counts)
    {
        return Some(Outcome::of(words));
    }
    if !is_noticed && is_reordered(before, after) {
        return Some(Outcome::of(REORDERED.to_owned()));
    }
    let best = best.filter(|((rank, _), _)| *rank < LAST_RESORT_RANK || !moved);
    let Some(((rank, _), words)) = best else {
        return moved.then(|| Outcome {
            summary: MOVED.to_owned(),
            is_incidental: true,
            is_movement: true,
        });
    };
    // Changes after that of a field or switch follow from it.
    let summary = match count {
        0 | 1 => words,
        _ if rank < 2 => words,
        2 => format!("{words} (+1 change)"),
        more => format!("{words} (+{} changes)", more - 1),
    };
    Some(Outcome {
        summary,
        is_incidental: rank >= INCIDENTAL_RANK,
        is_movement: false,
    })
}

/// Whether visible texts changed their relative order.
fn is_reordered(before: &UiTree, after: &UiTree) -> bool {
    let all = unique_texts(before).into_iter().enumerate();
    let old: HashMap<&str, (usize, NodeId)> =
        all.map(|(at, (words, id))| (words, (at, id))).collect();
    let new = unique_texts(after);
    let known: HashSet<_> = after.ids().filter_map(|id| after.origin(id)).collect();
    // Another element may have the text of one that scrolled out of view.
    let is_other = |old: NodeId, new: NodeId| {
        let (old, new) = (before.origin(old), after.origin(new));
        old != new && old.is_some_and(|old| known.contains(&old))
    };
    // The positions on the earlier screen, in the order of the later one.
    let new = new
        .iter()
        .filter_map(|(words, id)| Some((*old.get(words)?, *id)))
        .filter(|((_, old), new)| !is_other(*old, *new));
    let new: Vec<((usize, NodeId), NodeId)> = new.collect();
    let places: Vec<usize> = new.iter().map(|((place, _), _)| *place).collect();
    let stayed = longest_increasing_subsequence(&places);
    // The nodes of a recycling list may be in another order than their positions.
    let is_above = |tree: &UiTree, one: NodeId, other: NodeId| {
        let bounds = tree.visible_bounds(one).zip(tree.visible_bounds(other));
        bounds.is_some_and(|(one, other)| one.bottom <= other.top || one.right <= other.left)
    };
    let is_passed = |at: usize, other: usize| {
        let (((_, was), is), ((_, other_was), other_is)) = (new[at], new[other]);
        let [(first, second), (last, before_last)] = match other < at {
            true => [(was, other_was), (other_is, is)],
            false => [(other_was, was), (is, other_is)],
        };
        is_above(before, first, second) && is_above(after, last, before_last)
    };
    let all = 0..new.len();
    let has_passed = |at: &usize| {
        all.clone()
            .any(|other| stayed[other] && is_passed(*at, other))
    };
    all.clone()
        .filter(|at| !stayed[*at])
        .any(|at| has_passed(&at))
}

/// The visible texts that only one element has, in document order.
fn unique_texts(tree: &UiTree) -> Vec<(&str, NodeId)> {
    let shown = || tree.ids().filter(|id| tree.is_on_screen(*id));
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for id in shown() {
        *counts.entry(words(tree.node(id))).or_default() += 1;
    }
    let all = shown().map(|id| (words(tree.node(id)), id));
    let only = all.filter(|(words, _)| !words.is_empty() && counts.get(words) == Some(&1));
    only.collect()
}

/// The number of off-screen changes, and the side of the first one.
fn off_screen_changes(
    (before, after): (&UiTree, &UiTree),
    changes: &[Change],
    counts: &TextCounts<'_>,
) -> Option<String> {
    let changes = changes.iter();
    let changes = changes.filter(|change| !is_of_keyboard((before, after), change));
    let mut changes = changes.filter_map(|change| match change {
        Change::Changed {
            before: old,
            after: new,
            differences,
            ..
        } => {
            let change = changed((before, *old), (after, *new), differences, counts);
            change
                .filter(|(rank, _)| *rank < INCIDENTAL_RANK)
                .map(|_| (after, *new))
        }
        Change::Appeared { after: new, .. } => {
            let words = words(after.node(*new));
            (!words.is_empty() && counts.has_more(words)).then_some((after, *new))
        }
        Change::Disappeared { before: old, .. } => {
            let words = words(before.node(*old));
            (!words.is_empty() && counts.has_less(words)).then_some((before, *old))
        }
    });
    let (tree, first) = changes.next()?;
    let screen = tree.node(tree.window_of(first).root).bounds;
    let place = match (tree.node(first).bounds, screen) {
        (Some(node), Some(screen)) if node.top >= screen.bottom => "below",
        (Some(node), Some(screen)) if node.bottom <= screen.top => "above",
        _ => "out of view",
    };
    Some(match 1 + changes.count() {
        1 => format!("1 change {place}"),
        count => format!("{count} changes {place}"),
    })
}

/// The second rank of an element that appeared: several words, one word, a symbol.
fn appearance_rank(node: &Node) -> u8 {
    let name = words(node);
    if !name.contains(char::is_alphanumeric) {
        4
    } else if name.contains(char::is_whitespace) {
        2
    } else {
        3
    }
}

/// The identity of a field: label and id.
type FieldKey<'t> = (&'t str, &'t str);

fn field_key(node: &Node) -> FieldKey<'_> {
    (&node.label, &node.id)
}

/// The values of all fields of a screen, hidden ones too.
fn fields(tree: &UiTree) -> HashMap<FieldKey<'_>, HashSet<&str>> {
    let mut fields: HashMap<_, HashSet<&str>> = HashMap::new();
    for node in tree.ids().map(|id| tree.node(id)) {
        if node.is(State::EDITABLE) && field_key(node) != ("", "") {
            fields
                .entry(field_key(node))
                .or_default()
                .insert(content(node));
        }
    }
    fields
}

#[cfg(test)]
mod tests;
