//! Ready-made coverage masks of glyphs and icons, kept between screens.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::font::{self, Glyph};
use super::icons;
use super::surface::Mask;

/// Memory the kept masks may take before all are dropped and drawn anew.
const ROOM: usize = 8 << 20;

/// Places between two pixels at which a glyph may start.
pub(super) const STEPS: f32 = 4.0;

/// A mask and where its top left corner is, seen from the glyph's origin on the baseline.
#[derive(Debug, Default)]
pub(super) struct Stamp {
    pub(super) mask: Mask,
    pub(super) left: i32,
    pub(super) top: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// A glyph, the bits of its size and its start in quarters of a pixel.
    Glyph(Glyph, u32, u8),
    /// An icon's name and its side in pixels.
    Icon(String, u32),
}

#[derive(Default)]
struct GlyphCache {
    stamps: HashMap<Key, Arc<Stamp>>,
    bytes: usize,
}

static CACHE: LazyLock<Mutex<GlyphCache>> = LazyLock::new(Mutex::default);

/// The mask of a glyph `size` pixels high that starts `step` quarters right of a pixel's edge.
pub(super) fn glyph(glyph: Glyph, size: f32, step: u8) -> Arc<Stamp> {
    kept(Key::Glyph(glyph, size.to_bits(), step), || {
        let outline = font::outline(glyph, size);
        let shift = f32::from(step) / STEPS;
        let extra = font::thickening(glyph) * size;
        let Some((left, top, right, bottom)) = outline.extent() else {
            return Stamp::default();
        };
        let (left, top) = ((left + shift).floor(), top.floor());
        let width = ((right + shift + extra).ceil() - left).max(0.0) as usize;
        let height = (bottom.ceil() - top).max(0.0) as usize;
        let struck = |by: f32| {
            let at = (shift + by - left, -top);
            outline.clone().moved(at).filled(width, height)
        };
        let mut mask = struck(0.0);
        if extra > 0.0 {
            // Struck twice, as typewriters make letters bold.
            for by in [extra / 2.0, extra] {
                for (under, over) in mask.coverage.iter_mut().zip(struck(by).coverage) {
                    *under = (*under).max(over);
                }
            }
        }
        Stamp {
            mask,
            left: left as i32,
            top: top as i32,
        }
    })
}

/// The mask of an icon in a square of `side` pixels.
pub(super) fn icon(name: &str, side: u32) -> Arc<Stamp> {
    kept(Key::Icon(name.to_owned(), side), || Stamp {
        mask: icons::mask(name, side),
        left: 0,
        top: 0,
    })
}

/// The cached stamp, drawn first if there is none.
fn kept(key: Key, draw: impl FnOnce() -> Stamp) -> Arc<Stamp> {
    // A thread that panicked here left at worst a mask out, so the rest is still good.
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    cache.get(key, draw)
}

impl GlyphCache {
    /// The stamp of `key`, drawn first if there is none.
    fn get(&mut self, key: Key, draw: impl FnOnce() -> Stamp) -> Arc<Stamp> {
        if let Some(stamp) = self.stamps.get(&key) {
            return Arc::clone(stamp);
        }
        let stamp = Arc::new(draw());
        let bytes = stamp.mask.coverage.len() + 128;
        if bytes <= ROOM / 8 {
            if self.bytes + bytes > ROOM {
                *self = Self::default();
            }
            self.bytes += bytes;
            self.stamps.insert(key, Arc::clone(&stamp));
        }
        stamp
    }
}

#[cfg(test)]
mod tests {
    use super::super::text_style::Weight;
    use super::*;

    #[test]
    fn a_stamp_is_drawn_once() {
        // A cache of its own: other tests fill the shared one.
        let mut cache = GlyphCache::default();
        let key = || Key::Icon("star".to_owned(), 24);
        let first = cache.get(key(), Stamp::default);
        let again = cache.get(key(), || unreachable!("the stamp is cached"));
        assert!(Arc::ptr_eq(&first, &again));
    }

    #[test]
    fn a_glyph_depends_on_its_place_between_pixels() {
        let a = font::glyph('a', Weight::Regular);
        let first = glyph(a, 41.5, 1);
        assert_ne!(first.mask, glyph(a, 41.5, 3).mask);
        assert!(first.mask.coverage.contains(&255));
        assert!(first.top < 0 && first.mask.height > 15 && first.mask.height < 40);
    }

    #[test]
    fn a_space_has_no_pixels() {
        let space = font::glyph(' ', Weight::Regular);
        assert_eq!(glyph(space, 41.5, 0).mask, Mask::default());
    }

    #[test]
    fn memory_stays_bounded() {
        let w = font::glyph('W', Weight::Bold);
        for size in 0..600 {
            glyph(w, 200.0 + size as f32 / 4.0, 0);
        }
        let kept = CACHE.lock().unwrap();
        assert!(kept.bytes <= ROOM, "{}", kept.bytes);
        assert!(!kept.stamps.is_empty());
    }
}
