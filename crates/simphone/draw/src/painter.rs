//! Paints the entries of a display list.

use tiny_skia::{PathBuilder, Transform};
use uitree::{Point, Rect, Size};

use super::canvas::{Canvas, clamped};
use super::color::Color;
use super::font::{self, Glyph, Source};
use super::image::Image;
use super::layout::{lay_out, start};
use super::list::{DisplayList, Paint};
use super::path::{chain_path, push_arc, within};
use super::script::Script;
use super::text_style::{TextStyle, Vertical};
use super::{emoji, icons};

const LARGEST_ICON: i32 = 512;

/// Paints a display list on an opaque background.
///
/// Sizes below one pixel count as one, sides above 4096 pixels as 4096; the background's alpha
/// is not used.
pub fn paint(list: &DisplayList, size: Size, background: Color) -> Image {
    let Some(mut canvas) = Canvas::new(size, background) else {
        return Image::default();
    };
    for entry in &list.0 {
        paint_entry(&mut canvas, entry);
    }
    canvas.into_image()
}

fn paint_entry(canvas: &mut Canvas, entry: &Paint) {
    match entry {
        Paint::Fill {
            rect,
            radius,
            color,
        } => canvas.fill(*rect, *radius, *color),
        Paint::Stroke {
            rect,
            radius,
            width,
            color,
        } => canvas.stroke(*rect, *radius, *width, *color),
        Paint::Shadow {
            rect,
            radius,
            elevation,
        } => canvas.shadow(*rect, *radius, *elevation),
        Paint::Gradient {
            rect,
            radius,
            from,
            to,
        } => canvas.gradient(*rect, *radius, (*from, *to)),
        Paint::Circle {
            center,
            radius,
            color,
        } => {
            let (x, y) = position(*center);
            if let Some(circle) = PathBuilder::from_circle(x, y, *radius) {
                canvas.path(&circle, *color, Transform::identity());
            }
        }
        Paint::Arc {
            rect,
            start,
            sweep,
            width,
            color,
        } => paint_arc(canvas, *rect, (*start, *sweep), *width, *color),
        Paint::Line {
            from,
            to,
            width,
            color,
        } => paint_line(canvas, *from, *to, *width, *color),
        Paint::Text {
            text,
            rect,
            style,
            vertical,
        } => paint_text(canvas, text, *rect, style, *vertical),
        Paint::Icon { name, rect, color } => paint_icon(canvas, name, *rect, *color),
        Paint::Bitmap { image, rect } => {
            if let Some(pixmap) = image.to_pixmap() {
                canvas.pixmap(&pixmap, *rect, 1.0);
            }
        }
        Paint::PushClip { rect, radius } => canvas.push_clip(*rect, *radius),
        Paint::PopClip => canvas.pop_clip(),
        Paint::Dim { rect, alpha } => {
            let alpha = (within(*alpha, 0.0, 1.0) * 255.0).round() as u8;
            canvas.fill(*rect, 0.0, Color::BLACK.with_alpha(alpha));
        }
    }
}

/// Clamps a point to the coordinate limit.
fn position(point: Point) -> (f32, f32) {
    let rect = clamped(Rect::new(point.x, point.y, point.x, point.y));
    (rect.left as f32, rect.top as f32)
}

/// Draws a straight line: square ends if it is horizontal or vertical, round ends otherwise.
fn paint_line(canvas: &mut Canvas, from: Point, to: Point, width: f32, color: Color) {
    let half = width / 2.0;
    if from.x == to.x || from.y == to.y {
        let across = |along: bool| if along { half } else { 0.0 };
        let (x, y) = (across(from.x == to.x), across(from.y == to.y));
        let edge = |at: i32, by: f32| (at as f32 + by).round() as i32;
        let rect = Rect::new(
            edge(from.x.min(to.x), -x),
            edge(from.y.min(to.y), -y),
            edge(from.x.max(to.x), x),
            edge(from.y.max(to.y), y),
        );
        return canvas.fill(rect, 0.0, color);
    }
    if let Some(path) = chain_path(&[vec![position(from), position(to)]], false) {
        canvas.line(&path, width, color);
    }
}

/// Draws part of a ring just inside the rectangle.
fn paint_arc(
    canvas: &mut Canvas,
    rect: Rect,
    (start, sweep): (f32, f32),
    width: f32,
    color: Color,
) {
    let rect = clamped(rect);
    let radius = (rect.width().min(rect.height()) as f32 - width) / 2.0;
    if radius.is_nan() || radius <= 0.0 || !start.is_finite() || sweep.is_nan() {
        return;
    }
    let center = (
        (rect.left + rect.right) as f32 / 2.0,
        (rect.top + rect.bottom) as f32 / 2.0,
    );
    let mut path = PathBuilder::new();
    let sweep = sweep.clamp(-360.0, 360.0);
    push_arc(&mut path, center, radius, start, start + sweep);
    if let Some(path) = path.finish() {
        canvas.line(&path, width, color);
    }
}

fn paint_text(canvas: &mut Canvas, text: &str, rect: Rect, style: &TextStyle, vertical: Vertical) {
    let rect = clamped(rect);
    if rect.is_empty() || rect.intersect(&canvas.bounds()).is_none() {
        return;
    }
    let layout = lay_out(text, style, Some(rect.width() as f32));
    let spare = rect.height() as f32 - layout.height();
    let top = rect.top as f32
        + match vertical {
            Vertical::Top => 0.0,
            // A block taller than its rectangle is aligned to the top.
            Vertical::Center => (spare / 2.0).max(0.0),
            Vertical::Bottom => spare.max(0.0),
        };
    for (number, line) in layout.lines.iter().enumerate() {
        let line_top = top + number as f32 * layout.line_height;
        if line_top >= rect.bottom.min(canvas.bounds().bottom) as f32 {
            return;
        }
        if line_top + layout.line_height * 2.0 < canvas.bounds().top as f32 {
            continue;
        }
        let left = rect.left as f32 + start(line, style, rect.width() as f32);
        // A baseline on whole pixels keeps the lower edges of letters sharp.
        let baseline = (line_top + layout.baseline()).round() as i32;
        for placed in &line.glyphs {
            let at = (left + placed.x, baseline + placed.y.round() as i32);
            match placed.glyph {
                Glyph::Drawn {
                    source: source @ Source::Script(Script::Emoji, _),
                    id,
                } => {
                    let layers = emoji::layers(source, id);
                    if layers.is_empty() {
                        paint_glyph(canvas, placed.glyph, at, layout.size, style.color);
                    }
                    for (shape, color) in layers {
                        let color = color.unwrap_or(style.color);
                        let color = color.with_alpha(
                            (u16::from(color.a) * u16::from(style.color.a) / 255) as u8,
                        );
                        paint_glyph(canvas, shape, at, layout.size, color);
                    }
                }
                glyph => paint_glyph(canvas, glyph, at, layout.size, style.color),
            }
        }
    }
}

/// Paints a glyph of one colour with its origin at `x` on the baseline `y`.
fn paint_glyph(canvas: &mut Canvas, glyph: Glyph, (x, y): (f32, i32), size: f32, color: Color) {
    let Some(outline) = font::outline(glyph, size) else {
        return;
    };
    let at = Transform::from_translate(x, y as f32);
    canvas.path(&outline, color, at);
    let extra = font::thickening(glyph) * size;
    if extra > 0.0
        && let Some(outline) = outline.transform(at)
    {
        canvas.line(&outline, extra, color);
    }
}

fn paint_icon(canvas: &mut Canvas, name: &str, rect: Rect, color: Color) {
    let rect = clamped(rect);
    let side = rect.width().min(rect.height()).min(LARGEST_ICON);
    if side <= 0 || rect.intersect(&canvas.bounds()).is_none() {
        return;
    }
    let left = rect.left + (rect.width() - side) / 2;
    let top = rect.top + (rect.height() - side) / 2;
    if let Some(icon) = icons::draw(name, side as u32, color) {
        let rect = Rect::new(left, top, left + side, top + side);
        canvas.pixmap(&icon, rect, f32::from(color.a) / 255.0);
    }
}
