//! Paints the keys of the on-screen keyboard.

use draw::{Align, TextRole, Vertical, Weight};
use sim_format::widget::{KeyCap, KeyCode};

use super::Painter;

pub(super) fn paint(key: &KeyCap, to: &mut Painter<'_>) {
    let palette = to.theme.palette;
    let (across, down) = (to.theme.dp(2.5), to.theme.dp(4.0));
    let mut body = to.rect;
    body.left += across;
    body.right -= across;
    body.top += down;
    body.bottom -= down;
    let (ground, ink) = match key.code {
        KeyCode::Type(_) => (palette.key, palette.text),
        KeyCode::Action => (palette.primary, palette.on_primary),
        KeyCode::Shift | KeyCode::Delete | KeyCode::Symbols | KeyCode::Letters => {
            (palette.function_key, palette.text)
        }
    };
    to.fill(body, to.theme.px(6.0), ground);
    match key.icon {
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
            let role = match key.code {
                KeyCode::Type(_) => TextRole::TitleLarge,
                _ => TextRole::LabelLarge,
            };
            let style = to
                .theme
                .text(role)
                .color(ink)
                .align(Align::Center)
                .weight(Weight::Regular);
            to.text(&key.cap, body, style, Vertical::Center);
        }
    }
}
