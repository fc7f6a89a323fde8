//! Matchers: of nodes that are there, that nearly are, that are not, and of many at once.

use serde_json::{Map, Value};
use uitree::{Node, Role, State, UiTree};

use super::{Planner, View, words};

/// The longest value that a matcher takes.
const LONGEST: usize = 512;

/// Which nodes a matcher is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    /// Any that can be seen.
    Anything,
    /// What takes a click.
    Pressing,
    /// What takes text.
    Writing,
    /// What says something.
    Reading,
    /// What holds others.
    Holding,
}

impl Planner {
    /// A matcher for a purpose.
    pub(super) fn matcher(&mut self, view: &View<'_>, purpose: For) -> Value {
        let Some(tree) = view.tree else {
            return self.absent();
        };
        if self.chance(6) {
            return self.absent();
        }
        if self.chance(6) {
            return self.vague();
        }
        let above = super::uppermost(tree).filter(|_| self.dice.below(4) == 0);
        let all: Vec<&Node> = tree
            .ids()
            .filter(|id| above.is_none_or(|root| *id == root || tree.contains(root, *id)))
            .filter(|id| tree.is_on_screen(*id) || self.dice.below(20) == 0)
            .map(|id| tree.node(id))
            .filter(|node| has_name(node))
            .collect();
        // Now and then a node is asked to do what it is not there for.
        let purpose = if self.chance(12) {
            For::Anything
        } else {
            purpose
        };
        let fit: Vec<&Node> = all
            .iter()
            .copied()
            .filter(|node| fits(tree, node, purpose))
            .collect();
        let scrolling: Vec<&Node> = match purpose {
            For::Holding if self.chance(60) => fit
                .iter()
                .copied()
                .filter(|node| node.is(State::SCROLLABLE))
                .collect(),
            _ => Vec::new(),
        };
        let fit = if scrolling.is_empty() { fit } else { scrolling };
        let nodes = if fit.is_empty() { &all } else { &fit };
        if nodes.is_empty() {
            return self.absent();
        }
        let node = self.pick(nodes);
        let mut fields = self.fields(node);
        if self.chance(6) {
            self.spoil(&mut fields);
        }
        Value::Object(fields)
    }

    /// Some of what can be said of a node, at least one thing.
    fn fields(&mut self, node: &Node) -> Map<String, Value> {
        let mut fields = Map::new();
        let mut forced = true;
        while fields.is_empty() {
            let often = if forced { 35 } else { 60 };
            if usable(&node.id) && self.chance(often) {
                self.put(&mut fields, "resourceId", "id", &node.id);
            }
            if usable(&node.text) && self.chance(often) {
                self.put(&mut fields, "textEquals", "text", &node.text);
            } else if usable(&node.text) && self.chance(15) {
                let part = self.part(&node.text);
                self.put(&mut fields, "textContains", "text_contains", &part);
            }
            if usable(&node.label) && self.chance(often) {
                self.put(
                    &mut fields,
                    "contentDescEquals",
                    "content_desc",
                    &node.label,
                );
            } else if usable(&node.label) && self.chance(15) {
                let part = self.part(&node.label);
                let key = "contentDescContains";
                self.put(&mut fields, key, "description_contains", &part);
            }
            if (fields.is_empty() && self.chance(5)) || self.chance(12) {
                let role = node.role.as_str();
                let role = if self.chance(10) {
                    role.to_uppercase()
                } else {
                    role.to_owned()
                };
                fields.insert("role".to_owned(), role.into());
            }
            forced = false;
        }
        fields
    }

    /// Puts a value under its canonical name, or now and then under another one.
    fn put(&mut self, fields: &mut Map<String, Value>, name: &str, other: &str, value: &str) {
        let name = if self.chance(8) { other } else { name };
        fields.insert(name.to_owned(), value.into());
    }

    /// A part of a text that is not blank, now and then in another letter case.
    fn part(&mut self, text: &str) -> String {
        let letters: Vec<char> = text.chars().collect();
        let from = self.below(letters.len() as u64) as usize;
        let length = 1 + self.below((letters.len() - from) as u64) as usize;
        let part: String = letters.iter().skip(from).take(length).collect();
        if part.trim().is_empty() {
            return text.to_owned();
        }
        if self.chance(30) {
            part.to_uppercase()
        } else {
            part
        }
    }

    /// A matcher that something is wrong with.
    fn spoil(&mut self, fields: &mut Map<String, Value>) {
        let keys: Vec<String> = fields.keys().cloned().collect();
        let place = self.below(keys.len() as u64) as usize;
        let Some(key) = keys.get(place).filter(|key| *key != "role") else {
            return;
        };
        let old = fields
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        let new = match self.below(4) {
            0 => format!("{old}x"),
            1 => old.to_lowercase(),
            2 => format!(" {old}"),
            _ => old.chars().skip(1).collect(),
        };
        if usable(&new) {
            fields.insert(key.clone(), new.into());
        }
    }

    /// A matcher of something that is not there.
    fn absent(&mut self) -> Value {
        let word = self.pick(&words::NOWHERE);
        let key = self.pick(&["textEquals", "resourceId", "contentDescContains"]);
        let mut fields = Map::new();
        fields.insert(key.to_owned(), word.into());
        Value::Object(fields)
    }

    /// A matcher of many things at once.
    fn vague(&mut self) -> Value {
        let mut fields = Map::new();
        if self.chance(50) {
            let role = self.pick(Role::ALL).as_str();
            fields.insert("role".to_owned(), role.into());
        } else {
            let letter = self.pick(&["e", "a", "S", "o", "1", " i"]);
            fields.insert("textContains".to_owned(), letter.into());
        }
        Value::Object(fields)
    }
}

/// Whether a matcher may hold this value.
fn usable(value: &str) -> bool {
    !value.trim().is_empty() && value.encode_utf16().count() <= LONGEST
}

fn has_name(node: &Node) -> bool {
    usable(&node.id) || usable(&node.text) || usable(&node.label)
}

fn fits(tree: &UiTree, node: &Node, purpose: For) -> bool {
    let near = |state: State| {
        node.is(state)
            || node
                .parent
                .is_some_and(|parent| tree.node(parent).is(state))
    };
    match purpose {
        For::Anything => true,
        For::Pressing => near(State::CLICKABLE),
        For::Writing => node.is(State::EDITABLE),
        For::Reading => usable(&node.text) || usable(&node.label),
        For::Holding => node.is(State::SCROLLABLE) || usable(&node.id),
    }
}
