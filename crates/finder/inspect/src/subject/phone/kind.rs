//! Kinds of the nodes of a phone screen.

use uitree::{Node, Role, State as Facts};

use crate::subject::{Kind, Kinds};

/// Facts about a role: the kind of its nodes, whether they are interactive regardless of their flags, and what else users may call
/// it.
const fn facts(role: Role) -> (Kind, bool, &'static [Kind]) {
    match role {
        Role::Button | Role::Chip => (Kind::Button, true, &[]),
        Role::Icon => (Kind::Button, true, &[Kind::Image]),
        Role::Toggle | Role::Switch => (Kind::Switch, true, &[Kind::CheckBox, Kind::Button]),
        Role::TextField => (Kind::TextField, true, &[]),
        Role::CheckBox => (Kind::CheckBox, true, &[Kind::Switch]),
        Role::Radio => (Kind::Radio, true, &[]),
        Role::Dropdown => (Kind::Dropdown, true, &[]),
        Role::Tab => (Kind::Tab, true, &[Kind::Button]),
        Role::MenuItem => (Kind::MenuItem, true, ENTRY),
        Role::Slider => (Kind::Slider, true, &[]),
        Role::Link => (Kind::Link, true, &[]),
        Role::Image => (Kind::Image, false, &[]),
        Role::Heading | Role::Title => (Kind::Heading, false, &[Kind::Text]),
        Role::Label => (Kind::Label, false, &[Kind::Text]),
        Role::Text => (Kind::Text, false, &[]),
        Role::Progress => (Kind::Status, false, &[]),
        Role::ListItem | Role::Card => (Kind::ListItem, false, ENTRY),
        Role::Row => (Kind::Row, false, &[]),
        Role::List | Role::Grid => (Kind::List, false, &[]),
        Role::TabBar => (Kind::TabBar, false, &[]),
        Role::Menu => (Kind::Menu, false, &[]),
        Role::Dialog => (Kind::Dialog, false, &[]),
        Role::WebView => (Kind::Frame, false, &[]),
        Role::Toolbar => (Kind::Landmark, false, &[]),
        Role::Pager | Role::Container | Role::Column | Role::Unknown => (Kind::Other, false, &[]),
    }
}

const ENTRY: &[Kind] = &[Kind::Option, Kind::Button, Kind::ListItem];

/// Whether a node is interactive.
pub(super) fn is_interactive(node: &Node) -> bool {
    let taps = Facts::CLICKABLE | Facts::LONG_CLICKABLE | Facts::EDITABLE | Facts::CHECKABLE;
    node.state.intersects(taps) || facts(node.role).1
}

/// Kind of a node, and all kinds that users may call it.
pub(super) fn kind(node: &Node, acts: bool) -> (Kind, Kinds) {
    let (kind, _, more) = facts(node.role);
    let kind = match kind {
        Kind::Other | Kind::Text | Kind::Label | Kind::Row if acts => Kind::Clickable,
        kind => kind,
    };
    let presses = acts && matches!(kind, Kind::Clickable | Kind::Image);
    let kinds = Kinds::from(kind).union(Kinds::new(more));
    let button = if presses {
        Kind::Button.into()
    } else {
        Kinds::NONE
    };
    (kind, kinds.union(button))
}
