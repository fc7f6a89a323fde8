//! Seeded pseudo-random numbers, the same on every machine and in every release.
//!
//! The generator is SplitMix64 (Steele, Lea, Flood: *Fast splittable pseudorandom number generators*, 2014). It is our
//! own, since a library may change its generator between releases, which would change journals.

use std::collections::BTreeMap;
use std::time::Duration;

/// A generator of random numbers that depend only on the phone's seed and on their purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededRng {
    state: u64,
}

impl SeededRng {
    /// A generator for one purpose, independent of the draws for other purposes.
    pub fn new(seed: u64, purpose: &str) -> Self {
        // FNV-1a of the purpose, so that each purpose has its own sequence.
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for byte in purpose.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Self { state: seed ^ hash }
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number from 0 up to but not including `end`; 0 when `end` is 0.
    pub const fn below(&mut self, end: u64) -> u64 {
        // The high half of a wide product is uniform enough for small `end`, without a division.
        ((self.next() as u128 * end as u128) >> 64) as u64
    }

    /// Draws whether an event with a probability of `percent` happens.
    pub fn hits(&mut self, percent: f64) -> bool {
        // 53 bits fit a float in [0, 1) exactly.
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        share * 100.0 < percent
    }

    /// A duration from `least` to `most`, both included, in whole milliseconds.
    pub fn between(&mut self, min: Duration, max: Duration) -> Duration {
        let span = max.saturating_sub(min).as_millis() as u64;
        min + Duration::from_millis(self.below(span + 1))
    }
}

/// The seed of a phone, and the generators of its apps.
#[derive(Debug)]
pub(crate) struct Randomness {
    seed: u64,
    rng: BTreeMap<String, SeededRng>,
}

impl Randomness {
    pub(crate) const fn new(seed: u64) -> Self {
        Self {
            seed,
            rng: BTreeMap::new(),
        }
    }

    pub(crate) const fn seed(&self) -> u64 {
        self.seed
    }

    /// The generator of an app for one purpose; it continues after the app was closed.
    pub(crate) fn rng(&mut self, app: &str, purpose: &str) -> &mut SeededRng {
        let seed = self.seed;
        self.rng
            .entry(format!("{purpose} {app}"))
            .or_insert_with_key(|purpose| SeededRng::new(seed, purpose))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_match_the_published_sequence() {
        // The first outputs of the reference implementation for the state 1234567.
        let mut rng = SeededRng { state: 1_234_567 };
        assert_eq!(rng.next(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn purposes_have_independent_sequences() {
        let mut alone = SeededRng::new(7, "network");
        let mut interleaved = SeededRng::new(7, "network");
        let mut other = SeededRng::new(7, "faults");
        for _ in 0..100 {
            other.next();
            assert_eq!(alone.next(), interleaved.next());
        }
        assert_ne!(
            SeededRng::new(7, "network").next(),
            SeededRng::new(7, "faults").next()
        );
        assert_ne!(
            SeededRng::new(7, "network").next(),
            SeededRng::new(8, "network").next()
        );
    }

    #[test]
    fn draws_stay_in_their_range() {
        let mut rng = SeededRng::new(1, "range");
        for end in [0, 1, 2, 6, 1000] {
            for _ in 0..200 {
                assert!(rng.below(end) < end.max(1));
            }
        }
        let (min, max) = (Duration::from_millis(5), Duration::from_millis(9));
        assert!((0..200).all(|_| (min..=max).contains(&rng.between(min, max))));
        assert!((0..200).all(|_| !rng.hits(0.0) && rng.hits(100.0)));
        let hits = (0..10_000).filter(|_| rng.hits(25.0)).count();
        assert!((2_300..2_700).contains(&hits), "{hits}");
    }
}
