//! Fills, strokes, gradients, shadows, lines and arcs.

use uitree::{Point, Rect};

use super::Color;
use super::geometry::{RoundBox, distance_squared, reachable, to_coverage, within};
use super::list::Direction;
use super::outline::Outline;
use super::surface::Surface;

/// The widest line and the highest elevation that make sense on a screen.
const WIDEST: f32 = 4096.0;

/// Fills a rounded rectangle with one colour.
pub(super) fn fill(surface: &mut Surface, shape: RoundBox, color: Color) {
    fill_with(surface, shape, |_, _| color, Some(color));
}

/// Fills a rounded rectangle with a linear gradient.
pub(super) fn gradient(
    surface: &mut Surface,
    shape: RoundBox,
    (from, to): (Color, Color),
    direction: Direction,
) {
    let (start, end) = match direction {
        Direction::Horizontal => (shape.left, shape.right),
        Direction::Vertical => (shape.top, shape.bottom),
    };
    let step = 256.0 / (end - start).max(1.0);
    let at = |place: i32| {
        from.mix_256(
            to,
            within((place as f32 + 0.5 - start) * step, 0.0, 256.0) as u32,
        )
    };
    match direction {
        Direction::Horizontal => fill_with(surface, shape, |x, _| at(x), None),
        Direction::Vertical => fill_with(surface, shape, |_, y| at(y), None),
    }
}

/// Fills a rounded rectangle, asking for each pixel's colour; `plain` is that colour when it is
/// the same everywhere.
pub(super) fn fill_with(
    surface: &mut Surface,
    shape: RoundBox,
    color: impl Fn(i32, i32) -> Color,
    plain: Option<Color>,
) {
    if shape.is_empty() {
        return;
    }
    let (left, right) = (shape.left.floor() as i32, shape.right.ceil() as i32);
    for y in surface.rows(shape.top.floor() as i32, shape.bottom.ceil() as i32) {
        let (inner_left, inner_right) = whole_columns(&shape, y);
        let edge = |x: i32| color(x, y).covered(to_coverage(shape.share(x, y)));
        surface.shade(y, left, inner_left, edge);
        match plain {
            Some(plain) => surface.span(y, inner_left, inner_right, plain),
            None => surface.shade(y, inner_left, inner_right, |x| color(x, y)),
        }
        surface.shade(y, inner_right, right, edge);
    }
}

/// The columns of row `y` that are wholly inside the shape; empty in the middle when none do.
fn whole_columns(shape: &RoundBox, y: i32) -> (i32, i32) {
    let (above, below) = (y as f32 - shape.top, shape.bottom - (y + 1) as f32);
    let corner = if above.min(below) < 0.0 {
        // A row cut by a fractional edge has no whole pixel at all.
        (shape.right - shape.left) / 2.0
    } else if above.min(below) < shape.radius {
        shape.radius
    } else {
        0.0
    };
    let (left, right) = (
        (shape.left + corner).ceil() as i32,
        (shape.right - corner).floor() as i32,
    );
    (left, right.max(left))
}

/// Draws the outline of a rounded rectangle, wholly inside it.
pub(super) fn stroke(surface: &mut Surface, shape: RoundBox, width: f32, color: Color) {
    let width = within(width, 0.0, WIDEST);
    if shape.is_empty() || width == 0.0 {
        return;
    }
    let inner = shape.inset(width);
    if inner.is_empty() {
        return fill(surface, shape, color);
    }
    let (left, right) = (shape.left.floor() as i32, shape.right.ceil() as i32);
    let reach = shape.radius.max(width).ceil();
    let (near_left, near_right) = ((shape.left + reach) as i32, (shape.right - reach) as i32);
    for y in surface.rows(shape.top.floor() as i32, shape.bottom.ceil() as i32) {
        let share = |x: i32| {
            let share = shape.share(x, y) - inner.share(x, y);
            color.covered(to_coverage(share))
        };
        if near_left >= near_right {
            surface.shade(y, left, right, share);
            continue;
        }
        surface.shade(y, left, near_left, share);
        // Between the corners every column of a row is the same.
        surface.span(y, near_left, near_right, share(near_left));
        surface.shade(y, near_right, right, share);
    }
}

/// Throws the shadow of a rounded rectangle on the ground below it.
pub(super) fn shadow(surface: &mut Surface, shape: RoundBox, elevation: f32) {
    let elevation = within(elevation, 0.0, WIDEST);
    if shape.is_empty() || elevation < 0.25 {
        return;
    }
    // One light from the whole sky, one from above: the first gives a faint even rim, the
    // second a darker shadow that falls downwards.
    let sky = shape.inset(-elevation * 0.1);
    let lamp = shape.lowered(elevation * 0.5);
    let (sky_blur, lamp_blur) = (elevation * 1.1 + 1.0, elevation * 1.7 + 1.0);
    let reach = elevation * 2.3 + 3.0;
    let area = shape.inset(-reach);
    let (left, right) = (area.left.floor() as i32, area.right.ceil() as i32);
    for y in surface.rows(area.top.floor() as i32, area.bottom.ceil() as i32) {
        let dark = |x: i32| {
            let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
            let sky = fade(soft_distance(&sky, sky_blur, px, py), sky_blur) * 0.10;
            let lamp = fade(soft_distance(&lamp, lamp_blur, px, py), lamp_blur) * 0.20;
            Color::BLACK.with_alpha(to_coverage(sky + lamp - sky * lamp))
        };
        let (hidden_left, hidden_right) = whole_columns(&shape, y);
        if hidden_left >= hidden_right || (y as f32) < shape.top || y as f32 >= shape.bottom {
            let straight = shape.inset(lamp_blur + shape.radius);
            let (from, to) = (straight.left.ceil() as i32, straight.right.floor() as i32);
            if from < to {
                surface.shade(y, left, from, dark);
                surface.span(y, from, to, dark(from));
                surface.shade(y, to, right, dark);
            } else {
                surface.shade(y, left, right, dark);
            }
        } else {
            // What the rectangle itself will cover needs no shadow.
            surface.shade(y, left, hidden_left, dark);
            surface.shade(y, hidden_right, right, dark);
        }
    }
}

/// Distance to a shape whose corners a blur has made rounder.
fn soft_distance(shape: &RoundBox, blur: f32, x: f32, y: f32) -> f32 {
    shape.with_radius(shape.radius + blur * 0.5).distance(x, y)
}

/// The share of a shadow left at a distance from the shape's edge.
fn fade(distance: f32, blur: f32) -> f32 {
    let depth = within((blur - distance) / (2.0 * blur), 0.0, 1.0);
    depth * depth * (3.0 - 2.0 * depth)
}

/// Draws a straight line.
pub(super) fn line(surface: &mut Surface, from: Point, to: Point, width: f32, color: Color) {
    let ends = reachable(Rect::new(from.x, from.y, to.x, to.y));
    let (a, b) = (
        (ends.left as f32, ends.top as f32),
        (ends.right as f32, ends.bottom as f32),
    );
    let half = within(width, 0.0, WIDEST) / 2.0;
    if half == 0.0 {
        return;
    }
    if a.0 == b.0 || a.1 == b.1 {
        let (across_x, across_y) = match (a.0 == b.0, a.1 == b.1) {
            (true, true) => (half, half),
            (true, false) => (half, 0.0),
            _ => (0.0, half),
        };
        let bar = RoundBox {
            left: (a.0.min(b.0) - across_x).round(),
            top: (a.1.min(b.1) - across_y).round(),
            right: (a.0.max(b.0) + across_x).round(),
            bottom: (a.1.max(b.1) + across_y).round(),
            radius: 0.0,
        };
        return fill(surface, bar, color);
    }
    let mut outline = Outline::default();
    outline.move_to(a);
    outline.line_to(b);
    trail(surface, &outline, half, color);
}

/// Draws part of a ring.
pub(super) fn arc(
    surface: &mut Surface,
    rect: Rect,
    (start, sweep): (f32, f32),
    width: f32,
    color: Color,
) {
    let shape = RoundBox::new(rect, 0.0);
    let half = within(width, 0.0, WIDEST) / 2.0;
    let radius = (shape.right - shape.left).min(shape.bottom - shape.top) / 2.0 - half;
    if half == 0.0 || radius <= 0.0 || start.is_nan() || sweep.is_nan() {
        return;
    }
    let sweep = sweep.clamp(-360.0, 360.0);
    let middle = (
        (shape.left + shape.right) / 2.0,
        (shape.top + shape.bottom) / 2.0,
    );
    let mut outline = Outline::default();
    outline.arc_to(middle, radius, start, start + sweep);
    trail(surface, &outline, half, color);
}

/// Draws a chain of straight pieces with round ends and joints.
fn trail(surface: &mut Surface, outline: &Outline, half: f32, color: Color) {
    let Some((left, top, right, bottom)) = outline.extent() else {
        return;
    };
    let reach = half + 1.0;
    let (left, right) = ((left - reach).floor() as i32, (right + reach).ceil() as i32);
    for y in surface.rows((top - reach).floor() as i32, (bottom + reach).ceil() as i32) {
        let middle = y as f32 + 0.5;
        let pieces: Vec<_> = (outline.pieces())
            .filter(|(a, b)| a.1.min(b.1) - reach <= middle && middle <= a.1.max(b.1) + reach)
            .collect();
        surface.shade(y, left, right, |x| {
            let point = (x as f32 + 0.5, middle);
            let nearest = (pieces.iter())
                .map(|(a, b)| distance_squared(point, *a, *b))
                .fold(f32::INFINITY, f32::min);
            color.covered(to_coverage(half + 0.5 - nearest.sqrt()))
        });
    }
}

/// Fills a circle.
pub(super) fn circle(surface: &mut Surface, center: Point, radius: f32, color: Color) {
    let radius = within(radius, 0.0, WIDEST);
    let at = reachable(Rect::new(center.x, center.y, center.x, center.y));
    let shape = RoundBox {
        left: at.left as f32 - radius,
        top: at.top as f32 - radius,
        right: at.left as f32 + radius,
        bottom: at.top as f32 + radius,
        radius,
    };
    fill(surface, shape, color);
}

/// Fills an outline given in pixels.
pub(super) fn fill_outline(surface: &mut Surface, outline: &Outline, color: Color) {
    let Some((left, top, right, bottom)) = outline.extent() else {
        return;
    };
    let reach = Rect::new(
        left.floor() as i32,
        top.floor() as i32,
        right.ceil() as i32,
        bottom.ceil() as i32,
    );
    // Only what can be seen is worth a mask.
    let Some(seen) = reach.intersect(&surface.bounds()) else {
        return;
    };
    let mask = outline
        .clone()
        .moved((-seen.left as f32, -seen.top as f32))
        .filled(seen.width() as usize, seen.height() as usize);
    surface.stamp(&mask, seen.left, seen.top, color);
}
