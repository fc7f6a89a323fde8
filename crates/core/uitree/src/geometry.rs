//! Points, sizes and rectangles in device pixels.

use std::fmt;

/// A width and a height in device pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Size {
    /// Pixels from left to right.
    pub width: i32,
    /// Pixels from top to bottom.
    pub height: i32,
}

impl Size {
    /// A size of `width` by `height` device pixels.
    pub const fn new(width: i32, height: i32) -> Self {
        Self { width, height }
    }

    /// The rectangle of this size whose top left corner is the origin.
    pub const fn to_rect(self) -> Rect {
        Rect::new(0, 0, self.width, self.height)
    }
}

/// A position in device pixels, from the top left corner of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point {
    /// Pixels to the right.
    pub x: i32,
    /// Pixels down.
    pub y: i32,
}

impl Point {
    /// The point `x` pixels to the right and `y` pixels down.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}

/// A rectangle in device pixels; `right` and `bottom` lie one past the last pixel.
///
/// Real screens hold inverted and empty rectangles; they are kept as they are and count as empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// First column.
    pub left: i32,
    /// First row.
    pub top: i32,
    /// One past the last column.
    pub right: i32,
    /// One past the last row.
    pub bottom: i32,
}

impl Rect {
    /// A rectangle from its four edges.
    pub const fn new(left: i32, top: i32, right: i32, bottom: i32) -> Self {
        Self {
            left,
            top,
            right,
            bottom,
        }
    }

    /// Width in pixels; negative when the edges are inverted.
    pub const fn width(&self) -> i32 {
        self.right.saturating_sub(self.left)
    }

    /// Height in pixels; negative when the edges are inverted.
    pub const fn height(&self) -> i32 {
        self.bottom.saturating_sub(self.top)
    }

    /// Width times height, without overflow.
    pub(crate) fn area(&self) -> i128 {
        i128::from(self.width()) * i128::from(self.height())
    }

    /// Whether it contains no pixel.
    pub const fn is_empty(&self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    /// The pixel in the middle.
    pub const fn center(&self) -> Point {
        Point::new(
            self.left.saturating_add(self.width() / 2),
            self.top.saturating_add(self.height() / 2),
        )
    }

    /// The pixels that lie in both, or `None` when there are none.
    pub fn intersect(&self, other: &Rect) -> Option<Rect> {
        let both = Rect::new(
            self.left.max(other.left),
            self.top.max(other.top),
            self.right.min(other.right),
            self.bottom.min(other.bottom),
        );
        (!both.is_empty()).then_some(both)
    }

    /// Whether they have a row of pixels in common.
    pub const fn shares_row(&self, other: &Rect) -> bool {
        self.top < other.bottom && other.top < self.bottom
    }

    /// Whether they have a column of pixels in common.
    pub const fn shares_column(&self, other: &Rect) -> bool {
        self.left < other.right && other.left < self.right
    }

    /// The smallest rectangle that contains both.
    #[must_use]
    pub fn union(self, other: Rect) -> Rect {
        Rect::new(
            self.left.min(other.left),
            self.top.min(other.top),
            self.right.max(other.right),
            self.bottom.max(other.bottom),
        )
    }

    /// Whether it contains the pixel at `point`.
    pub const fn contains(&self, point: Point) -> bool {
        point.x >= self.left && point.x < self.right && point.y >= self.top && point.y < self.bottom
    }
}

/// Written as UI Automator writes bounds: `[left,top][right,bottom]`.
impl fmt::Display for Rect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "[{},{}][{},{}]",
            self.left, self.top, self.right, self.bottom
        )
    }
}
