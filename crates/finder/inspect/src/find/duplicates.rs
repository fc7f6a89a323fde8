//! Links with the same target. The one that is shown first counts.

use super::{
    query::Query,
    score::{Score, Signal},
    weights,
};
use crate::subject::{Candidate, Subject};

/// Most points by which a link with the same target may score less than the best one.
const AS_GOOD: f32 = 8.0;
/// The same if the description gives a position or the exact name.
const AS_GOOD_THERE: f32 = 2.0;
/// Most by which its name may be covered less.
const LESS_NAMED: f32 = 0.25;
/// Points by which the first shown link then leads.
const BEFORE: f32 = 0.1;

/// Moves the link that is shown first to the front if the best one has the same target. The scores stay sorted.
pub(super) fn prefer_first_shown(subject: &Subject, query: &Query, scores: &mut [Score]) {
    if query.ordinal.is_some() || query.superlative.is_some() || !query.regions.is_empty() {
        return;
    }
    let whole = scores.first().is_some_and(|best| {
        best.signals
            .iter()
            .any(|(signal, points)| *signal == Signal::Name && *points >= weights::EXACT_WHOLE)
    });
    let reach = if query.spans.is_empty() && !whole {
        AS_GOOD
    } else {
        AS_GOOD_THERE
    };
    let candidate = |score: &Score| subject.candidates().get(score.candidate);
    let height = |candidate: &Candidate| candidate.bounds.map(|bounds| bounds.top);
    let Some((best, held)) = scores
        .first()
        .and_then(|best| Some((best.points, candidate(best)?)))
    else {
        return;
    };
    let kind = held.kind;
    let name = scores.first().map_or(0.0, |best| best.name);
    let mut first = (0, height(held), held.place);
    for (at, score) in scores.iter().enumerate().skip(1) {
        if score.points < best - reach {
            break;
        }
        let Some(other) = candidate(score) else {
            continue;
        };
        let twin = other.kind == kind
            && score.name >= name - LESS_NAMED
            && other.visibility.is_visible()
            && have_same_target(&held.raw.href, &other.raw.href);
        if twin && (height(other), other.place) < (first.1, first.2) {
            first = (at, height(other), other.place);
        }
    }
    if let Some(front) = scores.get_mut(..=first.0) {
        front.rotate_right(1);
        if let Some(first) = front.first_mut() {
            first.points = first.points.max(best + BEFORE);
        }
    }
}

pub(super) fn has_target(address: &str) -> bool {
    Target::of(address).is_some()
}

/// Whether two addresses on one page have the same target. Addresses without a target have not.
fn have_same_target(one: &str, other: &str) -> bool {
    let (Some(one), Some(other)) = (Target::of(one), Target::of(other)) else {
        return false;
    };
    one.path == other.path
        && match (one.host, other.host) {
            (Some(one), Some(other)) => one == other,
            // One of them is relative.
            (None, Some(_)) | (Some(_), None) => one.path.len() > 1,
            (None, None) => true,
        }
}

struct Target<'a> {
    host: Option<&'a str>,
    path: &'a str,
}

impl<'a> Target<'a> {
    fn of(address: &'a str) -> Option<Self> {
        let address = address.trim();
        if address.is_empty() || address.starts_with('#') || address.starts_with("javascript:") {
            return None;
        }
        let rest = address
            .split_once("://")
            .map(|(_, rest)| rest)
            .or_else(|| address.strip_prefix("//"));
        let (host, path) = match rest {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                let (host, path) = rest.split_at_checked(end)?;
                (Some(host.trim_start_matches("www.")), path)
            }
            None => (None, address),
        };
        let path = path.strip_suffix('/').unwrap_or(path);
        Some(Self {
            host,
            path: if path.is_empty() { "/" } else { path },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equivalent_addresses_have_same_target() {
        assert!(have_same_target(
            "/gaming/",
            "https://www.news.example/gaming"
        ));
        assert!(have_same_target(
            "//news.example/a",
            "http://www.news.example/a/"
        ));
        assert!(have_same_target("/contact-us", "/contact-us"));
        assert!(!have_same_target("/a", "/b"));
        assert!(!have_same_target(
            "https://a.example/x",
            "https://b.example/x"
        ));
        assert!(!have_same_target("/", "https://a.example/"));
        assert!(!have_same_target("#", "#"));
        assert!(!have_same_target(
            "javascript:void(0)",
            "javascript:void(0)"
        ));
    }
}
