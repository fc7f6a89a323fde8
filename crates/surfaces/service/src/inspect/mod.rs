//! From a description to the element that is meant and to its selectors, on whatever device.

mod answer;
mod output;
mod page;
mod phone;
mod request;
mod visibility;

use async_trait::async_trait;
use contract::{
    ErrorBody, ErrorCode, InspectVerdict, InspectedElement, Inspection, NodeMatcher, Parsed,
    ResultEnvelope, SelectorCandidate,
};
use driver::Cx;
use driver_chrome::page::PageObserver;
use inspect::Subject;
use inspect::find::{self, Found, Near, Reference, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use uitree::Point;

pub use inspect::Request;
pub use inspect::find::{AttributeFilter, Direction};
pub use inspect::name::Wanted;
pub use output::InspectOutput;

use crate::devices::{self, OpenDevice, ResolvedDevice};
use crate::{Event, PostRun, Service};
use page::PageView;
use phone::PhoneView;

/// How an element is to be named.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SelectorOptions {
    /// By which selectors.
    pub wanted: Wanted,
    /// By how many at most.
    pub limit: usize,
    /// Of how many of the elements that are hit it is told where they lie.
    pub places: usize,
}

/// What is looked for, and how it is to be named.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ElementDescription {
    /// The description without what it is near to.
    pub request: Request,
    /// What it is near to, as it was written: a matcher in JSON, a CSS selector, or words.
    pub near: Option<NearTo>,
}

/// What an element is near to, as it was written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NearTo {
    /// A matcher in JSON, a CSS selector, or words that stand on the screen.
    pub what: String,
    /// On which side of it.
    pub direction: Option<Direction>,
}

/// An element that is known, and whose selectors are wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum KnownElement {
    /// The first on which a matcher holds.
    Matcher(NodeMatcher),
    /// The innermost at a place of the screen, in device pixels, that can be acted on.
    Point(i32, i32),
    /// The one that an answer of `inspect` called so.
    Ref(String),
}

impl KnownElement {
    /// The element at a point.
    pub const fn at(x: i32, y: i32) -> Self {
        Self::Point(x, y)
    }

    /// The element of a reference; `None` where it is none.
    pub fn by_ref(reference: &str) -> Option<Self> {
        inspect::name::place_of(reference).map(|_| Self::Ref(reference.to_owned()))
    }
}

/// What is asked for on a screen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Target {
    /// What a description means.
    Described(Box<ElementDescription>),
    /// What a known element can be called.
    Known(KnownElement, SelectorOptions),
}

/// How the elements of one kind of device are looked at.
pub(crate) trait ElementView {
    /// What can be meant on it.
    fn subject(&self) -> Subject;

    /// The places of what a matcher finds, in its order.
    ///
    /// # Errors
    /// A matcher that this device does not understand.
    async fn matching(&mut self, matcher: &NodeMatcher) -> Result<Vec<usize>, ErrorBody>;

    /// The places of what a selector in the device's own short form finds; `None` when the words are no such selector.
    ///
    /// # Errors
    /// A selector that the device does not take.
    async fn selected(&mut self, words: &str) -> Result<Option<Vec<usize>>, ErrorBody>;

    /// The innermost element at a point that can be acted on, or the innermost of all.
    fn at(&self, point: Point) -> Option<usize>;

    /// The reference of the element at a place.
    fn reference(&self, place: usize) -> Option<String>;

    /// The element at a place, without its selectors.
    fn described(&self, place: usize) -> Option<InspectedElement>;

    /// The selectors of the element at a place, checked.
    ///
    /// # Errors
    /// The device is gone.
    async fn selectors(
        &mut self,
        place: usize,
        wanted: Wanted,
        limit: usize,
    ) -> Result<Vec<SelectorCandidate>, ErrorBody>;
}

/// What is asked of a screen once it is there.
pub(crate) enum TargetRef<'a> {
    /// What a description means.
    Described(&'a ElementDescription),
    /// What a known element can be called.
    Known(&'a KnownElement, SelectorOptions),
}

/// Asks it of the screen that was looked at, before the device is let go of.
struct InspectAfterRun<'a> {
    asked: TargetRef<'a>,
    said: Option<Result<Inspection, ErrorBody>>,
}

impl InspectAfterRun<'_> {
    async fn of(&self, view: &mut impl ElementView) -> Result<Inspection, ErrorBody> {
        match self.asked {
            TargetRef::Described(description) => found(view, description).await,
            TargetRef::Known(known, naming) => named(view, known, naming).await,
        }
    }
}

#[async_trait]
impl PostRun for InspectAfterRun<'_> {
    async fn look(&mut self, device: &mut dyn OpenDevice, envelope: &ResultEnvelope, cx: &Cx) {
        let said = match device.page() {
            Some(Ok(eye)) => match PageView::new(eye, cx) {
                Ok(mut view) => self.of(&mut view).await,
                Err(error) => Err(error),
            },
            Some(Err(error)) => Err(page::gone(&error)),
            None => match hierarchy(envelope) {
                Ok(hierarchy) => match PhoneView::new(hierarchy) {
                    Ok(mut view) => self.of(&mut view).await,
                    Err(error) => Err(error),
                },
                Err(error) => Err(error),
            },
        };
        self.said = Some(said);
    }
}

/// The document of a look at the screen.
///
/// # Errors
/// What kept the screen from being read.
fn hierarchy(envelope: &ResultEnvelope) -> Result<&str, ErrorBody> {
    let step = envelope.step_results.first();
    match step {
        Some(step) if step.success => Ok(step.data.get("text").unwrap_or_default()),
        step => {
            let code = envelope.error_code.as_deref().and_then(ErrorCode::parse);
            let said = step.and_then(|step| step.data.get("message"));
            let message = said
                .or(envelope.error.as_deref())
                .unwrap_or("the screen could not be read");
            let code = code.unwrap_or(ErrorCode::SnapshotExtractionFailed);
            Err(ErrorBody::new(code, message).with_default_hint())
        }
    }
}

impl Service {
    /// Finds what a description means, or names an element that is known, on the screen that `look`, an execution with one
    /// `snapshot_ui`, shows; gives what there is to print. On a page of a browser that stays, the process beside it does so
    /// where there is one.
    ///
    /// # Errors
    /// Those of [`execute`](Self::execute); `REFERENCE_NOT_FOUND`, `STABLE_SELECTOR_NOT_FOUND`. That nothing or too much was
    /// found is an answer, which is not [good](Finding::good).
    pub async fn find(
        &self,
        device: Option<&str>,
        look: Parsed,
        target: &Target,
        cancel: CancellationToken,
        on_event: &mut (dyn FnMut(&Event<'_>) + Send),
    ) -> Result<InspectOutput, ErrorBody> {
        let options = &self.options;
        let kind = devices::kind_for(device, options);
        let delegated = kind.delegate_find(device, options, &look, target, &cancel, on_event);
        if let Some(found) = delegated.await {
            return found;
        }
        let asked = match target {
            Target::Described(description) => TargetRef::Described(description),
            Target::Known(known, naming) => TargetRef::Known(known, *naming),
        };
        let resolved = devices::resolve(device, options).await?;
        let looked = self.inspect_on(&resolved, device, look, asked, cancel, on_event);
        InspectOutput::of(&looked.await?)
    }

    /// Asks it of a device that was resolved.
    pub(crate) async fn inspect_on(
        &self,
        resolved: &ResolvedDevice,
        named: Option<&str>,
        look: Parsed,
        asked: TargetRef<'_>,
        cancel: CancellationToken,
        on_event: &mut (dyn FnMut(&Event<'_>) + Send),
    ) -> Result<Inspection, ErrorBody> {
        let mut asking = InspectAfterRun { asked, said: None };
        let answer = self
            .run_on(resolved, named, look, cancel, on_event, Some(&mut asking))
            .await?;
        let device = answer.device_id;
        match asking.said {
            Some(Ok(mut inspection)) => {
                inspection.device_id = device;
                inspection.via = answer.via;
                inspection.warnings = answer.warnings;
                Ok(inspection)
            }
            Some(Err(error)) => Err(error.with_detail("deviceId", device)),
            None => Err(hierarchy(&answer.envelope)
                .err()
                .unwrap_or_else(|| {
                    ErrorBody::new(ErrorCode::InternalError, "nobody looked at the screen")
                })
                .with_detail("deviceId", device)),
        }
    }
}

/// What a description means on a page as it was last observed: what [`Service::find`] prints, for those who hold the
/// page already. It names no device.
///
/// # Errors
/// The page was never observed, or is gone; `REFERENCE_NOT_FOUND`, `STABLE_SELECTOR_NOT_FOUND`.
pub async fn on_page(
    eye: &mut PageObserver,
    description: &ElementDescription,
    cx: &Cx,
) -> Result<Inspection, ErrorBody> {
    found(&mut PageView::new(eye, cx)?, description).await
}

/// What a description means.
async fn found(
    view: &mut impl ElementView,
    description: &ElementDescription,
) -> Result<Inspection, ErrorBody> {
    let mut request = description.request.clone();
    if let Some(near) = &description.near {
        request.near = Some(Near {
            reference: reference(view, &near.what).await?,
            direction: near.direction,
        });
    }
    let subject = view.subject();
    let Found { ranked, verdict } =
        find::find(&subject, &request).map_err(|error| not_near(&error.to_string()))?;
    let mut inspection = Inspection {
        verdict: answer::verdict(&verdict),
        query: answer::query(description),
        device_id: String::new(),
        via: None,
        count: None,
        places: Vec::new(),
        missing: Vec::new(),
        elements: Vec::new(),
        warnings: Vec::new(),
    };
    let mut apart = Vec::new();
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
        Wanted::Strict
    } else {
        Wanted::Any
    };
    for (at, hit) in hits.into_iter().take(request.limit()).enumerate() {
        let nothing = inspection.verdict == InspectVerdict::NotFound;
        // What hardly fits tells nothing about what does.
        let least = if nothing { answer::NEAR } else { answer::LEAST };
        if hit.score < least && (nothing || at > 0) {
            continue;
        }
        let Some(mut element) = view.described(hit.place) else {
            continue;
        };
        element.score = hit.score;
        element.reasons = hit.reasons.into_iter().map(|reason| reason.words).collect();
        element.reasons.truncate(answer::REASONS);
        let told = apart.iter().find(|told| told.place == hit.place);
        element.told_apart_by = told.map(|told| told.words.clone());
        // What is not meant is named once, and not at all where nothing is.
        let resolved = at == 0 && !nothing;
        let limit = if resolved { request.limit() } else { 1 };
        if !nothing {
            element.selectors = view.selectors(hit.place, wanted, limit).await?;
        }
        if resolved && wanted == Wanted::Strict && element.selectors.is_empty() {
            let best = view.selectors(hit.place, Wanted::Any, 1).await?;
            inspection.elements.push(element);
            return Err(not_stable(&inspection, &best));
        }
        inspection.elements.push(element);
    }
    Ok(inspection)
}

/// How a known element can be named.
async fn named(
    view: &mut impl ElementView,
    known: &KnownElement,
    naming: SelectorOptions,
) -> Result<Inspection, ErrorBody> {
    let SelectorOptions {
        wanted,
        limit,
        places: told,
    } = naming;
    let (query, places) = match known {
        KnownElement::Matcher(matcher) => (matcher.to_string(), view.matching(matcher).await?),
        KnownElement::Point(x, y) => {
            let point = Point::new(*x, *y);
            (point.to_string(), view.at(point).into_iter().collect())
        }
        KnownElement::Ref(reference) => {
            let place = inspect::name::place_of(reference);
            let same = |place: &usize| view.reference(*place).as_deref() == Some(reference);
            (reference.clone(), place.filter(same).into_iter().collect())
        }
    };
    let mut inspection = Inspection {
        verdict: InspectVerdict::Certain,
        query,
        device_id: String::new(),
        via: None,
        count: (places.len() > 1).then_some(places.len()),
        places: places
            .iter()
            .take(told)
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
    if wanted == Wanted::Strict && element.selectors.is_empty() {
        let best = view.selectors(place, Wanted::Any, 1).await?;
        inspection.elements.push(element);
        return Err(not_stable(&inspection, &best));
    }
    inspection.elements.push(element);
    Ok(inspection)
}

/// What an element is near to: a matcher, a selector of the device's own, or words.
async fn reference(view: &mut impl ElementView, what: &str) -> Result<Reference, ErrorBody> {
    let places = if what.trim_start().starts_with('{') {
        let value: Value = serde_json::from_str(what).map_err(|error| {
            ErrorBody::new(
                ErrorCode::ExecutionValidationFailed,
                format!("the matcher of what is near is no JSON: {error}"),
            )
            .with_hint("Write a matcher such as {\"textEquals\":\"Name\"}, or words that stand on the screen")
        })?;
        Some(view.matching(&NodeMatcher::from_value(&value)?).await?)
    } else {
        view.selected(what).await?
    };
    match places {
        Some(places) if places.is_empty() => {
            Err(not_near(&format!("nothing on the screen matches {what:?}")))
        }
        Some(places) => Ok(Reference::Places(places)),
        None => Ok(Reference::Text(what.to_owned())),
    }
}

/// What the element should be near to is not there.
fn not_near(message: &str) -> ErrorBody {
    ErrorBody::new(ErrorCode::ReferenceNotFound, message).with_default_hint()
}

/// There is an element, and neither an id nor a test id of it that lasts.
fn not_stable(inspection: &Inspection, best: &[SelectorCandidate]) -> ErrorBody {
    let what = inspection
        .elements
        .first()
        .map_or("the element", |element| element.element.as_str());
    let message = format!("{what} has no id and no test id that lasts");
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
