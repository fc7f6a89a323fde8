//! The answer to a description: which elements are meant, and the selectors that name them.

mod request;
mod text;

pub use request::{AttributeRequest, InspectRequest, NearRequest};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{
    answer::Way,
    coordinate::Coordinate,
    error::{ErrorBody, ErrorCode},
    matcher::NodeMatcher,
    warning::Warning,
    words::words,
};

words! {
    /// How sure it is that the first element is meant.
    pub enum InspectVerdict {
        /// It is meant.
        Certain = "certain",
        /// It fits best, but part of what was asked for is nowhere on it.
        Unsure = "unsure",
        /// Several elements fit equally well.
        Ambiguous = "ambiguous",
        /// Nothing fits; the elements are what comes nearest.
        NotFound = "not_found",
    }
}

words! {
    /// What is entered on the way to an element of a web page.
    pub enum Entered {
        /// The document of a frame.
        Frame = "frame",
        /// A shadow tree.
        Shadow = "shadow",
        /// A shadow tree that scripts of the page cannot reach.
        ClosedShadow = "closed_shadow",
    }
}

/// The elements that a description means, and the selectors that name them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// How sure it is that the first element is meant.
    pub verdict: InspectVerdict,
    /// What was asked for, in words.
    pub query: String,
    /// The device that was looked at.
    pub device_id: String,
    /// Which way led to the phone; where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<Way>,
    /// How many elements fit equally well, those that are not listed included; only where several do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// Where the elements lie that a known matcher hits, in their order, as far as that was asked for; what is not laid out
    /// has no place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// The words that the first element does not account for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The elements, the one that fits best first; where nothing fits, what shares something with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<Inspected>,
    /// Remarks that change nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// An element, and what names it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Inspected {
    /// How well it fits, from 0 to 100. It says nothing about its selectors.
    #[serde(rename = "match")]
    pub score: u8,
    /// A short name for `selectors --ref`; it is refused when the element is no longer there.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The element in one line.
    pub element: String,
    /// Whether it can be seen now: it is on the screen, and nothing lies over it.
    pub visible: bool,
    /// Why it cannot be seen: below the fold, covered by something, hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not_visible: Option<String>,
    /// Where it lies, as a hierarchy writes bounds; absent where nothing of it is laid out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    /// What speaks for it and what against it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// What to add to the description to mean this one, where several fit equally well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told_apart_by: Option<String>,
    /// What names it, the most stable first; absent where there is nothing, and for what only comes near.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<SelectorCandidate>,
}

/// A way to name an element: a matcher with the container it is to be looked for in, or a place on the screen.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SelectorCandidate {
    /// How likely it is to name the same element when the page or the app has changed, from 0 to 100.
    pub stability: u8,
    /// By what it goes.
    pub strategy: String,
    /// The strategy in words.
    #[serde(skip)]
    pub strategy_words: &'static str,
    /// The matcher, as actions and `--selector` take it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<NodeMatcher>,
    /// The matcher of the container it is to be looked for in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// The place on the screen, where there is no matcher.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordinate: Option<Coordinate>,
    /// The frames and shadow hosts that its css goes through, the outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<ChainLink>,
    /// How many elements it hits.
    pub matches: usize,
    /// Whether the screen or the live page was asked, and the first that it hits is this element.
    pub verified: bool,
    /// Why it is not more stable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A frame or shadow host on the way to an element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChainLink {
    /// What is entered through it.
    pub into: Entered,
    /// What hits it in its own tree.
    pub css: String,
}

impl Inspection {
    /// Why an agent should not act on the answer; `None` when the first element is what was asked for. The error carries
    /// the whole answer in its details.
    #[must_use]
    pub fn refusal(&self) -> Option<ErrorBody> {
        // A matcher is JSON, and stands for itself.
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
                    error.with_hint(format!("Say which one: {}", apart.join("; ")))
                }
            }
            InspectVerdict::NotFound => {
                let message = format!("nothing on the screen matches {query}");
                let error = ErrorBody::new(ErrorCode::ElementNotFound, message);
                match self.elements.first() {
                    Some(nearest) => error.with_hint(format!("The nearest is {}", nearest.element)),
                    None if query.starts_with('{') => {
                        error.with_hint("Take a snapshot, then mend the matcher")
                    }
                    None => error.with_default_hint(),
                }
            }
        };
        Some(self.detailed(error))
    }

    /// This error with the answer in its details.
    #[must_use]
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
    /// The selector as one writes it down: the css alone where that is all, else the matcher in JSON.
    #[must_use]
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
