//! What differs between two observations of a screen.

use crate::{Node, NodeId, State, UiTree};
use escape::Quoted;
use std::collections::HashMap;
use std::fmt;

/// One difference between a screen and the next.
///
/// Ids called `before` belong to the first tree, ids called `after` to the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Something can be seen that could not.
    Appeared {
        /// The node.
        after: NodeId,
        /// What it is, in a few words.
        what: String,
    },
    /// Something can no longer be seen.
    Disappeared {
        /// The node.
        before: NodeId,
        /// What it was, in a few words.
        what: String,
    },
    /// Something is still there and is not the same.
    Changed {
        /// The node as it was.
        before: NodeId,
        /// The node as it is.
        after: NodeId,
        /// What it is, in a few words.
        what: String,
        /// What is different.
        differences: Vec<Difference>,
    },
}

/// What is different in a node that is still there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Its words.
    Text {
        /// What they were.
        before: String,
        /// What they are.
        after: String,
    },
    /// What it is called.
    Label {
        /// What it was.
        before: String,
        /// What it is.
        after: String,
    },
    /// The states that it did not have.
    Gained(State),
    /// The states that it no longer has.
    Lost(State),
    /// Where it is, by how much its top left corner has moved.
    Moved {
        /// Pixels to the right.
        x: i32,
        /// Pixels down.
        y: i32,
    },
    /// How large it is.
    Resized,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Appeared { what, .. } => write!(f, "+ {what}"),
            Change::Disappeared { what, .. } => write!(f, "- {what}"),
            Change::Changed {
                what, differences, ..
            } => {
                write!(f, "~ {what}:")?;
                for (at, difference) in differences.iter().enumerate() {
                    write!(f, "{} {difference}", if at == 0 { "" } else { "," })?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Text { before, after } => {
                write!(f, "text {} -> {}", Quoted(before), Quoted(after))
            }
            Difference::Label { before, after } => {
                write!(f, "label {} -> {}", Quoted(before), Quoted(after))
            }
            Difference::Gained(state) => write_states(f, "now", *state),
            Difference::Lost(state) => write_states(f, "no longer", *state),
            Difference::Moved { x, y } => write!(f, "moved by {x},{y}"),
            Difference::Resized => f.write_str("resized"),
        }
    }
}

fn write_states(f: &mut fmt::Formatter<'_>, how: &str, states: State) -> fmt::Result {
    f.write_str(how)?;
    for (name, _) in states.iter_names() {
        write!(f, " {}", name.to_ascii_lowercase().replace('_', "-"))?;
    }
    Ok(())
}

/// What differs between `before` and `after`, among the nodes that can be seen and have words, an id or something to
/// do: first what is gone, then what is new or not the same, each in document order.
///
/// A node is taken for the same when class and id are equal, and it either keeps its words or its place; among equal
/// ones the order decides. Containers that say nothing are left out, and so is movement alone of what has no words.
pub fn diff(before: &UiTree, after: &UiTree) -> Vec<Change> {
    let old = told(before);
    let new = told(after);
    let mut matched_old = vec![false; old.len()];
    let mut partner: Vec<Option<usize>> = vec![None; new.len()];
    // From the surest sign of identity to the weakest; what is matched stays matched.
    for key in [words_and_place, words, place, id_only] {
        let mut waiting: HashMap<Key<'_>, Vec<usize>> = HashMap::new();
        for (at, node) in old.iter().enumerate().rev() {
            if let Some(key) = key(before.node(*node)).filter(|_| !matched_old[at]) {
                waiting.entry(key).or_default().push(at);
            }
        }
        for (at, node) in new.iter().enumerate() {
            if partner[at].is_some() {
                continue;
            }
            let found = key(after.node(*node)).and_then(|key| waiting.get_mut(&key)?.pop());
            if let Some(found) = found {
                partner[at] = Some(found);
                matched_old[found] = true;
            }
        }
    }
    let gone = old
        .iter()
        .zip(&matched_old)
        .filter(|(_, matched)| !**matched);
    let mut changes: Vec<Change> = gone
        .map(|(node, _)| Change::Disappeared {
            before: *node,
            what: before.describe(*node),
        })
        .collect();
    for (node, partner) in new.iter().zip(partner) {
        match partner.and_then(|at| old.get(at)) {
            None => changes.push(Change::Appeared {
                after: *node,
                what: after.describe(*node),
            }),
            Some(old) => {
                let differences = differences(before.node(*old), after.node(*node));
                let only_place = differences
                    .iter()
                    .all(|what| matches!(what, Difference::Moved { .. } | Difference::Resized));
                let named =
                    !after.node(*node).text.is_empty() || !after.node(*node).label.is_empty();
                if !differences.is_empty() && (named || !only_place) {
                    changes.push(Change::Changed {
                        before: *old,
                        after: *node,
                        what: before.describe(*old),
                        differences,
                    });
                }
            }
        }
    }
    changes
}

/// The nodes that a change can be told of.
fn told(tree: &UiTree) -> Vec<NodeId> {
    let actions = State::CLICKABLE | State::CHECKABLE | State::EDITABLE | State::SCROLLABLE;
    tree.ids()
        .filter(|id| {
            let node = tree.node(*id);
            tree.is_on_screen(*id)
                && (!node.text.is_empty()
                    || !node.label.is_empty()
                    || !node.id.is_empty()
                    || node.state.intersects(actions))
        })
        .collect()
}

/// What two nodes must share to be taken for the same.
type Key<'a> = (&'a str, &'a str, &'a str, &'a str, Option<crate::Rect>);

fn words_and_place(node: &Node) -> Option<Key<'_>> {
    Some((&node.class, &node.id, &node.text, &node.label, node.bounds))
}

fn words(node: &Node) -> Option<Key<'_>> {
    let named = !node.text.is_empty() || !node.label.is_empty();
    named.then_some((&node.class, &node.id, &node.text, &node.label, None))
}

fn place(node: &Node) -> Option<Key<'_>> {
    Some((&node.class, &node.id, "", "", node.bounds))
}

fn id_only(node: &Node) -> Option<Key<'_>> {
    let named = !node.id.is_empty() && node.text.is_empty() && node.label.is_empty();
    named.then_some((&node.class, &node.id, "", "", None))
}

fn differences(before: &Node, after: &Node) -> Vec<Difference> {
    let mut differences = Vec::new();
    if before.text != after.text {
        differences.push(Difference::Text {
            before: before.text.to_string(),
            after: after.text.to_string(),
        });
    }
    if before.label != after.label {
        differences.push(Difference::Label {
            before: before.label.to_string(),
            after: after.label.to_string(),
        });
    }
    let gained = after.state - before.state;
    let lost = before.state - after.state;
    if !gained.is_empty() {
        differences.push(Difference::Gained(gained));
    }
    if !lost.is_empty() {
        differences.push(Difference::Lost(lost));
    }
    if let (Some(old), Some(new)) = (before.bounds, after.bounds) {
        let (x, y) = (
            new.left.wrapping_sub(old.left),
            new.top.wrapping_sub(old.top),
        );
        if (x, y) != (0, 0) {
            differences.push(Difference::Moved { x, y });
        }
        if (old.width(), old.height()) != (new.width(), new.height()) {
            differences.push(Difference::Resized);
        }
    }
    differences
}

impl UiTree {
    /// What a node is, in a few words for people: its role and what names it best.
    pub fn describe(&self, id: NodeId) -> String {
        let node = self.node(id);
        let role = node.role.as_str();
        if !node.text.is_empty() {
            format!("{role} {}", Quoted(&node.text))
        } else if !node.label.is_empty() {
            format!("{role} label={}", Quoted(&node.label))
        } else if !node.id.is_empty() {
            format!("{role} #{}", node.id)
        } else if !node.hint.is_empty() {
            format!("{role} hint={}", Quoted(&node.hint))
        } else {
            match node.bounds {
                Some(bounds) => format!("{role} {bounds}"),
                None => role.to_owned(),
            }
        }
    }
}
