//! Placeholder illustrations for photos and products: a landscape whose colours and hills follow from a seed.

use tiny_skia::{PathBuilder, Transform};
use uitree::Rect;

use crate::Color;
use crate::canvas::Canvas;
use crate::list::Direction;
use crate::path::chain_path;

/// Paints the illustration of `seed` over `rect`.
pub(super) fn paint(canvas: &mut Canvas, seed: u64, rect: Rect) {
    if rect.is_empty() || rect.intersect(&canvas.bounds()).is_none() {
        return;
    }
    let (width, height) = (rect.width() as f32, rect.height() as f32);
    let at = |x: f32, y: f32| (rect.left as f32 + x * width, rect.top as f32 + y * height);
    let mut dice = Dice(seed);
    let tint = dice.between(0.0, 1.0);
    let sky = (hue(tint, 0.6, 0.62), hue(tint + 0.1, 0.7, 0.88));
    canvas.gradient(rect, 0.0, sky, Direction::Vertical);
    let (x, y) = at(dice.between(0.2, 0.8), dice.between(0.2, 0.45));
    if let Some(sun) = PathBuilder::from_circle(x, y, width.min(height) * 0.12) {
        canvas.path(&sun, hue(tint + 0.5, 0.8, 0.8), Transform::identity());
    }
    for (top, lightness) in [(0.5, 0.5), (0.65, 0.4), (0.8, 0.3)] {
        let hills = (0..=6_u8).map(|step| {
            let y = top + dice.between(-0.12, 0.12);
            at(f32::from(step) / 6.0, y)
        });
        let hills: Vec<_> = hills.chain([at(1.0, 1.0), at(0.0, 1.0)]).collect();
        if let Some(hills) = chain_path(&[hills], true) {
            canvas.path(
                &hills,
                hue(tint + 0.45, 0.35, lightness),
                Transform::identity(),
            );
        }
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
        let mut canvas = Canvas::new(Size::new(width, height), Color::WHITE).unwrap();
        paint(&mut canvas, seed, Rect::new(0, 0, width, height));
        canvas.into_image()
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
            let mut canvas = Canvas::new(Size::new(60, 60), Color::WHITE).unwrap();
            let rect = Rect::new(20, 20, 40, 40);
            canvas.push_clip(rect, 0.0);
            paint(&mut canvas, seed, rect);
            let image = canvas.into_image();
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
