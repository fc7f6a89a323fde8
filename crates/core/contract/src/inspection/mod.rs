//! Result of a query: the matching elements and selectors for them.

mod request;
mod text;

pub use request::{AttributeRequest, InspectRequest, NearRequest};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{
    answer::{Transport, ViaReason},
    coordinate::Coordinate,
    error::{ErrorBody, ErrorCode},
    matcher::NodeMatcher,
    warning::Warning,
    words::words,
};

words! {
    /// How certain it is that the first element is the right one.
    pub enum InspectVerdict {
        /// It is the right one.
        Certain = "certain",
        /// It is the best match, but a part of the query does not occur on it.
        Unsure = "unsure",
        /// Several elements match equally well.
        Ambiguous = "ambiguous",
        /// Nothing matches; the elements are the closest ones.
        NotFound = "not_found",
    }
}

words! {
    /// A boundary on the way to an element of a web page.
    pub enum Boundary {
        /// The document of a frame.
        Frame = "frame",
        /// A shadow tree.
        Shadow = "shadow",
        /// A shadow tree that scripts of the page cannot reach.
        ClosedShadow = "closed_shadow",
    }
}

/// The elements that match a query, and selectors for them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// How certain it is that the first element is the right one.
    pub verdict: InspectVerdict,
    /// The query in words.
    pub query: String,
    /// The device.
    pub device_id: String,
    /// How the phone was driven; absent on devices without a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<Transport>,
    /// Why not through the agent, if `auto` could not use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via_reason: Option<ViaReason>,
    /// How many elements match equally well, including unlisted ones; only if several do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// The bounds of all elements that the given matcher selects, in order, if requested; elements without layout have
    /// none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// The words of the query that the first element does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The elements, best match first; if none matches, the closest ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<InspectedElement>,
    /// Warnings; they do not change the outcome.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// An element and its selectors.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InspectedElement {
    /// How well it matches, from 0 to 100. Says nothing about its selectors.
    #[serde(rename = "match")]
    pub score: u8,
    /// A reference for `selectors --ref`; refused once the element is gone.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The reference for actions, as in `{"ref": "e12"}`, from processes that stay; absent if it cannot be acted on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_ref: Option<String>,
    /// The element in one line.
    pub element: String,
    /// Whether it is on the screen and not covered.
    pub visible: bool,
    /// Why it is not visible: below the fold, covered, hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not_visible: Option<String>,
    /// Its bounds, written as in a hierarchy; absent if it has no layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// Reasons for and against the match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// What to add to the description to select this one, if several match equally well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told_apart_by: Option<String>,
    /// Its selectors, most stable first; absent if there are none, and for elements that are only close.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<SelectorCandidate>,
}

/// A selector: a matcher with an optional container, or a point of the screen.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SelectorCandidate {
    /// How likely it is to select the same element after the page or app changes, from 0 to 100.
    pub stability: u8,
    /// The strategy.
    pub strategy: String,
    /// The strategy in words.
    #[serde(skip)]
    pub strategy_words: &'static str,
    /// The matcher, for actions and `--selector`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<NodeMatcher>,
    /// The matcher of the container to search in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// The point of the screen, if there is no matcher.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordinate: Option<Coordinate>,
    /// The frames and shadow hosts that its css passes through, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<ChainLink>,
    /// How many elements it matches.
    pub matches: usize,
    /// Whether it was checked on the screen or the live page that its first match is this element.
    pub verified: bool,
    /// Why it is not more stable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A frame or shadow host on the path to an element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChainLink {
    /// The boundary.
    pub into: Boundary,
    /// The selector of the frame or host in its own tree.
    pub css: String,
}

impl Inspection {
    /// The error if an agent should not act on the answer; `None` when the first element is the right one. Its
    /// details hold the whole answer.
    pub fn refusal(&self) -> Option<ErrorBody> {
        // A matcher is JSON and needs no quotes.
        let query = match self.query.starts_with('{') {
            true => self.query.clone(),
            false => format!("{:?}", self.query),
        };
        let error = match self.verdict {
            InspectVerdict::Certain | InspectVerdict::Unsure => return None,
            InspectVerdict::Ambiguous => {
                let apart: Vec<&str> = self
                    .elements
                    .iter()
                    .filter_map(|element| element.told_apart_by.as_deref())
                    .collect();
                let count = self.count.unwrap_or(self.elements.len());
                let message = format!("{count} elements match {query} equally well");
                let error = ErrorBody::new(ErrorCode::ElementAmbiguous, message);
                if apart.is_empty() {
                    error.with_default_hint()
                } else {
                    error.with_hint(format!("Specify which one: {}", apart.join("; ")))
                }
            }
            InspectVerdict::NotFound => {
                let message = format!("nothing on the screen matches {query}");
                let error = ErrorBody::new(ErrorCode::ElementNotFound, message);
                match self.elements.first() {
                    Some(nearest) => error.with_hint(format!("The closest is {}", nearest.element)),
                    None if query.starts_with('{') => {
                        error.with_hint("Take a snapshot and correct the matcher")
                    }
                    None => error.with_default_hint(),
                }
            }
        };
        Some(self.detailed(error))
    }

    /// Adds the answer to the details of an error.
    pub fn detailed(&self, mut error: ErrorBody) -> ErrorBody {
        if let Ok(Value::Object(answer)) = serde_json::to_value(self) {
            for (key, value) in answer {
                error = error.with_detail(key, value);
            }
        }
        error
    }
}

impl SelectorCandidate {
    /// The selector as a user would write it: the CSS if there is nothing else, otherwise the matcher in JSON.
    pub fn written(&self) -> String {
        let matcher = |matcher: &NodeMatcher| matcher.to_string();
        match (&self.selector, &self.container, &self.coordinate) {
            (Some(selector), Some(container), _) => {
                format!("{} in {}", matcher(selector), matcher(container))
            }
            (Some(selector), None, _) => match &selector.css {
                Some(css) if selector.fields().count() == 1 => css.clone(),
                Some(_) | None => matcher(selector),
            },
            (None, _, Some(point)) => format!("--coordinate {} {}", point.x, point.y),
            (None, _, None) => String::new(),
        }
    }
}
