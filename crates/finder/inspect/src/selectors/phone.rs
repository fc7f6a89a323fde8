//! Matchers for the nodes of a phone screen.

use uitree::{Node, NodeId, Query, Role, State, UiTree};

use crate::data::word_lists;

use super::generated::why_generated;
use super::selector::{GENERATED, Selector, SelectorForm, StabilityFilter, Strategy, rank};
use super::volatile::{beginning, cap_stability, stable_run, why_volatile};

/// Longer text is matched by a part.
const MAX_TEXT: usize = 120;

/// Levels up to the click target, as in actions.
const MAX_CLICK_LEVELS: usize = 7;

/// Maximum number of nodes inside another that are searched for text.
const INSIDE: usize = 40;

/// Maximum number of ancestors that are tried as containers.
const MAX_CONTAINERS: usize = 4;

/// Stability by strategy.
mod worth {
    pub(super) const ID: u8 = 95;
    pub(super) const LABEL: u8 = 85;
    pub(super) const TEXT: u8 = 80;
    pub(super) const ID_WITH_WORDS: u8 = 75;
    pub(super) const ID_IN_ROW: u8 = 70;
    pub(super) const PART: u8 = 60;
    pub(super) const ID_OF_PLATFORM: u8 = 60;
    pub(super) const ROLE_WITH_WORDS: u8 = 55;
    pub(super) const HINT: u8 = 50;
    pub(super) const ROLE: u8 = 45;
    pub(super) const TYPED: u8 = 35;
    pub(super) const PLACE: u8 = 30;
    pub(super) const POINT: u8 = 10;
    /// Lost by volatile words.
    pub(super) const VOLATILE_PENALTY: u8 = 30;
    /// Lost by depending on another node.
    pub(super) const CONTAINER_PENALTY: u8 = 10;
    /// Lost if the text is inside the node.
    pub(super) const INSIDE: u8 = 5;
}

/// Names the nodes of a screen by matchers.
pub struct TreeNames<'t> {
    tree: &'t UiTree,
}

/// A condition on a node, with its stability.
#[derive(Clone, Debug)]
struct Condition {
    query: Query,
    strategy: Strategy,
    stability: u8,
    why: Option<&'static str>,
}

impl Condition {
    const fn new(query: Query, strategy: Strategy, stability: u8) -> Self {
        Self {
            query,
            strategy,
            stability,
            why: None,
        }
    }

    fn cap(mut self, why: Option<&'static str>, max: u8) -> Self {
        cap_stability((&mut self.stability, &mut self.why), why, max);
        self
    }

    fn cap_by_words(self, words: &str) -> Self {
        let max = self.stability.saturating_sub(worth::VOLATILE_PENALTY);
        self.cap(why_volatile(words), max)
    }
}

impl<'t> TreeNames<'t> {
    /// Prepares a screen.
    pub const fn new(tree: &'t UiTree) -> Self {
        Self { tree }
    }

    /// Matchers of a node, the most stable first, at most `limit`. Each has the number of nodes that it matches. A
    /// matcher with several is given only if an action takes this node first. If none is unique, the position is
    /// added.
    ///
    /// A clickable node without text is also named by the text inside it, since clicks on that go to it.
    pub fn selectors(&self, id: NodeId, filter: StabilityFilter, limit: usize) -> Vec<Selector> {
        let conditions = self.conditions(id);
        let mut found = Vec::new();
        self.add_selectors(id, &conditions, &mut found, 0);
        if found
            .iter()
            .all(|selector| selector.stability < worth::TEXT)
        {
            for inside in self.words_inside(id) {
                let conditions: Vec<Condition> = self
                    .conditions(inside)
                    .into_iter()
                    .filter(|one| one.strategy != Strategy::Role)
                    .collect();
                self.add_selectors(id, &conditions, &mut found, worth::INSIDE);
            }
        }
        self.in_containers(id, &conditions, &mut found);
        let unique = found.iter().any(|selector| selector.matches == 1);
        if !unique {
            self.add_ambiguous(id, &conditions, &mut found);
        }
        if let Some(bounds) = self.tree.visible_bounds(id).filter(|_| !unique) {
            found.push(Selector {
                how: SelectorForm::Point(bounds.center()),
                strategy: Strategy::Position,
                stability: worth::POINT,
                matches: 1,
                why: Some("is its current position".to_owned()),
            });
        }
        rank(&mut found, filter, limit);
        found
    }

    /// Matcher of role and text if it is unique: for pages, where all else is CSS.
    pub fn by_role_and_text(&self, id: NodeId) -> Option<Selector> {
        let node = self.tree.node(id);
        let words = [
            (&node.text, Query::new().text(&*node.text)),
            (&node.label, Query::new().label(&*node.label)),
        ];
        words.into_iter().find_map(|(words, query)| {
            if words.trim().is_empty()
                || words.chars().count() > MAX_TEXT
                || !is_specific(node.role)
            {
                return None;
            }
            let query = query.role(node.role.as_str());
            let condition = Condition::new(query, Strategy::RoleText, worth::ROLE_WITH_WORDS)
                .cap_by_words(words);
            (self.count(id, &condition.query, None) == Some(1))
                .then(|| selector(&condition, None, 1))
        })
    }

    /// Number of nodes that a matcher finds, if an action with it takes `id`.
    fn count(&self, id: NodeId, query: &Query, container: Option<&Query>) -> Option<usize> {
        let tree = self.tree;
        let found: Vec<NodeId> = match container {
            None if !tree.is_on_screen(id) => {
                let nodes = tree.ids().filter(|id| query.matches(tree.node(*id)));
                nodes.collect()
            }
            None => tree.find_all(query),
            Some(container) => tree.find_all_in(tree.find(container)?, query),
        };
        let first = *found.first()?;
        (first == id || self.click_target(first) == Some(id)).then_some(found.len())
    }

    /// The node that takes a click on `id`.
    fn click_target(&self, id: NodeId) -> Option<NodeId> {
        std::iter::once(id)
            .chain(self.tree.ancestors(id).take(MAX_CLICK_LEVELS))
            .find(|id| self.tree.node(*id).is(State::CLICKABLE))
    }

    /// Text inside a node without text that takes the clicks on it.
    fn words_inside(&self, id: NodeId) -> Vec<NodeId> {
        let node = self.tree.node(id);
        if !node.is(State::CLICKABLE) || !node.text.is_empty() || !node.label.is_empty() {
            return Vec::new();
        }
        let inside = self.tree.subtree(id).skip(1).take(INSIDE);
        inside
            .filter(|inside| {
                let node = self.tree.node(*inside);
                let words = !node.text.trim().is_empty() || !node.label.trim().is_empty();
                words && self.tree.is_on_screen(*inside) && self.click_target(*inside) == Some(id)
            })
            .take(3)
            .collect()
    }

    /// Adds selectors for single conditions and pairs.
    fn add_selectors(
        &self,
        id: NodeId,
        conditions: &[Condition],
        found: &mut Vec<Selector>,
        penalty: u8,
    ) {
        let mut shared: Vec<&Condition> = Vec::new();
        let inside = (penalty > 0).then_some("is text inside it; clicks on it go to this element");
        let mut keep = |condition: &Condition| {
            let unique = self.count(id, &condition.query, None) == Some(1);
            if unique {
                let mut one = selector(condition, None, 1);
                one.stability = one.stability.saturating_sub(penalty);
                one.why = one.why.or(inside.map(str::to_owned));
                found.push(one);
            }
            unique
        };
        for condition in conditions {
            if !keep(condition) {
                shared.push(condition);
            }
        }
        for (at, one) in shared.iter().enumerate() {
            for other in shared.iter().skip(at + 1) {
                if let Some(both) = both(one, other)
                    && keep(&both)
                {
                    // A third condition would add nothing.
                    break;
                }
            }
        }
    }

    /// Adds selectors that are unique inside a unique container.
    fn in_containers(&self, id: NodeId, own: &[Condition], found: &mut Vec<Selector>) {
        let mut containers = 0;
        for around in self.tree.ancestors(id) {
            if containers == MAX_CONTAINERS
                || found.iter().any(|one| one.strategy == Strategy::Scoped)
            {
                return;
            }
            let holder = self.conditions(around).into_iter().find(|condition| {
                condition.stability >= worth::ID_IN_ROW
                    && matches!(condition.strategy, Strategy::Id | Strategy::Label)
                    && self.tree.find_all(&condition.query) == [around]
            });
            let Some(holder) = holder else {
                continue;
            };
            containers += 1;
            for condition in own {
                let alone = self.count(id, &condition.query, None) == Some(1);
                if alone || self.count(id, &condition.query, Some(&holder.query)) != Some(1) {
                    continue;
                }
                let weaker = condition.stability.min(holder.stability);
                let scoped = Condition {
                    strategy: Strategy::Scoped,
                    stability: weaker.saturating_sub(worth::CONTAINER_PENALTY),
                    ..condition.clone()
                };
                found.push(selector(&scoped, Some(holder.query.clone()), 1));
                break;
            }
        }
    }

    /// Adds selectors with several matches of which an action takes this node.
    fn add_ambiguous(&self, id: NodeId, own: &[Condition], found: &mut Vec<Selector>) {
        let first = own.iter().find_map(|condition| {
            let matches = self.count(id, &condition.query, None)?;
            Some((condition, matches))
        });
        if let Some((condition, matches)) = first {
            let mut one = selector(condition, None, matches);
            one.stability = one.stability.min(worth::PLACE);
            one.strategy = Strategy::Position;
            one.why = Some(format!("is the first of {matches}, which actions use"));
            found.push(one);
        }
    }

    /// All conditions of a node.
    fn conditions(&self, id: NodeId) -> Vec<Condition> {
        let node = self.tree.node(id);
        let mut found = Vec::new();
        if !node.id.trim().is_empty() && node.id.chars().count() <= MAX_TEXT {
            found.push(self.by_id(id, node));
        }
        let label = node.label.trim();
        if !label.is_empty() {
            if node.label.chars().count() <= MAX_TEXT {
                let query = Query::new().label(&*node.label);
                found
                    .push(Condition::new(query, Strategy::Label, worth::LABEL).cap_by_words(label));
            }
            if let Some(part) = part_of(label) {
                let query = Query::new().label_contains(part);
                found.push(Condition::new(query, Strategy::TextPart, worth::PART));
            }
        }
        let text = node.text.trim();
        if !text.is_empty() && !node.is(State::PASSWORD) {
            let editable = node.is(State::EDITABLE) || node.role == Role::TextField;
            let (most, why) = if node.is(State::SHOWING_HINT) {
                (worth::HINT, Some("is the hint of an empty field"))
            } else if editable {
                (worth::TYPED, Some("is typed text"))
            } else {
                (worth::TEXT, None)
            };
            if node.text.chars().count() <= MAX_TEXT {
                let query = Query::new().text(&*node.text);
                let condition = Condition::new(query, Strategy::Text, worth::TEXT);
                found.push(condition.cap(why, most).cap_by_words(text));
            }
            if let Some(part) = part_of(text).filter(|_| !editable) {
                let query = Query::new().text_contains(part);
                found.push(Condition::new(query, Strategy::TextPart, worth::PART));
            }
        }
        if is_specific(node.role) {
            let query = Query::new().role(node.role.as_str());
            found.push(Condition::new(query, Strategy::Role, worth::ROLE));
        }
        found
    }

    fn by_id(&self, id: NodeId, node: &Node) -> Condition {
        let name = node
            .id
            .rsplit_once(":id/")
            .map_or(&*node.id, |(_, name)| name);
        let condition = Condition::new(Query::new().id(&*node.id), Strategy::Id, worth::ID);
        let of_platform = node.id.starts_with("android:id/") && is_of_rows(name);
        condition
            .cap(why_generated(name), GENERATED)
            .cap(
                of_platform.then_some("is an id that the platform gives to many nodes"),
                worth::ID_OF_PLATFORM,
            )
            .cap(
                self.is_in_row(id)
                    .then_some("is in a row of a list, whose rows may have the same id"),
                worth::ID_IN_ROW,
            )
    }

    /// Whether the node is in an entry of a repeating container.
    fn is_in_row(&self, id: NodeId) -> bool {
        self.tree.ancestors(id).any(|around| {
            let around = self.tree.node(around);
            matches!(around.role, Role::List | Role::Grid)
                || ["RecyclerView", "ListView", "GridView"]
                    .iter()
                    .any(|class| around.class.ends_with(class))
        })
    }
}

fn selector(condition: &Condition, container: Option<Query>, matches: usize) -> Selector {
    Selector {
        how: SelectorForm::Matcher {
            query: condition.query.clone(),
            container: container.map(Box::new),
        },
        strategy: condition.strategy,
        stability: condition.stability,
        matches,
        why: condition.why.map(str::to_owned),
    }
}

/// Combines two conditions; `None` if they overlap.
fn both(one: &Condition, other: &Condition) -> Option<Condition> {
    let id = |condition: &Condition| condition.query.id.is_some();
    let role = |condition: &Condition| condition.query.role.is_some();
    let (strategy, most) = match (id(one), role(other)) {
        (true, true) => (Strategy::IdText, worth::ROLE_WITH_WORDS),
        (true, false) => (Strategy::IdText, worth::ID_WITH_WORDS),
        (false, true) => (Strategy::RoleText, worth::ROLE_WITH_WORDS),
        (false, false) => (Strategy::Text, worth::PART),
    };
    let (mine, theirs) = (&one.query, &other.query);
    let takes = |mine: &Option<String>, theirs: &Option<String>| mine.is_some() && theirs.is_some();
    let same = takes(&mine.text, &theirs.text_contains)
        || takes(&mine.label, &theirs.label_contains)
        || takes(&mine.text_contains, &theirs.text)
        || takes(&mine.label_contains, &theirs.label);
    if same {
        return None;
    }
    let join =
        |mine: &Option<String>, theirs: &Option<String>| mine.clone().or_else(|| theirs.clone());
    let weaker = if one.stability <= other.stability {
        one
    } else {
        other
    };
    // The id of a row is not unique; its text is.
    let words = if id(one) { other } else { weaker };
    Some(Condition {
        query: Query {
            id: join(&mine.id, &theirs.id),
            role: join(&mine.role, &theirs.role),
            text: join(&mine.text, &theirs.text),
            text_contains: join(&mine.text_contains, &theirs.text_contains),
            label: join(&mine.label, &theirs.label),
            label_contains: join(&mine.label_contains, &theirs.label_contains),
            ..Query::default()
        },
        strategy,
        stability: if role(other) {
            one.stability.min(most)
        } else {
            words.stability.min(most)
        },
        why: words.why,
    })
}

/// Whether a role is specific.
const fn is_specific(role: Role) -> bool {
    !matches!(
        role,
        Role::Container
            | Role::Row
            | Role::Column
            | Role::Unknown
            | Role::Text
            | Role::Image
            | Role::Label
    )
}

word_lists! {
    /// Whether layouts of the platform give this id to rows.
    fn is_of_rows = "row_ids";
}

/// A part of long or volatile text.
fn part_of(words: &str) -> Option<&str> {
    if why_volatile(words).is_some() {
        return stable_run(words).map(|part| beginning(part, MAX_TEXT / 2));
    }
    (words.chars().count() > MAX_TEXT).then(|| beginning(words, MAX_TEXT / 2))
}
