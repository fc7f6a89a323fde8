//! Measures and paints text fields.

use draw::{TextRole, Theme, Vertical};
use sim_format::widget::{Decoration, Field};

use super::field_text::text_box;
use super::{Content, Painter};
use crate::ruler::Ruler;

/// Returns the space before and after the text, for an icon and a button.
pub(super) fn sides(field: &Field, theme: &Theme) -> (i32, i32) {
    let edge = theme.dp(if field.plain { 4.0 } else { 16.0 });
    let icon = field.icon.as_ref().map_or(0, |_| theme.dp(40.0));
    let decoration = field.decoration.as_ref();
    let button = decoration.is_some_and(Decoration::has_end_icon);
    let end = if button { theme.dp(48.0) } else { edge };
    (edge + icon, end)
}

pub(super) fn measure(
    field: &Field,
    shown: &str,
    ruler: &mut Ruler,
    width: Option<f32>,
) -> (f32, f32) {
    let theme = *ruler.theme();
    let (before, behind) = sides(field, &theme);
    let across = if field.plain && field.icon.is_none() && field.decoration.is_none() {
        theme.px(32.0)
    } else {
        (before + behind) as f32
    };
    let room = width.map(|width| (width - across).max(1.0));
    let (w, h) = ruler.measure(shown, &field.lettering().style(&theme), room);
    (
        (w + across).max(theme.px(200.0)),
        (h + theme.px(32.0)).round(),
    )
}

pub(super) fn paint(field: &Field, content: &Content, to: &mut Painter<'_>) {
    let Content::Field {
        shown: text,
        hint,
        placeholder,
        wrong,
        ..
    } = content
    else {
        return;
    };
    let palette = to.theme.palette;
    let line = match (wrong, to.focused) {
        (true, _) => palette.error,
        (false, true) => palette.primary,
        (false, false) => palette.outline,
    };
    if !field.plain {
        let radius = to.radius.unwrap_or_else(|| to.theme.px(8.0));
        let width = to.theme.px(if to.focused { 2.0 } else { 1.0 });
        to.stroke_wide(to.rect, radius, width, line);
    }
    let words = text_box(field, text, (to.rect, to.inner), to.theme);
    if let Some(icon) = &field.icon {
        let side = to.theme.dp(24.0);
        let left = to.inner.left + to.theme.dp(if field.plain { 4.0 } else { 16.0 });
        let top = to.inner.center().y - side / 2;
        let square = uitree::Rect::new(left, top, left + side, top + side);
        to.icon(icon, square, palette.text_secondary);
    }
    let mut style = field.lettering().style(to.theme);
    style.align = field.align;
    let raised = field.label.is_some() && (to.focused || !text.is_empty());
    if raised {
        paint_label(hint, line, to);
    }
    let muted = if raised { placeholder } else { hint };
    if text.is_empty() {
        let vertical = match field.multiline {
            true => Vertical::Top,
            false => Vertical::Center,
        };
        style.color = palette.text_secondary;
        to.text(muted, words.mirrored(words.words), style, vertical);
        style.color = palette.text;
    } else if !to.enabled {
        style.color = palette.text_disabled;
    }
    // A read-only field has no cursor, but can have a selection.
    let cursor = to.cursor.filter(|_| !field.read_only);
    words.paint(cursor, to, style);
}

/// Paints the label on the upper edge of its field.
fn paint_label(label: &str, color: draw::Color, to: &mut Painter<'_>) {
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
