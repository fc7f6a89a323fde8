//! Nodes of a tree that is shown as it is: what they do when pressed, and a drawing that can be recognised.

use std::sync::Arc;

use uitree::{Node, Rect, Role, State, UiTree};

use crate::app::{Effects, Template, no_effects};
use draw::{Align, Paint, TextStyle, Vertical, Weight, measure};

use super::element::Brush;
use super::field::Capitals;
use super::{EditorAction, Field, TextKind};

/// A node that shows what the tree says.
#[derive(Debug)]
pub(crate) struct StaticNode {
    pub(crate) text: Arc<str>,
    role: Role,
    /// Whether anything stands in it.
    holds: bool,
    clickable: bool,
    scrollable: bool,
    /// The node that a press switches: itself, or the only one in it that can be on or off.
    pub(crate) switches: Option<Switches>,
}

/// What a press switches on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Switches {
    /// The place of the node in document order.
    pub(crate) place: usize,
    /// Whether it is the one that is on among others, and stays so when it is pressed again.
    pub(crate) one_of_many: bool,
}

impl StaticNode {
    /// The node at `place`, whose last descendant ends at `end`; `acts` if the app says what a press does.
    pub(crate) fn of(tree: &UiTree, place: usize, end: usize, acts: bool) -> Self {
        let nodes = tree.nodes();
        let node = nodes.get(place);
        let is = |state| node.is_some_and(|node| node.is(state));
        let inside = nodes.get(place + 1..end).unwrap_or_default();
        let own = is(State::CHECKABLE).then_some(place);
        // A row that is pressed switches what is in it, as rows of settings do, unless the app says what it does.
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

    /// Paints it so that it can be told what it is.
    pub(super) fn paint(&self, label: &str, on: bool, to: &mut Brush<'_>) {
        let palette = to.theme.palette;
        let rect = to.rect;
        let ink = if to.enabled {
            palette.text
        } else {
            palette.text_disabled
        };
        let words = if self.text.is_empty() && !self.holds {
            label
        } else {
            &self.text
        };
        match self.role {
            Role::Button | Role::Chip | Role::Toggle => {
                let radius = (rect.height() as f32 / 2.0).min(to.theme.px(20.0));
                to.fill(rect, radius, palette.primary_container);
                let style = TextStyle::new(1.0, palette.on_primary_container)
                    .weight(Weight::Medium)
                    .align(Align::Center);
                letters(to, words, style, Vertical::Center);
            }
            Role::Switch | Role::CheckBox | Role::Radio => {
                let side = rect.height().min(rect.width()).min(to.theme.dp(24.0));
                let top = rect.center().y - side / 2;
                let icon = match (self.role, on) {
                    (Role::Radio, true) => "radio_checked",
                    (Role::Radio, false) => "radio",
                    (_, true) => "checkbox_checked",
                    (_, false) => "checkbox",
                };
                let square = Rect::new(rect.right - side, top, rect.right, top + side);
                let color = if on { palette.primary } else { palette.outline };
                to.icon(icon, square, color);
                to.rect.right -= side;
                letters(to, words, TextStyle::new(1.0, ink), Vertical::Center);
                to.rect = rect;
            }
            Role::Image | Role::Icon if !self.holds => {
                let radius = to.theme.px(4.0).min(rect.height() as f32 / 4.0);
                to.fill(rect, radius, palette.surface_variant);
                let half = rect.width().min(rect.height()) / 4;
                let middle = rect.center();
                let square = Rect::new(
                    middle.x - half,
                    middle.y - half,
                    middle.x + half,
                    middle.y + half,
                );
                to.icon("image", square, palette.text_secondary);
            }
            Role::Progress | Role::Slider => {
                let thick = to.theme.dp(4.0).min(rect.height());
                let top = rect.center().y - thick / 2;
                let line = Rect::new(rect.left, top, rect.right, top + thick);
                to.fill(line, thick as f32 / 2.0, palette.surface_variant);
                let third = Rect {
                    right: rect.left + rect.width() / 3,
                    ..line
                };
                to.fill(third, thick as f32 / 2.0, palette.primary);
            }
            Role::Heading | Role::Title => {
                let style = TextStyle::new(1.0, ink).weight(Weight::Medium);
                letters(to, words, style, Vertical::Center);
            }
            _ => {
                if self.scrollable || (self.clickable && self.holds) {
                    to.stroke(rect, 0.0, palette.divider);
                }
                letters(to, words, TextStyle::new(1.0, ink), Vertical::Center);
            }
        }
    }
}

/// Text as large as fits its bounds: the tree does not have its size.
fn letters(to: &mut Brush<'_>, words: &str, mut style: TextStyle, vertical: Vertical) {
    let rect = to.rect;
    if words.trim().is_empty() || rect.is_empty() {
        return;
    }
    let (width, height) = (rect.width() as f32, rect.height() as f32);
    let mut size = (height * 0.72).min(to.theme.px(22.0));
    let least = to.theme.px(6.0).min(size);
    style.size = size;
    while size > least {
        style.size = size;
        let (w, h) = measure(words, &style, Some(width));
        if w <= width && h <= height {
            break;
        }
        size *= 0.9;
    }
    to.push(Paint::PushClip { rect, radius: 0.0 });
    to.text(words, rect, style, vertical);
    to.push(Paint::PopClip);
}

/// The text field that an editable node is.
pub(crate) fn still_field(
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
        max_length: None,
        kind: TextKind::Text,
        action: EditorAction::None,
        on_change: on_change.unwrap_or_else(no_effects),
        on_submit: on_submit.unwrap_or_else(no_effects),
        icon: None,
        plain: false,
        label: None,
        decoration: None,
        max_lines: None,
        read_only: false,
        capitals: Capitals::default(),
        select_on_focus: false,
        auto_focus: false,
        align: Align::Start,
    }
}
