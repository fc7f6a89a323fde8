//! From a description to an element and its selectors, on any device.

mod answer;
mod output;
mod page;
mod phone;
mod request;
mod session_refs;
mod subjects;
mod visibility;

use std::borrow::Cow;
use std::sync::Arc;

use contract::{
    ErrorBody, ErrorCode, InspectVerdict, InspectedElement, Inspection, NodeMatcher,
    SelectorCandidate,
};
use driver::Cx;
use driver_chrome::page::PageObserver;
use inspect::find::{FindResult, IndexedSubject, Near, Reference, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uitree::{NodeId, Point, Query, Refs, UiTree};

pub use inspect::Request;
pub use inspect::find::{AttributeFilter, Direction};
pub use inspect::selectors::StabilityFilter;
pub use output::InspectOutput;

use page::PageView;
use phone::PhoneView;
pub(crate) use subjects::SubjectCache;

/// How to name an element.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SelectorOptions {
    /// The kinds of selectors.
    pub wanted: StabilityFilter,
    /// The maximal number of selectors.
    pub limit: usize,
    /// The maximal number of hits whose bounds are listed.
    pub places: usize,
}

/// The element to find, and how to name it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ElementDescription {
    /// The description without its anchor.
    pub request: Request,
    /// The anchor as it was written: a matcher in JSON, a CSS selector, or words.
    pub near: Option<NearAnchor>,
}

/// An anchor as it was written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NearAnchor {
    /// A matcher in JSON, a CSS selector, or words on the screen.
    pub what: String,
    /// On which side of the anchor the element is.
    pub direction: Option<Direction>,
}

/// A known element to name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum KnownElement {
    /// The first match of a matcher.
    Matcher(Box<NodeMatcher>),
    /// The innermost actionable element at a point of the screen, in device pixels.
    Point(i32, i32),
    /// The element with this reference from an answer of `inspect`.
    Ref(String),
}

impl KnownElement {
    /// The first match of a matcher.
    pub fn matcher(matcher: NodeMatcher) -> Self {
        Self::Matcher(Box::new(matcher))
    }

    /// The element at a point.
    pub const fn at(x: i32, y: i32) -> Self {
        Self::Point(x, y)
    }

    /// The element of a reference; `None` if it is not a reference.
    pub fn by_ref(reference: &str) -> Option<Self> {
        inspect::selectors::place_of(reference).map(|_| Self::Ref(reference.to_owned()))
    }
}

/// What to find on a screen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Target {
    Described(Box<ElementDescription>),
    Known(KnownElement, SelectorOptions),
}

/// How to inspect the screens of one kind of device.
pub(crate) trait ElementView {
    /// The elements of the screen.
    fn subject(&self) -> Arc<IndexedSubject>;

    /// The positions of the matches of a matcher, in its order.
    async fn matching(&mut self, matcher: &NodeMatcher) -> Result<Vec<usize>, ErrorBody>;

    /// The positions of the matches of a selector in the device's short form; `None` if the text is not a selector.
    async fn selected(&mut self, words: &str) -> Result<Option<Vec<usize>>, ErrorBody>;

    /// The innermost actionable element at a point, or the innermost of all.
    fn at(&self, point: Point) -> Option<usize>;

    /// The screen, as actions see it.
    fn screen(&self) -> &UiTree;

    /// The node of the screen of the element at a position.
    fn node(&self, place: usize) -> Option<NodeId>;

    /// The reference of the element at a position.
    fn reference(&self, place: usize) -> Option<String>;

    /// The element at a position, without its selectors.
    fn described(&self, place: usize) -> Option<InspectedElement>;

    /// The checked selectors of the element at a position.
    async fn selectors(
        &mut self,
        place: usize,
        wanted: StabilityFilter,
        limit: usize,
    ) -> Result<Vec<SelectorCandidate>, ErrorBody>;
}

/// What to do with a screen once it was read.
pub(crate) enum TargetRef<'a> {
    /// Find the element of a description.
    Described(&'a ElementDescription),
    /// Name a known element.
    Known(&'a KnownElement, SelectorOptions),
}

impl TargetRef<'_> {
    /// Inspects a page.
    pub(crate) async fn on_page(
        &self,
        page: driver::Result<&mut PageObserver>,
        refs: Option<&Refs>,
        subjects: &SubjectCache,
        cx: &Cx,
    ) -> Result<Inspection, ErrorBody> {
        let page = page.map_err(|error| page::page_gone(&error))?;
        if page.dialog().is_some() {
            // It hides the page, as in snapshots.
            let seen = page.observe(cx, &[]).await;
            let seen = seen.map_err(|error| page::page_gone(&error))?;
            let screen = Cow::Borrowed(&*seen.observation.tree);
            return self.on_screen(screen, refs).await;
        }
        let seen = page::last_observation(page)?;
        let mut view = PageView::new(page, cx, &seen, subjects);
        self.inspect(&mut view, refs).await
    }

    /// Inspects a phone's screen.
    pub(crate) async fn on_screen(
        &self,
        screen: Cow<'_, UiTree>,
        refs: Option<&Refs>,
    ) -> Result<Inspection, ErrorBody> {
        self.inspect(&mut PhoneView::new(screen), refs).await
    }

    async fn inspect(
        &self,
        view: &mut impl ElementView,
        refs: Option<&Refs>,
    ) -> Result<Inspection, ErrorBody> {
        match self {
            Self::Described(description) => found(view, description, refs).await,
            Self::Known(known, naming) => named(view, known, *naming, refs).await,
        }
    }
}

/// Finds the element of a description on a page as it was last observed, as [`Service::find`](crate::Service::find) does, for callers that hold the
/// page. The answer has no device.
///
/// # Errors
/// The page was never observed or is gone; `REFERENCE_NOT_FOUND`, `STABLE_SELECTOR_NOT_FOUND`.
pub async fn on_page(
    observer: &mut PageObserver,
    description: &ElementDescription,
    cx: &Cx,
) -> Result<Inspection, ErrorBody> {
    let seen = page::last_observation(observer)?;
    let subjects = SubjectCache::default();
    let mut view = PageView::new(observer, cx, &seen, &subjects);
    found(&mut view, description, None).await
}

/// Finds the element of a description.
async fn found(
    view: &mut impl ElementView,
    description: &ElementDescription,
    refs: Option<&Refs>,
) -> Result<Inspection, ErrorBody> {
    let mut request = description.request.clone();
    if let Some(near) = &description.near {
        request.near = Some(Near {
            reference: resolve_anchor(view, &near.what).await?,
            direction: near.direction,
        });
    }
    let subject = view.subject();
    let FindResult { ranked, verdict } = subject
        .find(&request)
        .map_err(|error| anchor_not_found(&error.to_string()))?;
    let mut inspection = Inspection {
        verdict: answer::verdict(&verdict),
        query: answer::query(description),
        device_id: String::new(),
        via: None,
        via_reason: None,
        count: None,
        places: Vec::new(),
        missing: Vec::new(),
        elements: Vec::new(),
        warnings: Vec::new(),
    };
    let mut apart = Vec::new();
    let mut places = Vec::new();
    let mut hits = ranked;
    match verdict {
        Verdict::Certain => {}
        Verdict::Unsure { missing } => inspection.missing = missing,
        Verdict::Ambiguous {
            count,
            told_apart_by,
        } => {
            inspection.count = Some(count);
            apart = told_apart_by;
        }
        Verdict::NotFound { nearest } => hits = nearest,
    }
    let wanted = if request.strict_stability {
        StabilityFilter::Strict
    } else {
        StabilityFilter::Any
    };
    for (at, hit) in hits.into_iter().take(request.limit()).enumerate() {
        let nothing = inspection.verdict == InspectVerdict::NotFound;
        // A poor match says nothing about the others.
        let min_score = if nothing {
            answer::MIN_NEAR_MISS_SCORE
        } else {
            answer::MIN_SCORE
        };
        if hit.score < min_score && (nothing || at > 0) {
            continue;
        }
        let Some(mut element) = view.described(hit.place) else {
            continue;
        };
        element.score = hit.score;
        element.reasons = hit.reasons.into_iter().map(|reason| reason.words).collect();
        element.reasons.truncate(answer::MAX_REASONS);
        let distinction = apart.iter().find(|other| other.place == hit.place);
        element.told_apart_by = distinction.map(|distinction| distinction.words.clone());
        // Only the best candidate gets a second selector.
        let resolved = at == 0 && !nothing;
        let limit = if resolved { request.limit() } else { 1 };
        if !nothing {
            element.selectors = view.selectors(hit.place, wanted, limit).await?;
        }
        if resolved && wanted == StabilityFilter::Strict && element.selectors.is_empty() {
            let best = view.selectors(hit.place, StabilityFilter::Any, 1).await?;
            inspection.elements.push(element);
            return Err(not_stable(&inspection, &best));
        }
        places.push(hit.place);
        inspection.elements.push(element);
    }
    refs.inspect(|refs| session_refs::add(&mut inspection.elements, &places, view, refs));
    Ok(inspection)
}

/// Names a known element.
async fn named(
    view: &mut impl ElementView,
    known: &KnownElement,
    naming: SelectorOptions,
    refs: Option<&Refs>,
) -> Result<Inspection, ErrorBody> {
    let SelectorOptions {
        wanted,
        limit,
        places: listed,
    } = naming;
    let (query, places) = match known {
        KnownElement::Matcher(matcher) => {
            check_no_ref(matcher)?;
            (matcher.to_string(), view.matching(matcher).await?)
        }
        KnownElement::Point(x, y) => {
            let point = Point::new(*x, *y);
            (point.to_string(), view.at(point).into_iter().collect())
        }
        KnownElement::Ref(reference) => {
            let place = inspect::selectors::place_of(reference);
            let same = |place: &usize| view.reference(*place).as_deref() == Some(reference);
            (reference.clone(), place.filter(same).into_iter().collect())
        }
    };
    let mut inspection = Inspection {
        verdict: InspectVerdict::Certain,
        query,
        device_id: String::new(),
        via: None,
        via_reason: None,
        count: (places.len() > 1).then_some(places.len()),
        places: places
            .iter()
            .take(listed)
            .filter_map(|place| view.described(*place)?.bounds)
            .collect(),
        missing: Vec::new(),
        elements: Vec::new(),
        warnings: Vec::new(),
    };
    let Some(mut element) = places.first().and_then(|place| view.described(*place)) else {
        inspection.verdict = InspectVerdict::NotFound;
        return Ok(inspection);
    };
    let place = places.first().copied().unwrap_or_default();
    element.score = 100;
    element.selectors = view.selectors(place, wanted, limit).await?;
    if wanted == StabilityFilter::Strict && element.selectors.is_empty() {
        let best = view.selectors(place, StabilityFilter::Any, 1).await?;
        inspection.elements.push(element);
        return Err(not_stable(&inspection, &best));
    }
    inspection.elements.push(element);
    refs.inspect(|refs| session_refs::add(&mut inspection.elements, &[place], view, refs));
    Ok(inspection)
}

/// Refuses a reference, which actions take.
fn check_no_ref(matcher: &NodeMatcher) -> Result<(), ErrorBody> {
    match &matcher.reference {
        None => Ok(()),
        Some(reference) => Err(ErrorBody::new(
            ErrorCode::RefNotAvailable,
            format!("{reference} cannot be inspected: references are for actions"),
        )
        .with_hint("Use another matcher key, or act on the reference directly")),
    }
}

/// Resolves an anchor: a matcher, a selector of the device, or words. Words that look like a selector, such as `* Required`,
/// count as words if they select nothing and are on the screen.
async fn resolve_anchor(view: &mut impl ElementView, what: &str) -> Result<Reference, ErrorBody> {
    let places = if what.trim_start().starts_with('{') {
        let value: Value = serde_json::from_str(what).map_err(|error| {
            ErrorBody::new(
                ErrorCode::ExecutionValidationFailed,
                format!("the matcher of `near` is not JSON: {error}"),
            )
            .with_hint("Write a matcher such as {\"textEquals\":\"Name\"}, or words on the screen")
        })?;
        let matcher = NodeMatcher::from_value(&value)?;
        check_no_ref(&matcher)?;
        Some(view.matching(&matcher).await?)
    } else {
        match view.selected(what).await {
            Ok(Some(places)) if places.is_empty() && shows(view.screen(), what) => None,
            Err(error) if error.code == ErrorCode::CssInvalid && shows(view.screen(), what) => None,
            selected => selected?,
        }
    };
    match places {
        Some(places) if places.is_empty() => Err(anchor_not_found(&format!(
            "nothing on the screen matches {what:?}"
        ))),
        Some(places) => Ok(Reference::Places(places)),
        None => Ok(Reference::Text(what.to_owned())),
    }
}

/// Whether the words are in a text or label of the screen.
fn shows(screen: &UiTree, words: &str) -> bool {
    let words = Some(words.trim().to_owned());
    let in_text = Query {
        text_contains: words.clone(),
        ..Query::default()
    };
    let in_label = Query {
        label_contains: words,
        ..Query::default()
    };
    [in_text, in_label]
        .iter()
        .any(|query| !screen.find_all(query).is_empty())
}

/// The error of an anchor that is not on the screen.
fn anchor_not_found(message: &str) -> ErrorBody {
    ErrorBody::new(ErrorCode::ReferenceNotFound, message).with_default_hint()
}

/// The error of an element without a stable selector.
fn not_stable(inspection: &Inspection, best: &[SelectorCandidate]) -> ErrorBody {
    let what = inspection
        .elements
        .first()
        .map_or("the element", |element| element.element.as_str());
    let message = format!("{what} has no stable id or test id");
    let error = ErrorBody::new(ErrorCode::StableSelectorNotFound, message);
    let error = match best.first() {
        Some(best) => error.with_hint(format!(
            "Without --strict-stability it is {} ({}, {}/100)",
            best.written(),
            best.strategy_words,
            best.stability
        )),
        None => error.with_default_hint(),
    };
    inspection.detailed(error)
}
