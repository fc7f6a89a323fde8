//! The display list: what the layout hands over to be painted, back to front.

use std::borrow::Cow;
use std::sync::Arc;

use uitree::{Point, Rect};

use super::text_style::{TextStyle, Vertical};
use super::{Color, Image};

/// One entry of a display list.
#[derive(Clone, Debug, PartialEq)]
pub enum Paint {
    /// A filled rectangle.
    Fill {
        /// Where.
        rect: Rect,
        /// Corner radius in pixels; more than half the rectangle makes a pill or a circle.
        radius: f32,
        /// Colour.
        color: Color,
    },
    /// An outline that is wholly inside its rectangle.
    Stroke {
        /// Outer edge.
        rect: Rect,
        /// Outer corner radius in pixels.
        radius: f32,
        /// Line width in pixels.
        width: f32,
        /// Colour.
        color: Color,
    },
    /// The soft shadow a raised rectangle throws; paint the rectangle itself after it.
    Shadow {
        /// The raised rectangle.
        rect: Rect,
        /// Its corner radius in pixels.
        radius: f32,
        /// Its height above the ground in pixels.
        elevation: f32,
    },
    /// A rectangle filled with a gradient from its top to its bottom.
    Gradient {
        /// Where.
        rect: Rect,
        /// Corner radius in pixels.
        radius: f32,
        /// Colour at the top.
        from: Color,
        /// Colour at the bottom.
        to: Color,
    },
    /// A filled circle.
    Circle {
        /// Its middle, on the pixel grid's lines.
        center: Point,
        /// Radius in pixels.
        radius: f32,
        /// Colour.
        color: Color,
    },
    /// Part of a ring just inside the rectangle's inscribed circle, with round ends.
    Arc {
        /// Square around the ring.
        rect: Rect,
        /// First angle in degrees, clockwise from twelve o'clock.
        start: f32,
        /// Angle covered, in degrees, clockwise.
        sweep: f32,
        /// Line width in pixels.
        width: f32,
        /// Colour.
        color: Color,
    },
    /// A straight line: square ends when horizontal or vertical, round ends otherwise.
    Line {
        /// One end.
        from: Point,
        /// The other end.
        to: Point,
        /// Line width in pixels.
        width: f32,
        /// Colour.
        color: Color,
    },
    /// Text wrapped at the rectangle's width.
    Text {
        /// What it says.
        text: String,
        /// Where.
        rect: Rect,
        /// How it looks.
        style: TextStyle,
        /// Where the block of lines sits in the rectangle.
        vertical: Vertical,
    },
    /// An icon in the largest square in the middle of the rectangle.
    Icon {
        /// One of [`icon_names`](super::icon_names); any other name draws its first letter.
        name: Cow<'static, str>,
        /// Where.
        rect: Rect,
        /// Colour.
        color: Color,
    },
    /// A picture from a file, as large as its rectangle.
    Bitmap {
        /// The picture.
        image: Arc<Image>,
        /// Where.
        rect: Rect,
    },
    /// Limits what follows to a rectangle, on top of the limits already in force.
    PushClip {
        /// What stays visible.
        rect: Rect,
        /// Corner radius in pixels.
        radius: f32,
    },
    /// Lifts the last limit.
    PopClip,
    /// Darkens what is already painted.
    Dim {
        /// Where.
        rect: Rect,
        /// Share of black, from 0 to 1.
        alpha: f32,
    },
}

/// Entries to paint, back to front.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DisplayList(pub Vec<Paint>);

impl DisplayList {
    /// Adds an entry in front of the others.
    pub fn push(&mut self, paint: Paint) {
        self.0.push(paint);
    }

    /// Swaps left and right, within `around`, of everything from the entry `from` on: places, gradients and the icons
    /// that point somewhere. Text keeps its own direction, pictures and clips their content.
    pub fn mirror(&mut self, from: usize, around: Rect) {
        for entry in self.0.iter_mut().skip(from) {
            entry.mirror(around.left + around.right);
        }
    }
}

impl Paint {
    /// Puts the entry where a mirror shows it; `sum` is that of a point's coordinate and of its image.
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
