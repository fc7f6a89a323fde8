//! Inspecting web pages: elements are found in the last observation, selectors are checked on the live page.

use std::sync::Arc;

use contract::{ErrorBody, ErrorCode, InspectedElement, NodeMatcher, SelectorCandidate};
use dom::{Dom, ElementId, Facts};
use driver::{Cx, DriverError};
use driver_chrome::page::{NodeTarget, PageObservation, PageObserver};
use inspect::find::IndexedSubject;
use inspect::selectors::{
    PageNames, Selector, SelectorForm, StabilityFilter, TreeNames, element_line, element_ref,
};
use uitree::{NodeId, Point, UiTree};

use super::{ElementView, SubjectCache, answer, visibility};

/// The maximal stability of a selector with several matches.
const MAX_STABILITY_OF_SEVERAL: u8 = 30;

/// How many more selectors to build than requested, for those that no longer match the live page.
const SPARE_SELECTORS: usize = 3;

/// A page and the context of its calls.
pub(crate) struct PageView<'a> {
    observer: &'a mut PageObserver,
    cx: &'a Cx,
    seen: &'a PageObservation,
    subjects: &'a SubjectCache,
    /// The names of the elements, from the first one that is named.
    names: Option<PageNames<'a>>,
}

/// The last observation of a page.
///
/// # Errors
/// `SNAPSHOT_EXTRACTION_FAILED` if it was never observed.
pub(super) fn last_observation(observer: &PageObserver) -> Result<Arc<PageObservation>, ErrorBody> {
    observer.last().cloned().ok_or_else(|| {
        let message = "the page was not observed";
        ErrorBody::new(ErrorCode::SnapshotExtractionFailed, message).with_default_hint()
    })
}

impl<'a> PageView<'a> {
    /// The page as it was observed.
    pub(crate) const fn new(
        observer: &'a mut PageObserver,
        cx: &'a Cx,
        seen: &'a PageObservation,
        subjects: &'a SubjectCache,
    ) -> Self {
        Self {
            observer,
            cx,
            seen,
            subjects,
            names: None,
        }
    }

    fn dom(&self) -> &'a Dom {
        &self.seen.dom
    }

    /// The matches of a selector on the live page.
    async fn hits(&mut self, css: &str) -> Result<Vec<ElementId>, DriverError> {
        Ok(self.observer.select(self.cx, css).await?.elements)
    }

    /// The selector with its live matches; `None` if an action would hit another element.
    async fn checked(
        &mut self,
        id: ElementId,
        mut selector: Selector,
    ) -> Option<SelectorCandidate> {
        let Some(css) = selector.css() else {
            // A matcher was counted on the observed tree, as actions count. A descendant that acts would take a click at a point.
            let hits = match selector.how {
                SelectorForm::Point(point) => {
                    let at = self.at(point).and_then(|at| self.dom().get(at));
                    at.is_some_and(|at| at == id || self.dom().ancestors(id).any(|up| up == at))
                }
                SelectorForm::Css { .. } | SelectorForm::Matcher { .. } => true,
            };
            return Some(answer::candidate(&selector, hits));
        };
        match self.observer.select(self.cx, &css).await {
            Ok(selected) if selected.elements.first() == Some(&id) => {
                selector.matches = selected.elements.len() + selected.unknown;
                if selector.matches > 1 {
                    selector.stability = selector.stability.min(MAX_STABILITY_OF_SEVERAL);
                    selector.why = Some("matches several elements, this one first".to_owned());
                }
                Some(answer::candidate(&selector, true))
            }
            Ok(_) => None,
            // The page could not be queried, which does not mean that it does not match.
            Err(_) => Some(answer::candidate(&selector, false)),
        }
    }
}

impl ElementView for PageView<'_> {
    fn subject(&self) -> Arc<IndexedSubject> {
        self.subjects.of(&self.seen.dom)
    }

    async fn matching(&mut self, matcher: &NodeMatcher) -> Result<Vec<usize>, ErrorBody> {
        let by_css = match &matcher.css {
            Some(css) => Some(self.hits(css).await.map_err(|error| refused(css, &error))?),
            None => None,
        };
        let seen = self.seen;
        let Some(found) = engine::matches_without_css(&seen.observation.tree, matcher) else {
            let found = by_css.unwrap_or_default();
            return Ok(found.into_iter().map(ElementId::index).collect());
        };
        let elements = found
            .into_iter()
            .filter_map(|node| match seen.target_of(node) {
                Some(NodeTarget::Element(id)) => Some(id),
                Some(NodeTarget::Dialog(_)) | None => None,
            });
        Ok(elements
            .filter(|id| by_css.as_ref().is_none_or(|hits| hits.contains(id)))
            .map(ElementId::index)
            .collect())
    }

    async fn selected(&mut self, words: &str) -> Result<Option<Vec<usize>>, ErrorBody> {
        let words = words.trim();
        let (certain, possible) = (is_css(words), may_be_css(words));
        if !certain && !possible {
            return Ok(None);
        }
        match self.hits(words).await {
            Ok(found) if found.is_empty() && !certain => Ok(None),
            Ok(found) => Ok(Some(found.into_iter().map(ElementId::index).collect())),
            Err(DriverError::CssInvalid { .. }) if !certain => Ok(None),
            Err(error) => Err(refused(words, &error)),
        }
    }

    fn at(&self, point: Point) -> Option<usize> {
        let dom = self.dom();
        let inside = |id: &ElementId| {
            let element = dom.element(*id);
            element.is(Facts::VISIBLE)
                && element.bounds.is_some_and(|bounds| bounds.contains(point))
        };
        let top = dom
            .ids()
            .filter(inside)
            .max_by_key(|id| (dom.element(*id).paint, *id))?;
        let is_interactive = |id: &ElementId| {
            let element = dom.element(*id);
            element.facts.intersects(Facts::FOCUSABLE | Facts::LISTENS)
                && !matches!(&*element.tag, "html" | "body")
        };
        let containers = std::iter::once(top).chain(dom.ancestors(top));
        let interactive = containers
            .take_while(|id| inside(id) || *id == top)
            .find(is_interactive);
        Some(interactive.unwrap_or(top).index())
    }

    fn screen(&self) -> &UiTree {
        &self.seen.observation.tree
    }

    fn node(&self, place: usize) -> Option<NodeId> {
        self.seen.node_of(self.dom().get(place)?)
    }

    fn reference(&self, place: usize) -> Option<String> {
        Some(element_ref(self.dom(), self.dom().get(place)?))
    }

    fn described(&self, place: usize) -> Option<InspectedElement> {
        let dom = self.dom();
        let id = dom.get(place)?;
        let element = dom.element(id);
        let why_not_visible = visibility::why_not_on_page(self.seen, id);
        Some(InspectedElement {
            score: 0,
            reference: element_ref(dom, id),
            session_ref: None,
            element: element_line(dom, id),
            visible: why_not_visible.is_none(),
            why_not_visible,
            bounds: element.bounds.map(|bounds| bounds.to_string()),
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
        let seen = self.seen;
        let Some(id) = seen.dom.get(place) else {
            return Ok(Vec::new());
        };
        let names = self.names.get_or_insert_with(|| PageNames::new(&seen.dom));
        let mut named = names.selectors(id, wanted, limit + SPARE_SELECTORS);
        if wanted == StabilityFilter::Any
            && let Some(node) = seen.node_of(id)
            && seen.target_of(node) == Some(NodeTarget::Element(id))
            && let Some(spoken) = TreeNames::new(&seen.observation.tree).by_role_and_text(node)
        {
            let at = named.partition_point(|other| other.stability >= spoken.stability);
            named.insert(at, spoken);
        }
        let mut checked = Vec::new();
        let mut several = Vec::new();
        for selector in named {
            if checked.len() == limit {
                break;
            }
            match self.checked(id, selector).await {
                Some(one) if one.matches == 1 => checked.push(one),
                Some(one) => several.push(one),
                None => {}
            }
        }
        checked.extend(several);
        checked.truncate(limit);
        Ok(checked)
    }
}

/// Whether the text can only be a selector.
fn is_css(words: &str) -> bool {
    words.starts_with(['#', '.', '[', '*']) || words.contains(" > ") || words.contains(">>>")
}

/// Whether the text may be a selector: an element name, or a name with conditions.
fn may_be_css(words: &str) -> bool {
    const ELEMENTS: &[&str] = &[
        "article", "aside", "dialog", "fieldset", "footer", "form", "header", "main", "nav",
        "search", "section", "table",
    ];
    let name = words
        .find(['.', '#', '[', ':'])
        .and_then(|at| words.get(..at));
    ELEMENTS.contains(&words)
        || name.is_some_and(|name| {
            name.starts_with(|first: char| first.is_ascii_lowercase())
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        })
}

pub(super) fn page_gone(error: &DriverError) -> ErrorBody {
    ErrorBody::new(ErrorCode::DeviceLost, error.to_string()).with_default_hint()
}

/// The error of a selector that the browser did not evaluate.
fn refused(css: &str, error: &DriverError) -> ErrorBody {
    let code = match error {
        DriverError::CssInvalid { .. } => ErrorCode::CssInvalid,
        DriverError::Lost { .. } => ErrorCode::DeviceLost,
        _ => ErrorCode::SnapshotExtractionFailed,
    };
    ErrorBody::new(code, format!("{css}: {error}")).with_default_hint()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_distinguished_from_words() {
        for css in [
            "#main",
            ".error",
            "[name=q]",
            "form > button",
            "x-a >>> b",
            "button.primary",
            "li:first-child",
            "nav",
        ] {
            assert!(is_css(css) || may_be_css(css), "{css}");
        }
        for words in [
            "Billing",
            "Sign in",
            "Price: 3",
            "navigation bar",
            "3.50",
            "Name:",
            "",
        ] {
            assert!(!is_css(words) && !may_be_css(words), "{words}");
        }
    }
}
