//! Identifies an element after its page is loaded again, or another page of its site that has the same link or head.

use std::hash::Hash;

use super::evidence::{By, Evidence, Scan};
use super::nodes::hash_of;
use crate::{NodeId, Role, UiTree};

/// The evidence for an element that holds in another document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReloadKey {
    pub(super) key: u64,
    /// Whether it is a link: beside it is the same element. What is around others is in their key.
    is_link: bool,
}

impl ReloadKey {
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
        Some(Self { key, is_link: true })
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
        Some(Self {
            key,
            is_link: false,
        })
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

/// Finds the element of another document.
pub(super) fn find<'s>(old: &Evidence, scan: &'s Scan) -> Option<&'s (NodeId, Evidence)> {
    let key = old.reload?;
    let is_same = |old: u64, new: u64| old != 0 && old == new;
    scan.same_unique(old, By::Reload).filter(|(_, new)| {
        let is_beside_the_same =
            is_same(old.before[0], new.before[0]) || is_same(old.after[0], new.after[0]);
        new.reload == Some(key) && (!key.is_link || is_beside_the_same)
    })
}
