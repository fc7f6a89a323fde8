//! Measures and paints sliders and progress bars.

use draw::{Paint, Theme};
use sim_format::widget::Range;
use uitree::{Point, Rect};

use super::Painter;

/// The distance of a slider's track from the edges.
const INSET: f32 = 10.0;

pub(super) fn measure(range: &Range, theme: &Theme) -> (f32, f32) {
    match (&range.bind, range.round) {
        (Some(_), _) => (theme.px(200.0), theme.px(48.0).round()),
        (None, true) => (theme.px(40.0).round(), theme.px(40.0).round()),
        (None, false) => (theme.px(200.0), theme.px(16.0).round()),
    }
}

pub(super) fn paint(range: &Range, share: Option<f32>, to: &mut Painter<'_>) {
    let palette = to.theme.palette;
    if range.round {
        to.push(Paint::Arc {
            rect: to.inner,
            start: 0.0,
            sweep: share.unwrap_or(0.75) * 360.0,
            width: to.theme.px(4.0),
            color: palette.primary,
        });
        return;
    }
    let slider = range.bind.is_some();
    let inset = if slider { to.theme.dp(INSET) } else { 0 };
    let middle = to.inner.center().y;
    let half = to.theme.dp(2.0);
    let (left, right) = (to.inner.left + inset, to.inner.right - inset);
    let reach = left + ((right - left) as f32 * share.unwrap_or(0.4)) as i32;
    let active = if to.enabled {
        palette.primary
    } else {
        palette.text_disabled
    };
    to.fill(
        Rect::new(left, middle - half, right, middle + half),
        half as f32,
        palette.surface_variant,
    );
    to.fill(
        Rect::new(left, middle - half, reach, middle + half),
        half as f32,
        active,
    );
    if slider {
        to.push(Paint::Circle {
            center: Point::new(reach, middle),
            radius: to.theme.px(10.0),
            color: active,
        });
    }
}
