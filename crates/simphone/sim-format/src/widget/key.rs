//! The identity of a widget of a window.

use crate::expr::{Record, entry_number};

/// Names a widget of a window across its states: the same widget keeps its key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u64);

impl Key {
    /// The key of a widget inside row `index` of the list `self`, or of one outside of all lists.
    pub const fn of(row: Key, slot: u32) -> Key {
        Key(mix(row.0, slot as u64))
    }

    /// What the keys of row `index` of the list `self` start from.
    pub const fn row(self, index: usize) -> Key {
        Key(mix(self.0, (index as u64).wrapping_add(1) << 32))
    }

    /// What the keys of the row of a record start from: an entry keeps them wherever the others push it, anything else
    /// is known by its place.
    pub fn record(self, index: usize, record: Option<&Record>) -> Key {
        match record.and_then(|record| entry_number(record)) {
            Some(number) => Key(mix(mix(self.0, u64::MAX), number)),
            None => self.row(index),
        }
    }
}

const fn mix(a: u64, b: u64) -> u64 {
    let mut hash = (a ^ 0xcbf2_9ce4_8422_2325).wrapping_mul(0x0100_0000_01b3);
    hash ^= b.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^= hash >> 29;
    hash.wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
