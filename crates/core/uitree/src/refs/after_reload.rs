//! Identifies an element after its page is loaded again, or another page of its site that has the same link or head.

use std::hash::Hash;

use super::evidence::{Evidence, KeyKind, Scan};
use super::nodes::hash_of;
use crate::{NodeId, Role, UiTree};

/// The evidence for an element that holds in another document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReloadKey {
    pub(super) key: u64,
    kind: Kind,
}

/// What the evidence is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A link: beside it is the same element. What is around others is in their key.
    Link,
    Frame,
    /// An element of a page with this route, 0 if its address has none yet.
    Page(u64),
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
        Some(Self {
            key,
            kind: Kind::Link,
        })
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
            kind: Kind::Frame,
        })
    }

    /// The evidence for an element of a page of which `content` is all; its address has a route once another page was shown.
    pub(super) fn of_page_part(
        tree: &UiTree,
        id: NodeId,
        query: u64,
        content: u64,
        own: u64,
    ) -> Option<Self> {
        let shown = tree.window_of(id);
        let path = tree.node(shown.root).attribute("path")?;
        let (page, route) = match path.split_once('#') {
            Some((page, route)) => (page, hash_of(|hasher| route.hash(hasher))),
            None => (path, 0),
        };
        let owner = &tree.node(id).owner;
        let key =
            hash_of(|hasher| ("page", owner, page, query, &shown.title, content, own).hash(hasher));
        Some(Self {
            key,
            kind: Kind::Page(route),
        })
    }
}

impl ReloadKey {
    /// Whether the rest of its page is evidence for it, so that it holds after other pages, too.
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

/// Finds the element of another document, or of the same page with its route.
pub(super) fn find<'s>(old: &Evidence, scan: &'s Scan) -> Option<&'s (NodeId, Evidence)> {
    let then = old.reload?;
    let is_same = |old: u64, new: u64| old != 0 && old == new;
    scan.same_unique(old, KeyKind::Reload).filter(|(_, new)| {
        match (then.kind, new.reload.map(|new| new.kind)) {
            (Kind::Link, Some(Kind::Link)) => {
                is_same(old.before[0], new.before[0]) || is_same(old.after[0], new.after[0])
            }
            (Kind::Frame, Some(Kind::Frame)) => true,
            (Kind::Page(then), Some(Kind::Page(now))) => {
                (then == 0) != (now == 0) && !old.is_in_another_context(new)
            }
            _ => false,
        }
    })
}
