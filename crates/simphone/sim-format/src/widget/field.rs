//! `field`: a text field.

use std::sync::Arc;

use uitree::State;

use crate::effects::{Effects, take as take_effects};
use crate::expr::Template;
use crate::reader::Reader;
use crate::style::ColorRole;
use crate::words::{Words, words};
use draw::{Align, TextRole};

use super::field_frame::Decoration;
use super::read::Body;
use super::text::TextLook;

#[derive(Debug, Default)]
pub struct Field {
    pub hint: Template,
    /// The variable with the text; without it the window keeps the text.
    pub bind: Option<Arc<str>>,
    pub password: bool,
    pub multiline: bool,
    pub max_length: Option<u32>,
    pub kind: TextKind,
    pub action: EditorAction,
    pub on_change: Effects,
    pub on_submit: Effects,
    pub icon: Option<Arc<str>>,
    pub plain: bool,
    /// A floating label: inside an empty field, else on its edge.
    pub label: Option<Template>,
    pub decoration: Option<Decoration>,
    /// The maximum number of visible lines; more lines scroll.
    pub max_lines: Option<u32>,
    pub read_only: bool,
    pub select_on_focus: bool,
    pub auto_focus: bool,
    pub align: Align,
}

words! {
    #[derive(Default, PartialOrd, Ord)]
    pub enum TextKind {
        #[default]
        Text = "text",
        Number = "number",
        Email = "email",
        Url = "url",
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum EditorAction {
    /// A line break in a multi-line field, else the end of input.
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

impl EditorAction {
    pub const fn name(self) -> &'static str {
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
    pub(crate) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        let hint = body.template(reader, "hint");
        let fields = &mut body.fields;
        let bind = fields.read(reader, "bind", Reader::bound);
        let max_length = fields.read(reader, "max_length", Reader::positive);
        let label = fields.template(reader, "label");
        let decoration = Decoration::read(reader, fields, label.is_some());
        let max_lines = fields.read(reader, "max_lines", Reader::positive);
        Self {
            align: Align::Start,
            label,
            decoration,
            read_only: fields.flag(reader, "read_only").unwrap_or(false),
            hint: hint.unwrap_or_default(),
            bind,
            password: fields.flag(reader, "password").unwrap_or(false),
            multiline: fields
                .flag(reader, "multiline")
                .unwrap_or(max_lines.is_some_and(|lines| lines > 1)),
            max_lines,
            max_length,
            kind: fields
                .word(reader, "type", TextKind::TABLE)
                .unwrap_or_default(),
            action: fields.word(reader, "action", &ACTIONS).unwrap_or_default(),
            on_change: take_effects(reader, fields, "on_change"),
            on_submit: take_effects(reader, fields, "on_submit"),
            select_on_focus: fields.flag(reader, "select_on_focus").unwrap_or(false),
            auto_focus: fields.flag(reader, "auto_focus").unwrap_or(false),
            icon: fields.text(reader, "icon"),
            plain: fields.flag(reader, "plain").unwrap_or(false),
        }
    }

    pub fn state(&self) -> State {
        let mut state =
            State::CLICKABLE | State::LONG_CLICKABLE | State::FOCUSABLE | State::EDITABLE;
        state.set(State::EDITABLE, !self.read_only);
        state.set(State::PASSWORD, self.password);
        state
    }

    pub fn shown(&self, text: &str, opened: bool) -> Arc<str> {
        if self.password && !opened {
            Arc::from("•".repeat(text.chars().count()))
        } else {
            Arc::from(text)
        }
    }

    /// The text that the field holds after its whole text was set: no line breaks in a single line, and at most `max_length`
    /// characters. A field for numbers takes letters here, as Android's do; only its keyboard has none.
    pub fn fit(&self, text: &str) -> String {
        let limit = self.max_length.map_or(usize::MAX, |length| length as usize);
        text.chars()
            .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
            .map(|c| if c == '\n' && !self.multiline { ' ' } else { c })
            .take(limit)
            .collect()
    }

    /// The characters that typing this text adds to the `others` that are in the field: only digits, points and signs to a number.
    pub fn fit_typed(&self, text: &str, others: usize) -> String {
        let is_typed = |c: &char| match self.kind {
            TextKind::Number => c.is_ascii_digit() || matches!(c, '.' | '-'),
            TextKind::Text | TextKind::Email | TextKind::Url => true,
        };
        let room = self.max_length.map_or(usize::MAX, |length| length as usize);
        let typed: String = text.chars().filter(is_typed).collect();
        let fitting = self.fit(&typed);
        fitting.chars().take(room.saturating_sub(others)).collect()
    }
}

impl Field {
    pub fn lettering(&self) -> TextLook {
        TextLook {
            lines: if self.multiline {
                self.max_lines
            } else {
                Some(1)
            },
            ..TextLook::new(TextRole::BodyLarge, ColorRole::Text)
        }
    }
}
