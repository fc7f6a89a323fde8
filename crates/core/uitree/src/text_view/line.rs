//! A line of the view: one element, and the small control beside its text.

use std::fmt::Write;

use super::words::{Word, grouped, holds_words};
use crate::{NodeId, ScreenRefs, State, UiTree};

/// Longest text of a control where only controls are shown, in characters.
const LONGEST_IN_SHORT: usize = 60;

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
pub(super) struct Written {
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
    /// How many characters of further names are left out.
    pub(super) rest: usize,
    /// Its id, `#` included.
    pub(super) resource: Option<String>,
    /// Its states.
    pub(super) states: String,
    /// Where it is, written if it has neither words nor an id.
    pub(super) place: Option<String>,
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

    /// The element that the line is about.
    pub(super) fn id(&self) -> Option<NodeId> {
        self.parts.first().and_then(|part| part.id)
    }

    /// Leaves out the words after the first ones, and counts their characters.
    pub(super) fn shorten(&mut self) {
        for part in &mut self.parts {
            let mut length = 0;
            let mut rest = 0;
            part.words.retain_mut(|word| {
                word.most = word.most.min(LONGEST_IN_SHORT);
                length += word.length();
                let is_kept = length == word.length() || length <= LONGEST_IN_SHORT;
                rest += if is_kept {
                    0
                } else {
                    word.text.chars().count()
                };
                is_kept
            });
            part.rest = rest;
        }
    }

    /// The line with the references of its elements.
    pub(super) fn render(&self, refs: &ScreenRefs) -> String {
        let mut text = String::new();
        for part in &self.parts {
            let mut add = |word: &str| {
                if !text.is_empty() && !word.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            };
            add(&part.role);
            part.words.iter().for_each(|word| add(&word.to_string()));
            if part.rest > 0 {
                add(&format!("…(+{})", grouped(part.rest)));
            }
            add(part.resource.as_deref().unwrap_or_default());
            add(&part.states);
            let is_nameless = part.words.is_empty() && part.resource.is_none();
            add(part
                .place
                .as_deref()
                .filter(|_| is_nameless)
                .unwrap_or_default());
            let reference = part.id.and_then(|id| refs.get(id));
            add(reference.as_deref().unwrap_or_default());
        }
        text
    }
}

impl Part {
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
