//! Made-up illustrations for photos, products and portraits, the same for the same seed.

mod goods;
mod scene;
mod views;

use uitree::Rect;

use super::surface::Surface;
use scene::Scene;

/// Everything that can be shown; the seed chooses one and then its colours and details.
const MOTIFS: [fn(&mut Scene<'_>); 14] = [
    goods::mug,
    views::mountains,
    goods::headphones,
    views::sunset,
    goods::plant,
    views::city,
    goods::shirt,
    goods::orange,
    views::dunes,
    goods::bottle,
    views::portrait,
    goods::lamp,
    views::shapes,
    goods::books,
];

/// Paints the illustration of `seed` over `rect`.
pub(super) fn paint(surface: &mut Surface, seed: u64, rect: Rect) {
    if rect.is_empty() || rect.intersect(&surface.bounds()).is_none() {
        return;
    }
    let mut scene = Scene::new(surface, seed, rect);
    let choice = scene.whole(MOTIFS.len() as u32) as usize;
    if let Some(motif) = MOTIFS.get(choice) {
        motif(&mut scene);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Image};
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
    fn every_motif_is_colourful_in_any_format() {
        for motif in MOTIFS {
            for (width, height) in [(200, 200), (300, 90), (80, 240)] {
                let mut surface = Surface::new(Size::new(width, height), Color::WHITE);
                motif(&mut Scene::new(
                    &mut surface,
                    3,
                    Rect::new(0, 0, width, height),
                ));
                let image = surface.into_image();
                let mut colours: Vec<_> = image.rgba.chunks(4).map(<[u8]>::to_vec).collect();
                colours.sort();
                colours.dedup();
                assert!(colours.len() > 20, "{} colours", colours.len());
            }
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
}
