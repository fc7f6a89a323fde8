//! Converting results to the types of the contract.

use contract::{Boundary, ChainLink, Coordinate, InspectVerdict, NodeMatcher, SelectorCandidate};
use dom::ScopeKind;
use inspect::find::Verdict;
use inspect::selectors::{Selector, SelectorForm};
use uitree::Query;

use super::ElementDescription;

/// The minimal score of further candidates.
pub(super) const MIN_SCORE: u8 = 5;

/// The minimal score of near misses if nothing matches.
pub(super) const MIN_NEAR_MISS_SCORE: u8 = 10;

/// The maximal number of reasons of a candidate.
pub(super) const MAX_REASONS: usize = 4;

/// A verdict for the contract.
pub(super) fn verdict(verdict: &Verdict) -> InspectVerdict {
    match verdict {
        Verdict::Certain => InspectVerdict::Certain,
        Verdict::Unsure { .. } => InspectVerdict::Unsure,
        Verdict::Ambiguous { .. } => InspectVerdict::Ambiguous,
        Verdict::NotFound { .. } => InspectVerdict::NotFound,
    }
}

/// The request, for display.
pub(super) fn query(description: &ElementDescription) -> String {
    let request = &description.request;
    let attributes = &request.attributes;
    let mut words: Vec<String> = request.description.iter().cloned().collect();
    let named = [
        ("text", &request.text_contains),
        ("tag", &request.tag),
        ("role", &attributes.role),
        ("aria-label", &attributes.aria_label),
        ("data-testid", &attributes.data_testid),
        ("class", &attributes.class_contains),
        ("placeholder", &attributes.placeholder),
        ("type", &attributes.r#type),
    ];
    words.extend(
        named
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name}={}", value.as_deref()?))),
    );
    if let Some(near) = &description.near {
        let side = near
            .direction
            .map_or("near", |direction| direction.as_str());
        words.push(format!("{side} {}", near.what));
    }
    words.join(" ")
}

/// A selector for the contract.
pub(super) fn candidate(selector: &Selector, verified: bool) -> SelectorCandidate {
    let mut candidate = SelectorCandidate {
        stability: selector.stability,
        strategy: selector.strategy.as_str().to_owned(),
        strategy_words: selector.strategy.words(),
        selector: None,
        container: None,
        coordinate: None,
        chain: Vec::new(),
        matches: selector.matches,
        verified,
        why: selector.why.clone(),
    };
    match &selector.how {
        SelectorForm::Css { chain, .. } => {
            candidate.selector = Some(NodeMatcher {
                css: selector.css(),
                ..NodeMatcher::default()
            });
            candidate.chain = chain
                .iter()
                .map(|link| ChainLink {
                    into: match link.into {
                        ScopeKind::Document => Boundary::Frame,
                        ScopeKind::OpenShadow => Boundary::Shadow,
                        ScopeKind::ClosedShadow => Boundary::ClosedShadow,
                    },
                    css: link.css.clone(),
                })
                .collect();
        }
        SelectorForm::Matcher { query, container } => {
            candidate.selector = Some(matcher(query));
            candidate.container = container.as_deref().map(matcher);
        }
        SelectorForm::Point(point) => {
            let number = |number: i32| u32::try_from(number).unwrap_or_default();
            candidate.coordinate = Some(Coordinate {
                x: number(point.x),
                y: number(point.y),
            });
        }
    }
    candidate
}

/// A query as plans write it.
fn matcher(query: &Query) -> NodeMatcher {
    NodeMatcher {
        resource_id: query.id.clone(),
        role: query.role.clone(),
        text_equals: query.text.clone(),
        text_contains: query.text_contains.clone(),
        content_desc_equals: query.label.clone(),
        content_desc_contains: query.label_contains.clone(),
        css: query.css.as_deref().map(str::to_owned),
        reference: None,
        line: None,
    }
}
