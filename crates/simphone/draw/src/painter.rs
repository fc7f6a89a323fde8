//! Goes through a display list and paints each entry.

use uitree::{Rect, Size};

use super::color::Color;
use super::font::{Glyph, Source};
use super::geometry::{RoundBox, reachable, to_coverage};
use super::glyphs::{self, STEPS};
use super::image::Image;
use super::layout::{lay_out, start};
use super::list::{DisplayList, Paint};
use super::script::Script;
use super::surface::Surface;
use super::text_style::{TextStyle, Vertical};
use super::{emoji, path, picture, shapes};

/// The largest icon that is drawn.
const LARGEST_ICON: i32 = 512;

/// Paints a display list on an opaque background.
///
/// Sizes below one pixel count as one, sides above 4096 pixels as 4096; the background's alpha
/// is not used.
pub fn paint(list: &DisplayList, size: Size, background: Color) -> Image {
    let mut surface = Surface::new(size, background);
    for entry in &list.0 {
        paint_entry(&mut surface, entry);
    }
    surface.into_image()
}

fn paint_entry(surface: &mut Surface, entry: &Paint) {
    match entry {
        Paint::Fill {
            rect,
            radius,
            color,
        } => {
            shapes::fill(surface, RoundBox::new(*rect, *radius), *color);
        }
        Paint::Stroke {
            rect,
            radius,
            width,
            color,
        } => shapes::stroke(surface, RoundBox::new(*rect, *radius), *width, *color),
        Paint::Shadow {
            rect,
            radius,
            elevation,
        } => shapes::shadow(surface, RoundBox::new(*rect, *radius), *elevation),
        Paint::Gradient {
            rect,
            radius,
            from,
            to,
            direction,
        } => {
            let shape = RoundBox::new(*rect, *radius);
            shapes::gradient(surface, shape, (*from, *to), *direction);
        }
        Paint::Circle {
            center,
            radius,
            color,
        } => shapes::circle(surface, *center, *radius, *color),
        Paint::Arc {
            rect,
            start,
            sweep,
            width,
            color,
        } => shapes::arc(surface, *rect, (*start, *sweep), *width, *color),
        Paint::Line {
            from,
            to,
            width,
            color,
        } => shapes::line(surface, *from, *to, *width, *color),
        Paint::Polygon { chains, color } => path::fill(surface, chains, *color),
        Paint::Lines {
            chains,
            width,
            color,
        } => path::lines(surface, chains, *width, *color),
        Paint::Text {
            text,
            rect,
            style,
            vertical,
        } => paint_text(surface, text, *rect, style, *vertical),
        Paint::Icon { name, rect, color } => paint_icon(surface, name, *rect, *color),
        Paint::Picture { seed, rect, radius } => {
            let rect = reachable(*rect);
            surface.push_clip(rect, *radius);
            picture::paint(surface, *seed, rect);
            surface.pop_clip();
        }
        Paint::Bitmap { image, rect } => surface.bitmap(image, *rect),
        Paint::PushClip { rect, radius } => surface.push_clip(*rect, *radius),
        Paint::PopClip => surface.pop_clip(),
        Paint::PushFade { share } => surface.push_fade(*share),
        Paint::PopFade => surface.pop_fade(),
        Paint::Dim { rect, alpha } => {
            let shade = Color::BLACK.with_alpha(to_coverage(*alpha));
            shapes::fill(surface, RoundBox::new(*rect, 0.0), shade);
        }
    }
}

fn paint_text(
    surface: &mut Surface,
    text: &str,
    rect: Rect,
    style: &TextStyle,
    vertical: Vertical,
) {
    let rect = reachable(rect);
    if rect.is_empty() || rect.intersect(&surface.bounds()).is_none() {
        return;
    }
    let layout = lay_out(text, style, Some(rect.width() as f32));
    let spare = rect.height() as f32 - layout.height();
    let top = rect.top as f32
        + match vertical {
            Vertical::Top => 0.0,
            // A block taller than its rectangle keeps its beginning in sight.
            Vertical::Center => (spare / 2.0).max(0.0),
            Vertical::Bottom => spare.max(0.0),
        };
    for (number, line) in layout.lines.iter().enumerate() {
        let line_top = top + number as f32 * layout.line_height;
        if line_top >= rect.bottom.min(surface.bounds().bottom) as f32 {
            return;
        }
        if line_top + layout.line_height * 2.0 < surface.bounds().top as f32 {
            continue;
        }
        let left = rect.left as f32 + start(line, style, rect.width() as f32);
        // Whole pixels for the baseline keep the feet of the letters sharp.
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
                        paint_glyph(surface, placed.glyph, at, layout.size, style.color);
                    }
                    for (shape, color) in layers {
                        let color = color.unwrap_or(style.color);
                        let color = color.with_alpha(
                            (u16::from(color.a) * u16::from(style.color.a) / 255) as u8,
                        );
                        paint_glyph(surface, shape, at, layout.size, color);
                    }
                }
                glyph => paint_glyph(surface, glyph, at, layout.size, style.color),
            }
        }
    }
}

/// Paints a glyph of one colour with its origin at `x` on the baseline `y`.
fn paint_glyph(surface: &mut Surface, glyph: Glyph, (x, y): (f32, i32), size: f32, color: Color) {
    let quarters = (x * STEPS + 0.5).floor();
    let column = (quarters / STEPS).floor();
    let step = (quarters - column * STEPS) as u8;
    let stamp = glyphs::glyph(glyph, size, step);
    surface.stamp(
        &stamp.mask,
        column as i32 + stamp.left,
        y + stamp.top,
        color,
    );
}

fn paint_icon(surface: &mut Surface, name: &str, rect: Rect, color: Color) {
    let rect = reachable(rect);
    let side = rect.width().min(rect.height()).min(LARGEST_ICON);
    if side <= 0 || rect.intersect(&surface.bounds()).is_none() {
        return;
    }
    let left = rect.left + (rect.width() - side) / 2;
    let top = rect.top + (rect.height() - side) / 2;
    let stamp = glyphs::icon(name, side as u32);
    surface.stamp(&stamp.mask, left, top, color);
}
