//! The pixels being painted and the clips in force while painting them.

use std::ops::Range;

use uitree::{Rect, Size};

use super::Color;
use super::geometry::{RoundBox, reachable, to_coverage};
use super::image::Image;

/// The longest side of a picture; larger requests are cut down so that a wrong size costs
/// memory in megabytes, not gigabytes.
const LONGEST_SIDE: i32 = 4096;

/// Coverage of a small shape such as a glyph or an icon, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mask {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) coverage: Vec<u8>,
}

/// What stays visible: a pixel rectangle and the round corners that cut into it.
#[derive(Clone, Debug)]
struct Clip {
    bounds: Rect,
    rounds: Vec<RoundBox>,
}

/// An opaque picture in the making.
#[derive(Debug)]
pub(super) struct Surface {
    width: i32,
    height: i32,
    pixels: Vec<[u8; 4]>,
    clip: Clip,
    outer_clips: Vec<Clip>,
    /// What was painted before something that fades, and the share of that, from 0 to 255.
    fades: Vec<(Vec<[u8; 4]>, u8)>,
}

impl Surface {
    /// A picture of one colour, at least one pixel wide and high.
    pub(super) fn new(size: Size, background: Color) -> Self {
        let width = size.width.clamp(1, LONGEST_SIDE);
        let height = size.height.clamp(1, LONGEST_SIDE);
        let fill = [background.r, background.g, background.b, 255];
        Self {
            width,
            height,
            pixels: vec![fill; width as usize * height as usize],
            clip: Clip {
                bounds: Rect::new(0, 0, width, height),
                rounds: Vec::new(),
            },
            outer_clips: Vec::new(),
            fades: Vec::new(),
        }
    }

    /// The finished picture.
    pub(super) fn into_image(self) -> Image {
        Image {
            width: self.width as u32,
            height: self.height as u32,
            rgba: self.pixels.into_flattened(),
        }
    }

    /// The rectangle outside of which nothing can change now.
    pub(super) fn bounds(&self) -> Rect {
        self.clip.bounds
    }

    /// Limits painting to a rounded rectangle on top of the limits in force.
    pub(super) fn push_clip(&mut self, rect: Rect, radius: f32) {
        let rect = reachable(rect);
        let mut inner = self.clip.clone();
        inner.bounds = inner.bounds.intersect(&rect).unwrap_or_default();
        let shape = RoundBox::new(rect, radius);
        if shape.radius > 0.0 && !inner.bounds.is_empty() {
            inner.rounds.push(shape);
        }
        self.outer_clips
            .push(std::mem::replace(&mut self.clip, inner));
    }

    /// Lifts the last limit; without one nothing happens.
    pub(super) fn pop_clip(&mut self) {
        if let Some(outer) = self.outer_clips.pop() {
            self.clip = outer;
        }
    }

    /// Lets only a share of what is painted from now on be seen.
    pub(super) fn push_fade(&mut self, share: f32) {
        self.fades.push((self.pixels.clone(), to_coverage(share)));
    }

    /// Lets what was there before shine through what was painted since; without anything that fades nothing happens.
    pub(super) fn pop_fade(&mut self) {
        let Some((before, share)) = self.fades.pop() else {
            return;
        };
        for (pixel, before) in self.pixels.iter_mut().zip(before) {
            for (channel, under) in pixel.iter_mut().zip(before) {
                *channel = scale_sum(*channel, share, under, 255 - share);
            }
        }
    }

    /// The rows from `top` to `bottom` that can change now.
    pub(super) fn rows(&self, top: i32, bottom: i32) -> Range<i32> {
        top.max(self.clip.bounds.top)..bottom.min(self.clip.bounds.bottom)
    }

    /// The columns from `left` to `right` that can change now.
    pub(super) fn columns(&self, left: i32, right: i32) -> Range<i32> {
        left.max(self.clip.bounds.left)..right.min(self.clip.bounds.right)
    }

    /// Paints one colour over part of a row.
    pub(super) fn span(&mut self, y: i32, left: i32, right: i32, color: Color) {
        if color.a < 255 {
            return self.shade(y, left, right, |_| color);
        }
        let columns = self.columns(left, right);
        let clear = self.clear_columns(y, &columns);
        self.shade(y, columns.start, clear.start, |_| color);
        if let Some(row) = self.row(y, &clear) {
            row.fill([color.r, color.g, color.b, 255]);
        }
        self.shade(y, clear.end, columns.end, |_| color);
    }

    /// Paints part of a row, asking for the colour of each column.
    pub(super) fn shade(
        &mut self,
        y: i32,
        left: i32,
        right: i32,
        mut color: impl FnMut(i32) -> Color,
    ) {
        let columns = self.columns(left, right);
        let clear = self.clear_columns(y, &columns);
        self.shade_corner(y, columns.start..clear.start, &mut color);
        if let Some(row) = self.row(y, &clear) {
            for (pixel, x) in row.iter_mut().zip(clear.clone()) {
                blend(pixel, color(x));
            }
        }
        self.shade_corner(y, clear.end..columns.end, &mut color);
    }

    /// Paints `mask` with its top left corner at the given pixel.
    pub(super) fn stamp(&mut self, mask: &Mask, left: i32, top: i32, color: Color) {
        if mask.width == 0 {
            return;
        }
        let bottom = top.saturating_add(mask.height as i32);
        let right = left.saturating_add(mask.width as i32);
        for y in self.rows(top, bottom) {
            let from = (y - top) as usize * mask.width;
            let Some(row) = mask.coverage.get(from..from + mask.width) else {
                return;
            };
            self.shade(y, left, right, |x| {
                row.get((x - left) as usize)
                    .map_or(Color::TRANSPARENT, |coverage| color.covered(*coverage))
            });
        }
    }

    /// Paints columns that a round corner of a clip may cover in part.
    fn shade_corner(&mut self, y: i32, columns: Range<i32>, color: &mut impl FnMut(i32) -> Color) {
        for x in columns {
            let share =
                (self.clip.rounds.iter()).fold(1.0, |share, round| share * round.share(x, y));
            if share > 0.0
                && let Some([pixel]) = self.row(y, &(x..x + 1))
            {
                blend(pixel, color(x).covered(to_coverage(share)));
            }
        }
    }

    /// The part of `columns` in row `y` that no round corner of a clip touches; it is within
    /// `columns` and may be empty.
    fn clear_columns(&self, y: i32, columns: &Range<i32>) -> Range<i32> {
        let (mut start, mut end) = (columns.start, columns.end);
        let middle = y as f32 + 0.5;
        for round in &self.clip.rounds {
            if middle < round.top + round.radius || middle > round.bottom - round.radius {
                start = start.max((round.left + round.radius).ceil() as i32);
                end = end.min((round.right - round.radius).floor() as i32);
            }
        }
        let start = start.min(columns.end).max(columns.start);
        start..end.max(start)
    }

    /// The pixels of part of a row, or nothing when it is empty or is outside.
    fn row(&mut self, y: i32, columns: &Range<i32>) -> Option<&mut [[u8; 4]]> {
        let bounds = self.clip.bounds;
        let inside = columns.start >= bounds.left && columns.end <= bounds.right;
        if !inside || columns.is_empty() || y < bounds.top || y >= bounds.bottom {
            return None;
        }
        let row = y as usize * self.width as usize;
        self.pixels
            .get_mut(row + columns.start as usize..row + columns.end as usize)
    }
}

/// Lays a colour over an opaque pixel.
fn blend(pixel: &mut [u8; 4], color: Color) {
    match color.a {
        0 => {}
        255 => *pixel = [color.r, color.g, color.b, 255],
        a => {
            let rest = 255 - a;
            for (below, above) in pixel.iter_mut().zip([color.r, color.g, color.b]) {
                *below = scale_sum(above, a, *below, rest);
            }
        }
    }
}

/// `(above * a + below * rest) / 255`, rounded to the nearest; `a + rest` is 255.
fn scale_sum(above: u8, a: u8, below: u8, rest: u8) -> u8 {
    let sum = u32::from(above) * u32::from(a) + u32::from(below) * u32::from(rest) + 128;
    ((sum + (sum >> 8)) >> 8) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Color = Color::rgb(255, 0, 0);

    fn painted(surface: Surface) -> Vec<(i32, i32)> {
        let image = surface.into_image();
        let width = image.width as usize;
        (image.rgba.chunks(4).enumerate())
            .filter(|(_, pixel)| pixel[1] < 128)
            .map(|(at, _)| ((at % width) as i32, (at / width) as i32))
            .collect()
    }

    fn everything(surface: &mut Surface) {
        for y in -5..20 {
            surface.span(y, -5, 20, RED);
        }
    }

    #[test]
    fn clips_nest_and_unnest() {
        let mut surface = Surface::new(Size::new(10, 10), Color::WHITE);
        surface.push_clip(Rect::new(2, 2, 6, 6), 0.0);
        surface.push_clip(Rect::new(4, 0, 10, 5), 0.0);
        assert_eq!(surface.bounds(), Rect::new(4, 2, 6, 5));
        everything(&mut surface);
        surface.pop_clip();
        assert_eq!(surface.bounds(), Rect::new(2, 2, 6, 6));
        surface.pop_clip();
        surface.pop_clip();
        assert_eq!(surface.bounds(), Rect::new(0, 0, 10, 10));
        let expected: Vec<_> = (2..5).flat_map(|y| (4..6).map(move |x| (x, y))).collect();
        assert_eq!(painted(surface), expected);
    }

    #[test]
    fn apart_clips_leave_nothing() {
        let mut surface = Surface::new(Size::new(10, 10), Color::WHITE);
        surface.push_clip(Rect::new(0, 0, 4, 4), 0.0);
        surface.push_clip(Rect::new(6, 6, 9, 9), 2.0);
        everything(&mut surface);
        assert_eq!(painted(surface), []);
    }

    #[test]
    fn round_clips_cut_the_corners_only() {
        let mut surface = Surface::new(Size::new(10, 10), Color::WHITE);
        surface.push_clip(Rect::new(0, 0, 10, 10), 4.0);
        everything(&mut surface);
        let seen = painted(surface);
        for corner in [(0, 0), (9, 0), (0, 9), (9, 9)] {
            assert!(!seen.contains(&corner));
        }
        assert!((0..10).all(|at| seen.contains(&(5, at)) && seen.contains(&(at, 5))));
    }

    #[test]
    fn half_covered_pixels_are_blended() {
        let mut surface = Surface::new(Size::new(1, 1), Color::WHITE);
        surface.span(0, 0, 1, Color::rgba(0, 0, 0, 128));
        assert_eq!(surface.into_image().rgba, [127, 127, 127, 255]);
    }

    #[test]
    fn sizes_are_kept_in_reach() {
        for (size, expected) in [
            (Size::new(0, -4), (1, 1)),
            (Size::new(3, i32::MIN), (3, 1)),
            (Size::new(i32::MAX, 2), (4096, 2)),
        ] {
            let image = Surface::new(size, RED).into_image();
            assert_eq!((image.width, image.height), expected);
            assert_eq!(image.rgba.len() as u32, image.width * image.height * 4);
        }
    }
}
