//! `field`: what can be written into.

use std::sync::Arc;

use uitree::State;

use crate::app::{Effects, Reader, Template, take_effects};
use crate::layout::Ruler;
use draw::{Align, TextRole, Theme, Vertical};

use super::element::{Brush, Look};
use super::field_frame::Decoration;
use super::field_text::{Edit, long};
use super::read::Body;

/// What can be written into.
#[derive(Debug, Default)]
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
    /// A label that stands in the field while it is empty and on its edge while it is not.
    pub(crate) label: Option<Template>,
    pub(crate) decoration: Option<Decoration>,
    /// How many lines are shown at most; more scroll.
    pub(crate) max_lines: Option<u32>,
    /// Shows its text, but takes none.
    pub(crate) read_only: bool,
    pub(crate) capitals: Capitals,
    /// Whether all of its text is selected when it gets the focus.
    pub(crate) select_on_focus: bool,
    /// Whether it has the focus when its screen opens.
    pub(crate) auto_focus: bool,
    /// Where in its line the text stands.
    pub(crate) align: Align,
}

/// Where the keyboard begins with capitals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Capitals {
    #[default]
    None,
    Sentences,
    Words,
    Characters,
}

const CAPITALS: [(&str, Capitals); 4] = [
    ("none", Capitals::None),
    ("sentences", Capitals::Sentences),
    ("words", Capitals::Words),
    ("characters", Capitals::Characters),
];

/// What kind of text a field takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TextKind {
    #[default]
    Text,
    Number,
    Email,
    Url,
}

/// What the keyboard's action key says and does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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
        let label = fields.template(reader, "label");
        let decoration = Decoration::read(reader, fields, max_length, label.is_some());
        let max_lines = fields.take("max_lines");
        let max_lines = max_lines.and_then(|at| reader.count(&at, 1));
        Self {
            align: Align::Start,
            label,
            decoration,
            read_only: fields.flag(reader, "read_only").unwrap_or(false),
            capitals: fields
                .word(reader, "capitalize", &CAPITALS)
                .unwrap_or_default(),
            hint: hint.unwrap_or_default(),
            bind,
            password: fields.flag(reader, "password").unwrap_or(false),
            multiline: fields
                .flag(reader, "multiline")
                .unwrap_or(max_lines.is_some_and(|lines| lines > 1)),
            max_lines,
            max_length,
            kind: fields.word(reader, "type", &KINDS).unwrap_or_default(),
            action: fields.word(reader, "action", &ACTIONS).unwrap_or_default(),
            on_change: take_effects(reader, fields, "on_change"),
            on_submit: take_effects(reader, fields, "on_submit"),
            select_on_focus: fields.flag(reader, "select_on_focus").unwrap_or(false),
            auto_focus: fields.flag(reader, "auto_focus").unwrap_or(false),
            icon: fields.text(reader, "icon"),
            plain: fields.flag(reader, "plain").unwrap_or(false),
        }
    }

    pub(super) fn state(&self) -> State {
        let mut state =
            State::CLICKABLE | State::LONG_CLICKABLE | State::FOCUSABLE | State::EDITABLE;
        state.set(State::EDITABLE, !self.read_only);
        state.set(State::PASSWORD, self.password);
        state
    }

    /// The text as it is shown.
    pub(super) fn shown(&self, text: &str, opened: bool) -> Arc<str> {
        if self.password && !opened {
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

    /// What of `text` the field takes beside `others` characters that stay.
    pub(crate) fn admit_beside(&self, text: &str, others: usize) -> String {
        let room = self.max_length.map_or(usize::MAX, |length| length as usize);
        let admitted = self.admit(text);
        admitted.chars().take(room.saturating_sub(others)).collect()
    }

    /// Whether a word cannot be told from the whole text, as in passwords, numbers and addresses: all of it is selected
    /// then.
    pub(crate) const fn selects_whole(&self) -> bool {
        self.password || !matches!(self.kind, TextKind::Text)
    }

    /// Whether the next letter after `text` is a capital.
    pub(crate) fn is_capital_after(&self, text: &str) -> bool {
        match self.capitals {
            Capitals::None => false,
            Capitals::Sentences => {
                let end = text.trim_end_matches(' ');
                end.is_empty()
                    || end.ends_with('\n')
                    || (end.len() < text.len() && end.ends_with(['.', '!', '?']))
            }
            Capitals::Words => text.is_empty() || text.ends_with(char::is_whitespace),
            Capitals::Characters => true,
        }
    }

    /// The room before and behind the text: an icon, fixed words, a button.
    pub(super) fn sides(&self, beside: &(Arc<str>, Arc<str>), theme: &Theme) -> (i32, i32) {
        let edge = theme.dp(if self.plain { 4.0 } else { 16.0 });
        let style = self.lettering().style(theme);
        let wide = |text: &str| match text {
            "" => 0,
            text => long(text, &style).ceil() as i32 + theme.dp(2.0),
        };
        let icon = if self.icon.is_some() {
            theme.dp(40.0)
        } else {
            0
        };
        let button = self
            .decoration
            .as_ref()
            .is_some_and(Decoration::has_end_icon);
        let end = if button { theme.dp(48.0) } else { edge };
        (edge + icon + wide(&beside.0), end + wide(&beside.1))
    }

    pub(super) fn measure(
        &self,
        shown: &str,
        beside: &(Arc<str>, Arc<str>),
        ruler: &mut Ruler,
        width: Option<f32>,
    ) -> (f32, f32) {
        let theme = *ruler.theme();
        let (before, behind) = self.sides(beside, &theme);
        let across = if self.plain && self.icon.is_none() && self.decoration.is_none() {
            theme.px(32.0)
        } else {
            (before + behind) as f32
        };
        let room = width.map(|width| (width - across).max(1.0));
        let (w, h) = ruler.measure(shown, &self.lettering().style(&theme), room);
        (
            (w + across).max(theme.px(200.0)),
            (h + theme.px(32.0)).round(),
        )
    }

    pub(super) fn paint(&self, look: &Look, to: &mut Brush<'_>) {
        let Look::Field {
            shown: text,
            hint,
            placeholder,
            beside,
            wrong,
            ..
        } = look
        else {
            return;
        };
        let palette = to.theme.palette;
        let line = match (wrong, to.focused) {
            (true, _) => palette.error,
            (false, true) => palette.primary,
            (false, false) => palette.outline,
        };
        if !self.plain {
            let radius = to.radius.unwrap_or_else(|| to.theme.px(8.0));
            let width = to.theme.px(if to.focused { 2.0 } else { 1.0 });
            to.stroke_wide(to.rect, radius, width, line);
        }
        let words = self.text_box(text, beside, (to.rect, to.inner), to.theme);
        if let Some(icon) = &self.icon {
            let side = to.theme.dp(24.0);
            let left = to.inner.left + to.theme.dp(if self.plain { 4.0 } else { 16.0 });
            let top = to.inner.center().y - side / 2;
            let square = uitree::Rect::new(left, top, left + side, top + side);
            to.icon(icon, square, palette.text_secondary);
        }
        let mut style = self.lettering().style(to.theme);
        style.align = self.align;
        let raised = self.label.is_some() && (to.focused || !text.is_empty());
        if raised {
            paint_label(hint, line, to);
        }
        let muted = if raised { placeholder } else { hint };
        if text.is_empty() {
            let vertical = if self.multiline {
                Vertical::Top
            } else {
                Vertical::Center
            };
            style.color = palette.text_secondary;
            to.text(muted, words.turned(words.words), style, vertical);
            style.color = palette.text;
        } else if !to.enabled {
            style.color = palette.text_disabled;
        }
        // What takes no text has no cursor, but a part of it can be selected.
        let selects = |edit: &Edit| edit.caret.is_some_and(|caret| !caret.is_empty());
        let edit = to.edit.filter(|edit| !self.read_only || selects(edit));
        words.paint(edit, to, style);
    }
}

/// The label on the upper edge of its field.
fn paint_label(label: &str, color: draw::Color, to: &mut Brush<'_>) {
    let muted = to.theme.palette.text_secondary;
    let plain = color == to.theme.palette.outline;
    let style = to
        .theme
        .text(TextRole::BodySmall)
        .color(if plain { muted } else { color })
        .max_lines(1);
    let (width, height) = draw::measure(label, &style, None);
    let left = to.rect.left + to.theme.dp(12.0);
    let top = to.rect.top - height as i32 / 2;
    let gap = to.theme.dp(4.0);
    let right = left + width.ceil() as i32 + 2 * gap;
    let ground = uitree::Rect::new(left, top, right, top + height as i32);
    to.fill(ground, 0.0, to.theme.palette.background);
    let words = uitree::Rect::new(left + gap, top, right, top + height.ceil() as i32);
    to.text(label, words, style, Vertical::Center);
}
