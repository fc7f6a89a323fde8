//! Conditions that an element must meet: attributes, tag, text and nearness.

use uitree::Rect;

use crate::find::{
    Direction, Near, Reference, ReferenceError, Request,
    score::position,
    words::tokens::{fold, plain_words},
};
use crate::subject::{Candidate, ContextKind, Kind, Source, Subject};

/// Maximum number of levels up to the common ancestor of an element and its reference.
const MAX_HOPS: usize = 5;

/// Maximum closeness in the same row, line or section, and elsewhere.
const SAME_SECTION: f32 = 1.0;
const OTHER_SECTION: f32 = 0.4;

/// Maximum number of positions of a reference.
const MAX_REFERENCES: usize = 64;

/// Whether a candidate meets a condition with this value.
type ConditionTest = fn(&Candidate, &str) -> bool;

/// The conditions of a request.
pub(crate) struct Filter {
    /// Attributes and the tag, with their values.
    attributes: Vec<(ConditionTest, String)>,
    text: Option<Text>,
    near: Option<NearCondition>,
}

struct Text {
    phrase: String,
    words: Vec<String>,
}

struct NearCondition {
    places: Vec<usize>,
    /// Whether the reference is given in words. An element may then be near its own label.
    words: bool,
    direction: Option<Direction>,
}

impl Filter {
    /// Reads the conditions of `request`. `resolve` finds the elements that a text names, the best first.
    pub(crate) fn new(
        request: &Request,
        resolve: impl FnOnce(&str) -> Vec<usize>,
    ) -> Result<Self, ReferenceError> {
        let given = |value: &Option<String>| {
            value
                .as_deref()
                .map(|value| fold(value.trim()))
                .filter(|value| !value.is_empty())
        };
        let of = &request.attributes;
        let attributes: [(&Option<String>, ConditionTest); 7] = [
            (&of.role, has_role),
            (&of.aria_label, has_label),
            (&of.data_testid, has_test_id),
            (&of.class_contains, |candidate, class| {
                glob(&format!("*{class}*"), &fold(&candidate.raw.class))
            }),
            (&of.placeholder, |candidate, words| {
                let value = fold(candidate.raw.placeholder.trim());
                !value.is_empty() && glob(words, &value)
            }),
            (&of.r#type, |candidate, kind| {
                glob(kind, &candidate.raw.input_type)
            }),
            (&request.tag, has_tag),
        ];
        let attributes = attributes.into_iter();
        Ok(Self {
            attributes: attributes
                .filter_map(|(value, accepts)| Some((accepts, given(value)?)))
                .collect(),
            text: given(&request.text_contains).map(|phrase| Text {
                words: plain_words(&phrase),
                phrase: collapse_whitespace(&phrase),
            }),
            near: request
                .near
                .as_ref()
                .map(|near| near_condition(near, resolve))
                .transpose()?,
        })
    }

    /// Whether structural elements may match.
    pub(crate) const fn is_structural(&self) -> bool {
        !self.attributes.is_empty()
    }

    pub(crate) const fn is_any(&self) -> bool {
        self.is_structural() || self.text.is_some() || self.near.is_some()
    }

    /// Closeness to the reference from 0 to 1, or `None` if a condition fails.
    pub(crate) fn closeness(&self, subject: &Subject, candidate: &Candidate) -> Option<f32> {
        let mut attributes = self.attributes.iter();
        if !attributes.all(|(accepts, value)| accepts(candidate, value))
            || !self.accepts_text(candidate)
        {
            return None;
        }
        match &self.near {
            None => Some(0.0),
            Some(near) => near.closeness(subject, candidate),
        }
    }

    /// Whether one name of the element contains the phrase, in which `*` is a wildcard, or all of its words.
    fn accepts_text(&self, candidate: &Candidate) -> bool {
        let Some(text) = &self.text else {
            return true;
        };
        candidate
            .names
            .iter()
            .filter(|name| name.source.is_shown())
            .any(|name| {
                let shown = collapse_whitespace(&fold(&name.text));
                glob(&format!("*{}*", text.phrase), &shown) || {
                    let words = plain_words(&shown);
                    !text.words.is_empty() && text.words.iter().all(|word| words.contains(word))
                }
            })
    }
}

fn collapse_whitespace(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn has_label(candidate: &Candidate, label: &str) -> bool {
    let mut names = candidate.names.iter();
    names.any(|name| name.source == Source::Accessible && glob(label, &fold(&name.text)))
}

/// Whether the element has this test id. The package of a resource id may be left out.
fn has_test_id(candidate: &Candidate, id: &str) -> bool {
    let value = fold(&candidate.raw.test_id);
    let local = value.rsplit(":id/").next().unwrap_or(&value);
    !value.is_empty() && (glob(id, &value) || glob(id, local))
}

/// Whether the element has this tag, or its widget class ends so.
fn has_tag(candidate: &Candidate, tag: &str) -> bool {
    let value = fold(&candidate.tag);
    glob(tag, &value) || value.rsplit('.').next().is_some_and(|last| glob(tag, last))
}

/// Whether the element has this role of a page or a phone.
fn has_role(candidate: &Candidate, role: &str) -> bool {
    if glob(role, &fold(&candidate.role)) || glob(role, candidate.kind.as_str()) {
        return true;
    }
    let kind = match role {
        "textfield" | "input" => Some(Kind::TextField),
        "select" => Some(Kind::Dropdown),
        "toggle" => Some(Kind::Switch),
        "icon" => Some(Kind::Image),
        "range" => Some(Kind::Slider),
        "title" => Some(Kind::Heading),
        role => Kind::of_role(role),
    };
    // A link that looks like a button has no role of a button.
    kind == Some(candidate.kind)
}

/// Whether `text` matches `pattern`, where `*` is any run of characters.
fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut last: Option<&str> = None;
    for part in parts {
        if let Some(before) = last {
            match rest.find(before) {
                Some(at) => rest = rest.get(at + before.len()..).unwrap_or_default(),
                None => return false,
            }
        }
        last = Some(part);
    }
    match last {
        None => rest.is_empty(),
        Some(end) => rest.ends_with(end),
    }
}

fn near_condition(
    near: &Near,
    resolve: impl FnOnce(&str) -> Vec<usize>,
) -> Result<NearCondition, ReferenceError> {
    let (mut places, reference) = match &near.reference {
        Reference::Places(places) => (places.clone(), String::new()),
        Reference::Text(text) => (resolve(text), text.clone()),
    };
    if places.is_empty() {
        return Err(ReferenceError { reference });
    }
    places.truncate(MAX_REFERENCES);
    Ok(NearCondition {
        places,
        words: matches!(near.reference, Reference::Text(_)),
        direction: near.direction,
    })
}

impl NearCondition {
    /// Closeness of `candidate` from 0 to 1; `None` if it is on another side.
    fn closeness(&self, subject: &Subject, candidate: &Candidate) -> Option<f32> {
        self.places
            .iter()
            .filter_map(|place| self.closeness_to(subject, candidate, *place))
            .reduce(f32::max)
    }

    fn closeness_to(
        &self,
        subject: &Subject,
        candidate: &Candidate,
        reference: usize,
    ) -> Option<f32> {
        let part = subject.nodes.get(reference)?;
        if candidate.place == reference {
            let (bounds, label) = (candidate.bounds?, candidate.label.filter(|_| self.words)?);
            return match self.direction {
                None => Some(SAME_SECTION),
                Some(side) => (position::relation(bounds, label, side.relation()) > 0.0)
                    .then(|| distance(Some(bounds), Some(label))),
            };
        }
        let is_inside = subject.holds(reference, candidate.place);
        if self.direction == Some(Direction::Inside) {
            return is_inside.then_some(1.0);
        }
        let is_ancestor = subject.holds(candidate.place, reference);
        let hops = hops(subject, reference, candidate.place)?;
        let Some(direction) = self.direction else {
            // The same section or row is closer than anything beside the reference.
            let is_in_same_section = candidate.context.iter().any(|context| {
                matches!(context.kind, ContextKind::Row | ContextKind::Heading)
                    && subject.range(context.place).contains(&reference)
            });
            if is_in_same_section && !is_ancestor {
                return Some(SAME_SECTION);
            }
            // An ancestor of the reference is near only in the document.
            let is_heading = subject
                .at(reference)
                .is_some_and(|at| at.kind == Kind::Heading);
            // The same holds for an element beside a heading that is not under it.
            let tree_closeness =
                1.0 / (1.0 + hops as f32) * if is_ancestor || is_heading { 0.3 } else { 1.0 };
            return Some(
                tree_closeness.max(distance(candidate.bounds, part.bounds) * OTHER_SECTION),
            );
        };
        if is_ancestor {
            return None;
        }
        // In a card with text and controls, the text is the reference.
        let reference_bounds = match is_inside {
            true => part.text_bounds.filter(|_| self.words)?,
            false => part.text_bounds.filter(|_| self.words).or(part.bounds)?,
        };
        let bounds = candidate.bounds?;
        let relation = direction.relation();
        // An element on that side in another line or column is farther.
        let is_in_line = position::is_true(bounds, reference_bounds, relation);
        let factor = if is_in_line {
            SAME_SECTION
        } else {
            OTHER_SECTION
        };
        (position::relation(bounds, reference_bounds, relation) > 0.0)
            .then(|| factor * distance(Some(bounds), Some(reference_bounds)))
    }
}

/// Closeness of two rectangles: 1 if they touch.
fn distance(a: Option<Rect>, b: Option<Rect>) -> f32 {
    const HALF_DISTANCE: f32 = 150.0;
    let (Some(a), Some(b)) = (a, b) else {
        return 0.0;
    };
    let across = (a.left - b.right).max(b.left - a.right).max(0) as f32;
    let down = (a.top - b.bottom).max(b.top - a.bottom).max(0) as f32;
    1.0 / (1.0 + across.hypot(down) / HALF_DISTANCE)
}

/// Levels up to the common ancestor from the deeper element; `None` if too many.
fn hops(subject: &Subject, a: usize, b: usize) -> Option<usize> {
    let up = |from: usize| {
        std::iter::once(from)
            .chain(subject.ancestors(from))
            .take(MAX_HOPS + 1)
    };
    up(a).enumerate().find_map(|(levels, at)| {
        let other = up(b).position(|other| other == at)?;
        Some(levels.max(other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn star_matches_any_run() {
        for (pattern, text, fits) in [
            ("login-*", "login-submit", true),
            ("login-*", "login", false),
            ("*submit", "login-submit", true),
            ("a*b*c", "axxbxxc", true),
            ("a*b*c", "axxcxxb", false),
            ("a*a", "a", false),
            ("*", "", true),
            ("", "", true),
            ("log.n", "login", false),
            ("**", "x", true),
        ] {
            assert_eq!(glob(pattern, text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn sides_are_determined_by_edges() {
        let reference = Rect::new(100, 100, 200, 200);
        // The middle of the first one is left of the reference, its edge is not.
        for (bounds, side, is_there) in [
            (Rect::new(0, 200, 400, 260), Direction::Below, true),
            (Rect::new(0, 200, 400, 260), Direction::Left, false),
            (Rect::new(0, 0, 100, 999), Direction::Left, true),
            (Rect::new(0, 150, 400, 260), Direction::Below, false),
        ] {
            let is_on_side = position::relation(bounds, reference, side.relation()) > 0.0;
            assert_eq!(is_on_side, is_there, "{bounds} {side:?}");
        }
    }
}
