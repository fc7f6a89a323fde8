//! `switch`, `checkbox` and `radio`.

use uitree::State;

use crate::expr::Template;
use crate::reader::Reader;
use crate::style::ColorRole;
use draw::TextRole;

use super::part::{Check, OptionRole};
use super::read::Body;
use super::text::TextLook;

#[derive(Debug)]
pub struct Toggle {
    pub shape: Shape,
    pub text: Template,
    pub check: Check,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Switch,
    CheckBox,
    Radio,
}

impl Toggle {
    pub(crate) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        let shape = match body.name {
            "checkbox" => Shape::CheckBox,
            "radio" => Shape::Radio,
            _ => Shape::Switch,
        };
        let text = body.template(reader, "text");
        let fields = &mut body.fields;
        let one_of = if shape == Shape::Radio {
            OptionRole::Always
        } else {
            OptionRole::Never
        };
        Self {
            shape,
            text: text.unwrap_or_default(),
            check: Check::read(reader, fields, one_of),
        }
    }

    pub const fn class(&self) -> &'static str {
        match self.shape {
            Shape::Switch => "android.widget.Switch",
            Shape::CheckBox => "android.widget.CheckBox",
            Shape::Radio => "android.widget.RadioButton",
        }
    }

    pub const fn state(on: bool) -> State {
        let state = State::CHECKABLE
            .union(State::CLICKABLE)
            .union(State::FOCUSABLE);
        if on {
            state.union(State::CHECKED)
        } else {
            state
        }
    }

    pub fn lettering() -> TextLook {
        TextLook::new(TextRole::BodyLarge, ColorRole::Text)
    }
}
