//! The context of an element: heading, caption, selected tab, paged title and the texts above. The same rows of another day have
//! the same texts, and often the same nodes, but another context.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use super::Evidence;
use super::layout::Layout;
use super::nodes::{hash_of, is_heading, is_text, overlaps_y, rows};
use crate::paging::is_arrow;
use crate::{NodeId, Rect, Role, State, UiTree};

/// How many texts above an element are compared; the rest of the last group is included.
const MAX_ABOVE: usize = 16;

/// The context of an element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Context {
    titles: ContextTitles,
    /// Hashes of the texts above it in its section.
    above: Arc<[u64]>,
}

/// The certain parts of a context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ContextTitles {
    /// The heading above, without a number in parentheses; 0 if there is none.
    heading: u64,
    /// The text between the previous and next buttons above; 0 if there is none.
    paged: u64,
    /// The caption of the list or table; 0 if there is none.
    caption: u64,
    /// The selected tab above; 0 if there is none.
    tab: u64,
}

impl Evidence {
    /// Whether the screen or the context changed. Texts above a node that still exists may be status messages and are not compared.
    pub(super) fn is_in_another_context(&self, now: &Self) -> bool {
        let (old, new) = (&*self.context, &*now.context);
        let may_be_status = self.is_scroller || self.is_same_node(now);
        let is_other_screen = match (&self.screen, &now.screen) {
            (Some(then), Some(now)) => !then.is_of_same_screen(now),
            _ => false,
        };
        is_other_screen
            || old.titles != new.titles
            || !may_be_status && !is_either_subset(&old.above, &new.above)
    }
}

/// Whether one of these has all texts of the other.
fn is_either_subset(one: &[u64], other: &[u64]) -> bool {
    let is_part = |part: &[u64], of: &[u64]| part.iter().all(|text| of.contains(text));
    is_part(one, other) || is_part(other, one)
}

/// Texts, and the controls after them up to the next text.
#[derive(Debug, Default)]
struct Group {
    texts: Vec<NodeId>,
    controls: Vec<NodeId>,
}

/// The nodes of a part of the screen before the current one.
#[derive(Debug)]
struct PrecedingContent {
    heading: Option<NodeId>,
    titles: ContextTitles,
    /// The groups of each section. A section begins at a heading.
    sections: Vec<Vec<Group>>,
}

/// The position of an element among the groups of its part.
#[derive(Clone, Copy, Debug)]
struct Place {
    part: u32,
    section: usize,
    group: usize,
    heading: Option<NodeId>,
    titles: ContextTitles,
    /// The number of rows of its list; `None` outside of lists.
    rows: Option<usize>,
}

/// Adds the context to each element of a screen with this layout. The title of the screen is no heading: it may collapse.
pub(super) fn note(items: &mut [(NodeId, Evidence)], tree: &UiTree, layout: &Layout<'_>) {
    let (hashes, parts) = (&*layout.identity_hashes, layout.parts());
    let mut above: HashMap<u32, PrecedingContent> = HashMap::new();
    let mut places: Vec<Place> = Vec::with_capacity(tree.len());
    let mut block: Option<(NodeId, Place)> = None;
    let mut named_end = NodeId(0);
    for id in tree.ids() {
        let node = tree.node(id);
        let of_part = above.entry(parts[id.index()]).or_default();
        if node.role == Role::Tab && node.is(State::SELECTED) {
            of_part.titles.tab = hash_of_tab(tree, id);
        }
        if let Some((end, place)) = block
            && id < end
        {
            places.push(place);
            continue;
        }
        // Texts in a card do not apply to elements below it.
        let begins_card = tree.cards.at(id, &(0..tree.len() as u32)).is_some();
        if !begins_card && !layout.titles.is_title(id) {
            of_part.add(tree, id, named_end);
        }
        let place = of_part.place(parts[id.index()]);
        if node.can_act() || is_heading(node.role) {
            named_end = named_end.max(node.end);
        }
        if let Some((end, rows, caption)) = block_of(tree, id) {
            let mut inside = place;
            inside.rows = Some(rows);
            inside.titles.caption = caption;
            block = Some((end, inside));
        }
        places.push(place);
    }
    let mut rows_of: HashMap<(u32, usize), Vec<Option<usize>>> = HashMap::new();
    for (id, evidence) in items {
        let place = &places[id.index()];
        let groups = &above[&place.part].sections[place.section];
        let rows = rows_of.entry((place.part, place.section));
        let rows = rows.or_insert_with(|| texts_above_rows(groups, hashes));
        let hash = |text: &str| hash_of_title(text, place.rows);
        let heading = place.heading.and_then(|id| first_text(tree, id));
        let mut context = Context {
            titles: place.titles,
            ..Context::default()
        };
        context.titles.heading = heading.map_or(0, |text| hash(without_count(text)));
        if tree.node(*id).role == Role::Tab {
            context.titles.tab = 0;
        }
        // Outside of lists, an identifying text needs no texts above.
        if place.rows.is_some() || !evidence.has_identifying_text {
            let texts = texts_above(tree, groups, rows, place, *id).into_iter();
            context.above = texts.map(|text| hash(&tree.node(text).text)).collect();
        }
        evidence.context = Arc::new(context);
    }
}

impl Default for PrecedingContent {
    fn default() -> Self {
        Self {
            heading: None,
            titles: ContextTitles::default(),
            sections: vec![vec![Group::default()]],
        }
    }
}

impl PrecedingContent {
    /// Adds a node outside of lists. Texts before `named_end` belong to an element or a heading.
    fn add(&mut self, tree: &UiTree, id: NodeId, named_end: NodeId) {
        let node = tree.node(id);
        if is_heading(node.role) && first_text(tree, id).is_some() {
            self.heading = Some(id);
            self.titles.paged = 0;
            self.sections.push(vec![Group::default()]);
            return;
        }
        let Some(groups) = self.sections.last_mut() else {
            return;
        };
        // A number alone is a value, such as that of a calculator.
        let has_words = node.text.chars().any(char::is_alphabetic);
        if node.can_act() {
            if let Some(last) = groups.last_mut() {
                last.controls.push(id);
            }
            if let Some(paged) = paged_text(tree, groups) {
                self.titles.paged = paged;
            }
        } else if has_words && id >= named_end && is_text(tree, id) {
            match groups.last_mut() {
                Some(last) if last.controls.is_empty() => last.texts.push(id),
                _ => groups.push(Group {
                    texts: vec![id],
                    controls: Vec::new(),
                }),
            }
        }
    }

    fn place(&self, part: u32) -> Place {
        let section = self.sections.len() - 1;
        Place {
            part,
            section,
            group: self.sections[section].len() - 1,
            heading: self.heading,
            titles: self.titles,
            rows: None,
        }
    }
}

/// Hash of the name of a tab without digits, such as a count of messages, and of its position.
fn hash_of_tab(tree: &UiTree, id: NodeId) -> u64 {
    let name = first_name(tree, id).unwrap_or_default();
    let around = tree.node(id).parent;
    let position = around.and_then(|around| tree.children(around).position(|tab| tab == id));
    let letters: String = name.chars().filter(|c| c.is_alphabetic()).collect();
    hash_of(|hasher| (letters, position).hash(hasher))
}

/// The end, the number of rows and the caption of a list, a card or a scroll container on a phone, whose tree has no nodes beyond
/// its edges.
fn block_of(tree: &UiTree, id: NodeId) -> Option<(NodeId, usize, u64)> {
    let node = tree.node(id);
    if let Some(card) = tree.cards.at(id, &(0..tree.len() as u32)) {
        return Some((NodeId(card.nodes.end), tree.cards.in_series(card.series), 0));
    }
    let Some(rows) = rows(tree, id) else {
        let scrolls = node.is(State::SCROLLABLE) && node.parent.is_some();
        return (scrolls && tree.origin(id).is_none()).then_some((node.end, 0, 0));
    };
    let is_caption = |row: &&NodeId| tree.node(**row).role == Role::Label;
    let caption = rows.iter().find(is_caption);
    let caption = caption.map_or(0, |row| hash_of_title(&tree.node(*row).text, None));
    Some((node.end, rows.len(), caption))
}

/// A group with the same control as another group is a row. Returns for each row how many of its leading texts precede the whole
/// list.
fn texts_above_rows(groups: &[Group], identity_hashes: &[u64]) -> Vec<Option<usize>> {
    let mut with_control: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, group) in groups.iter().enumerate() {
        for control in &group.controls {
            with_control
                .entry(identity_hashes[control.index()])
                .or_default()
                .push(at);
        }
    }
    let count = |(at, group): (usize, &Group)| {
        let mut alike = group
            .controls
            .iter()
            .flat_map(|control| &with_control[&identity_hashes[control.index()]]);
        let other = *alike.find(|other| **other != at)?;
        let more = group.texts.len().saturating_sub(groups[other].texts.len());
        Some(if other > at { more } else { 0 })
    };
    groups.iter().enumerate().map(count).collect()
}

/// The texts above an element in its section, the nearest group first, without the texts of rows.
fn texts_above(
    tree: &UiTree,
    groups: &[Group],
    rows: &[Option<usize>],
    place: &Place,
    id: NodeId,
) -> Vec<NodeId> {
    let own_group = &groups[place.group];
    let row = tree.node(*own_group.controls.first().unwrap_or(&id)).bounds;
    let is_above_row = |text: &&NodeId| {
        let bounds = row.zip(tree.node(**text).bounds);
        **text < id && !bounds.is_some_and(|(row, text)| overlaps_y(row, text))
    };
    let mut texts = Vec::new();
    for at in (0..=place.group).rev() {
        let group = &groups[at];
        let count = match rows[at] {
            Some(count) => count,
            None if at < place.group || place.rows.is_some() => group.texts.len(),
            None => group.texts.iter().take_while(is_above_row).count(),
        };
        texts.extend(&group.texts[..count]);
        if texts.len() >= MAX_ABOVE {
            break;
        }
    }
    texts
}

/// The text between two arrow buttons on one line, if the last control is the second of them.
fn paged_text(tree: &UiTree, groups: &[Group]) -> Option<u64> {
    let controls = groups
        .iter()
        .rev()
        .take(3)
        .flat_map(|group| group.controls.iter().rev());
    let mut controls = controls.copied();
    let last = controls.next()?;
    let row = tree.node(last).bounds?;
    let is_in_row = |id: NodeId| {
        tree.node(id)
            .bounds
            .is_some_and(|other: Rect| overlaps_y(row, other))
    };
    let is_arrow = |id: NodeId| first_name(tree, id).is_some_and(is_arrow);
    if !is_arrow(last) {
        return None;
    }
    // The text may be a button, too.
    let first = controls
        .take(2)
        .find(|id| is_arrow(*id))
        .filter(|id| is_in_row(*id))?;
    let between = (tree.node(first).end.0..last.0).map(NodeId);
    let texts: Vec<&str> = between
        .filter(|id| is_in_row(*id))
        .map(|id| tree.node(id).text.trim())
        .filter(|text| text.chars().any(char::is_alphanumeric))
        .collect();
    (!texts.is_empty()).then(|| hash_of(|hasher| texts.hash(hasher)))
}

fn first_text(tree: &UiTree, id: NodeId) -> Option<&str> {
    let mut inside = tree.subtree(id).map(|inner| &*tree.node(inner).text);
    inside.find(|text| !text.trim().is_empty())
}

fn first_name(tree: &UiTree, id: NodeId) -> Option<&str> {
    let label = &*tree.node(id).label;
    first_text(tree, id).or(Some(label))
}

/// A heading without the number in parentheses at its end: `Inbox` of `Inbox (3)`.
fn without_count(heading: &str) -> &str {
    let heading = heading.trim();
    let count = heading
        .strip_suffix(')')
        .and_then(|inside| inside.rsplit_once('('));
    match count {
        Some((name, count)) if count.chars().all(|digit| digit.is_ascii_digit()) => name.trim_end(),
        _ => heading,
    }
}

/// Hash of a text without times and the number of rows of its list.
fn hash_of_title(text: &str, rows: Option<usize>) -> u64 {
    let is_number_of_rows = |word: &&str| rows.is_some_and(|rows| *word == rows.to_string());
    hash_of(|hasher| {
        for word in words_without_time(text).filter(|word| !is_number_of_rows(word)) {
            word.hash(hasher);
        }
    })
}

/// The words of a text without times with seconds, such as `17:46:19` and `5 s`, and without totals, such as in `1-25 of 36`.
pub(super) fn words_without_time(text: &str) -> impl Iterator<Item = &str> {
    let mut words = text.split_whitespace().peekable();
    let is_number =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_clock = move |word: &str| word.split(':').count() == 3 && word.split(':').all(is_number);
    let is_unit = |word: &str| matches!(word, "s" | "sec" | "seconds" | "ms");
    let is_seconds = move |word: &str| {
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        unit.len() < word.len() && is_unit(unit)
    };
    let is_range = move |word: &str| {
        let ends = word.split_once(['-', '–']);
        ends.is_some_and(|(first, last)| is_number(first) && is_number(last))
    };
    // The previous words, the last one first.
    let mut before = [""; 2];
    std::iter::from_fn(move || {
        loop {
            let word = words.next()?;
            let is_total = is_range(before[1]) && is_number(&word.replace(',', ""));
            before = [word, before[0]];
            if is_number(word) && words.next_if(|unit| is_unit(unit)).is_some() {
                continue;
            }
            if !(is_clock(word) || is_seconds(word) || is_total) {
                return Some(word);
            }
        }
    })
}
