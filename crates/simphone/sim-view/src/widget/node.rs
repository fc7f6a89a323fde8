//! Paints the nodes of static screens.

use draw::{Align, Paint, TextStyle, Vertical, Weight, measure};
use sim_format::widget::StaticNode;
use uitree::{Rect, Role};

use super::Painter;

/// Paints a node according to its role.
pub(super) fn paint(node: &StaticNode, label: &str, on: bool, to: &mut Painter<'_>) {
    let palette = to.theme.palette;
    let rect = to.rect;
    let ink = if to.enabled {
        palette.text
    } else {
        palette.text_disabled
    };
    let words = if node.text.is_empty() && !node.holds {
        label
    } else {
        &node.text
    };
    match node.role {
        Role::Button | Role::Chip | Role::Toggle => {
            let radius = (rect.height() as f32 / 2.0).min(to.theme.px(20.0));
            to.fill(rect, radius, palette.primary_container);
            let style = TextStyle::new(1.0, palette.on_primary_container)
                .weight(Weight::Medium)
                .align(Align::Center);
            letters(to, words, style, Vertical::Center);
        }
        Role::Switch | Role::CheckBox | Role::Radio => {
            let side = rect.height().min(rect.width()).min(to.theme.dp(24.0));
            let top = rect.center().y - side / 2;
            let icon = match (node.role, on) {
                (Role::Radio, true) => "radio_checked",
                (Role::Radio, false) => "radio",
                (_, true) => "checkbox_checked",
                (_, false) => "checkbox",
            };
            let square = Rect::new(rect.right - side, top, rect.right, top + side);
            let color = if on { palette.primary } else { palette.outline };
            to.icon(icon, square, color);
            to.rect.right -= side;
            letters(to, words, TextStyle::new(1.0, ink), Vertical::Center);
            to.rect = rect;
        }
        Role::Image | Role::Icon if !node.holds => {
            let radius = to.theme.px(4.0).min(rect.height() as f32 / 4.0);
            to.fill(rect, radius, palette.surface_variant);
            let half = rect.width().min(rect.height()) / 4;
            let middle = rect.center();
            let square = Rect::new(
                middle.x - half,
                middle.y - half,
                middle.x + half,
                middle.y + half,
            );
            to.icon("image", square, palette.text_secondary);
        }
        Role::Progress | Role::Slider => {
            let thick = to.theme.dp(4.0).min(rect.height());
            let top = rect.center().y - thick / 2;
            let line = Rect::new(rect.left, top, rect.right, top + thick);
            to.fill(line, thick as f32 / 2.0, palette.surface_variant);
            let third = Rect {
                right: rect.left + rect.width() / 3,
                ..line
            };
            to.fill(third, thick as f32 / 2.0, palette.primary);
        }
        Role::Heading | Role::Title => {
            let style = TextStyle::new(1.0, ink).weight(Weight::Medium);
            letters(to, words, style, Vertical::Center);
        }
        _ => {
            if node.scrollable || (node.clickable && node.holds) {
                to.stroke(rect, 0.0, palette.divider);
            }
            letters(to, words, TextStyle::new(1.0, ink), Vertical::Center);
        }
    }
}

/// Paints text as large as fits its bounds, because the tree has no font size.
fn letters(to: &mut Painter<'_>, words: &str, mut style: TextStyle, vertical: Vertical) {
    let rect = to.rect;
    if words.trim().is_empty() || rect.is_empty() {
        return;
    }
    let (width, height) = (rect.width() as f32, rect.height() as f32);
    let mut size = (height * 0.72).min(to.theme.px(22.0));
    let min_size = to.theme.px(6.0).min(size);
    style.size = size;
    while size > min_size {
        style.size = size;
        let (w, h) = measure(words, &style, Some(width));
        if w <= width && h <= height {
            break;
        }
        size *= 0.9;
    }
    to.push(Paint::PushClip { rect, radius: 0.0 });
    to.text(words, rect, style, vertical);
    to.push(Paint::PopClip);
}
