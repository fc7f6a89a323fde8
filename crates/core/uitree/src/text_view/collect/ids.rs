//! Decides which ids are written.

use std::collections::HashMap;

use super::nodes::{PICTURE, is_structural, is_table_row, names, shows_id};
use crate::notation::is_bare;
use crate::{NodeId, Role, State, UiTree};

/// Maximum number of texts on the line of a row with controls.
const MAX_ROW_TEXTS: usize = 8;

/// Whether an id contains a word that neither is in the names of its element nor stands for its kind.
pub(crate) fn is_informative_id(id: &str, names: &str) -> bool {
    let names = names.to_lowercase();
    let mut word = String::new();
    let mut is_informative = false;
    let mut end = |word: &mut String| {
        is_informative |= match word.as_str() {
            // Kinds of elements, which the role shows.
            "" | "action" | "area" | "bar" | "box" | "btn" | "button" | "card" | "cell"
            | "chip" | "container" | "content" | "edit" | "entry" | "et" | "field" | "fl"
            | "frame" | "group" | "header" | "holder" | "icon" | "id" | "image" | "img"
            | "input" | "item" | "iv" | "label" | "layout" | "link" | "ll" | "main" | "menu"
            | "name" | "option" | "panel" | "rl" | "root" | "row" | "switch" | "tab" | "text"
            | "title" | "tv" | "txt" | "view" | "widget" | "wrapper" => false,
            word => !names.contains(word),
        };
        word.clear();
    };
    let mut before = ' ';
    for letter in id.chars() {
        if !letter.is_alphabetic() || (before.is_lowercase() && letter.is_uppercase()) {
            end(&mut word);
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    end(&mut word);
    is_informative
}

impl UiTree {
    /// Whether the line of each node shows its id.
    pub(super) fn written_ids(&self) -> Vec<bool> {
        let mut named: HashMap<&str, u32> = HashMap::new();
        let mut written = vec![false; self.len()];
        let own_names: Vec<Option<String>> = (self.ids())
            .map(|id| (shows_id(self.node(id)) && self.is_on_screen(id)).then(|| self.names_of(id)))
            .collect();
        for (id, names) in self.ids().zip(&own_names) {
            if names.as_ref().is_some_and(|names| !names.is_empty()) {
                *named.entry(&*self.node(id).id).or_default() += 1;
            }
        }
        for (id, names) in self.ids().zip(&own_names) {
            let Some(names) = names else { continue };
            let own = &*self.node(id).id;
            let local = own.split_once(":id/").map_or(own, |(_, local)| local);
            let is_shared = named.get(own).is_some_and(|count| *count > 1);
            written[id.index()] =
                names.is_empty() || (!is_shared && is_informative_id(local, names));
        }
        written
    }

    /// The names on the line of a node.
    fn names_of(&self, id: NodeId) -> String {
        let node = self.node(id);
        let has_inner_controls = || {
            self.subtree(id)
                .skip(1)
                .any(|inner| self.node(inner).can_act())
        };
        let inside: Vec<NodeId> = match node.can_act() {
            true if has_inner_controls() => self.texts_of_row(id),
            true => self
                .subtree(id)
                .skip(1)
                .filter(|inner| self.is_on_screen(*inner))
                .collect(),
            false => Vec::new(),
        };
        let all: Vec<String> = std::iter::once(id)
            .chain(inside)
            .map(|id| names(self.node(id)))
            .collect();
        all.join(" ").trim().to_owned()
    }

    /// The texts on the line of a control that contains others: outside of those, and at most [`MAX_ROW_TEXTS`].
    pub(crate) fn texts_of_row(&self, row: NodeId) -> Vec<NodeId> {
        let mut texts = Vec::new();
        let end = self.node(row).end.0;
        let mut next = row.0 + 1;
        while next < end {
            let id = NodeId(next);
            let node = self.node(id);
            next += 1;
            if node.can_act() || is_structural(node) || is_table_row(self, id) {
                next = node.end.0;
            } else if matches!(node.role, Role::Text | Role::Label)
                && !node.is(State::FOCUSED)
                && node.attribute(PICTURE).is_none()
                && self.is_on_screen(id)
                && !names(node).is_empty()
            {
                texts.push(id);
            }
        }
        let is_row = !is_structural(self.node(row)) && texts.len() <= MAX_ROW_TEXTS;
        if is_row { texts } else { Vec::new() }
    }

    /// The nodes in the cells of a table row that have no controls.
    pub(super) fn texts_of_cells(&self, row: NodeId) -> Vec<NodeId> {
        let cells = self.children(row).filter(|cell| !self.has_control(*cell));
        cells.flat_map(|cell| self.subtree(cell)).collect()
    }

    /// Whether the node or a descendant of it is a control.
    pub(super) fn has_control(&self, id: NodeId) -> bool {
        self.subtree(id).any(|inner| self.node(inner).can_act())
    }

    /// The most common package of the written ids.
    pub(super) fn usual_package(
        &self,
        nodes: impl Iterator<Item = NodeId>,
        ids: &[bool],
    ) -> Option<&str> {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for id in nodes.filter(|id| ids[id.index()]) {
            let Some((package, _)) = self.node(id).id.split_once(":id/") else {
                continue;
            };
            match counts.iter_mut().find(|(known, _)| *known == package) {
                Some((_, count)) => *count += 1,
                None => counts.push((package, 1)),
            }
        }
        let most = counts.iter().map(|(_, count)| *count).max()?;
        let first = counts.iter().find(|(_, count)| *count == most)?;
        Some(first.0).filter(|package| is_bare(package))
    }
}
