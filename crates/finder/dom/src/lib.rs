//! A web page as a value: every element of every frame and shadow tree, with the browser's computed
//! properties.
//!
//! This crate is pure: no IO, no async, no clock. It knows no browser. A [`Dom`] comes from a driver through
//! [`DomBuilder`], or from a file through serde, and is immutable.
#![warn(missing_docs)]

pub mod accessible;
mod builder;
mod element;
mod host;
mod text;
mod tree;

pub use builder::{DomBuilder, ElementSpec};
pub use element::{Attributes, Element, ElementId, Facts, Handle, Run, Scope, ScopeId, ScopeKind};
pub use host::host;
pub use tree::PageTree;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The viewport of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Viewport {
    /// Its width in device pixels.
    pub width: i32,
    /// Its height in device pixels.
    pub height: i32,
    /// Device pixels per CSS pixel, including zoom.
    pub scale: f64,
}

/// One page in document order through scopes: the content of a frame or shadow tree follows its host, so that
/// all descendants of an element, including those in frames and shadow trees, follow it without a gap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Dom {
    pub(crate) elements: Vec<Element>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) viewport: Viewport,
}

impl Dom {
    /// Every element, in document order.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Every scope; the first is the page's own document.
    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

    /// The viewport of the page.
    pub const fn viewport(&self) -> Viewport {
        self.viewport
    }

    /// The element with this id.
    ///
    /// # Panics
    ///
    /// The id of a larger page may be out of range.
    pub fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.index()]
    }

    /// The scope with this id.
    ///
    /// # Panics
    ///
    /// As [`element`](Self::element), if the id is of another page.
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.index()]
    }

    /// Every id, in document order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ElementId> + ExactSizeIterator + use<> {
        (0..self.elements.len() as u32).map(ElementId)
    }

    /// The id of the element at `index` in document order.
    pub fn get(&self, index: usize) -> Option<ElementId> {
        (index < self.elements.len()).then_some(ElementId(index as u32))
    }

    /// The ancestors of `id`, the nearest first, through shadow hosts and frames.
    pub fn ancestors(&self, id: ElementId) -> impl Iterator<Item = ElementId> + '_ {
        std::iter::successors(self.element(id).parent, |at| self.element(*at).parent)
    }

    /// The children of `id`, and the roots of the scopes that it hosts.
    pub fn children(&self, id: ElementId) -> impl Iterator<Item = ElementId> + '_ {
        let end = self.element(id).end.0;
        let mut next = id.0 + 1;
        std::iter::from_fn(move || {
            let child = ElementId(next);
            (next < end).then(|| {
                next = self.element(child).end.0;
                child
            })
        })
    }

    /// `id` and its descendants, in document order.
    pub fn subtree(
        &self,
        id: ElementId,
    ) -> impl DoubleEndedIterator<Item = ElementId> + ExactSizeIterator + use<> {
        (id.0..self.element(id).end.0).map(ElementId)
    }

    /// Whether `id` is `ancestor` or a descendant of it.
    pub fn contains(&self, ancestor: ElementId, id: ElementId) -> bool {
        ancestor <= id && id < self.element(ancestor).end
    }

    /// The hosts through which a selector must pass to reach the scope of `id`, the outermost first: frame
    /// elements and shadow hosts. Empty for the page's own document.
    pub fn chain(&self, id: ElementId) -> Vec<ElementId> {
        let mut chain: Vec<ElementId> =
            std::iter::successors(self.scope(self.element(id).scope).host, |host| {
                self.scope(self.element(*host).scope).host
            })
            .collect();
        chain.reverse();
        chain
    }

    /// The scope of the page's own document.
    pub const fn page(&self) -> ScopeId {
        ScopeId(0)
    }

    /// The elements of a scope, in document order.
    pub fn in_scope(&self, scope: ScopeId) -> impl Iterator<Item = ElementId> + '_ {
        let inside = match self.scopes.get(scope.index()).and_then(|scope| scope.host) {
            Some(host) => host.0 + 1..self.element(host).end.0,
            None => 0..self.elements.len() as u32,
        };
        inside
            .map(ElementId)
            .filter(move |id| self.element(*id).scope == scope)
    }

    /// The scopes hosted by `hosts`: shadow trees and documents of frames, in scope order.
    pub fn hosted(&self, hosts: &[ElementId]) -> Vec<ScopeId> {
        let hosts: BTreeSet<ElementId> = hosts.iter().copied().collect();
        let held = |scope: &Scope| scope.host.is_some_and(|host| hosts.contains(&host));
        let scopes = self.scopes.iter().enumerate();
        scopes
            .filter(|(_, scope)| held(scope))
            .map(|(place, _)| ScopeId(place as u32))
            .collect()
    }

    /// The visible text of `id` and its descendants, in document order, white space collapsed; a space
    /// separates lines.
    pub fn text(&self, id: ElementId) -> String {
        text::element_text(self, id)
    }
}
