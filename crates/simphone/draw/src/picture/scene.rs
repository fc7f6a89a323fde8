//! The board the illustrations are painted on: fractions of the picture instead of pixels, and
//! dice that fall the same for the same seed.

use uitree::Rect;

use crate::Color;
use crate::geometry::RoundBox;
use crate::list::Direction;
use crate::outline::{Outline, Spot};
use crate::shapes;
use crate::surface::Surface;

/// One picture in the making.
pub(super) struct Scene<'a> {
    surface: &'a mut Surface,
    dice: u64,
    frame: RoundBox,
    origin: Spot,
    scale: Spot,
}

impl<'a> Scene<'a> {
    pub(super) fn new(surface: &'a mut Surface, seed: u64, rect: Rect) -> Self {
        let frame = RoundBox::new(rect, 0.0);
        Self {
            surface,
            dice: seed,
            frame,
            origin: (frame.left, frame.top),
            scale: (frame.right - frame.left, frame.bottom - frame.top),
        }
    }

    /// From now on 0 to 1 means the largest square in the middle instead of the whole picture.
    pub(super) fn square(&mut self) {
        let (width, height) = (
            self.frame.right - self.frame.left,
            self.frame.bottom - self.frame.top,
        );
        let side = width.min(height);
        self.origin = (
            self.frame.left + (width - side) / 2.0,
            self.frame.top + (height - side) / 2.0,
        );
        self.scale = (side, side);
    }

    /// The next throw: 64 well mixed bits.
    fn throw(&mut self) -> u64 {
        self.dice = self.dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.dice;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A whole number below `end`.
    pub(super) fn whole(&mut self, end: u32) -> u32 {
        (self.throw() % u64::from(end.max(1))) as u32
    }

    /// A number between two bounds.
    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        let share = (self.throw() >> 40) as f32 / (1 << 24) as f32;
        low + (high - low) * share
    }

    /// Fills the whole picture from top to bottom.
    pub(super) fn ground(&mut self, top: Color, bottom: Color) {
        shapes::gradient(self.surface, self.frame, (top, bottom), Direction::Vertical);
    }

    /// A disc; its radius is a share of the shorter side.
    pub(super) fn disc(&mut self, (x, y): Spot, radius: f32, color: Color) {
        self.oval((x, y), (radius, radius), color);
    }

    /// An oval; both radii are shares of the shorter side.
    pub(super) fn oval(&mut self, at: Spot, (across, down): Spot, color: Color) {
        let unit = self.scale.0.min(self.scale.1);
        let (x, y) = self.spot(at);
        // The circle of the wider radius, squeezed.
        let (wide, flat) = (across * unit, down * unit);
        let mut outline = Outline::default();
        outline.arc_to((0.0, 0.0), wide, 0.0, 360.0);
        let outline = outline.mapped(|(px, py)| (x + px, y + py * (flat / wide.max(0.001))));
        shapes::fill_outline(self.surface, &outline, color);
    }

    /// A rectangle with round corners; the radius is a share of the shorter side.
    pub(super) fn block(&mut self, from: Spot, to: Spot, radius: f32, color: Color) {
        shapes::fill(self.surface, self.frame_of(from, to, radius), color);
    }

    /// The same with a gradient from left to right, for round things lit from one side.
    pub(super) fn round_block(
        &mut self,
        from: Spot,
        to: Spot,
        radius: f32,
        colors: (Color, Color),
    ) {
        let shape = self.frame_of(from, to, radius);
        shapes::gradient(self.surface, shape, colors, Direction::Horizontal);
    }

    /// A closed shape of straight pieces.
    pub(super) fn shape(&mut self, spots: &[Spot], color: Color) {
        let mut outline = Outline::default();
        if let [first, rest @ ..] = spots {
            outline.move_to(self.spot(*first));
            for spot in rest {
                outline.line_to(self.spot(*spot));
            }
        }
        shapes::fill_outline(self.surface, &outline, color);
    }

    /// A closed shape of curves: a start and then three points for each curve.
    pub(super) fn curves(&mut self, spots: &[Spot], color: Color) {
        let mut outline = Outline::default();
        if let [first, rest @ ..] = spots {
            outline.move_to(self.spot(*first));
            for [first, second, end] in rest.as_chunks::<3>().0 {
                outline.cubic_to(self.spot(*first), self.spot(*second), self.spot(*end));
            }
        }
        shapes::fill_outline(self.surface, &outline, color);
    }

    /// Everything below a soft skyline through the given heights, evenly spaced from left to
    /// right.
    pub(super) fn hills(&mut self, heights: &[f32], color: Color) {
        let steps = heights.len().saturating_sub(1).max(1) as f32;
        let place = |at: usize| at as f32 / steps;
        let mut spots = vec![(0.0, 1.0)];
        let mut before = None;
        for (at, height) in heights.iter().enumerate() {
            let here = (place(at), *height);
            let (x0, y0) = before.unwrap_or((0.0, *height));
            let middle = (x0 + here.0) / 2.0;
            if before.is_none() {
                spots.extend([(0.0, 1.0), here, here]);
            } else {
                spots.extend([(middle, y0), (middle, here.1), here]);
            }
            before = Some(here);
        }
        spots.extend([(1.0, 1.0), (1.0, 1.0), (1.0, 1.0)]);
        self.curves(&spots, color);
    }

    fn spot(&self, (x, y): Spot) -> Spot {
        (
            self.origin.0 + x * self.scale.0,
            self.origin.1 + y * self.scale.1,
        )
    }

    fn frame_of(&self, from: Spot, to: Spot, radius: f32) -> RoundBox {
        let ((left, top), (right, bottom)) = (self.spot(from), self.spot(to));
        RoundBox {
            left,
            top,
            right,
            bottom,
            radius: 0.0,
        }
        .with_radius(radius * self.scale.0.min(self.scale.1))
    }
}

/// A colour by its place on the colour wheel (0 to 1), strength and lightness (0 to 1).
pub(super) fn hue(turn: f32, strength: f32, lightness: f32) -> Color {
    let chroma = (1.0 - (2.0 * lightness - 1.0).abs()) * strength;
    let part = |shift: f32| {
        // Each part of the colour rises, stays, falls and stays again around the wheel.
        let place = (turn + shift).rem_euclid(1.0) * 6.0;
        let share = ((place - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        ((lightness + chroma * (share - 0.5)) * 255.0 + 0.5).clamp(0.0, 255.0) as u8
    };
    Color::rgb(part(0.0), part(2.0 / 3.0), part(1.0 / 3.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colour_wheel() {
        assert_eq!(hue(0.0, 1.0, 0.5), Color::rgb(255, 0, 0));
        assert_eq!(hue(1.0 / 3.0, 1.0, 0.5), Color::rgb(0, 255, 0));
        assert_eq!(hue(2.0 / 3.0, 1.0, 0.5), Color::rgb(0, 0, 255));
        assert_eq!(hue(0.3, 0.0, 1.0), Color::WHITE);
        assert_eq!(hue(0.3, 1.0, 0.0), Color::BLACK);
    }
}
