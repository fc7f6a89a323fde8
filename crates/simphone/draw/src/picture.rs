//! Placeholder illustrations for photos and products: a landscape whose colours and hills follow from a seed.

use uitree::Rect;

use crate::geometry::RoundBox;
use crate::list::Direction;
use crate::outline::Outline;
use crate::surface::Surface;
use crate::{Color, shapes};

/// Paints the illustration of `seed` over `rect`.
pub(super) fn paint(surface: &mut Surface, seed: u64, rect: Rect) {
    if rect.is_empty() || rect.intersect(&surface.bounds()).is_none() {
        return;
    }
    let frame = RoundBox::new(rect, 0.0);
    let (width, height) = (frame.right - frame.left, frame.bottom - frame.top);
    let at = |x: f32, y: f32| (frame.left + x * width, frame.top + y * height);
    let mut dice = Dice(seed);
    let tint = dice.between(0.0, 1.0);
    let sky = (hue(tint, 0.6, 0.62), hue(tint + 0.1, 0.7, 0.88));
    shapes::gradient(surface, frame, sky, Direction::Vertical);
    let mut sun = Outline::default();
    let place = at(dice.between(0.2, 0.8), dice.between(0.2, 0.45));
    sun.arc_to(place, width.min(height) * 0.12, 0.0, 360.0);
    shapes::fill_outline(surface, &sun, hue(tint + 0.5, 0.8, 0.8));
    for (top, lightness) in [(0.5, 0.5), (0.65, 0.4), (0.8, 0.3)] {
        let mut hills = Outline::default();
        hills.move_to(at(0.0, 1.0));
        for step in 0..=6_u8 {
            let y = top + dice.between(-0.12, 0.12);
            hills.line_to(at(f32::from(step) / 6.0, y));
        }
        hills.line_to(at(1.0, 1.0));
        shapes::fill_outline(surface, &hills, hue(tint + 0.45, 0.35, lightness));
    }
}

/// Random numbers that are the same for the same seed.
struct Dice(u64);

impl Dice {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        low + (high - low) * (bits >> 40) as f32 / (1 << 24) as f32
    }
}

/// A colour by hue, saturation and lightness, each from 0 to 1.
fn hue(turn: f32, strength: f32, lightness: f32) -> Color {
    let chroma = (1.0 - (2.0 * lightness - 1.0).abs()) * strength;
    let part = |shift: f32| {
        let place = (turn + shift).rem_euclid(1.0) * 6.0;
        let share = ((place - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        ((lightness + chroma * (share - 0.5)) * 255.0 + 0.5).clamp(0.0, 255.0) as u8
    };
    Color::rgb(part(0.0), part(2.0 / 3.0), part(1.0 / 3.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Image;
    use uitree::Size;

    fn picture(seed: u64, width: i32, height: i32) -> Image {
        let mut surface = Surface::new(Size::new(width, height), Color::WHITE);
        paint(&mut surface, seed, Rect::new(0, 0, width, height));
        surface.into_image()
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(picture(7, 60, 40), picture(7, 60, 40));
        let pictures: Vec<_> = (0..60).map(|seed| picture(seed, 60, 40)).collect();
        for (at, one) in pictures.iter().enumerate() {
            assert!(!pictures[..at].contains(one), "seed {at} repeats another");
        }
    }

    #[test]
    fn only_its_rectangle_changes() {
        for seed in 0..40 {
            let mut surface = Surface::new(Size::new(60, 60), Color::WHITE);
            let rect = Rect::new(20, 20, 40, 40);
            surface.push_clip(rect, 0.0);
            paint(&mut surface, seed, rect);
            let image = surface.into_image();
            for (at, pixel) in image.rgba.chunks(4).enumerate() {
                let inside = (20..40).contains(&(at % 60)) && (20..40).contains(&(at / 60));
                assert!(inside || pixel == [255; 4]);
            }
        }
    }

    #[test]
    fn the_colour_wheel() {
        assert_eq!(hue(0.0, 1.0, 0.5), Color::rgb(255, 0, 0));
        assert_eq!(hue(1.0 / 3.0, 1.0, 0.5), Color::rgb(0, 255, 0));
        assert_eq!(hue(0.3, 0.0, 1.0), Color::WHITE);
        assert_eq!(hue(0.3, 1.0, 0.0), Color::BLACK);
    }
}
