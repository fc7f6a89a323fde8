//! Paths of rounded rectangles, arcs and polylines, for any input.

use tiny_skia::{LineCap, LineJoin, Path, PathBuilder, Rect, Stroke};

pub(super) const MAX_WIDTH: f32 = 4096.0;
/// Length of the Bézier handles that approximate a quarter of a circle of radius 1.
const QUARTER: f32 = 0.552_284_8;
/// Clamps `value` to the bounds; NaN becomes the lower one.
pub(super) fn within(value: f32, low: f32, high: f32) -> f32 {
    if value.is_nan() {
        low
    } else {
        value.clamp(low, high)
    }
}

/// Returns a rounded rectangle; the radius is limited to half the shorter side.
pub(super) fn round_rect(rect: Rect, radius: f32) -> Option<Path> {
    let radius = within(radius, 0.0, rect.width().min(rect.height()) / 2.0);
    if radius == 0.0 {
        return Some(PathBuilder::from_rect(rect));
    }
    let (left, top, right, bottom) = (rect.left(), rect.top(), rect.right(), rect.bottom());
    let near = radius * (1.0 - QUARTER);
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.cubic_to(right - near, top, right, top + near, right, top + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(
        right,
        bottom - near,
        right - near,
        bottom,
        right - radius,
        bottom,
    );
    path.line_to(left + radius, bottom);
    path.cubic_to(
        left + near,
        bottom,
        left,
        bottom - near,
        left,
        bottom - radius,
    );
    path.line_to(left, top + radius);
    path.cubic_to(left, top + near, left + near, top, left + radius, top);
    path.close();
    path.finish()
}

/// Moves each edge of a rectangle inwards by `by`, outwards if negative.
pub(super) fn inset(rect: Rect, by: f32) -> Option<Rect> {
    Rect::from_ltrb(
        rect.left() + by,
        rect.top() + by,
        rect.right() - by,
        rect.bottom() - by,
    )
}

/// Adds an arc between two angles, in degrees clockwise from twelve o'clock.
pub(super) fn push_arc(
    path: &mut PathBuilder,
    center: (f32, f32),
    radius: f32,
    from: f32,
    to: f32,
) {
    let point = |degrees: f32| {
        let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
        let (sin, cos) = (sin as f32 * radius, cos as f32 * radius);
        // The position, and the tangent in clockwise direction.
        ((center.0 + sin, center.1 - cos), (cos, sin))
    };
    let pieces = ((to - from).abs() / 90.0).ceil().clamp(1.0, 4.0);
    let step = (to - from) / pieces;
    let handle = 4.0 / 3.0 * (f64::from(step).to_radians() / 4.0).tan() as f32;
    let ((x, y), _) = point(from);
    if path.is_empty() {
        path.move_to(x, y);
    } else {
        path.line_to(x, y);
    }
    for piece in 0..pieces as u8 {
        let start = from + step * f32::from(piece);
        let ((ax, ay), (adx, ady)) = point(start);
        let ((bx, by), (bdx, bdy)) = point(start + step);
        path.cubic_to(
            ax + adx * handle,
            ay + ady * handle,
            bx - bdx * handle,
            by - bdy * handle,
            bx,
            by,
        );
    }
}

/// Returns a path of polylines; points that are not finite are left out.
pub(super) fn chain_path(chains: &[Vec<(f32, f32)>], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for chain in chains {
        let mut points = chain.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
        let Some((x, y)) = points.next() else {
            continue;
        };
        path.move_to(*x, *y);
        points.for_each(|(x, y)| path.line_to(*x, *y));
        if closed {
            path.close();
        }
    }
    path.finish()
}

/// Returns a stroke with round caps and joins.
pub(super) fn round_stroke(width: f32) -> Stroke {
    Stroke {
        width: within(width, 0.0, MAX_WIDTH),
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..Stroke::default()
    }
}
