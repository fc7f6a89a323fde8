//! Differences between two observations of a screen.

use crate::{Node, NodeId, State, UiTree};
use escape::Quoted;
use std::collections::HashMap;
use std::fmt;

/// A difference between two screens.
///
/// Ids named `before` belong to the first tree, ids named `after` to the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A node became visible.
    Appeared {
        /// The node.
        after: NodeId,
        /// Short description.
        what: String,
    },
    /// A node is no longer visible.
    Disappeared {
        /// The node.
        before: NodeId,
        /// Short description.
        what: String,
    },
    /// A visible node changed.
    Changed {
        /// The node before.
        before: NodeId,
        /// The node after.
        after: NodeId,
        /// Short description.
        what: String,
        /// Differences.
        differences: Vec<Difference>,
    },
}

/// A difference in a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Text.
    Text {
        /// Before.
        before: String,
        /// After.
        after: String,
    },
    /// Label.
    Label {
        /// Before.
        before: String,
        /// After.
        after: String,
    },
    /// States that were set.
    Gained(State),
    /// States that were cleared.
    Lost(State),
    /// Offset of the top left corner.
    Moved {
        /// Pixels to the right.
        x: i32,
        /// Pixels down.
        y: i32,
    },
    /// Size.
    Resized,
    /// Its icon is another one, or has another colour.
    Drawing,
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
            Difference::Drawing => f.write_str("another icon"),
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

/// Differences between the visible nodes of `before` and `after` that have text, an id or an action: first what
/// disappeared, then what appeared or changed, each in document order.
///
/// Nodes match if class and id are equal and the text or the position is kept; ties are matched in order. Containers
/// without text are left out, and so is movement of nodes without text.
pub fn diff(before: &UiTree, after: &UiTree) -> Vec<Change> {
    let old = reported_nodes(before);
    let new = reported_nodes(after);
    let mut matched_old = vec![false; old.len()];
    let mut partner: Vec<Option<usize>> = vec![None; new.len()];
    // From the strongest identity to the weakest. Matched nodes stay matched.
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

/// Nodes whose changes are reported.
fn reported_nodes(tree: &UiTree) -> Vec<NodeId> {
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

/// Values that two nodes must share to match.
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

/// How two nodes differ.
pub(crate) fn differences(before: &Node, after: &Node) -> Vec<Difference> {
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
    if before.drawing.is_other(after.drawing) {
        differences.push(Difference::Drawing);
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
    /// Short description of a node: its role and best name.
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
