//! Measures and paints buttons.

use draw::{Align, Theme, Vertical};
use sim_format::widget::{Button, ButtonLook};

use super::Painter;

/// Returns the size that a button needs in addition to its text.
pub(super) fn extra(button: &Button, theme: &Theme) -> (f32, f32) {
    let side = match button.look {
        ButtonLook::Filled | ButtonLook::Tonal | ButtonLook::Outlined => 24.0,
        ButtonLook::Text | ButtonLook::Inverse => 12.0,
    };
    let icon = if button.icon.is_some() { 26.0 } else { 0.0 };
    let height = if button.look == ButtonLook::Text {
        40.0
    } else {
        48.0
    };
    (theme.px(side * 2.0 + icon), theme.px(height))
}

pub(super) fn paint(button: &Button, text: &str, to: &mut Painter<'_>) {
    let palette = to.theme.palette;
    // The touch area is 48 dp high, the button itself 40.
    let inset = ((to.rect.height() - to.theme.dp(40.0)) / 2).clamp(0, to.theme.dp(4.0));
    let mut body = to.rect;
    body.top += inset;
    body.bottom -= inset;
    let radius = to.radius.unwrap_or(body.height() as f32 / 2.0);
    let mut style = button.lettering().style(to.theme);
    let ground = match (button.look, to.enabled) {
        (ButtonLook::Filled, true) => Some(palette.primary),
        (ButtonLook::Tonal, true) => Some(palette.secondary_container),
        (ButtonLook::Filled | ButtonLook::Tonal, false) => Some(palette.surface_variant),
        (ButtonLook::Outlined | ButtonLook::Text | ButtonLook::Inverse, _) => None,
    };
    if let Some(ground) = ground {
        to.fill(body, radius, ground);
    }
    if button.look == ButtonLook::Outlined {
        to.stroke(body, radius, palette.outline);
    }
    if button.look == ButtonLook::Tonal {
        style.color = palette.on_secondary_container;
    }
    if !to.enabled {
        style.color = palette.text_disabled;
    }
    let mut words = body;
    if let Some(icon) = &button.icon {
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
