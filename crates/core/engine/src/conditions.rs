//! Evaluates the conditions of `wait_until` on one screen.

use std::time::Duration;

use contract::{Condition, CountTest, NodeMatcher, TextTest};
use driver::Observation;
use pattern::{Budget, BudgetSpent};
use uitree::{NodeId, Query, State, UiTree};

use crate::describe::{describe_node, quoted, truncated};
use crate::matcher_to_query::{matcher_query, similar_mark};
use crate::screen_lookup::scope;
use crate::scroll::out_of_view;
use crate::text::text_of;

/// A screen, and what else conditions test.
pub(crate) struct ConditionContext<'a> {
    pub(crate) seen: &'a Observation,
    pub(crate) container: Option<&'a NodeMatcher>,
    /// How long the screen has not changed.
    pub(crate) quiet_for: Duration,
}

/// Whether a condition holds.
pub(crate) enum Verdict {
    /// It does; the node that shows it, if there is one, and the number of matches.
    Holds(Option<NodeId>, Option<usize>),
    /// It does not; how near it is.
    Not(String),
}

/// The matching nodes of a container or of the screen, in reading order.
struct MatchingNodes {
    visible: Vec<NodeId>,
    /// The nodes that are scrolled out of view.
    out_of_view: Vec<NodeId>,
}

impl MatchingNodes {
    fn count(&self) -> usize {
        self.visible.len() + self.out_of_view.len()
    }

    fn all(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.visible.iter().chain(&self.out_of_view).copied()
    }
}

const NO_MATCH: &str = "no node matches";

impl ConditionContext<'_> {
    fn tree(&self) -> &UiTree {
        &self.seen.tree
    }

    /// The nodes that match; none in a container that is not on the screen.
    fn present(&self, query: &Query) -> MatchingNodes {
        let tree = self.tree();
        let container = match scope(tree, self.container) {
            Ok(container) => container,
            Err(_) => {
                return MatchingNodes {
                    visible: Vec::new(),
                    out_of_view: Vec::new(),
                };
            }
        };
        let is_inside = |id: &NodeId| container.is_none_or(|scope| tree.contains(scope, *id));
        let unseen = tree.find_hidden(query).into_iter().filter(is_inside);
        MatchingNodes {
            visible: match container {
                Some(scope) => tree.find_all_in(scope, query),
                None => tree.find_all(query),
            },
            out_of_view: unseen
                .filter(|id| out_of_view(tree, *id).is_some())
                .collect(),
        }
    }

    /// Whether a condition holds. All texts of a step share one budget.
    pub(crate) fn check(&self, condition: &Condition, budget: &mut Budget) -> Verdict {
        match condition {
            Condition::Visible(matcher) => self.visible(matcher),
            Condition::Gone(matcher) => self.gone(matcher),
            Condition::Text(condition) => {
                let mut read = None;
                let holds = |id: NodeId| {
                    let text = text_of(self.tree(), id).map(|(text, _)| text);
                    let text = text.unwrap_or_default();
                    let result = passes(&text, &condition.test, budget);
                    read.get_or_insert((id, text));
                    result
                };
                match self.any(&condition.matcher, holds) {
                    Ok(verdict) => verdict,
                    Err(BudgetSpent) => Verdict::Not("the pattern takes too many steps".to_owned()),
                }
                .or_nearest(|| {
                    read.map(|(id, text)| {
                        let node = describe_node(self.tree().node(id));
                        format!("{node} has the text {}", quoted(&text))
                    })
                })
            }
            Condition::Count(condition) => {
                let count = self.present(&matcher_query(&condition.matcher)).count();
                let holds = match condition.test {
                    CountTest::Exactly(number) => count == to_usize(number),
                    CountTest::AtLeast(number) => count >= to_usize(number),
                    CountTest::AtMost(number) => count <= to_usize(number),
                };
                let similar = self.similar(&condition.matcher).filter(|_| count == 0);
                if holds && let Some(similar) = similar {
                    self.may_be_it(similar)
                } else if holds {
                    Verdict::Holds(None, Some(count))
                } else {
                    Verdict::Not(format!("{count} instead of {}", condition.test))
                }
            }
            Condition::Enabled(condition) => self.state(
                &condition.matcher,
                State::ENABLED,
                condition.expected(),
                ["enabled", "disabled"],
            ),
            Condition::Checked(condition) => self.state(
                &condition.matcher,
                State::CHECKED,
                condition.expected(),
                ["checked", "not checked"],
            ),
            Condition::Url(test) => self.url(test, budget),
            Condition::App(app) => match &self.seen.foreground {
                Some(front) if front == app => Verdict::Holds(None, None),
                front => Verdict::Not(format!(
                    "{} is in front",
                    front.as_deref().unwrap_or("nothing")
                )),
            },
            Condition::Quiet(millis) if self.quiet_for >= millis.to_duration() => {
                Verdict::Holds(None, None)
            }
            Condition::Quiet(_) => Verdict::Not(format!(
                "the last change was {} ms ago",
                self.quiet_for.as_millis()
            )),
        }
    }

    fn visible(&self, matcher: &NodeMatcher) -> Verdict {
        let present = self.present(&matcher_query(matcher));
        match (present.visible.first(), present.out_of_view.len()) {
            (Some(first), _) => Verdict::Holds(Some(*first), Some(present.visible.len())),
            (None, 0) => Verdict::Not(NO_MATCH.to_owned()),
            (None, hidden) => Verdict::Not(format!(
                "{hidden} match, but scrolled out of view; wait_for_node scrolls to the first one"
            )),
        }
    }

    fn gone(&self, matcher: &NodeMatcher) -> Verdict {
        let present = self.present(&matcher_query(matcher));
        match (present.all().next(), self.similar(matcher)) {
            (None, Some(similar)) => self.may_be_it(similar),
            (None, None) => Verdict::Holds(None, Some(0)),
            (Some(first), _) => {
                let first = describe_node(self.tree().node(first));
                Verdict::Not(format!("{} still match, such as {first}", present.count()))
            }
        }
    }

    /// The element that a stale reference may stand for, or the stale reference of the container.
    fn similar(&self, matcher: &NodeMatcher) -> Option<NodeId> {
        let query = |matcher: &NodeMatcher| {
            let reference = matcher.reference.as_deref()?;
            Some(Query::new().css(similar_mark(reference)))
        };
        let element = query(matcher).and_then(|query| self.present(&query).all().next());
        element.or_else(|| self.tree().find(&query(self.container?)?))
    }

    fn may_be_it(&self, id: NodeId) -> Verdict {
        let node = describe_node(self.tree().node(id));
        Verdict::Not(format!("{node} may be the element of the reference"))
    }

    fn state(
        &self,
        matcher: &NodeMatcher,
        state: State,
        expected: bool,
        [yes, no]: [&str; 2],
    ) -> Verdict {
        let present = self.present(&matcher_query(matcher));
        let holds = |id: &NodeId| self.tree().node(*id).is(state) == expected;
        match (present.all().find(holds), present.all().next()) {
            (Some(id), _) => Verdict::Holds(Some(id), Some(present.count())),
            (None, Some(first)) => {
                let actual = if expected { no } else { yes };
                Verdict::Not(format!(
                    "{} is {actual}",
                    describe_node(self.tree().node(first))
                ))
            }
            (None, None) => Verdict::Not(NO_MATCH.to_owned()),
        }
    }

    /// Whether something holds for any matching node.
    fn any(
        &self,
        matcher: &NodeMatcher,
        mut holds: impl FnMut(NodeId) -> Result<bool, BudgetSpent>,
    ) -> Result<Verdict, BudgetSpent> {
        let present = self.present(&matcher_query(matcher));
        for id in present.all() {
            if holds(id)? {
                return Ok(Verdict::Holds(Some(id), Some(present.count())));
            }
        }
        Ok(Verdict::Not(NO_MATCH.to_owned()))
    }

    fn url(&self, test: &TextTest, budget: &mut Budget) -> Verdict {
        let Some(url) = self.seen.url.as_deref() else {
            return Verdict::Not("the page has no address".to_owned());
        };
        match passes(url, test, budget) {
            Ok(true) => Verdict::Holds(None, None),
            Ok(false) => Verdict::Not(format!("the address is {}", truncated(url))),
            Err(BudgetSpent) => Verdict::Not("the pattern takes too many steps".to_owned()),
        }
    }
}

impl Verdict {
    /// Replaces the description of how near a condition is, if `near` has a better one.
    fn or_nearest(self, near: impl FnOnce() -> Option<String>) -> Self {
        match self {
            Self::Not(otherwise) => Self::Not(near().unwrap_or(otherwise)),
            holds => holds,
        }
    }
}

fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn passes(text: &str, test: &TextTest, budget: &mut Budget) -> Result<bool, BudgetSpent> {
    match test {
        TextTest::Equals(whole) => Ok(text == whole),
        TextTest::Contains(part) => Ok(text.to_lowercase().contains(&part.to_lowercase())),
        TextTest::Pattern(pattern) => pattern.matches_whole(text, budget),
    }
}
