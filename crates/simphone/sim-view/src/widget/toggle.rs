//! Measures and paints switches, check boxes and radio buttons.

use draw::{Paint, Theme, Vertical};
use sim_format::widget::{Shape, Toggle};
use uitree::Rect;

use super::Painter;

/// Returns width and height of the switch, box or radio mark.
fn mark(toggle: &Toggle, theme: &Theme) -> (i32, i32) {
    match toggle.shape {
        Shape::Switch => (theme.dp(52.0), theme.dp(32.0)),
        Shape::CheckBox | Shape::Radio => (theme.dp(20.0), theme.dp(20.0)),
    }
}

pub(super) fn extra(toggle: &Toggle, has_text: bool, theme: &Theme) -> (f32, f32) {
    let (width, _) = mark(toggle, theme);
    let gap = if has_text { theme.px(16.0) } else { 0.0 };
    let side = match toggle.shape {
        Shape::Switch => 0.0,
        Shape::CheckBox | Shape::Radio => theme.px(24.0),
    };
    (width as f32 + gap + side, theme.px(48.0).round())
}

pub(super) fn paint(toggle: &Toggle, text: &str, on: bool, to: &mut Painter<'_>) {
    let palette = to.theme.palette;
    let (width, height) = mark(toggle, to.theme);
    let middle = to.inner.center().y;
    let side = match toggle.shape {
        Shape::Switch => 0,
        Shape::CheckBox | Shape::Radio => to.theme.dp(12.0),
    };
    let left = match toggle.shape {
        Shape::Switch => to.inner.right - width,
        Shape::CheckBox | Shape::Radio => to.inner.left + side,
    };
    let mark = Rect::new(
        left,
        middle - height / 2,
        left + width,
        middle - height / 2 + height,
    );
    let line = match (to.enabled, on) {
        (false, _) => palette.text_disabled,
        (true, true) => palette.primary,
        (true, false) => palette.outline,
    };
    match toggle.shape {
        Shape::Switch => paint_switch(mark, on, to),
        Shape::CheckBox => {
            let radius = to.theme.px(3.0);
            if on {
                to.fill(mark, radius, line);
                to.icon("check", mark, palette.on_primary);
            } else {
                to.stroke_wide(mark, radius, to.theme.px(2.0), line);
            }
        }
        Shape::Radio => {
            to.stroke_wide(mark, height as f32 / 2.0, to.theme.px(2.0), line);
            if on {
                to.push(Paint::Circle {
                    center: mark.center(),
                    radius: to.theme.px(5.0),
                    color: line,
                });
            }
        }
    }
    let mut words = to.inner;
    match toggle.shape {
        Shape::Switch => words.right = mark.left - to.theme.dp(16.0),
        Shape::CheckBox | Shape::Radio => words.left = mark.right + to.theme.dp(16.0),
    }
    let mut style = Toggle::lettering().style(to.theme);
    if !to.enabled {
        style.color = palette.text_disabled;
    }
    to.text(text, words, style, Vertical::Center);
}

fn paint_switch(track: Rect, on: bool, to: &mut Painter<'_>) {
    let palette = to.theme.palette;
    let radius = track.height() as f32 / 2.0;
    let (ground, thumb) = match (to.enabled, on) {
        (true, true) => (palette.primary, palette.on_primary),
        (true, false) => (palette.surface_variant, palette.outline),
        (false, true) => (palette.text_disabled, palette.surface),
        (false, false) => (palette.surface_variant, palette.text_disabled),
    };
    to.fill(track, radius, ground);
    if !on {
        to.stroke_wide(track, radius, to.theme.px(2.0), thumb);
    }
    let half = track.height() / 2;
    let x = if on {
        track.right - half
    } else {
        track.left + half
    };
    to.push(Paint::Circle {
        center: uitree::Point::new(x, track.center().y),
        radius: to.theme.px(if on { 12.0 } else { 8.0 }),
        color: thumb,
    });
}
