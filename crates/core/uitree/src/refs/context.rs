//! What a block of elements is about: the heading above it, the text between the arrows that page through it, its caption, the
//! selected tab, and the plain texts above it. The same rows of another day have the same texts, and often the same nodes.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use super::Evidence;
use super::nodes::{hash_of, is_heading, is_level, is_text, rows};
use crate::paging::is_arrow;
use crate::{NodeId, Rect, Role, State, UiTree};

/// How many texts above an element count, and the rest of their group.
const MAX_ABOVE: usize = 16;

/// What the block of an element is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Context {
    titles: Titles,
    /// The plain texts right above the block.
    above: Arc<[u64]>,
}

/// What a block is about for certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Titles {
    /// The heading before the block, without a number in parentheses; 0 if there is none.
    heading: u64,
    /// The text between the arrows before the block; 0 if there is none.
    paged: u64,
    /// The caption of its list or table; 0 if there is none.
    caption: u64,
    /// The selected tab before the block; 0 if there is none.
    tab: u64,
}

impl Evidence {
    /// Whether the block of an element is about something else now. A plain text above a node of the document that is still there
    /// may be a status.
    pub(super) fn is_in_another_context(&self, now: &Self) -> bool {
        let (old, new) = (&*self.context, &*now.context);
        let may_be_status = self.is_scroller || self.is_same_node(now);
        old.titles != new.titles || !may_be_status && !is_part_of_other(&old.above, &new.above)
    }
}

/// Whether one of these has all texts of the other one.
fn is_part_of_other(one: &[u64], other: &[u64]) -> bool {
    let is_part = |part: &[u64], of: &[u64]| part.iter().all(|text| of.contains(text));
    is_part(one, other) || is_part(other, one)
}

/// Plain texts, and the controls after them up to the next text.
#[derive(Debug, Default)]
struct Group {
    texts: Vec<NodeId>,
    controls: Vec<NodeId>,
}

/// What is before a place in its part of the screen.
#[derive(Debug)]
struct PrecedingContent {
    heading: Option<NodeId>,
    titles: Titles,
    /// The groups of each section. A section begins at a heading.
    sections: Vec<Vec<Group>>,
}

/// Where the context of an element is found.
#[derive(Clone, Copy, Debug)]
struct Place {
    part: u32,
    section: usize,
    group: usize,
    heading: Option<NodeId>,
    titles: Titles,
    /// The number of rows, in a list.
    rows: Option<usize>,
}

/// The contexts of the elements of a screen. `own` has the properties of each node, `parts` the part of the screen that each is
/// in.
pub(super) fn note(items: &mut [(NodeId, Evidence)], tree: &UiTree, own: &[u64], parts: &[u32]) {
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
        // What is in a card is not above others, not even what it begins with.
        let begins_card = tree.cards.at(id, &(0..tree.len() as u32)).is_some();
        if !begins_card {
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
        let rows = rows.or_insert_with(|| texts_above_rows(groups, own));
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
        // A card that is pressed as a whole has a text of its own.
        if place.rows.is_some() || !evidence.names_itself {
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
            titles: Titles::default(),
            sections: vec![vec![Group::default()]],
        }
    }
}

impl PrecedingContent {
    /// Adds a node outside of lists. Texts before `named_end` are those of an element or a heading.
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

/// The name of a tab without numbers, such as that of messages, and its place.
fn hash_of_tab(tree: &UiTree, id: NodeId) -> u64 {
    let name = first_name(tree, id).unwrap_or_default();
    let around = tree.node(id).parent;
    let place = around.and_then(|around| tree.children(around).position(|tab| tab == id));
    let letters: String = name.chars().filter(|c| c.is_alphabetic()).collect();
    hash_of(|hasher| (letters, place).hash(hasher))
}

/// The end, the number of rows and the caption of a list, of a card, or of what scrolls on a phone, where nothing shows what is
/// beyond its edges.
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

/// For each group that is a row, which has the same control as another group, how many of its texts are above all of these rows:
/// the first one has them, too.
fn texts_above_rows(groups: &[Group], own: &[u64]) -> Vec<Option<usize>> {
    let mut with_control: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, group) in groups.iter().enumerate() {
        for control in &group.controls {
            with_control
                .entry(own[control.index()])
                .or_default()
                .push(at);
        }
    }
    let count = |(at, group): (usize, &Group)| {
        let mut alike = group
            .controls
            .iter()
            .flat_map(|control| &with_control[&own[control.index()]]);
        let other = *alike.find(|other| **other != at)?;
        let more = group.texts.len().saturating_sub(groups[other].texts.len());
        Some(if other > at { more } else { 0 })
    };
    groups.iter().enumerate().map(count).collect()
}

/// The texts above an element in its section, the nearest group first, without those of rows.
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
        **text < id && !bounds.is_some_and(|(row, text)| is_level(row, text))
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

/// The text between two arrows at one height, if the last control is the second of them.
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
            .is_some_and(|other: Rect| is_level(row, other))
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

/// The key of a text without the time of day, and without the number of rows of its list.
fn hash_of_title(text: &str, rows: Option<usize>) -> u64 {
    let is_number_of_rows = |word: &&str| rows.is_some_and(|rows| *word == rows.to_string());
    hash_of(|hasher| {
        for word in words_without_time(text).filter(|word| !is_number_of_rows(word)) {
            word.hash(hasher);
        }
    })
}

/// The words of a text that do not change by the second, or with the number of rows: all but `17:46:19`, `5 s`, and the total in
/// `1-25 of 36`.
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
    // The words before, the last one first.
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
