//! A line of the view: one element, and the small control beside its text.

use std::fmt::Write;
use std::ops::RangeInclusive;

use super::unfold::SAME;
use super::words::{Limit, Word, holds_words};
use crate::{NodeId, Role, ScreenRefs, State, UiTree, WindowKind};

/// Longest text of a control where only controls are shown.
const MAX_SHORT: Limit = Limit {
    characters: 40,
    tokens: 10,
};

/// How much an agent needs a line, the most needed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// The line of a window.
    Window,
    /// The focused element, or a dialog.
    Focus,
    /// A control with a name or an id.
    Control,
    /// A title.
    Heading,
    /// A container that scrolls.
    Scrollable,
    /// Any other text.
    Text,
    /// A control without a name.
    NamelessControl,
}

impl Rank {
    /// Whether something can be done with what the line shows.
    pub(super) const fn is_actionable(self) -> bool {
        match self {
            Self::Window
            | Self::Focus
            | Self::Control
            | Self::Scrollable
            | Self::NamelessControl => true,
            Self::Heading | Self::Text => false,
        }
    }
}

/// A line of the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) rank: Rank,
    /// Its depth below the window.
    pub(super) depth: usize,
    /// Its elements, the one that the line is about first.
    pub(super) parts: Vec<Part>,
}

/// A line as it is written, without its indentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrittenLine {
    pub(super) rank: Rank,
    pub(super) depth: usize,
    pub(super) text: String,
}

/// An element on a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// The element, if a reference to it is useful.
    pub(super) id: Option<NodeId>,
    /// Its role, or other words at the start.
    pub(super) role: String,
    /// Its names.
    pub(super) words: Vec<Word>,
    /// Whether further names are left out.
    pub(super) has_more: bool,
    /// The text of its row that tells it from others that look alike.
    pub(super) owner: Option<Word>,
    /// Its id, `#` included.
    pub(super) resource: Option<String>,
    /// Its states.
    pub(super) states: String,
    /// Where it is, written if it has neither words nor an id.
    pub(super) place: Option<String>,
    /// The elements inside of it or behind it, if they are written as those of the line above, in the same order.
    pub(super) inside: Vec<NodeId>,
}

impl Line {
    /// A line of these words.
    pub(super) fn of(rank: Rank, depth: usize, words: String) -> Self {
        let part = Part {
            role: words,
            ..Part::default()
        };
        Self {
            rank,
            depth,
            parts: vec![part],
        }
    }

    /// Whether it is the line of a window of the system that is not active.
    pub(super) fn is_system_window(&self) -> bool {
        let words = self.parts.first().map_or("", |part| &part.role);
        let is_system = words.split(' ').next() == Some(WindowKind::System.as_str());
        self.rank == Rank::Window && is_system && !words.ends_with(" active")
    }

    /// The element that the line is about.
    pub(super) fn id(&self) -> Option<NodeId> {
        self.parts.first().and_then(|part| part.id)
    }

    /// How many characters its words have.
    pub(super) fn length(&self) -> usize {
        let words = self.parts.iter().flat_map(|part| &part.words);
        words.map(Word::length).sum()
    }

    /// Leaves out the words after the first ones.
    pub(super) fn shorten(&mut self) {
        for part in &mut self.parts {
            let mut length = 0;
            let all = part.words.len();
            part.words.retain_mut(|word| {
                word.limit(MAX_SHORT);
                // What is left out is in the view of everything.
                word.is_known = true;
                length += word.length();
                length == word.length() || length <= MAX_SHORT.characters
            });
            part.has_more = part.words.len() < all;
        }
    }

    /// The line with the references of its elements.
    pub(super) fn render(&self, refs: &ScreenRefs) -> String {
        let mut text = String::new();
        for part in &self.parts {
            part.write(&mut text, refs);
        }
        text
    }
}

impl Part {
    /// Writes the part with the references of its elements behind others of its line.
    fn write(&self, text: &mut String, refs: &ScreenRefs) {
        // A line that begins with a string is a text.
        let is_implied = text.is_empty()
            && self.role == Role::Text.as_str()
            && self.words.first().is_some_and(|word| word.key.is_empty());
        let role = if is_implied { "" } else { &self.role };
        let mut add = |word: &str| {
            if !text.is_empty() && !word.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        };
        add(role);
        self.words.iter().for_each(|word| add(&word.to_string()));
        if self.has_more {
            add("…");
        }
        if let Some(owner) = &self.owner {
            add(&format!("of {owner}"));
        }
        add(self.resource.as_deref().unwrap_or_default());
        add(&self.states);
        let is_nameless = self.words.is_empty() && self.resource.is_none() && self.owner.is_none();
        let place = self.place.as_deref().filter(|_| is_nameless);
        add(place.unwrap_or_default());
        let reference = self.id.and_then(|id| refs.get(id));
        add(reference.as_deref().unwrap_or_default());
        if !self.inside.is_empty() {
            add(SAME);
            add(&ranged(self.inside.iter().filter_map(|id| refs.get(*id))));
        }
    }

    /// Leaves out a state.
    pub(super) fn leave_out_state(&mut self, state: &str) {
        let others = self.states.split(' ').filter(|other| *other != state);
        self.states = others.collect::<Vec<_>>().join(" ");
    }

    /// Leaves out that it is a checkbox or a radio button that is not checked: those that are say so.
    pub(super) fn leave_out_unchecked(&mut self) {
        let kinds = [Role::CheckBox, Role::Radio].map(Role::as_str);
        if kinds.contains(&&*self.role) {
            self.leave_out_state("unchecked");
        }
    }

    /// Whether it is a switch, checkbox or radio button without other names than these.
    pub(super) fn is_choice_named(&self, names: &[Word], tree: &UiTree) -> bool {
        let is_choice = |id: NodeId| tree.node(id).is(State::CHECKABLE);
        let is_known = |word: &Word| names.iter().any(|name| holds_words(&name.text, &word.text));
        self.words.iter().all(is_known) && self.id.is_some_and(is_choice)
    }

    /// The center of an element.
    pub(super) fn place_of(tree: &UiTree, id: NodeId) -> Option<String> {
        let middle = tree.visible_bounds(id)?.center();
        let mut place = String::new();
        // Writing to a string cannot fail.
        let _ = write!(place, "@{},{}", middle.x, middle.y);
        Some(place)
    }
}

/// The fewest references that follow each other of which only the first and the last one are written.
const FEWEST: usize = 3;

/// References; of those that follow each other, the first and the last one: `e4-e7`.
pub(super) fn ranged(references: impl Iterator<Item = String>) -> String {
    let references: Vec<String> = references.collect();
    let number = |reference: &String| reference.strip_prefix('e')?.parse::<u32>().ok();
    let follows = |one: &String, next: &String| {
        number(one)
            .zip(number(next))
            .is_some_and(|(one, next)| one.checked_add(1) == Some(next))
    };
    let runs = references.chunk_by(follows).map(|run| match run {
        [first, .., last] if run.len() >= FEWEST => format!("{first}-{last}"),
        run => run.join(" "),
    });
    runs.collect::<Vec<_>>().join(" ")
}

/// The numbers of the references of a word: of one, or of a range.
fn numbers(word: &str) -> Option<RangeInclusive<u32>> {
    /// The most references of a range; no line has more.
    const MOST: u32 = 1000;
    let number = |word: &str| -> Option<u32> {
        let digits = word.strip_prefix('e')?;
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_number)
    };
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    let (first, last) = (number(first)?, number(last)?);
    (first <= last && last - first < MOST).then_some(first..=last)
}

/// Whether a word is a reference, or a range of them.
pub(super) fn is_reference(word: &str) -> bool {
    numbers(word).is_some()
}

/// The references of a word, if it is one, or a range of them.
pub(super) fn references(word: &str) -> Option<String> {
    let all = numbers(word)?.map(|number| format!("e{number}"));
    Some(all.collect::<Vec<_>>().join(" "))
}
