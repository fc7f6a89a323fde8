//! `button`.

use std::sync::Arc;

use uitree::State;

use crate::expr::Template;
use crate::reader::Reader;
use crate::style::ColorRole;
use draw::TextRole;

use super::read::Body;
use super::text::TextLook;

#[derive(Debug)]
pub struct Button {
    pub text: Template,
    pub icon: Option<Arc<str>>,
    pub look: ButtonLook,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ButtonLook {
    #[default]
    Filled,
    Tonal,
    Outlined,
    Text,
    Inverse,
}

const LOOKS: [(&str, ButtonLook); 4] = [
    ("filled", ButtonLook::Filled),
    ("tonal", ButtonLook::Tonal),
    ("outlined", ButtonLook::Outlined),
    ("text", ButtonLook::Text),
];

impl Button {
    pub const fn new(text: Template, look: ButtonLook) -> Self {
        Self {
            text,
            icon: None,
            look,
        }
    }

    pub(crate) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        let text = body.main_or("text");
        Self {
            text: text.and_then(|at| reader.template(&at)).unwrap_or_default(),
            icon: body.fields.text(reader, "icon"),
            look: body
                .fields
                .word(reader, "style", &LOOKS)
                .unwrap_or_default(),
        }
    }

    pub const fn state() -> State {
        State::CLICKABLE.union(State::FOCUSABLE)
    }

    pub fn lettering(&self) -> TextLook {
        let color = match self.look {
            ButtonLook::Filled => ColorRole::OnPrimary,
            ButtonLook::Tonal => ColorRole::Text,
            ButtonLook::Outlined | ButtonLook::Text => ColorRole::Primary,
            ButtonLook::Inverse => ColorRole::PrimaryContainer,
        };
        TextLook::new(TextRole::LabelLarge, color)
            .centered()
            .lines(1)
    }
}
