//! What remains of an element when its page is loaded again, or another page of its site that has the same link or head.

use std::hash::Hash;

use super::evidence::{Evidence, Scan};
use super::nodes::{hash_of, unique_keys};
use crate::{NodeId, Role, UiTree};

/// The evidence for an element that holds in another document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reloaded {
    /// Equal for the element and its equals.
    pub(super) key: u64,
    /// Whether it is a link: beside it is the same element. What is around others is in their key.
    is_link: bool,
    /// Whether it is the only one on its screen with this key.
    pub(super) is_unique: bool,
}

impl Reloaded {
    /// The evidence for a link with a name and an address that means the same everywhere on the site.
    pub(super) fn of_link(tree: &UiTree, id: NodeId, own: u64) -> Option<Self> {
        let node = tree.node(id);
        let address = node.attribute("href")?;
        // Scripts decide what these do.
        if address.is_empty() || address == "#" {
            return None;
        }
        let base = match address.as_bytes() {
            [b'/', ..] => None,
            _ if address.contains("://") => None,
            // These name a part of the page, or the page with other parameters.
            [b'#' | b'?', ..] => Some(document_path(tree, id)?),
            _ => document_path(tree, id)?
                .rsplit_once('/')
                .map(|(folder, _)| folder),
        };
        let key = hash_of(|hasher| ("link", &node.owner, base, own).hash(hasher));
        Some(Self::new(key, true))
    }

    /// The evidence for an element in the head, foot, sidebar or navigation of a document; `frame` is all that is in there.
    pub(super) fn of_frame_part(
        tree: &UiTree,
        id: NodeId,
        query: u64,
        frame: u64,
        own: u64,
    ) -> Option<Self> {
        let owner = &tree.node(id).owner;
        let title = &tree.window_of(id).title;
        let page = document_path(tree, id)?;
        let key = hash_of(|hasher| ("frame", owner, page, query, title, frame, own).hash(hasher));
        Some(Self::new(key, false))
    }

    const fn new(key: u64, is_link: bool) -> Self {
        Self {
            key,
            is_link,
            is_unique: false,
        }
    }
}

/// The path of the document of a node, without the route that scripts show in it.
fn document_path(tree: &UiTree, id: NodeId) -> Option<&str> {
    let page = tree
        .ancestors(id)
        .find(|around| tree.node(*around).role == Role::WebView)?;
    let path = tree.node(page).attribute("path")?;
    Some(path.split_once('#').map_or(path, |(document, _)| document))
}

/// Notes which elements are the only ones with what remains of them.
pub(super) fn mark_unique(items: &mut [(NodeId, Evidence)]) {
    let unique = unique_keys(
        items
            .iter()
            .filter_map(|(_, evidence)| Some(evidence.reloaded?.key)),
    );
    for (_, evidence) in items {
        if let Some(reloaded) = &mut evidence.reloaded {
            reloaded.is_unique = unique.contains(&reloaded.key);
        }
    }
}

/// The element of another document that the evidence is about.
pub(super) fn find<'s>(evidence: &Evidence, scan: &'s Scan) -> Option<&'s (NodeId, Evidence)> {
    let then = evidence.reloaded.filter(|reloaded| reloaded.is_unique)?;
    let is_same = |old: u64, new: u64| old != 0 && old == new;
    let found = scan.with_reloaded(then.key);
    found.filter(|(_, now)| {
        let is_beside_the_same =
            is_same(evidence.before[0], now.before[0]) || is_same(evidence.after[0], now.after[0]);
        now.reloaded == Some(then) && (!then.is_link || is_beside_the_same)
    })
}
