//! The nodes of static screens as widgets.

use std::sync::Arc;

use uitree::{Node, Role, State, UiTree};

use crate::effects::Effects;
use crate::expr::Template;

use super::Field;

#[derive(Debug)]
pub struct StaticNode {
    pub text: Arc<str>,
    pub role: Role,
    pub holds: bool,
    pub clickable: bool,
    pub scrollable: bool,
    /// The node that a press switches: itself, or its only checkable descendant.
    pub switches: Option<Switches>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// The index of the node in document order.
    pub place: usize,
    /// Whether it is a radio button, which stays on when it is pressed again.
    pub one_of_many: bool,
}

impl StaticNode {
    /// Returns the node at `place`, whose descendants end at `end`; `acts` if the app defines its click.
    pub fn new(tree: &UiTree, place: usize, end: usize, acts: bool) -> Self {
        let nodes = tree.nodes();
        let node = nodes.get(place);
        let is = |state| node.is_some_and(|node| node.is(state));
        let inside = nodes.get(place + 1..end).unwrap_or_default();
        let own = is(State::CHECKABLE).then_some(place);
        // A click on a row switches the checkable node in it, as in settings, unless the app defines the click.
        let within = || {
            let mut checkable = inside
                .iter()
                .enumerate()
                .filter(|(_, node)| node.is(State::CHECKABLE));
            match (checkable.next(), checkable.next()) {
                (Some((at, node)), None) if !node.is(State::CLICKABLE) => Some(place + 1 + at),
                _ => None,
            }
        };
        let switched = own.or_else(|| (is(State::CLICKABLE) && !acts).then(within).flatten());
        let switches = switched.map(|place| Switches {
            place,
            one_of_many: nodes
                .get(place)
                .is_some_and(|node| node.class.ends_with("RadioButton")),
        });
        Self {
            text: node.map_or_else(|| Arc::from(""), |node| Arc::from(&*node.text)),
            role: node.map_or(Role::Unknown, |node| node.role),
            holds: !inside.is_empty(),
            clickable: is(State::CLICKABLE),
            scrollable: is(State::SCROLLABLE),
            switches,
        }
    }
}

/// Returns the text field of an editable node.
pub(crate) fn static_field(
    node: &Node,
    bind: Option<Arc<str>>,
    on_change: Option<Effects>,
    on_submit: Option<Effects>,
) -> Field {
    let hint = if node.hint.is_empty() && node.is(State::SHOWING_HINT) {
        &node.text
    } else {
        &node.hint
    };
    Field {
        hint: Template::fixed(hint),
        bind,
        password: node.is(State::PASSWORD),
        multiline: node.text.contains('\n'),
        on_change: on_change.unwrap_or_default(),
        on_submit: on_submit.unwrap_or_default(),
        ..Field::default()
    }
}
