//! Inspecting phone screens.

use std::borrow::Cow;
use std::sync::Arc;

use contract::{ErrorBody, ErrorCode, InspectedElement, NodeMatcher, SelectorCandidate};
use inspect::Subject;
use inspect::find::IndexedSubject;
use inspect::selectors::{Selector, SelectorForm, StabilityFilter, TreeNames, node_line, node_ref};
use uitree::{NodeId, Point, State, UiTree};

use super::{ElementView, answer, visibility};

/// A screen and its elements.
pub(crate) struct PhoneView<'t> {
    tree: Cow<'t, UiTree>,
}

impl<'t> PhoneView<'t> {
    /// The elements of a screen.
    pub(crate) fn new(tree: Cow<'t, UiTree>) -> Self {
        Self { tree }
    }
}

impl ElementView for PhoneView<'_> {
    fn subject(&self) -> Arc<IndexedSubject> {
        Arc::new(IndexedSubject::new(Subject::from_tree(&self.tree)))
    }

    async fn matching(&mut self, matcher: &NodeMatcher) -> Result<Vec<usize>, ErrorBody> {
        if matcher.css.is_some() {
            let message = "a phone has no CSS selectors";
            return Err(
                ErrorBody::new(ErrorCode::SelectorNotSupported, message).with_default_hint()
            );
        }
        let found = engine::matches_without_css(&self.tree, matcher);
        let found = found.unwrap_or_default().into_iter();
        Ok(found.map(NodeId::index).collect())
    }

    /// `#name` is the id `PACKAGE:id/name`, as in compact snapshots; anything else is not a selector.
    async fn selected(&mut self, words: &str) -> Result<Option<Vec<usize>>, ErrorBody> {
        let Some(name) = words.trim().strip_prefix('#') else {
            return Ok(None);
        };
        let found = self.tree.on_screen().filter(|id| {
            let id = &self.tree.node(*id).id;
            **id == *name || id.rsplit_once(":id/").is_some_and(|(_, own)| own == name)
        });
        Ok(Some(found.map(NodeId::index).collect()))
    }

    fn at(&self, point: Point) -> Option<usize> {
        let inside = |id: &NodeId| {
            let bounds = self.tree.visible_bounds(*id);
            bounds.is_some_and(|bounds| bounds.contains(point))
        };
        let interactive =
            State::CLICKABLE | State::EDITABLE | State::CHECKABLE | State::LONG_CLICKABLE;
        // Windows are ordered from top to bottom, nodes of a window from back to front.
        let mut top = None;
        let mut innermost = None;
        let mut acting = None;
        for id in self.tree.on_screen().filter(inside) {
            let root = self.tree.window_of(id).root;
            if *top.get_or_insert(root) != root {
                break;
            }
            innermost = Some(id);
            if self.tree.node(id).state.intersects(interactive) {
                acting = Some(id);
            }
        }
        acting.or(innermost).map(NodeId::index)
    }

    fn screen(&self) -> &UiTree {
        &self.tree
    }

    fn node(&self, place: usize) -> Option<NodeId> {
        self.tree.get(place)
    }

    fn reference(&self, place: usize) -> Option<String> {
        Some(node_ref(&self.tree, self.node(place)?))
    }

    fn described(&self, place: usize) -> Option<InspectedElement> {
        let id = self.node(place)?;
        let why_not_visible = visibility::why_not_on_phone(&self.tree, id);
        Some(InspectedElement {
            score: 0,
            reference: node_ref(&self.tree, id),
            session_ref: None,
            element: node_line(&self.tree, id),
            visible: why_not_visible.is_none(),
            why_not_visible,
            bounds: self.tree.node(id).bounds.map(|bounds| bounds.to_string()),
            reasons: Vec::new(),
            told_apart_by: None,
            selectors: Vec::new(),
        })
    }

    async fn selectors(
        &mut self,
        place: usize,
        wanted: StabilityFilter,
        limit: usize,
    ) -> Result<Vec<SelectorCandidate>, ErrorBody> {
        let Some(id) = self.node(place) else {
            return Ok(Vec::new());
        };
        let names = TreeNames::new(&self.tree);
        let seen = self.tree.is_on_screen(id);
        let found = names.selectors(id, wanted, limit);
        // Selectors were counted as actions count, on the screen that was just read.
        let hits = |selector: &Selector| match selector.how {
            // A descendant that acts would take the tap.
            SelectorForm::Point(point) => self
                .at(point)
                .and_then(|at| self.node(at))
                .is_some_and(|at| self.tree.contains(at, id)),
            SelectorForm::Css { .. } | SelectorForm::Matcher { .. } => true,
        };
        Ok(found
            .iter()
            .map(|selector| answer::candidate(selector, seen && hits(selector)))
            .collect())
    }
}
