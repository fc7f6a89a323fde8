//! `field`: what can be written into.

use std::sync::Arc;

use uitree::State;

use crate::app::{Effects, Ink, Reader, Template, take_effects};
use crate::draw::{TextRole, Theme, Vertical};

use super::element::Brush;
use super::read::Body;
use super::text::Lettering;

/// What can be written into.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) hint: Template,
    /// The variable that holds the text; without it the field keeps its text itself.
    pub(crate) bind: Option<Arc<str>>,
    pub(crate) password: bool,
    pub(crate) multiline: bool,
    pub(crate) max_length: Option<u32>,
    pub(crate) kind: TextKind,
    pub(crate) action: EditorAction,
    pub(crate) on_change: Effects,
    pub(crate) on_submit: Effects,
    pub(crate) icon: Option<Arc<str>>,
    pub(crate) plain: bool,
}

/// What kind of text a field takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TextKind {
    #[default]
    Text,
    Number,
    Email,
    Url,
}

/// What the keyboard's action key says and does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EditorAction {
    /// A line break where there may be several lines, else to the end of the input.
    #[default]
    None,
    Search,
    Next,
    Done,
    Go,
    Send,
}

const ACTIONS: [(&str, EditorAction); 5] = [
    ("search", EditorAction::Search),
    ("next", EditorAction::Next),
    ("done", EditorAction::Done),
    ("go", EditorAction::Go),
    ("send", EditorAction::Send),
];

const KINDS: [(&str, TextKind); 4] = [
    ("text", TextKind::Text),
    ("number", TextKind::Number),
    ("email", TextKind::Email),
    ("url", TextKind::Url),
];

impl EditorAction {
    /// What the action key is called.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            EditorAction::None => "Enter",
            EditorAction::Search => "Search",
            EditorAction::Next => "Next",
            EditorAction::Done => "Done",
            EditorAction::Go => "Go",
            EditorAction::Send => "Send",
        }
    }
}

impl Field {
    pub(super) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        let hint = body.main_or("hint");
        let hint = hint.and_then(|at| reader.template(&at));
        let fields = &mut body.fields;
        let bind = fields.take("bind").and_then(|at| reader.bound(&at));
        let max_length = fields
            .take("max_length")
            .and_then(|at| reader.count(&at, 1));
        Self {
            hint: hint.unwrap_or_default(),
            bind,
            password: fields.flag(reader, "password").unwrap_or(false),
            multiline: fields.flag(reader, "multiline").unwrap_or(false),
            max_length,
            kind: fields.word(reader, "type", &KINDS).unwrap_or_default(),
            action: fields.word(reader, "action", &ACTIONS).unwrap_or_default(),
            on_change: take_effects(reader, fields, "on_change"),
            on_submit: take_effects(reader, fields, "on_submit"),
            icon: fields.text(reader, "icon"),
            plain: fields.flag(reader, "plain").unwrap_or(false),
        }
    }

    pub(super) fn state(&self) -> State {
        let mut state =
            State::CLICKABLE | State::LONG_CLICKABLE | State::FOCUSABLE | State::EDITABLE;
        state.set(State::PASSWORD, self.password);
        state
    }

    /// The text as it is shown.
    pub(super) fn shown(&self, text: &str) -> Arc<str> {
        if self.password {
            Arc::from("•".repeat(text.chars().count()))
        } else {
            Arc::from(text)
        }
    }

    /// What of `text` the field takes: no line breaks in a single line, digits only in a number, and no more
    /// characters than it has room for.
    pub(crate) fn admit(&self, text: &str) -> String {
        let fits = |c: &char| match self.kind {
            TextKind::Number => c.is_ascii_digit() || matches!(c, '.' | '-'),
            TextKind::Text | TextKind::Email | TextKind::Url => {
                !c.is_control() || matches!(c, '\n' | '\t')
            }
        };
        let limit = self.max_length.map_or(usize::MAX, |length| length as usize);
        text.chars()
            .filter(fits)
            .map(|c| if c == '\n' && !self.multiline { ' ' } else { c })
            .take(limit)
            .collect()
    }

    pub(super) fn lettering(&self) -> Lettering {
        Lettering {
            lines: if self.multiline { None } else { Some(1) },
            ..Lettering::new(TextRole::BodyLarge, Ink::Text)
        }
    }

    pub(super) fn extra(&self, theme: &Theme) -> (f32, f32) {
        let icon = if self.icon.is_some() {
            theme.px(40.0)
        } else {
            0.0
        };
        (theme.px(32.0) + icon, theme.px(32.0))
    }

    pub(super) fn paint(&self, text: &str, hint: &str, to: &mut Brush<'_>) {
        let palette = to.theme.palette;
        if !self.plain {
            let radius = to.radius.unwrap_or_else(|| to.theme.px(8.0));
            let (width, color) = if to.focused {
                (to.theme.px(2.0), palette.primary)
            } else {
                (to.theme.px(1.0), palette.outline)
            };
            to.stroke_wide(to.rect, radius, width, color);
        }
        let mut words = to.inner;
        words.left += to.theme.dp(if self.plain { 4.0 } else { 16.0 });
        words.right -= to.theme.dp(if self.plain { 4.0 } else { 16.0 });
        if let Some(icon) = &self.icon {
            let side = to.theme.dp(24.0);
            let top = to.inner.center().y - side / 2;
            let square = uitree::Rect::new(words.left, top, words.left + side, top + side);
            to.icon(icon, square, palette.text_secondary);
            words.left += side + to.theme.dp(16.0);
        }
        let vertical = if self.multiline {
            Vertical::Top
        } else {
            Vertical::Center
        };
        if self.multiline {
            words.top += to.theme.dp(16.0);
        }
        let mut style = self.lettering().style(to.theme);
        let mut end = words.left - to.theme.dp(1.0);
        if text.is_empty() {
            style.color = palette.text_secondary;
            to.text(hint, words, style, vertical);
        } else {
            if !to.enabled {
                style.color = palette.text_disabled;
            }
            let (width, _) = crate::draw::measure(text, &style, Some(words.width() as f32));
            end = (words.left + width.ceil() as i32 + to.theme.dp(3.0)).min(words.right);
            to.text(text, words, style, vertical);
        }
        if to.focused && !self.multiline {
            let half = to.theme.dp(11.0);
            let middle = words.center().y;
            let caret =
                uitree::Rect::new(end - to.theme.dp(2.0), middle - half, end, middle + half);
            to.fill(caret, 0.0, palette.primary);
        }
    }
}
