//! Identifies an element after its page is reloaded, or after another page of the site with the same link is loaded.

use std::hash::Hash;

use super::evidence::{Evidence, KeyKind, Scan};
use super::nodes::hash_of;
use crate::{NodeId, Role, UiTree};

/// The key of an element in another document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReloadKey {
    pub(super) key: u64,
    kind: Kind,
}

/// What the key identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A link, one neighbor of which must be equal. The keys of the other kinds include what is around the element.
    Link,
    /// An element of the page frame.
    Landmark,
    /// An element of a page with the hash of its route, 0 if its address has none yet.
    Page(u64),
}

impl ReloadKey {
    /// The key of a link by its name and address, with the path that a relative address starts from.
    pub(super) fn of_link(tree: &UiTree, id: NodeId, identity_hash: u64) -> Option<Self> {
        let node = tree.node(id);
        let address = node.attribute("href")?;
        // Scripts handle these.
        if address.is_empty() || address == "#" {
            return None;
        }
        let base = match address.as_bytes() {
            [b'/', ..] => None,
            _ if address.contains("://") => None,
            // Relative to the path of the page itself.
            [b'#' | b'?', ..] => Some(document_path(tree, id)?),
            _ => document_path(tree, id)?
                .rsplit_once('/')
                .map(|(folder, _)| folder),
        };
        let key = hash_of(|hasher| ("link", &node.owner, base, identity_hash).hash(hasher));
        Some(Self {
            key,
            kind: Kind::Link,
        })
    }

    /// The key of an element in a landmark of the page frame.
    pub(super) fn of_landmark_part(
        tree: &UiTree,
        id: NodeId,
        query: u64,
        page_frame_hash: u64,
        identity_hash: u64,
    ) -> Option<Self> {
        let owner = &tree.node(id).owner;
        let title = &tree.window_of(id).title;
        let page = document_path(tree, id)?;
        let content = (query, title, page_frame_hash, identity_hash);
        let key = hash_of(|hasher| ("frame", owner, page, content).hash(hasher));
        Some(Self {
            key,
            kind: Kind::Landmark,
        })
    }

    /// The key of an element of a page with all its `content`. A page may get a route when it is opened again.
    pub(super) fn of_page_part(
        tree: &UiTree,
        id: NodeId,
        query: u64,
        content: u64,
        identity_hash: u64,
    ) -> Option<Self> {
        let shown = tree.window_of(id);
        let path = tree.node(shown.root).attribute("path")?;
        let (page, route) = match path.split_once('#') {
            Some((page, route)) => (page, hash_of(|hasher| route.hash(hasher))),
            None => (path, 0),
        };
        let owner = &tree.node(id).owner;
        let content = (query, &shown.title, content, identity_hash);
        let key = hash_of(|hasher| ("page", owner, page, content).hash(hasher));
        Some(Self {
            key,
            kind: Kind::Page(route),
        })
    }
}

impl ReloadKey {
    /// Whether the key includes the whole page, so that it also matches after other pages were shown.
    pub(super) fn has_whole_page(self) -> bool {
        matches!(self.kind, Kind::Page(_))
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

/// Finds the element in another document, or on the same page with or without its route.
pub(super) fn find<'s>(old: &Evidence, scan: &'s Scan) -> Option<&'s (NodeId, Evidence)> {
    let then = old.reload?;
    let is_same = |old: u64, new: u64| old != 0 && old == new;
    scan.same_unique(old, KeyKind::Reload).filter(|(_, new)| {
        match (then.kind, new.reload.map(|new| new.kind)) {
            (Kind::Link, Some(Kind::Link)) => {
                is_same(old.before[0], new.before[0]) || is_same(old.after[0], new.after[0])
            }
            (Kind::Landmark, Some(Kind::Landmark)) => true,
            (Kind::Page(then), Some(Kind::Page(now))) => {
                (then == 0) != (now == 0) && !old.is_in_another_context(new)
            }
            _ => false,
        }
    })
}
