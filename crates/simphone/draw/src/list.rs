//! The display list: entries to paint, back to front.

use std::borrow::Cow;
use std::sync::Arc;

use uitree::{Point, Rect};

use super::text_style::{TextStyle, Vertical};
use super::{Color, Image};

#[derive(Clone, Debug, PartialEq)]
pub enum Paint {
    Fill {
        rect: Rect,
        /// Corner radius in pixels; limited to half the shorter side.
        radius: f32,
        color: Color,
    },
    /// An outline inside its rectangle.
    Stroke {
        rect: Rect,
        radius: f32,
        width: f32,
        color: Color,
    },
    /// The shadow of a raised rectangle; paint the rectangle itself after it.
    Shadow {
        rect: Rect,
        radius: f32,
        elevation: f32,
    },
    /// A rectangle filled with a gradient from its top to its bottom.
    Gradient {
        rect: Rect,
        radius: f32,
        from: Color,
        to: Color,
    },
    Circle {
        /// The centre, at a corner of the pixel grid.
        center: Point,
        radius: f32,
        color: Color,
    },
    /// An arc just inside the rectangle's inscribed circle, with round ends.
    Arc {
        /// The square around the circle.
        rect: Rect,
        /// Start angle in degrees, clockwise from twelve o'clock.
        start: f32,
        /// Sweep angle in degrees, clockwise.
        sweep: f32,
        width: f32,
        color: Color,
    },
    /// A straight line: square ends when horizontal or vertical, round ends otherwise.
    Line {
        from: Point,
        to: Point,
        width: f32,
        color: Color,
    },
    /// Text wrapped at the rectangle's width.
    Text {
        text: String,
        rect: Rect,
        style: TextStyle,
        vertical: Vertical,
    },
    /// An icon in the largest centred square of the rectangle.
    Icon {
        /// One of [`icon_names`](super::icon_names); any other name draws its first letter.
        name: Cow<'static, str>,
        rect: Rect,
        color: Color,
    },
    /// An image scaled to its rectangle.
    Bitmap { image: Arc<Image>, rect: Rect },
    /// Intersects the clip with a rectangle for the following entries.
    PushClip { rect: Rect, radius: f32 },
    /// Restores the clip before the last `PushClip`.
    PopClip,
    /// Darkens the entries painted before it.
    Dim {
        rect: Rect,
        /// Opacity of black, from 0 to 1.
        alpha: f32,
    },
}

/// Entries to paint, back to front.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DisplayList(pub Vec<Paint>);

impl DisplayList {
    pub fn push(&mut self, paint: Paint) {
        self.0.push(paint);
    }

    /// Mirrors all entries from index `from` on horizontally within `around`: positions and directional icons. The content of
    /// text and images is not mirrored.
    pub fn mirror(&mut self, from: usize, around: Rect) {
        for entry in self.0.iter_mut().skip(from) {
            entry.mirror(around.left + around.right);
        }
    }
}

impl Paint {
    /// Mirrors the entry; `sum` is the sum of a point's x coordinate and its mirrored x coordinate.
    fn mirror(&mut self, sum: i32) {
        let turn = |rect: &mut Rect| {
            *rect = Rect::new(sum - rect.right, rect.top, sum - rect.left, rect.bottom);
        };
        match self {
            Paint::Fill { rect, .. }
            | Paint::Stroke { rect, .. }
            | Paint::Shadow { rect, .. }
            | Paint::Gradient { rect, .. }
            | Paint::Text { rect, .. }
            | Paint::Bitmap { rect, .. }
            | Paint::PushClip { rect, .. }
            | Paint::Dim { rect, .. } => turn(rect),
            Paint::Circle { center, .. } => center.x = sum - center.x,
            Paint::Arc {
                rect, start, sweep, ..
            } => {
                turn(rect);
                *start = -(*start + *sweep);
            }
            Paint::Line { from, to, .. } => {
                from.x = sum - from.x;
                to.x = sum - to.x;
            }
            Paint::Icon { name, rect, .. } => {
                turn(rect);
                if let Some(other) = super::icons::mirrored(name) {
                    *name = Cow::Borrowed(other);
                }
            }
            Paint::PopClip => {}
        }
    }
}
