//! Float geometry under the shapes: rounded boxes, segments and angles, safe for any input.

use uitree::Rect;

/// Coordinates beyond this are drawn as if they were here; no screen reaches that far, and
/// everything within stays exact in an `f32`.
const FAR: i32 = 1 << 20;

/// `value` when it is a number within the bounds, else the nearest bound (the lower one for NaN).
pub(super) fn within(value: f32, low: f32, high: f32) -> f32 {
    if value.is_nan() {
        low
    } else {
        value.clamp(low, high)
    }
}

/// The rectangle with its edges brought within reach.
pub(super) fn reachable(rect: Rect) -> Rect {
    let near = |edge: i32| edge.clamp(-FAR, FAR);
    Rect::new(
        near(rect.left),
        near(rect.top),
        near(rect.right),
        near(rect.bottom),
    )
}

/// A share between 0 and 1 as eight bits.
pub(super) fn to_coverage(share: f32) -> u8 {
    (within(share, 0.0, 1.0) * 255.0 + 0.5) as u8
}

/// A rectangle with round corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RoundBox {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) right: f32,
    pub(super) bottom: f32,
    pub(super) radius: f32,
}

impl RoundBox {
    /// The box of a pixel rectangle; the radius is limited to half the shorter side.
    pub(super) fn new(rect: Rect, radius: f32) -> Self {
        let rect = reachable(rect);
        Self {
            left: rect.left as f32,
            top: rect.top as f32,
            right: rect.right as f32,
            bottom: rect.bottom as f32,
            radius: 0.0,
        }
        .with_radius(radius)
    }

    /// The same box with another radius, limited to half the shorter side.
    pub(super) fn with_radius(self, radius: f32) -> Self {
        let half = (self.right - self.left)
            .min(self.bottom - self.top)
            .max(0.0)
            / 2.0;
        Self {
            radius: within(radius, 0.0, half),
            ..self
        }
    }

    /// The box with each edge moved inwards by `by` (outwards when negative).
    pub(super) fn inset(self, by: f32) -> Self {
        Self {
            left: self.left + by,
            top: self.top + by,
            right: self.right - by,
            bottom: self.bottom - by,
            radius: (self.radius - by).max(0.0),
        }
    }

    /// The box moved down by `by`.
    pub(super) fn lowered(self, by: f32) -> Self {
        Self {
            top: self.top + by,
            bottom: self.bottom + by,
            ..self
        }
    }

    /// Whether nothing is inside.
    pub(super) fn is_empty(&self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    /// Distance from a point to the edge, negative inside.
    pub(super) fn distance(&self, x: f32, y: f32) -> f32 {
        let away_x = (self.left - x).max(x - self.right) + self.radius;
        let away_y = (self.top - y).max(y - self.bottom) + self.radius;
        let inside = away_x.max(away_y).min(0.0);
        let (out_x, out_y) = (away_x.max(0.0), away_y.max(0.0));
        let outside = if out_x == 0.0 {
            out_y
        } else if out_y == 0.0 {
            out_x
        } else {
            (out_x * out_x + out_y * out_y).sqrt()
        };
        inside + outside - self.radius
    }

    /// Share of the pixel at column `x`, row `y` that is inside, from 0 to 1.
    pub(super) fn share(&self, x: i32, y: i32) -> f32 {
        within(
            0.5 - self.distance(x as f32 + 0.5, y as f32 + 0.5),
            0.0,
            1.0,
        )
    }
}

/// Distance from a point to the straight piece between `a` and `b`, squared.
pub(super) fn distance_squared(point: (f32, f32), a: (f32, f32), b: (f32, f32)) -> f32 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (px, py) = (point.0 - a.0, point.1 - a.1);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 {
        within((px * dx + py * dy) / length, 0.0, 1.0)
    } else {
        0.0
    };
    let (ox, oy) = (px - along * dx, py - along * dy);
    ox * ox + oy * oy
}

/// The point on the unit circle `degrees` clockwise from twelve o'clock.
///
/// The platform's own sine differs from machine to machine in its last bit; this one does not.
pub(super) fn on_circle(degrees: f32) -> (f32, f32) {
    let turned = if degrees.is_finite() {
        f64::from(degrees).rem_euclid(360.0)
    } else {
        0.0
    };
    let quarter = (turned / 90.0) as u32;
    let angle = (turned - f64::from(quarter) * 90.0) * (std::f64::consts::PI / 180.0);
    let (sin, cos) = (sine(angle), sine(std::f64::consts::FRAC_PI_2 - angle));
    let (x, y) = match quarter {
        0 => (sin, -cos),
        1 => (cos, sin),
        2 => (-sin, cos),
        _ => (-cos, -sin),
    };
    (x as f32, y as f32)
}

/// Sine of an angle in the first quarter, by its power series.
fn sine(angle: f64) -> f64 {
    let square = angle * angle;
    let mut term = angle;
    let mut sum = angle;
    for step in 1..9 {
        let n = f64::from(2 * step);
        term *= -square / (n * (n + 1.0));
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_the_circle() {
        let close =
            |(x, y): (f32, f32), (u, v): (f32, f32)| (x - u).abs() < 1e-6 && (y - v).abs() < 1e-6;
        let half = 0.5_f32.sqrt();
        for (degrees, expected) in [
            (0.0, (0.0, -1.0)),
            (90.0, (1.0, 0.0)),
            (180.0, (0.0, 1.0)),
            (270.0, (-1.0, 0.0)),
            (45.0, (half, -half)),
            (-45.0, (-half, -half)),
            (720.0, (0.0, -1.0)),
            (f32::NAN, (0.0, -1.0)),
        ] {
            assert!(
                close(on_circle(degrees), expected),
                "{degrees}: {:?}",
                on_circle(degrees)
            );
        }
    }

    #[test]
    fn distance_of_a_rounded_box() {
        let shape = RoundBox::new(Rect::new(0, 0, 100, 50), 10.0);
        assert_eq!(shape.distance(50.0, 25.0), -25.0);
        assert_eq!(shape.distance(50.0, 0.0), 0.0);
        assert_eq!(shape.distance(-3.0, 25.0), 3.0);
        assert!((shape.distance(0.0, 0.0) - (10.0 * 2.0_f32.sqrt() - 10.0)).abs() < 1e-4);
        assert_eq!(
            RoundBox::new(Rect::new(0, 0, 100, 50), f32::INFINITY).radius,
            25.0
        );
        assert_eq!(
            RoundBox::new(Rect::new(0, 0, 100, 50), f32::NAN).radius,
            0.0
        );
        assert_eq!(RoundBox::new(Rect::new(9, 9, 0, 0), 4.0).radius, 0.0);
    }

    #[test]
    fn distance_of_a_segment() {
        assert_eq!(distance_squared((5.0, 3.0), (0.0, 0.0), (10.0, 0.0)), 9.0);
        assert_eq!(distance_squared((-3.0, 4.0), (0.0, 0.0), (10.0, 0.0)), 25.0);
        assert_eq!(distance_squared((3.0, 4.0), (0.0, 0.0), (0.0, 0.0)), 25.0);
    }
}
