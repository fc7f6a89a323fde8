//! Which ids are written, and the texts that name a row.

use std::collections::HashMap;

use super::words::{PICTURE, frames, id_tells_more, is_table_row, names, shows_id};
use crate::notation::is_bare;
use crate::{NodeId, Role, State, UiTree};

/// The most texts that the line of a row with controls takes.
const MAX_ROW_TEXTS: usize = 8;

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
            written[id.index()] = names.is_empty() || (!is_shared && id_tells_more(local, names));
        }
        written
    }

    /// The names on the line of a node.
    fn names_of(&self, id: NodeId) -> String {
        let node = self.node(id);
        let acts_inside = || {
            self.subtree(id)
                .skip(1)
                .any(|inner| self.node(inner).can_act())
        };
        let inside: Vec<NodeId> = match node.can_act() {
            true if acts_inside() => self.texts_of_row(id),
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

    /// The texts of a control with other controls inside of it that belong to its own line: few, and not inside of the others.
    pub(crate) fn texts_of_row(&self, row: NodeId) -> Vec<NodeId> {
        let mut texts = Vec::new();
        let end = self.node(row).end.0;
        let mut place = row.0 + 1;
        while place < end {
            let id = NodeId(place);
            let node = self.node(id);
            place += 1;
            if node.can_act() || frames(node) || is_table_row(self, id) {
                place = node.end.0;
            } else if matches!(node.role, Role::Text | Role::Label)
                && !node.is(State::FOCUSED)
                && node.attribute(PICTURE).is_none()
                && self.is_on_screen(id)
                && !names(node).is_empty()
            {
                texts.push(id);
            }
        }
        let is_row = !frames(self.node(row)) && texts.len() <= MAX_ROW_TEXTS;
        if is_row { texts } else { Vec::new() }
    }

    /// What is in the cells of a table's row that have no controls.
    pub(super) fn texts_of_cells(&self, row: NodeId) -> Vec<NodeId> {
        let cells = self.children(row).filter(|cell| !self.has_control(*cell));
        cells.flat_map(|cell| self.subtree(cell)).collect()
    }

    /// Whether something inside of a node, or the node itself, can be acted on.
    pub(super) fn has_control(&self, id: NodeId) -> bool {
        self.subtree(id).any(|inner| self.node(inner).can_act())
    }

    /// Most common package of the ids that are written.
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
