//! Computes the accessibility tree of a document: roles, names, descriptions and states, from markup and
//! layout.
//!
//! Requesting the tree from a browser takes several times as long as the rest of an observation. Its rules are
//! public (ARIA, the mappings of HTML and SVG, the name computation); this module follows them, and Chromium
//! where they leave a choice.

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

pub use document::{Document, Kind, Marks, Node, NodeLayout};

use self::role::Role;

/// The accessibility properties of an element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accessible {
    /// Its ARIA role; empty if it is ignored.
    pub role: Cow<'static, str>,
    /// Its name, white space collapsed.
    pub name: String,
    /// Its description, white space collapsed.
    pub description: String,
    /// The value of a range, a file field or a text field; empty if it has none.
    pub value: String,
    /// Its facts: focusable, disabled, checked, selected, expanded, required, invalid, read-only.
    /// [`Facts::IGNORED`] if it is omitted from the accessibility tree.
    pub facts: Facts,
}

/// The properties of each node of `document`; `None` for nodes that are not elements.
pub fn compute(document: &Document<'_>) -> Vec<Option<Accessible>> {
    let view = Computation::new(document);
    let nodes = 0..document.len();
    nodes
        .map(|node| document.is_element(node).then(|| view.accessible(node)))
        .collect()
}

/// A document during the computation, with cached results.
struct Computation<'p> {
    document: &'p Document<'p>,
    /// The inherited states of each node.
    hidden: Vec<hidden::HiddenBy>,
    /// The authored role, where it applies.
    authored: Vec<Option<Role>>,
    native: Vec<Role>,
    roles: Vec<Role>,
    ignored: Vec<bool>,
    /// Whether names that contain the node use its own name, instead of its children.
    named_as_whole: Vec<bool>,
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
            named_as_whole: vec![false; count],
        };
        view.hidden = hidden::hidden(document);
        // Ancestors come before their descendants.
        for node in 0..count {
            view.assign_role(node);
        }
        for node in 0..count {
            let ignored = view.is_excluded(node);
            if let Some(slot) = view.ignored.get_mut(node) {
                *slot = ignored;
            }
        }
        for node in 0..count {
            let named_as_whole = view.is_named_as_whole(node);
            if let Some(slot) = view.named_as_whole.get_mut(node) {
                *slot = named_as_whole;
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

    fn hidden(&self, node: usize) -> hidden::HiddenBy {
        self.hidden.get(node).copied().unwrap_or_default()
    }

    /// The ancestors of a node that are not ignored, the nearest first.
    fn exposed_ancestors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let ancestors = self.document.ancestors(node);
        ancestors.filter(|at| !self.is_ignored(*at))
    }

    fn assign_role(&mut self, node: usize) {
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
