//! An element: a widget evaluated for the current state; its node, size and paint.

use std::sync::Arc;

use uitree::{NodeSpec, Rect, State, ValueRange};

use draw::{Color, DisplayList, Flow, Paint, TextStyle, Theme, Vertical};
use sim_format::expr::{Names, Scope, Template, Value};
use sim_format::style::{Corners, Dim, Sides};
use sim_format::widget::{
    Button, Decoration, Inset, Key, KeyCap, KeyCode, Kind, PartAction, Scroller, Skin, Spec,
    Switches, Toggle,
};

use super::part::written;
use super::{button, field, icon, key, node, range, skin, text, toggle};
use crate::cursor::Cursor;
use crate::env::{Env, Insets};
use crate::ruler::Ruler;

#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Text(Arc<str>),
    Button(Arc<str>),
    Icon(Arc<str>),
    Field {
        text: Arc<str>,
        shown: Arc<str>,
        hint: Arc<str>,
        /// Shown instead of the hint while the field is empty and focused.
        placeholder: Arc<str>,
        /// Whether an error is shown for the field.
        wrong: bool,
    },
    Toggle {
        text: Arc<str>,
        on: bool,
    },
    Range(Option<f32>),
    Group {
        height: Option<f32>,
        /// The areas covered by the system bars and the keyboard.
        insets: Option<Insets>,
        /// The text of the node that describes all of its content.
        says: Arc<str>,
    },
    Scroller,
    Key,
    Node {
        text: Arc<str>,
        on: bool,
    },
}

/// A widget that is present on the screen.
#[derive(Clone, Debug)]
pub struct Element {
    pub key: Key,
    pub spec: Arc<Spec>,
    pub scope: Arc<Scope>,
    pub content: Content,
    pub label: Arc<str>,
    pub state: State,
    /// The larger widget of which it is a part.
    pub owner: Option<Key>,
    /// Whether the element or an ancestor is selected or on.
    pub lit: bool,
    /// The position of a floating element, in percent of its parent.
    pub spot: Option<[Option<f32>; 4]>,
    /// The side on which the content starts.
    pub flow: Flow,
    /// The index after the last descendant.
    pub end: usize,
}

/// The reaction to a press, in addition to the widget's effects.
#[derive(Clone, Debug, PartialEq)]
pub enum Press {
    Effects,
    Assign(Arc<str>, Value),
    Focus,
    Key(KeyCode),
    /// Shows or hides a password.
    Reveal(Key),
    /// Opens the list of options of a widget.
    Dropdown(Key),
    Empty(Key),
    /// Switches a node of a static screen.
    Switch(Switches),
}

pub fn resolve(
    spec: &Spec,
    names: &Names<'_>,
    key: Key,
    owner: Option<Key>,
    env: &Env<'_>,
) -> (Content, State) {
    let content = match &spec.kind {
        Kind::Text(text) => Content::Text(
            selected_option(spec, names, env).unwrap_or_else(|| text.text.text(names)),
        ),
        Kind::Button(button) => Content::Button(button.text.text(names)),
        Kind::Icon(icon) => Content::Icon(icon.name.text(names)),
        Kind::Field(field) => {
            let text = written(field.bind.as_ref(), key, names, env);
            let decoration = field.decoration.as_ref();
            let words = |text: Option<&Template>| {
                text.map_or_else(|| Arc::from(""), |text| text.text(names))
            };
            let error = decoration.and_then(Decoration::error);
            let (hint, placeholder) = match &field.label {
                Some(label) => (label.text(names), field.hint.text(names)),
                None => (field.hint.text(names), Arc::from("")),
            };
            Content::Field {
                shown: field.shown(&text, env.local.open.contains(&key)),
                text,
                hint,
                placeholder,
                wrong: !words(error).is_empty(),
            }
        }
        Kind::Toggle(toggle) => Content::Toggle {
            text: toggle.text.text(names),
            on: toggle.check.is_on(names),
        },
        Kind::Range(range) => Content::Range(range.share(names)),
        Kind::Group(group) => {
            let density = env.ruler.theme().density;
            let open = group.collapses.map(|collapse| collapse.open.px(density));
            Content::Group {
                height: open.map(|open| open - env.local.collapse),
                insets: match group.inset {
                    Inset::None => None,
                    Inset::Bottom => Some(Insets {
                        top: 0.0,
                        ..env.insets
                    }),
                    Inset::Both => Some(env.insets),
                },
                says: spec.says.text(names),
            }
        }
        Kind::Scroller(_) => Content::Scroller,
        Kind::Key(_) => Content::Key,
        Kind::Node(node) => Content::Node {
            text: Arc::clone(&node.text),
            on: env.local.switched.get(&key).copied().unwrap_or(false),
        },
    };
    let mut state = state_of(&spec.kind, &content) | spec.flags;
    if let Some(check) = &spec.check {
        state |= State::CHECKABLE | State::CLICKABLE | State::FOCUSABLE;
        state.set(State::CHECKED, check.is_on(names));
    }
    if env.local.open.contains(&key) {
        // A visible password is not reported as a password.
        state -= State::PASSWORD;
    }
    match spec.part.as_ref().map(|part| part.action) {
        Some(PartAction::Unmask) => {
            let shown = owner.is_some_and(|field| env.local.open.contains(&field));
            state |= State::CHECKABLE | State::CLICKABLE | State::FOCUSABLE;
            state.set(State::CHECKED, shown);
        }
        Some(PartAction::Clear) => state |= State::CLICKABLE | State::FOCUSABLE,
        None => {}
    }
    (content, state)
}

/// Returns the text of the selected option of a dropdown.
fn selected_option(spec: &Spec, names: &Names<'_>, env: &Env<'_>) -> Option<Arc<str>> {
    let dropdown = spec.dropdown.as_ref()?;
    let records = dropdown.source().map(|source| env.records(source));
    let records = records.as_deref().map_or(&[][..], Vec::as_slice);
    let outer_scope = Arc::new(names.scope.clone());
    Some(dropdown.shown(names, &outer_scope, records))
}

impl Element {
    pub fn is_node(&self) -> bool {
        match &self.spec.kind {
            Kind::Group(group) => group.node && !self.spec.decorative,
            _ => !self.spec.decorative,
        }
    }

    pub fn press(&self) -> Press {
        if let (Some(part), Some(owner)) = (&self.spec.part, self.owner) {
            return match part.action {
                PartAction::Unmask => Press::Reveal(owner),
                PartAction::Clear => Press::Empty(owner),
            };
        }
        if self.spec.dropdown.is_some() {
            return Press::Dropdown(self.key);
        }
        let check = match &self.spec.kind {
            Kind::Toggle(toggle) => Some(&toggle.check),
            _ => self.spec.check.as_ref(),
        };
        if let Some(check) = check
            && let Some(name) = &check.bind
        {
            let on = self.state.contains(State::CHECKED);
            let value = check.value.clone().unwrap_or(Value::Bool(!on));
            return Press::Assign(Arc::clone(name), value);
        }
        match &self.spec.kind {
            Kind::Field(_) => Press::Focus,
            Kind::Key(key) => Press::Key(key.code),
            Kind::Node(node) => node.switches.map_or(Press::Effects, Press::Switch),
            _ => Press::Effects,
        }
    }

    pub fn name(&self) -> Arc<str> {
        Some(self.text())
            .filter(|text| !text.is_empty())
            .unwrap_or_else(|| Arc::clone(&self.label))
    }

    /// Its text, without its description.
    pub fn text(&self) -> Arc<str> {
        match &self.content {
            Content::Text(text)
            | Content::Button(text)
            | Content::Toggle { text, .. }
            | Content::Node { text, .. } => Arc::clone(text),
            Content::Field { hint, .. } => Arc::clone(hint),
            Content::Group { says, .. } => Arc::clone(says),
            _ => Arc::default(),
        }
    }

    /// Returns the node without its bounds.
    pub fn node(&self, owner: &Arc<str>, focused: bool) -> NodeSpec {
        let class: &str = match (&self.spec.class, &self.spec.kind) {
            (Some(class), _) => class,
            (None, Kind::Text(_)) => "android.widget.TextView",
            (None, Kind::Button(_)) => "android.widget.Button",
            (None, Kind::Icon(icon)) => icon.class(),
            (None, Kind::Field(_)) => "android.widget.EditText",
            (None, Kind::Toggle(toggle)) => toggle.class(),
            (None, Kind::Range(range)) => range.class(),
            (None, Kind::Group(group)) => group.class,
            (None, Kind::Scroller(scroller)) => scroller.class(),
            (None, Kind::Key(_)) => "com.android.inputmethod.keyboard.Key",
            // The spec always has the class of the tree.
            (None, Kind::Node(_)) => "",
        };
        let mut state = self.state;
        state.set(State::FOCUSED, focused);
        let (mut text, mut hint_text) = (self.text(), Arc::default());
        if let Content::Field { shown, hint, .. } = &self.content {
            hint_text = Arc::clone(hint);
            if shown.is_empty() {
                // An empty field reports its hint as its text, with the flag for that.
                state.set(State::SHOWING_HINT, !hint.is_empty());
            } else {
                text = Arc::clone(shown);
            }
        }
        NodeSpec {
            text,
            label: Arc::clone(&self.label),
            hint: hint_text,
            id: Arc::clone(&self.spec.id),
            class: self.spec.shared_class(class),
            owner: Arc::clone(owner),
            state,
            attributes: self.range().into_iter().flatten().collect(),
            ..NodeSpec::default()
        }
    }

    /// The attributes of the value of a slider or progress bar.
    fn range(&self) -> Option<[(Arc<str>, Arc<str>); 3]> {
        let (Kind::Range(range), Content::Range(Some(share))) = (&self.spec.kind, &self.content)
        else {
            return None;
        };
        let value = range.at(*share);
        Some(ValueRange::attributes(range.min, range.max, value))
    }

    /// Measures the content, wrapped at `width`.
    pub fn measure(&self, ruler: &mut Ruler, width: Option<f32>) -> (f32, f32) {
        let theme = *ruler.theme();
        match (&self.spec.kind, &self.content) {
            (Kind::Text(text), Content::Text(words)) => {
                ruler.measure(words, &text.style.style(&theme), width)
            }
            (Kind::Button(button), Content::Button(words)) => {
                let (side, height) = button::extra(button, &theme);
                let (w, _) = ruler.measure(words, &button.lettering().style(&theme), None);
                (w + side, height)
            }
            (Kind::Icon(icon), _) => icon::measure(icon, &theme),
            (Kind::Field(field), Content::Field { shown, .. }) => {
                field::measure(field, shown, ruler, width)
            }
            (Kind::Toggle(toggle), Content::Toggle { text, .. }) => {
                let (across, height) = toggle::extra(toggle, !text.is_empty(), &theme);
                let (w, h) = if text.is_empty() {
                    (0.0, 0.0)
                } else {
                    let room = width.map(|width| (width - across).max(1.0));
                    ruler.measure(text, &Toggle::lettering().style(&theme), room)
                };
                (w + across, h.max(height))
            }
            (Kind::Range(range), _) => range::measure(range, &theme),
            _ => (0.0, 0.0),
        }
    }

    /// Paints the element without its children.
    pub fn paint(&self, painter: &mut Painter<'_>) {
        let frame = &self.spec.frame;
        let palette = painter.theme.palette;
        let card = matches!(&self.spec.kind, Kind::Group(group) if group.card);
        let radius = frame.radius.map(|radius| radius.px(painter.theme.density));
        let radius = radius.or_else(|| card.then(|| painter.theme.px(12.0)));
        painter.radius = radius;
        let ground = frame.background.or(match &self.spec.kind {
            Kind::Group(group) => group.ground(),
            _ => None,
        });
        let rect = painter.rect;
        if let Some(elevation) = frame.elevation.or_else(|| card.then_some(1.0)) {
            painter.push(Paint::Shadow {
                rect,
                radius: radius.unwrap_or(0.0),
                elevation: painter.theme.px(elevation),
            });
        }
        if let Some(ground) = ground {
            let (color, radius) = (ground.color(&palette), radius.unwrap_or(0.0));
            painter.fill(rect, radius, color);
            // All corners are painted round, then the square ones are covered.
            let reach = (radius.ceil() as i32).min(rect.height() / 2);
            let corners = frame.corners.unwrap_or_default();
            if radius > 0.0 && matches!(corners, Corners::Bottom | Corners::None) {
                let bottom = rect.top + reach;
                painter.fill(Rect { bottom, ..rect }, 0.0, color);
            }
            if radius > 0.0 && matches!(corners, Corners::Top | Corners::None) {
                let top = rect.bottom - reach;
                painter.fill(Rect { top, ..rect }, 0.0, color);
            }
        }
        match (&self.spec.kind, &self.content) {
            (Kind::Text(text), Content::Text(words)) => text::paint(text, words, painter),
            (Kind::Button(button), Content::Button(words)) => button::paint(button, words, painter),
            (Kind::Icon(icon), Content::Icon(name)) => icon::paint(icon, name, painter),
            (Kind::Field(field), content @ Content::Field { .. }) => {
                field::paint(field, content, painter)
            }
            (Kind::Toggle(toggle), Content::Toggle { text, on }) => {
                toggle::paint(toggle, text, *on, painter)
            }
            (Kind::Range(range), Content::Range(share)) => range::paint(range, *share, painter),
            (Kind::Group(group), _) if group.skin != Skin::None => skin::paint(group.skin, painter),
            (Kind::Group(group), _) if group.line => painter.fill(rect, 0.0, palette.divider),
            (Kind::Key(key), _) => key::paint(key, painter),
            (Kind::Node(node), Content::Node { on, .. }) => {
                node::paint(node, &self.label, *on, painter)
            }
            _ => {}
        }
    }
}

/// Returns the state that a widget has by its kind, before its conditions are evaluated.
pub(super) fn state_of(kind: &Kind, content: &Content) -> State {
    match (kind, content) {
        (Kind::Text(text), _) => text.state(),
        (Kind::Button(_), _) => Button::state(),
        (Kind::Icon(icon), _) => icon.state(),
        (Kind::Field(field), _) => field.state(),
        (Kind::Toggle(_), Content::Toggle { on, .. }) => Toggle::state(*on),
        (Kind::Range(range), _) => range.state(),
        (Kind::Scroller(_), _) => Scroller::state(),
        (Kind::Key(_), _) => KeyCap::state(),
        _ => State::empty(),
    }
}

/// Paints an element into a display list.
#[derive(Debug)]
pub struct Painter<'a> {
    pub list: &'a mut DisplayList,
    pub theme: &'a Theme,
    pub rect: Rect,
    /// The bounds without padding.
    pub inner: Rect,
    pub enabled: bool,
    pub focused: bool,
    /// Whether the element or an ancestor is selected or on.
    pub lit: bool,
    pub radius: Option<f32>,
    /// The cursor, if the element is the focused field.
    pub cursor: Option<Cursor>,
    /// The scroll offset of the field's lines.
    pub scrolled: i32,
}

impl Painter<'_> {
    pub fn push(&mut self, paint: Paint) {
        self.list.push(paint);
    }

    pub fn fill(&mut self, rect: Rect, radius: f32, color: Color) {
        self.push(Paint::Fill {
            rect,
            radius,
            color,
        });
    }

    pub fn stroke(&mut self, rect: Rect, radius: f32, color: Color) {
        let width = self.theme.px(1.0);
        self.stroke_wide(rect, radius, width, color);
    }

    pub fn stroke_wide(&mut self, rect: Rect, radius: f32, width: f32, color: Color) {
        self.push(Paint::Stroke {
            rect,
            radius,
            width,
            color,
        });
    }

    pub fn text(&mut self, text: &str, rect: Rect, style: TextStyle, vertical: Vertical) {
        if !text.is_empty() {
            self.push(Paint::Text {
                text: text.to_owned(),
                rect,
                style,
                vertical,
            });
        }
    }

    pub fn icon(&mut self, name: &str, rect: Rect, color: Color) {
        self.push(Paint::Icon {
            name: name.to_owned().into(),
            rect,
            color,
        });
    }
}

/// Returns the rectangle without padding.
pub fn inside(rect: Rect, padding: Option<Sides>, density: f32) -> Rect {
    let Some(padding) = padding else { return rect };
    let px = |dim: Dim| dim.px(density) as i32;
    Rect::new(
        rect.left + px(padding.left),
        rect.top + px(padding.top),
        rect.right - px(padding.right),
        rect.bottom - px(padding.bottom),
    )
}
