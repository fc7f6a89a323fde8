//! Collects the data for role inference from a whole tree.

use crate::infer::{self, Kind};
use crate::{Arrangement, Node, Role, RoleHints, State};
use std::collections::HashMap;

/// Maximum number of searched nodes inside a clickable node.
const MAX_CONTENT: usize = 12;

/// Role-related data of a node's children.
#[derive(Clone, Copy, Debug, Default)]
struct Shape {
    children: u32,
    arrangement: Arrangement,
    choice: bool,
    tab_bar_id: bool,
}

/// Data of all nodes before roles are known.
pub(crate) struct Shapes {
    kinds: Vec<Kind>,
    shapes: Vec<Shape>,
}

impl Shapes {
    pub(crate) fn of(nodes: &[Node]) -> Self {
        let mut known: HashMap<&str, Kind> = HashMap::new();
        let mut kinds = Vec::with_capacity(nodes.len());
        // Siblings often share a class, and comparing is faster than a look-up.
        let mut last: Option<(&str, Kind)> = None;
        for node in nodes {
            let kind = match last {
                Some((class, kind)) if *class == *node.class => kind,
                _ => *known
                    .entry(&node.class)
                    .or_insert_with(|| Kind::of(&node.class)),
            };
            last = Some((&node.class, kind));
            kinds.push(kind);
        }
        let shapes = (0..nodes.len()).map(|place| shape(nodes, place)).collect();
        Self { kinds, shapes }
    }

    /// Infers the role of the node at `place`. The role of its parent must be known.
    pub(crate) fn infer(&self, nodes: &[Node], place: usize) -> Role {
        let Some(((node, kind), shape)) = nodes
            .get(place)
            .zip(self.kinds.get(place))
            .zip(self.shapes.get(place))
        else {
            return Role::Unknown;
        };
        let parent = node.parent.and_then(|parent| {
            let at = parent.index();
            Some((nodes.get(at)?, *self.kinds.get(at)?, *self.shapes.get(at)?))
        });
        let mut hints = RoleHints {
            class: &node.class,
            id: &node.id,
            text: &node.text,
            label: &node.label,
            state: node.state,
            inside_clickable: inside_clickable(nodes, node),
            screen_reader_focusable: node.attribute("screen-reader-focusable") == Some("true"),
            children: shape.children,
            arrangement: shape.arrangement,
            choice: shape.choice,
            ..RoleHints::default()
        };
        if node.is(State::CLICKABLE) {
            hints.content = content(nodes, node, place);
        }
        let Some((parent, parent_kind, parent_shape)) = parent else {
            return infer::infer(*kind, Kind::Bare, false, &hints);
        };
        hints.parent_class = &parent.class;
        hints.parent_id = &parent.id;
        hints.parent_role = parent.role;
        hints.one_of_a_choice = parent_shape.choice;
        infer::infer(*kind, parent_kind, parent_shape.tab_bar_id, &hints)
    }
}

/// Whether one of the three nearest ancestors is clickable.
fn inside_clickable(nodes: &[Node], node: &Node) -> bool {
    let ancestors = std::iter::successors(node.parent, |at| nodes.get(at.index())?.parent);
    ancestors
        .take(3)
        .filter_map(|at| nodes.get(at.index()))
        .any(|ancestor| ancestor.is(State::CLICKABLE))
}

/// Number of nodes with text or images inside `node`; the maximum if there are too many or another is clickable.
fn content(nodes: &[Node], node: &Node, place: usize) -> u32 {
    let inside = nodes.get(place + 1..node.end.index()).unwrap_or_default();
    let acts = State::CLICKABLE | State::CHECKABLE | State::EDITABLE;
    if inside.len() > MAX_CONTENT || inside.iter().any(|node| node.state.intersects(acts)) {
        return u32::MAX;
    }
    let has_content = |node: &&Node| {
        !node.text.is_empty() || !node.label.is_empty() || node.class.ends_with("ImageView")
    };
    inside.iter().filter(has_content).count() as u32
}

fn shape(nodes: &[Node], place: usize) -> Shape {
    let Some(node) = nodes.get(place) else {
        return Shape::default();
    };
    let mut shape = Shape::default();
    if node.end.index() == place + 1 {
        return shape;
    }
    let mut lines = Lines::default();
    let mut choices = Choices::default();
    let mut next = place + 1;
    while let Some(child) = nodes.get(next).filter(|_| next < node.end.index()) {
        next = child.end.index().max(next + 1);
        shape.children = shape.children.saturating_add(1);
        let Some(bounds) = child.bounds.filter(|bounds| !bounds.is_empty()) else {
            continue;
        };
        lines.add(bounds);
        choices.add(child, bounds);
    }
    shape.arrangement = lines.arrangement();
    shape.tab_bar_id = shape.arrangement == Arrangement::Row && infer::is_tab_bar_id(&node.id);
    shape.choice = choices.is_choice();
    shape
}

/// Classifies rectangles in document order as row, column or grid.
#[derive(Default)]
struct Lines {
    last: Option<crate::Rect>,
    /// Steps sideways within a line.
    aside: u32,
    /// Steps to a new line.
    down: u32,
    /// Other steps.
    other: u32,
    leftwards: u32,
}

impl Lines {
    fn add(&mut self, next: crate::Rect) {
        if let Some(last) = self.last.replace(next) {
            let same_line = next.shares_row(&last);
            if same_line && next.left >= last.right {
                self.aside += 1;
            } else if same_line && next.right <= last.left {
                self.aside += 1;
                self.leftwards += 1;
            } else if next.top >= last.bottom {
                self.down += 1;
            } else {
                self.other += 1;
            }
        }
    }

    fn arrangement(&self) -> Arrangement {
        let one_way = self.leftwards == 0 || self.leftwards == self.aside;
        match (self.aside, self.down) {
            _ if self.other > 0 || !one_way => Arrangement::Loose,
            (1.., 0) => Arrangement::Row,
            (0, 1..) => Arrangement::Column,
            // One pair in a long column is no grid.
            (1.., 1..) if self.aside >= self.down => Arrangement::Grid,
            _ => Arrangement::Loose,
        }
    }
}

/// Whether the clickable children are a short row with exactly one selected, as tabs are.
#[derive(Default)]
struct Choices {
    options: u32,
    chosen: u32,
    lines: Lines,
}

impl Choices {
    fn add(&mut self, child: &Node, bounds: crate::Rect) {
        let chosen = child.is(State::SELECTED | State::FOCUSABLE);
        if chosen || child.is(State::CLICKABLE) {
            self.options += 1;
            self.chosen += u32::from(chosen);
            self.lines.add(bounds);
        }
    }

    fn is_choice(&self) -> bool {
        const MAX_TABS: u32 = 12;
        (2..=MAX_TABS).contains(&self.options)
            && self.chosen == 1
            && self.lines.arrangement() == Arrangement::Row
    }
}
