//! Random variation of pauses.

use crate::fnv;

/// Random numbers for jitter, seeded by the run so that it is repeatable.
#[derive(Debug)]
pub(crate) struct JitterRng(u64);

impl JitterRng {
    /// Seeds it with the run's command id.
    pub(crate) fn new(command_id: &str) -> Self {
        Self(fnv::add(fnv::EMPTY, command_id.as_bytes()))
    }

    /// A number in [0, 1).
    pub(crate) fn next_f64(&mut self) -> f64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }
}
