//! Numbers elements of the same name and kind.

use std::collections::HashMap;

use super::{Candidate, Kind, Occurrence};

/// Numbers visible candidates of the same name and kind.
pub(crate) fn number(candidates: &mut [Candidate]) {
    let key = |candidate: &Candidate| -> Option<(Kind, String)> {
        let name = candidate.name();
        (candidate.visibility.is_visible() && !name.is_empty())
            .then(|| (candidate.kind, name.to_lowercase()))
    };
    let mut counts: HashMap<(Kind, String), usize> = HashMap::new();
    for candidate in candidates.iter() {
        if let Some(key) = key(candidate) {
            *counts.entry(key).or_default() += 1;
        }
    }
    let mut seen: HashMap<(Kind, String), usize> = HashMap::new();
    for candidate in candidates.iter_mut() {
        let Some(key) = key(candidate) else {
            continue;
        };
        let count = counts.get(&key).copied().unwrap_or(1);
        let position = seen.entry(key).or_default();
        *position += 1;
        candidate.occurrence = Occurrence {
            position: *position,
            count,
        };
    }
}
