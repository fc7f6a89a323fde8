//! What assistive technology is told of a document: roles, names, descriptions and states, computed from what is written
//! and laid out.
//!
//! Asking a browser for its accessibility tree costs several times what the rest of a look costs. The rules by which that
//! tree is made are public (ARIA, the mappings of HTML and SVG, the computation of names); this module follows them, and
//! where they leave a choice, Chromium.

mod aria;
mod description;
mod document;
mod hidden;
mod ignored;
mod label;
mod name;
mod native;
mod role;
mod states;
mod tables;

use std::borrow::Cow;

use crate::Facts;

pub use document::{Document, Drawn, Kind, Marks, Node};

use self::role::Role;

/// What assistive technology is told of one element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accessible {
    /// Its role by ARIA's name; empty when it is left out.
    pub role: Cow<'static, str>,
    /// Its name, white space collapsed.
    pub name: String,
    /// Its description, white space collapsed.
    pub description: String,
    /// The value of a range, a file field or a box to write in; empty where it has none of its own.
    pub value: String,
    /// The facts that depend on it: whether it can have the focus, is disabled, checked, chosen, open, required, valid or
    /// read only. [`Facts::IGNORED`] when it is left out.
    pub facts: Facts,
}

/// What is told of each node of `document`; `None` for what is no element.
pub fn compute(document: &Document<'_>) -> Vec<Option<Accessible>> {
    let view = Computation::new(document);
    let nodes = 0..document.len();
    nodes
        .map(|node| document.is_element(node).then(|| view.accessible(node)))
        .collect()
}

/// A document while it is worked out, with what is needed again and again.
struct Computation<'p> {
    document: &'p Document<'p>,
    /// What each node hands down: whether it is hidden from everybody or from assistive technology.
    hidden: Vec<hidden::Hidden>,
    /// The role that the author gave, where it counts.
    authored: Vec<Option<Role>>,
    native: Vec<Role>,
    roles: Vec<Role>,
    ignored: Vec<bool>,
    /// Whether names of what holds it are read through it.
    kept: Vec<bool>,
}

impl<'p> Computation<'p> {
    fn new(document: &'p Document<'p>) -> Self {
        let count = document.len();
        let mut view = Self {
            document,
            hidden: Vec::new(),
            authored: vec![None; count],
            native: vec![Role::Generic; count],
            roles: vec![Role::Generic; count],
            ignored: vec![true; count],
            kept: vec![false; count],
        };
        view.hidden = hidden::hidden(document);
        // What holds others comes before them.
        for node in 0..count {
            view.give_role(node);
        }
        for node in 0..count {
            let ignored = view.is_excluded(node);
            if let Some(slot) = view.ignored.get_mut(node) {
                *slot = ignored;
            }
        }
        for node in 0..count {
            let kept = view.is_kept(node);
            if let Some(slot) = view.kept.get_mut(node) {
                *slot = kept;
            }
        }
        view
    }

    fn role(&self, node: usize) -> Role {
        self.roles.get(node).copied().unwrap_or(Role::Generic)
    }

    fn native_role(&self, node: usize) -> Role {
        self.native.get(node).copied().unwrap_or(Role::Generic)
    }

    fn authored(&self, node: usize) -> Option<Role> {
        self.authored.get(node).copied().flatten()
    }

    fn is_ignored(&self, node: usize) -> bool {
        self.ignored.get(node).copied().unwrap_or(true)
    }

    fn hidden(&self, node: usize) -> hidden::Hidden {
        self.hidden.get(node).copied().unwrap_or_default()
    }

    /// What holds a node and is not left out, the nearest first.
    fn exposed_ancestors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let ancestors = self.document.ancestors(node);
        ancestors.filter(|at| !self.is_ignored(*at))
    }

    fn give_role(&mut self, node: usize) {
        if !self.document.is_element(node) {
            let role = match self.document.kind(node) {
                Kind::Text => Role::StaticText,
                Kind::Document => Role::Document,
                Kind::Element | Kind::Generated | Kind::Other => Role::Generic,
            };
            if let Some(slot) = self.roles.get_mut(node) {
                *slot = role;
            }
            return;
        }
        let native = self.native(node);
        let authored = self.authored_role(node);
        if let Some(slot) = self.native.get_mut(node) {
            *slot = native;
        }
        if let Some(slot) = self.authored.get_mut(node) {
            *slot = authored;
        }
        if let Some(slot) = self.roles.get_mut(node) {
            *slot = authored.unwrap_or(native);
        }
    }

    fn accessible(&self, node: usize) -> Accessible {
        if self.is_ignored(node) {
            return Accessible {
                facts: self.ignored_facts(node),
                ..Accessible::default()
            };
        }
        let (name, from) = self.name(node);
        let description = self.description(node, from);
        Accessible {
            role: Cow::Borrowed(self.final_role(node).as_str()),
            name,
            description,
            value: name::simplify(&self.value(node)),
            facts: self.facts(node),
        }
    }
}
