//! Hashing for tables that only this process asks and whose order nobody sees: each row and each text of a screen is
//! looked up in one whenever the screen changes.

use std::hash::Hasher;

/// Mixes what it is given into 64 bits. It withstands no attacker, which a table of a phone's own texts need not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FastHasher(u64);

/// Takes numbers that are hashes already as they are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IdentityHasher(u64);

/// Spreads over both halves what is in one.
const fn fold(a: u64, b: u64) -> u64 {
    let product = (a as u128).wrapping_mul(b as u128);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        let rest = rest.iter().rev();
        let last = rest.fold(bytes.len() as u64, |sum, byte| sum << 8 | u64::from(*byte));
        self.write_u64(last);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = fold(
            self.0 ^ 0x9e37_79b9_7f4a_7c15,
            number ^ 0xd1b5_4a32_d192_ed03,
        );
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Hasher for IdentityHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut hasher = FastHasher(self.0);
        hasher.write(bytes);
        self.0 = hasher.finish();
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::hash::Hash;

    use super::*;

    #[test]
    fn alike_texts_have_other_hashes() {
        let mut seen = BTreeSet::new();
        let texts = (0..2000).map(|number| format!("Row {number} of {}", number % 7));
        for text in texts.chain(["", "\0", "a", "a\0", "\0a"].map(str::to_owned)) {
            for width in [None, Some(0_u32), Some(1), Some(1_u32 << 31)] {
                let mut hasher = FastHasher::default();
                (&text, width).hash(&mut hasher);
                assert!(seen.insert(hasher.finish()), "{text:?} {width:?}");
            }
        }
    }
}
