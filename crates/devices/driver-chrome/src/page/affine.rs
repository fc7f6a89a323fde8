//! Affine maps: from a document to the page that shows it.

use uitree::Rect;

/// A rectangle: left, top, right and bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Area {
    pub(crate) const EVERYTHING: Area = Area {
        left: f64::NEG_INFINITY,
        top: f64::NEG_INFINITY,
        right: f64::INFINITY,
        bottom: f64::INFINITY,
    };

    /// No area.
    pub(crate) const NOTHING: Area = Area {
        left: 0.0,
        top: 0.0,
        right: 0.0,
        bottom: 0.0,
    };

    /// From left, top, width and height.
    pub(crate) fn sized([x, y, width, height]: [f64; 4]) -> Self {
        Self {
            left: x,
            top: y,
            right: x + width,
            bottom: y + height,
        }
    }

    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// The intersection; inverted if there is none.
    pub(crate) fn intersect(&self, other: &Area) -> Area {
        Area {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The smallest rectangle that contains both.
    pub(crate) fn join(&self, other: &Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    /// The nearest whole pixels, at least one in each direction.
    pub(crate) fn to_rect(self) -> Rect {
        // Casts saturate to the range of pixels.
        let round = |value: f64| value.round() as i32;
        let (left, top) = (round(self.left), round(self.top));
        let (mut right, mut bottom) = (round(self.right), round(self.bottom));
        if self.width() > 0.0 && right <= left {
            right = left.saturating_add(1);
        }
        if self.height() > 0.0 && bottom <= top {
            bottom = top.saturating_add(1);
        }
        Rect::new(left, top, right, bottom)
    }
}

/// A quadrilateral: x and y alternate, clockwise from the original top left corner.
pub(crate) type Quad = [f64; 8];

/// An affine map, which keeps parallels parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    x: [f64; 3],
    y: [f64; 3],
}

impl Affine {
    /// Translates, then scales.
    pub(crate) fn scaled(factor: f64, offset: (f64, f64)) -> Self {
        Self {
            x: [factor, 0.0, factor * offset.0],
            y: [0.0, factor, factor * offset.1],
        }
    }

    /// Maps a rectangle of this width and height, with its top left corner at `origin`, to a quadrilateral.
    /// Perspective is ignored.
    pub(crate) fn onto(quad: &Quad, origin: (f64, f64), width: f64, height: f64) -> Option<Self> {
        if width <= 0.0 || height <= 0.0 {
            return None;
        }
        let [x0, y0, x1, y1, _, _, x3, y3] = *quad;
        let (ax, ay) = ((x1 - x0) / width, (y1 - y0) / width);
        let (bx, factor) = ((x3 - x0) / height, (y3 - y0) / height);
        Some(Self {
            x: [ax, bx, x0 - ax * origin.0 - bx * origin.1],
            y: [ay, factor, y0 - ay * origin.0 - factor * origin.1],
        })
    }

    /// This map, then `next`.
    pub(crate) fn then(&self, next: &Affine) -> Affine {
        let row = |row: &[f64; 3]| {
            [
                row[0] * self.x[0] + row[1] * self.y[0],
                row[0] * self.x[1] + row[1] * self.y[1],
                row[0] * self.x[2] + row[1] * self.y[2] + row[2],
            ]
        };
        Affine {
            x: row(&next.x),
            y: row(&next.y),
        }
    }

    pub(crate) fn point(&self, x: f64, y: f64) -> (f64, f64) {
        (
            self.x[0] * x + self.x[1] * y + self.x[2],
            self.y[0] * x + self.y[1] * y + self.y[2],
        )
    }

    pub(crate) fn quad(&self, quad: &Quad) -> Quad {
        let mut mapped = [0.0; 8];
        for (to, from) in mapped.chunks_exact_mut(2).zip(quad.chunks_exact(2)) {
            if let ([x, y], [from_x, from_y]) = (to, from) {
                (*x, *y) = self.point(*from_x, *from_y);
            }
        }
        mapped
    }

    /// The bounding rectangle of the mapped `area`.
    pub(crate) fn area(&self, area: &Area) -> Area {
        let is_axis_aligned = self.x[1] == 0.0 && self.y[0] == 0.0;
        let quad = self.quad(&[
            area.left,
            area.top,
            area.right,
            area.top,
            area.right,
            area.bottom,
            area.left,
            area.bottom,
        ]);
        if is_axis_aligned && self.x[0] > 0.0 && self.y[1] > 0.0 {
            return Area {
                left: quad[0],
                top: quad[1],
                right: quad[4],
                bottom: quad[5],
            };
        }
        bounding_area(&quad)
    }
}

/// The bounding rectangle of a quadrilateral.
pub(crate) fn bounding_area(quad: &Quad) -> Area {
    let [x0, y0, x1, y1, x2, y2, x3, y3] = *quad;
    Area {
        left: x0.min(x1).min(x2).min(x3),
        top: y0.min(y1).min(y2).min(y3),
        right: x0.max(x1).max(x2).max(x3),
        bottom: y0.max(y1).max(y2).max(y3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotated_frame_rotates_its_content() {
        // A frame of 200 by 100, rotated by a quarter turn: its top left corner is at the top right.
        let quad = [300.0, 50.0, 300.0, 250.0, 200.0, 250.0, 200.0, 50.0];
        let map = Affine::onto(&quad, (0.0, 10.0), 200.0, 100.0).unwrap();
        assert_eq!(map.point(0.0, 10.0), (300.0, 50.0));
        assert_eq!(map.point(200.0, 110.0), (200.0, 250.0));
        let area = map.area(&Area::sized([0.0, 10.0, 20.0, 10.0]));
        assert_eq!(area.to_rect(), Rect::new(290, 50, 300, 70));
        let twice = map.then(&Affine::scaled(2.0, (-100.0, 0.0)));
        assert_eq!(twice.point(0.0, 10.0), (400.0, 100.0));
        assert_eq!(Affine::onto(&quad, (0.0, 0.0), 0.0, 100.0), None);
    }

    #[test]
    fn thin_line_keeps_one_pixel() {
        assert_eq!(
            Area::sized([0.2, 0.2, 5.0, 0.1]).to_rect(),
            Rect::new(0, 0, 5, 1)
        );
        assert!(Area::sized([3.0, 3.0, 0.0, 10.0]).to_rect().is_empty());
    }
}
