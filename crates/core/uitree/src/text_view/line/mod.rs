//! The lines of a view, and the elements on them.

use std::fmt::Write;

use crate::{NodeId, Role, ScreenRefs, State, UiTree, WindowKind};

pub(crate) mod references;
pub(crate) mod text;
pub(crate) mod tokens;

use references::{SAME, format_references};
use text::{LabeledText, Limit, contains_words};

/// Maximum length of a text where only controls are shown.
const MAX_SHORT: Limit = Limit {
    characters: 40,
    tokens: 10,
};

/// The importance of a line to an agent, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// The line of a window.
    Window,
    /// The focused element, or a dialog.
    Focus,
    /// A control with a name or an id.
    Control,
    /// A title.
    Heading,
    /// A scroll container.
    Scrollable,
    /// Any other text.
    Text,
    /// A control without a name.
    NamelessControl,
}

impl Rank {
    /// Whether the view of controls shows the line.
    pub(crate) const fn is_actionable(self) -> bool {
        !matches!(self, Self::Heading | Self::Text)
    }
}

/// A line of the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) rank: Rank,
    /// Depth below the window.
    pub(crate) depth: usize,
    /// Its elements; the first one identifies the line.
    pub(crate) parts: Vec<Part>,
}

/// A formatted line, without indentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenLine {
    pub(crate) rank: Rank,
    pub(crate) depth: usize,
    pub(crate) text: String,
}

/// An element on a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    /// The element, if a reference to it is useful.
    pub(crate) id: Option<NodeId>,
    /// Its role, or other words at the start.
    pub(crate) role: String,
    /// Its text, name and placeholder.
    pub(crate) texts: Vec<LabeledText>,
    /// Whether further texts are omitted.
    pub(crate) has_more: bool,
    /// The text of its row that distinguishes it from equal elements.
    pub(crate) owner: Option<LabeledText>,
    /// Its resource id, with `#`.
    pub(crate) resource: Option<String>,
    /// Its states.
    pub(crate) states: String,
    /// Its center, written if it has neither texts nor an id.
    pub(crate) center: Option<String>,
    /// The elements inside or after it that equal those of the row above, in the same order.
    pub(crate) same_as_above: Vec<NodeId>,
}

impl Line {
    /// A line of these words.
    pub(crate) fn of(rank: Rank, depth: usize, words: String) -> Self {
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

    /// Whether it is the line of an inactive system window.
    pub(crate) fn is_system_window(&self) -> bool {
        let words = self.parts.first().map_or("", |part| &part.role);
        let is_system = words.split(' ').next() == Some(WindowKind::System.as_str());
        self.rank == Rank::Window && is_system && !words.ends_with(" active")
    }

    /// Its first element.
    pub(crate) fn id(&self) -> Option<NodeId> {
        self.parts.first().and_then(|part| part.id)
    }

    /// Number of characters of its texts.
    pub(crate) fn length(&self) -> usize {
        let texts = self.parts.iter().flat_map(|part| &part.texts);
        texts.map(LabeledText::length).sum()
    }

    /// Cuts its texts and omits all but the first ones of each element.
    pub(crate) fn shorten(&mut self) {
        for part in &mut self.parts {
            let mut length = 0;
            let all = part.texts.len();
            part.texts.retain_mut(|text| {
                text.limit(MAX_SHORT);
                // The view of everything has the rest.
                text.omit_count = true;
                length += text.length();
                length == text.length() || length <= MAX_SHORT.characters
            });
            part.has_more = part.texts.len() < all;
        }
    }

    /// The line with the references of its elements.
    pub(crate) fn render(&self, refs: &ScreenRefs) -> String {
        let mut text = String::new();
        for part in &self.parts {
            part.write(&mut text, refs);
        }
        text
    }
}

impl Part {
    /// Appends the element to its line.
    fn write(&self, line: &mut String, refs: &ScreenRefs) {
        // A line that begins with a string is a text.
        let is_implied = line.is_empty()
            && self.is_text()
            && (self.texts.first()).is_some_and(|text| text.prefix.is_empty());
        let role = if is_implied { "" } else { &self.role };
        let mut add = |word: &str| {
            if !line.is_empty() && !word.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        };
        add(role);
        self.texts.iter().for_each(|text| add(&text.to_string()));
        if self.has_more {
            add("…");
        }
        if let Some(owner) = &self.owner {
            add(&format!("of {owner}"));
        }
        add(self.resource.as_deref().unwrap_or_default());
        add(&self.states);
        let is_nameless = self.texts.is_empty() && self.resource.is_none() && self.owner.is_none();
        let center = self.center.as_deref().filter(|_| is_nameless);
        add(center.unwrap_or_default());
        let reference = self.id.and_then(|id| refs.get(id));
        add(reference.as_deref().unwrap_or_default());
        if !self.same_as_above.is_empty() {
            add(SAME);
            let references = self.same_as_above.iter().filter_map(|id| refs.get(*id));
            add(&format_references(references));
        }
    }

    /// Whether its role is that of a text.
    pub(crate) fn is_text(&self) -> bool {
        self.role == Role::Text.as_str()
    }

    /// Whether it has a reference.
    pub(crate) fn has_ref(&self, refs: &ScreenRefs) -> bool {
        self.id.is_some_and(|id| refs.has(id))
    }

    /// Whether two elements are written the same, except for their roles and references.
    pub(crate) fn has_equal_content(&self, other: &Self) -> bool {
        let texts = |part: &Self| -> Vec<String> {
            part.texts.iter().map(LabeledText::to_string).collect()
        };
        texts(self) == texts(other)
            && self.resource == other.resource
            && self.states == other.states
            && self.has_more == other.has_more
    }

    /// Omits a state.
    pub(crate) fn omit_state(&mut self, state: &str) {
        let others = self.states.split(' ').filter(|other| *other != state);
        self.states = others.collect::<Vec<_>>().join(" ");
    }

    /// Omits `unchecked` of a checkbox or radio button; `checked` is always written.
    pub(crate) fn omit_unchecked(&mut self) {
        let roles = [Role::CheckBox, Role::Radio].map(Role::as_str);
        if roles.contains(&&*self.role) {
            self.omit_state("unchecked");
        }
    }

    /// Whether it is a switch, checkbox or radio button without names other than these.
    pub(crate) fn is_toggle_named(&self, names: &[LabeledText], tree: &UiTree) -> bool {
        let is_toggle = |id: NodeId| tree.node(id).is(State::CHECKABLE);
        let is_named = |text: &LabeledText| {
            let mut names = names.iter();
            names.any(|name| contains_words(&name.text, &text.text))
        };
        self.texts.iter().all(is_named) && self.id.is_some_and(is_toggle)
    }

    /// The center of an element.
    pub(crate) fn center_of(tree: &UiTree, id: NodeId) -> Option<String> {
        let middle = tree.visible_bounds(id)?.center();
        let mut center = String::new();
        // Writing to a string cannot fail.
        let _ = write!(center, "@{},{}", middle.x, middle.y);
        Some(center)
    }
}
