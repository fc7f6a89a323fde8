//! Paints the backgrounds of groups.

use sim_format::widget::Skin;
use uitree::Rect;

use super::Painter;

pub(super) fn paint(skin: Skin, to: &mut Painter<'_>) {
    let palette = to.theme.palette;
    let rect = to.rect;
    match skin {
        Skin::None => {}
        Skin::Chip => {
            let inset = ((rect.height() - to.theme.dp(32.0)) / 2).max(0);
            let body = Rect::new(rect.left, rect.top + inset, rect.right, rect.bottom - inset);
            let radius = to.radius.unwrap_or_else(|| to.theme.px(8.0));
            if to.lit {
                to.fill(body, radius, palette.secondary_container);
            } else {
                to.stroke(body, radius, palette.outline);
            }
        }
        Skin::Tab => {
            if to.lit {
                let line = to.theme.dp(3.0);
                let inset = to.theme.dp(16.0).min(rect.width() / 4);
                to.fill(
                    Rect::new(
                        rect.left + inset,
                        rect.bottom - line,
                        rect.right - inset,
                        rect.bottom,
                    ),
                    line as f32 / 2.0,
                    palette.primary,
                );
            }
        }
        Skin::Pill => {
            if to.lit {
                to.fill(
                    rect,
                    rect.height() as f32 / 2.0,
                    palette.secondary_container,
                );
            }
        }
        Skin::Fab => {
            let radius = to.radius.unwrap_or_else(|| to.theme.px(16.0));
            to.push(draw::Paint::Shadow {
                rect,
                radius,
                elevation: to.theme.px(6.0),
            });
            to.fill(rect, radius, palette.primary_container);
        }
        Skin::Badge => to.fill(rect, rect.height() as f32 / 2.0, palette.error),
    }
}
