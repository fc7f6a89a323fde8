//! `button`: words to press.

use std::sync::Arc;

use uitree::State;

use crate::app::{Ink, Reader, Template};
use draw::{Align, TextRole, Theme, Vertical};

use super::element::Brush;
use super::read::Body;
use super::text::Lettering;

/// Words to press.
#[derive(Debug)]
pub(crate) struct Button {
    pub(crate) text: Template,
    pub(crate) icon: Option<Arc<str>>,
    pub(crate) look: ButtonLook,
}

/// How much a button stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ButtonLook {
    #[default]
    Filled,
    Tonal,
    Outlined,
    Text,
    /// Words on a snackbar.
    Inverse,
}

const LOOKS: [(&str, ButtonLook); 4] = [
    ("filled", ButtonLook::Filled),
    ("tonal", ButtonLook::Tonal),
    ("outlined", ButtonLook::Outlined),
    ("text", ButtonLook::Text),
];

impl Button {
    pub(crate) const fn new(text: Template, look: ButtonLook) -> Self {
        Self {
            text,
            icon: None,
            look,
        }
    }

    pub(super) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
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

    pub(super) const fn state() -> State {
        State::CLICKABLE.union(State::FOCUSABLE)
    }

    pub(crate) fn lettering(&self) -> Lettering {
        let color = match self.look {
            ButtonLook::Filled => Ink::OnPrimary,
            ButtonLook::Tonal => Ink::Text,
            ButtonLook::Outlined | ButtonLook::Text => Ink::Primary,
            ButtonLook::Inverse => Ink::PrimaryContainer,
        };
        Lettering {
            align: Align::Center,
            lines: Some(1),
            ..Lettering::new(TextRole::LabelLarge, color)
        }
    }

    /// What it needs besides its words: room at both sides, and the icon.
    pub(super) fn extra(&self, theme: &Theme) -> (f32, f32) {
        let side = match self.look {
            ButtonLook::Filled | ButtonLook::Tonal | ButtonLook::Outlined => 24.0,
            ButtonLook::Text | ButtonLook::Inverse => 12.0,
        };
        let icon = if self.icon.is_some() { 26.0 } else { 0.0 };
        let height = if self.look == ButtonLook::Text {
            40.0
        } else {
            48.0
        };
        (theme.px(side * 2.0 + icon), theme.px(height))
    }

    pub(super) fn paint(&self, text: &str, to: &mut Brush<'_>) {
        let palette = to.theme.palette;
        // The touch area is 48 dp high, the button itself 40.
        let inset = ((to.rect.height() - to.theme.dp(40.0)) / 2).clamp(0, to.theme.dp(4.0));
        let mut body = to.rect;
        body.top += inset;
        body.bottom -= inset;
        let radius = to.radius.unwrap_or(body.height() as f32 / 2.0);
        let mut style = self.lettering().style(to.theme);
        let ground = match (self.look, to.enabled) {
            (ButtonLook::Filled, true) => Some(palette.primary),
            (ButtonLook::Tonal, true) => Some(palette.secondary_container),
            (ButtonLook::Filled | ButtonLook::Tonal, false) => Some(palette.surface_variant),
            (ButtonLook::Outlined | ButtonLook::Text | ButtonLook::Inverse, _) => None,
        };
        if let Some(ground) = ground {
            to.fill(body, radius, ground);
        }
        if self.look == ButtonLook::Outlined {
            to.stroke(body, radius, palette.outline);
        }
        if self.look == ButtonLook::Tonal {
            style.color = palette.on_secondary_container;
        }
        if !to.enabled {
            style.color = palette.text_disabled;
        }
        let mut words = body;
        if let Some(icon) = &self.icon {
            let side = to.theme.dp(18.0);
            let (width, _) = draw::measure(text, &style, None);
            let gap = to.theme.dp(8.0);
            let whole = side + gap + width.ceil() as i32;
            let left = body.center().x - whole / 2;
            let top = body.center().y - side / 2;
            to.icon(
                icon,
                uitree::Rect::new(left, top, left + side, top + side),
                style.color,
            );
            words.left = left + side + gap;
            words.right = body.right;
            style.align = Align::Start;
        }
        to.text(text, words, style, Vertical::Center);
    }
}
