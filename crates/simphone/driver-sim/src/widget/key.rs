//! The keys of the on-screen keyboard.

use uitree::State;

use draw::{Align, TextRole, Vertical, Weight};

use super::element::Brush;

/// A key and what it does.
#[derive(Clone, Debug)]
pub(crate) struct KeyCap {
    pub(crate) cap: String,
    pub(crate) icon: Option<&'static str>,
    pub(crate) code: KeyCode,
}

/// What a key of the keyboard does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyCode {
    Type(char),
    Shift,
    Delete,
    Symbols,
    Letters,
    Action,
}

impl KeyCap {
    pub(super) const fn state() -> State {
        State::CLICKABLE
    }

    pub(super) fn paint(&self, to: &mut Brush<'_>) {
        let palette = to.theme.palette;
        let (across, down) = (to.theme.dp(2.5), to.theme.dp(4.0));
        let mut body = to.rect;
        body.left += across;
        body.right -= across;
        body.top += down;
        body.bottom -= down;
        let (ground, ink) = match self.code {
            KeyCode::Type(_) => (palette.key, palette.text),
            KeyCode::Action => (palette.primary, palette.on_primary),
            KeyCode::Shift | KeyCode::Delete | KeyCode::Symbols | KeyCode::Letters => {
                (palette.function_key, palette.text)
            }
        };
        to.fill(body, to.theme.px(6.0), ground);
        match self.icon {
            Some(icon) => {
                let side = to.theme.dp(22.0);
                let middle = body.center();
                let left = middle.x - side / 2;
                let top = middle.y - side / 2;
                to.icon(
                    icon,
                    uitree::Rect::new(left, top, left + side, top + side),
                    ink,
                );
            }
            None => {
                let role = match self.code {
                    KeyCode::Type(_) => TextRole::TitleLarge,
                    _ => TextRole::LabelLarge,
                };
                let style = to
                    .theme
                    .text(role)
                    .color(ink)
                    .align(Align::Center)
                    .weight(Weight::Regular);
                to.text(&self.cap, body, style, Vertical::Center);
            }
        }
    }
}
