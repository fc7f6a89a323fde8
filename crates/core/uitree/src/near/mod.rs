//! Near misses: nodes that nearly match a query, and why they do not.

mod compare;
mod distance;

use crate::{NodeId, Query, Role, State, UiTree};
use compare::{Closeness, MismatchKind, WantedValue};
use escape::Quoted;

/// A node that nearly matches a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearMiss {
    /// The node.
    pub node: NodeId,
    /// Closeness from 1 to 1000.
    pub score: u32,
    /// Conditions that it does not meet, the most important first.
    pub reasons: Vec<String>,
}

/// Minimum score of a near miss.
const MIN_SCORE: u32 = 450;

/// Minimum closeness of one condition on text or id. A role alone is not enough.
const MIN_CLOSENESS: u32 = 560;

/// Score of a hidden node that matches; above it are only matches.
const UNSEEN: u32 = 990;

/// Score lost by a hidden node.
const UNSEEN_COST: u32 = 120;

impl UiTree {
    /// Nodes nearest to `query`, at most `limit`, the nearest first.
    ///
    /// These are hidden nodes that match, and nodes whose text or id differs in case, white space, look-alike
    /// characters or typos, has more or fewer words, or is in another field. Matches are excluded. The result is empty
    /// if nothing is similar. Nodes with the same difference are given once.
    ///
    /// The cost is linear in the nodes and bounded for each of them.
    pub fn near_misses(&self, query: &Query, limit: usize) -> Vec<NearMiss> {
        if query.is_empty() || limit == 0 {
            return Vec::new();
        }
        let prepared = PreparedQuery::new(query);
        let mut scored: Vec<(u32, bool, NodeId)> = Vec::new();
        for id in self.ids() {
            let seen = self.is_on_screen(id);
            if let Some(score) = prepared.score(self, id, seen) {
                scored.push((score, seen, id));
            }
        }
        scored.sort_by_key(|(score, seen, id)| (std::cmp::Reverse((*score, *seen)), *id));
        let mut misses: Vec<NearMiss> = Vec::new();
        for (score, _, node) in scored {
            let reasons = prepared.reasons(self, node);
            if misses.iter().all(|miss| miss.reasons != reasons) {
                misses.push(NearMiss {
                    node,
                    score,
                    reasons,
                });
            }
            if misses.len() == limit {
                break;
            }
        }
        misses
    }
}

/// A query prepared for comparison with every node.
struct PreparedQuery<'q> {
    id: Option<WantedValue<'q>>,
    text: Option<WantedValue<'q>>,
    text_part: Option<WantedValue<'q>>,
    label: Option<WantedValue<'q>>,
    label_part: Option<WantedValue<'q>>,
    role: Option<RequestedRole<'q>>,
    css: Option<&'q str>,
}

/// The requested role, and the likely intended one if it is unknown.
struct RequestedRole<'q> {
    name: &'q str,
    exact: Option<Role>,
    likely: Option<Role>,
}

impl<'q> PreparedQuery<'q> {
    fn new(query: &'q Query) -> Self {
        let wanted = |value: &'q Option<String>| value.as_deref().map(WantedValue::new);
        Self {
            id: (query.id.as_deref())
                .map(|id| WantedValue::new(id.strip_prefix('#').unwrap_or(id))),
            text: wanted(&query.text),
            text_part: wanted(&query.text_contains),
            label: wanted(&query.label),
            label_part: wanted(&query.label_contains),
            role: query.role.as_deref().map(|name| RequestedRole {
                name,
                exact: Role::parse(name),
                likely: Role::parse(name).or_else(|| distance::nearest_role(name)),
            }),
            css: query.css.as_deref(),
        }
    }

    /// Conditions on text and ids with their closeness.
    fn closeness<'a>(
        &'a self,
        tree: &'a UiTree,
        id: NodeId,
    ) -> impl Iterator<Item = Condition<'a, 'q>> {
        let node = tree.node(id);
        let equals = |wanted: &'a Option<WantedValue<'q>>,
                      name,
                      value: &'a str,
                      other_fields: [(OtherField, &'a str); 2]| {
            wanted
                .as_ref()
                .map(|wanted| Condition::new(name, wanted, true, value, other_fields))
        };
        let contains = |wanted: &'a Option<WantedValue<'q>>,
                        name,
                        value: &'a str,
                        other_fields: [(OtherField, &'a str); 2]| {
            wanted
                .as_ref()
                .map(|wanted| Condition::new(name, wanted, false, value, other_fields))
        };
        let text = [
            (OtherField::Label, &*node.label),
            (OtherField::Hint, &*node.hint),
        ];
        let label = [
            (OtherField::Text, &*node.text),
            (OtherField::Hint, &*node.hint),
        ];
        [
            self.id
                .as_ref()
                .map(|wanted| Condition::id(wanted, &node.id)),
            equals(&self.text, "text", &node.text, text),
            contains(&self.text_part, "text", &node.text, text),
            equals(&self.label, "content description", &node.label, label),
            contains(&self.label_part, "content description", &node.label, label),
        ]
        .into_iter()
        .flatten()
    }

    /// Score of a node; `None` if it matches or is unrelated.
    fn score(&self, tree: &UiTree, id: NodeId, seen: bool) -> Option<u32> {
        const WORDS: u32 = 3;
        let (mut sum, mut weight, mut best) = (0, 0, 0);
        for condition in self.closeness(tree, id) {
            sum += WORDS * condition.closeness.score;
            weight += WORDS;
            best = best.max(condition.closeness.score);
        }
        // A selector matches or does not.
        let missed = self.misses_css(tree, id);
        if self.css.is_some() {
            let closeness = if missed { 0 } else { Closeness::EXACT };
            sum += WORDS * closeness;
            weight += WORDS;
            best = best.max(closeness);
        }
        let words = weight > 0;
        let role = match &self.role {
            None => Closeness::EXACT,
            Some(role) => role.closeness(tree.node(id).role),
        };
        if self.role.is_some() {
            sum += role;
            weight += 1;
        }
        let score = sum / weight.max(1);
        match (seen, score) {
            (true, Closeness::EXACT) => None,
            (false, Closeness::EXACT) => Some(UNSEEN),
            _ if best.max(if words { 0 } else { role }) < MIN_CLOSENESS => None,
            (true, score) => Some(score),
            (false, score) => Some(score.saturating_sub(UNSEEN_COST)),
        }
        .filter(|score| *score >= MIN_SCORE)
    }

    /// Whether the query has a selector that does not match the node.
    fn misses_css(&self, tree: &UiTree, id: NodeId) -> bool {
        self.css
            .is_some_and(|css| tree.hits(css).binary_search(&id).is_err())
    }

    fn reasons(&self, tree: &UiTree, id: NodeId) -> Vec<String> {
        let mut reasons: Vec<String> = self
            .closeness(tree, id)
            .filter(|condition| condition.closeness.score < Closeness::EXACT)
            .map(|condition| condition.reason())
            .collect();
        if let Some(role) = &self.role {
            reasons.extend(role.reason(tree.node(id).role));
        }
        if let Some(css) = self.css.filter(|_| self.misses_css(tree, id)) {
            reasons.push(format!(
                "the selector {} does not match it",
                ShortenedQuote(css)
            ));
        }
        reasons.extend(unseen_reason(tree, id));
        reasons
    }
}

impl RequestedRole<'_> {
    fn closeness(&self, role: Role) -> u32 {
        const LIKELY: u32 = 700;
        match (self.exact, self.likely) {
            (Some(exact), _) if exact == role => Closeness::EXACT,
            (None, Some(likely)) if likely == role => LIKELY,
            _ => 0,
        }
    }

    fn reason(&self, role: Role) -> Option<String> {
        match (self.exact, self.likely) {
            (Some(exact), _) if exact == role => None,
            (Some(exact), _) => Some(format!("role is {}, not {}", role.as_str(), exact.as_str())),
            (None, Some(likely)) => Some(format!(
                "there is no role {}: did you mean {}? The role here is {}",
                Quoted(self.name),
                likely.as_str(),
                role.as_str()
            )),
            (None, None) => Some(format!(
                "there is no role {}: the role here is {}",
                Quoted(self.name),
                role.as_str()
            )),
        }
    }
}

/// Reason why a node is hidden.
fn unseen_reason(tree: &UiTree, id: NodeId) -> Option<String> {
    if tree.is_on_screen(id) {
        return None;
    }
    let node = tree.node(id);
    let scrolls = || {
        tree.ancestors(id)
            .any(|holder| tree.node(holder).is(State::SCROLLABLE))
    };
    Some(match node.bounds {
        _ if !node.is(State::VISIBLE) => "exists but is not visible to the user".into(),
        None => "has no bounds on the screen".into(),
        Some(bounds) if bounds.is_empty() => {
            format!("exists but has no size: its bounds are {bounds}")
        }
        Some(_) if scrolls() => "is off screen: scroll to it".into(),
        Some(bounds) => format!("is off screen: its bounds are {bounds}"),
    })
}

/// Fields that a condition does not compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OtherField {
    Text,
    Label,
    Hint,
}

/// A condition of a query compared with one node.
struct Condition<'a, 'q> {
    name: &'static str,
    wanted: &'a WantedValue<'q>,
    value: &'a str,
    /// Whether the whole value is wanted.
    whole: bool,
    closeness: Closeness,
    /// Field that contains the text, if not the wanted one.
    elsewhere: Option<(OtherField, &'a str)>,
}

impl<'a, 'q> Condition<'a, 'q> {
    fn new(
        name: &'static str,
        wanted: &'a WantedValue<'q>,
        whole: bool,
        value: &'a str,
        other_fields: [(OtherField, &'a str); 2],
    ) -> Self {
        /// Closeness lost by text in another field.
        const OTHER_FIELD: u32 = 70;
        let compare = |value| match whole {
            true => wanted.with_whole(value),
            false => wanted.with_part(value),
        };
        let mut condition = Self {
            name,
            wanted,
            value,
            whole,
            closeness: compare(value),
            elsewhere: None,
        };
        for (place, other) in other_fields {
            if other.is_empty() || other == value {
                continue;
            }
            let closeness = compare(other);
            let score = closeness.score.saturating_sub(OTHER_FIELD);
            if score > condition.closeness.score {
                condition.closeness = Closeness { score, ..closeness };
                condition.elsewhere = Some((place, other));
            }
        }
        condition
    }

    fn id(wanted: &'a WantedValue<'q>, value: &'a str) -> Self {
        Self {
            name: "id",
            wanted,
            value,
            whole: true,
            closeness: wanted.with_id(value),
            elsewhere: None,
        }
    }

    fn reason(&self) -> String {
        let Self { name, whole, .. } = *self;
        let wanted = ShortenedQuote(self.wanted.value);
        if let Some((place, found)) = self.elsewhere {
            let found = ShortenedQuote(found);
            let instead = match (place, whole, self.closeness.how) {
                (OtherField::Hint, ..) => {
                    return format!(
                        "the text is the placeholder {found}, which matchers do not read: use resourceId or role"
                    );
                }
                (OtherField::Label, true, MismatchKind::Same) => "contentDescEquals",
                (OtherField::Label, ..) => "contentDescContains",
                (OtherField::Text, true, MismatchKind::Same) => "textEquals",
                (OtherField::Text, ..) => "textContains",
            };
            let stand = match place {
                OtherField::Label => "content description",
                OtherField::Text | OtherField::Hint => "text",
            };
            return format!("the text is in the {stand} {found}, not in the {name}: use {instead}");
        }
        let found = ShortenedQuote(self.value);
        let prepared = if whole { "not" } else { "without" };
        if self.value.is_empty() {
            return format!("{name} is empty, {prepared} {wanted}");
        }
        let is = format!("{name} is {found}, {prepared} {wanted}");
        match self.closeness.how {
            MismatchKind::Case => format!("{is}: letter case differs"),
            MismatchKind::Space => format!("{is}: white space differs"),
            MismatchKind::Look => format!("{is}: the characters only look alike"),
            MismatchKind::Inside if name == "text" => format!("{is}: textContains would match"),
            MismatchKind::Inside if name == "content description" => {
                format!("{is}: contentDescContains would match")
            }
            MismatchKind::Package => format!("{is}: the part before the slash differs"),
            MismatchKind::Same
            | MismatchKind::Inside
            | MismatchKind::Holds
            | MismatchKind::Typo
            | MismatchKind::Words
            | MismatchKind::Other => is,
        }
    }
}

/// A quoted value, cut if it is long.
struct ShortenedQuote<'a>(&'a str);

impl std::fmt::Display for ShortenedQuote<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const MAX: usize = 80;
        match self.0.char_indices().nth(MAX) {
            Some((cut, _)) => write!(f, "{}…", Quoted(&self.0[..cut])),
            None => Quoted(self.0).fmt(f),
        }
    }
}
