//! Generates matchers: of existing, nearly existing and missing nodes, and of many nodes.

use serde_json::{Map, Value, json};
use uitree::{Node, NodeId, Role, State, UiTree};

use super::{Planner, View, samples};

const MAX_LENGTH: usize = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Any visible node.
    Any,
    Click,
    EnterText,
    Read,
    Container,
}

impl Planner {
    pub(super) fn matcher(&mut self, view: &View<'_>, purpose: Purpose) -> Value {
        let Some(tree) = view.tree else {
            return self.missing_matcher();
        };
        if let Some(reference) = self.reference(view, tree, purpose) {
            return json!({ "ref": reference });
        }
        if self.chance(6) {
            return self.missing_matcher();
        }
        if self.chance(6) {
            return self.broad_matcher();
        }
        let overlay = super::top_overlay(tree).filter(|_| self.rng.below(4) == 0);
        let all: Vec<&Node> = tree
            .ids()
            .filter(|id| overlay.is_none_or(|root| *id == root || tree.contains(root, *id)))
            .filter(|id| tree.is_on_screen(*id) || self.rng.below(20) == 0)
            .map(|id| tree.node(id))
            .filter(|node| has_name(node))
            .collect();
        // Sometimes the node does not fit the purpose.
        let purpose = if self.chance(12) {
            Purpose::Any
        } else {
            purpose
        };
        let fitting: Vec<&Node> = all
            .iter()
            .copied()
            .filter(|node| fits(tree, node, purpose))
            .collect();
        let scrolling: Vec<&Node> = match purpose {
            Purpose::Container if self.chance(60) => fitting
                .iter()
                .copied()
                .filter(|node| node.is(State::SCROLLABLE))
                .collect(),
            _ => Vec::new(),
        };
        let fitting = if scrolling.is_empty() {
            fitting
        } else {
            scrolling
        };
        let nodes = if fitting.is_empty() { &all } else { &fitting };
        if nodes.is_empty() {
            return self.missing_matcher();
        }
        let node = self.pick(nodes);
        let mut fields = self.fields(node);
        if self.chance(6) {
            self.corrupt(&mut fields);
        }
        Value::Object(fields)
    }

    /// Sometimes a reference: of an element on the screen, or any that was given.
    fn reference(&mut self, view: &View<'_>, tree: &UiTree, purpose: Purpose) -> Option<String> {
        if view.last_ref == 0 || !self.chance(15) {
            return None;
        }
        let is_fitting = |(_, id): &&(String, NodeId)| fits(tree, tree.node(*id), purpose);
        let fitting: Vec<&str> = view
            .refs
            .iter()
            .filter(is_fitting)
            .map(|(reference, _)| reference.as_str())
            .collect();
        if fitting.is_empty() || self.chance(30) {
            let number = 1 + self.below(u64::from(view.last_ref));
            return Some(format!("e{number}"));
        }
        Some(self.pick(&fitting).to_owned())
    }

    /// Some fields that match a node, at least one.
    fn fields(&mut self, node: &Node) -> Map<String, Value> {
        let mut fields = Map::new();
        let mut first_try = true;
        while fields.is_empty() {
            let percent = if first_try { 35 } else { 60 };
            if is_valid_value(&node.id) && self.chance(percent) {
                self.insert_field(&mut fields, "resourceId", "id", &node.id);
            }
            if is_valid_value(&node.text) && self.chance(percent) {
                self.insert_field(&mut fields, "textEquals", "text", &node.text);
            } else if is_valid_value(&node.text) && self.chance(15) {
                let part_of = self.part_of(&node.text);
                self.insert_field(&mut fields, "textContains", "text_contains", &part_of);
            }
            if is_valid_value(&node.label) && self.chance(percent) {
                self.insert_field(
                    &mut fields,
                    "contentDescEquals",
                    "content_desc",
                    &node.label,
                );
            } else if is_valid_value(&node.label) && self.chance(15) {
                let part_of = self.part_of(&node.label);
                let key = "contentDescContains";
                self.insert_field(&mut fields, key, "description_contains", &part_of);
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
            first_try = false;
        }
        fields
    }

    /// Inserts a value under its canonical name, or sometimes under an alias.
    fn insert_field(
        &mut self,
        fields: &mut Map<String, Value>,
        name: &str,
        other: &str,
        value: &str,
    ) {
        let name = if self.chance(8) { other } else { name };
        fields.insert(name.to_owned(), value.into());
    }

    /// A non-blank part of a text, sometimes in upper case.
    fn part_of(&mut self, text: &str) -> String {
        let letters: Vec<char> = text.chars().collect();
        let from = self.below(letters.len() as u64) as usize;
        let length = 1 + self.below((letters.len() - from) as u64) as usize;
        let part_of: String = letters.iter().skip(from).take(length).collect();
        if part_of.trim().is_empty() {
            return text.to_owned();
        }
        if self.chance(30) {
            part_of.to_uppercase()
        } else {
            part_of
        }
    }

    /// Changes a field so that it no longer matches.
    fn corrupt(&mut self, fields: &mut Map<String, Value>) {
        let keys: Vec<String> = fields.keys().cloned().collect();
        let index = self.below(keys.len() as u64) as usize;
        let Some(key) = keys.get(index).filter(|key| *key != "role") else {
            return;
        };
        let old_value = fields
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        let new_value = match self.below(4) {
            0 => format!("{old_value}x"),
            1 => old_value.to_lowercase(),
            2 => format!(" {old_value}"),
            _ => old_value.chars().skip(1).collect(),
        };
        if is_valid_value(&new_value) {
            fields.insert(key.clone(), new_value.into());
        }
    }

    fn missing_matcher(&mut self) -> Value {
        let word = self.pick(&samples::MISSING_TEXTS);
        let key = self.pick(&["textEquals", "resourceId", "contentDescContains"]);
        let mut fields = Map::new();
        fields.insert(key.to_owned(), word.into());
        Value::Object(fields)
    }

    fn broad_matcher(&mut self) -> Value {
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

fn is_valid_value(value: &str) -> bool {
    !value.trim().is_empty() && value.encode_utf16().count() <= MAX_LENGTH
}

fn has_name(node: &Node) -> bool {
    is_valid_value(&node.id) || is_valid_value(&node.text) || is_valid_value(&node.label)
}

fn fits(tree: &UiTree, node: &Node, purpose: Purpose) -> bool {
    let self_or_parent = |state: State| {
        node.is(state)
            || node
                .parent
                .is_some_and(|parent| tree.node(parent).is(state))
    };
    match purpose {
        Purpose::Any => true,
        Purpose::Click => self_or_parent(State::CLICKABLE),
        Purpose::EnterText => node.is(State::EDITABLE),
        Purpose::Read => is_valid_value(&node.text) || is_valid_value(&node.label),
        Purpose::Container => node.is(State::SCROLLABLE) || is_valid_value(&node.id),
    }
}
