//! Differences between two observations of a screen.

use crate::{Node, NodeId, Rect, State, UiTree};
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
    /// Placeholder, state description, error, value, condition or code name.
    Attribute {
        /// Its name.
        what: &'static str,
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
    /// Icon or its colour.
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
            Difference::Attribute {
                what,
                before,
                after,
            } => write!(f, "{what} {} -> {}", Quoted(before), Quoted(after)),
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
/// without text are ignored, and so is movement of nodes without text.
pub fn diff(before: &UiTree, after: &UiTree) -> Vec<Change> {
    compare(before, after, UiTree::is_on_screen).0
}

/// Pixels to the right and down.
pub(crate) type Offset = (i32, i32);

/// The differences of two screens, off-screen ones too.
pub(crate) struct WideDiff {
    /// Changes that are on the screen before or after.
    pub(crate) on_screen: Vec<Change>,
    /// Changes that are off-screen.
    pub(crate) off_screen: Vec<Change>,
    /// Offset of the content.
    pub(crate) offset: Offset,
}

/// As [`diff`], with off-screen nodes. Nodes of a page match if they are the same of the document, and positions are compared as if
/// the page had not been scrolled.
pub(crate) fn diff_with_off_screen(before: &UiTree, after: &UiTree) -> WideDiff {
    let (changes, offset) = compare(before, after, |tree, id| {
        tree.is_on_screen(id) || tree.node(id).is(State::VISIBLE)
    });
    let (on_screen, off_screen) = changes.into_iter().partition(|change| match change {
        Change::Appeared { after: new, .. } => after.is_on_screen(*new),
        Change::Disappeared { before: old, .. } => before.is_on_screen(*old),
        Change::Changed {
            before: old,
            after: new,
            ..
        } => before.is_on_screen(*old) || after.is_on_screen(*new),
    });
    WideDiff {
        on_screen,
        off_screen,
        offset,
    }
}

fn compare(
    before: &UiTree,
    after: &UiTree,
    is_included: impl Fn(&UiTree, NodeId) -> bool,
) -> (Vec<Change>, Offset) {
    let old = reported_nodes(before, &is_included);
    let new = reported_nodes(after, &is_included);
    let mut pairs = Pairs {
        before,
        after,
        old: &old,
        new: &new,
        matched_old: vec![false; old.len()],
        partner: vec![None; new.len()],
    };
    // From the strongest identity to the weakest. Matched nodes stay matched.
    pairs.add(origin, (0, 0));
    pairs.add(|tree, id| words_and_place(tree.node(id)), (0, 0));
    pairs.add(|tree, id| words(tree.node(id)), (0, 0));
    let offset = pairs.offset();
    if offset != (0, 0) {
        pairs.add(|tree, id| place(tree.node(id)), offset);
    }
    pairs.add(|tree, id| place(tree.node(id)), (0, 0));
    pairs.add(|tree, id| id_only(tree.node(id)), (0, 0));
    let Pairs {
        matched_old,
        partner,
        ..
    } = pairs;
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
    (changes, offset)
}

/// Nodes of two screens, and their matches.
struct Pairs<'t> {
    before: &'t UiTree,
    after: &'t UiTree,
    old: &'t [NodeId],
    new: &'t [NodeId],
    matched_old: Vec<bool>,
    partner: Vec<Option<usize>>,
}

impl<'t> Pairs<'t> {
    /// Matches nodes with equal keys, with those of the first screen moved by `offset`.
    fn add(&mut self, key: impl Fn(&'t UiTree, NodeId) -> Option<Key<'t>>, offset: Offset) {
        let mut waiting: HashMap<Key<'_>, Vec<usize>> = HashMap::new();
        for (at, node) in self.old.iter().enumerate().rev() {
            if self.matched_old[at] {
                continue;
            }
            if let Some(key) = key(self.before, *node) {
                waiting.entry(key.moved_by(offset)).or_default().push(at);
            }
        }
        for (at, node) in self.new.iter().enumerate() {
            if self.partner[at].is_some() {
                continue;
            }
            let found = key(self.after, *node).and_then(|key| waiting.get_mut(&key)?.pop());
            if let Some(found) = found {
                self.partner[at] = Some(found);
                self.matched_old[found] = true;
            }
        }
    }

    /// The most common offset of matched nodes.
    fn offset(&self) -> Offset {
        let mut counts: HashMap<Offset, usize> = HashMap::new();
        for (new, partner) in self.new.iter().zip(&self.partner) {
            let old = partner.and_then(|at| self.old.get(at));
            let bounds = old.and_then(|old| self.before.node(*old).bounds);
            if let Some((old, new)) = bounds.zip(self.after.node(*new).bounds) {
                *counts.entry(offset_of(old, new)).or_default() += 1;
            }
        }
        let most = counts
            .into_iter()
            .max_by_key(|(offset, count)| (*count, *offset));
        most.map_or((0, 0), |(offset, _)| offset)
    }
}

fn offset_of(old: Rect, new: Rect) -> Offset {
    (
        new.left.wrapping_sub(old.left),
        new.top.wrapping_sub(old.top),
    )
}

/// Nodes whose changes are reported.
fn reported_nodes(tree: &UiTree, is_included: impl Fn(&UiTree, NodeId) -> bool) -> Vec<NodeId> {
    let actions = State::CLICKABLE | State::CHECKABLE | State::EDITABLE | State::SCROLLABLE;
    tree.ids()
        .filter(|id| {
            let node = tree.node(*id);
            is_included(tree, *id)
                && (!node.text.is_empty()
                    || !node.label.is_empty()
                    || !node.id.is_empty()
                    || node.state.intersects(actions))
        })
        .collect()
}

/// What matched nodes have in common: class, id, text and label, platform number, bounds.
#[derive(PartialEq, Eq, Hash)]
struct Key<'a>([&'a str; 4], u64, Option<Rect>);

impl Key<'_> {
    /// The key of a node that moved.
    fn moved_by(mut self, (x, y): Offset) -> Self {
        self.2 = self.2.map(|at| {
            Rect::new(
                at.left.wrapping_add(x),
                at.top.wrapping_add(y),
                at.right.wrapping_add(x),
                at.bottom.wrapping_add(y),
            )
        });
        self
    }
}

fn origin(tree: &UiTree, id: NodeId) -> Option<Key<'_>> {
    let node = tree.node(id);
    Some(Key(
        [&node.class, &node.owner, "", ""],
        tree.origin(id)?,
        None,
    ))
}

fn words_and_place(node: &Node) -> Option<Key<'_>> {
    let words = [&*node.class, &node.id, &node.text, &node.label];
    Some(Key(words, 0, node.bounds))
}

fn words(node: &Node) -> Option<Key<'_>> {
    let named = !node.text.is_empty() || !node.label.is_empty();
    named.then_some(Key(
        [&node.class, &node.id, &node.text, &node.label],
        0,
        None,
    ))
}

fn place(node: &Node) -> Option<Key<'_>> {
    Some(Key([&node.class, &node.id, "", ""], 0, node.bounds))
}

fn id_only(node: &Node) -> Option<Key<'_>> {
    let named = !node.id.is_empty() && node.text.is_empty() && node.label.is_empty();
    named.then_some(Key([&node.class, &node.id, "", ""], 0, None))
}

/// Name of a difference of [`Node::conditions`].
pub(crate) const CONDITION: &str = "condition";

/// Name of a difference of the code name of a control.
pub(crate) const CODE: &str = "code";

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
    let spoken = |node: &Node| {
        let attribute = |name| node.attribute(name).unwrap_or_default().to_owned();
        [
            node.hint.to_string(),
            attribute("state-description"),
            attribute("error"),
            attribute("range-value"),
            match node.text.is_empty() && node.label.is_empty() {
                true => attribute("code-name"),
                false => String::new(),
            },
        ]
    };
    let names = ["hint", "state", "error", "value", CODE];
    if before.hint != after.hint || before.attributes != after.attributes {
        let pairs = before.conditions().into_iter().zip(after.conditions());
        for (before, after) in pairs.filter(|(before, after)| before != after) {
            differences.push(Difference::Attribute {
                what: CONDITION,
                before: before.unwrap_or_default().to_owned(),
                after: after.unwrap_or_default().to_owned(),
            });
        }
        for ((what, before), after) in names.into_iter().zip(spoken(before)).zip(spoken(after)) {
            if before != after {
                differences.push(Difference::Attribute {
                    what,
                    before,
                    after,
                });
            }
        }
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
        let (x, y) = offset_of(old, new);
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
