//! The key that identifies a widget of a window.

use crate::expr::{Record, entry_number};

/// The identity of a widget of a window; it stays the same when the window changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u64);

impl Key {
    /// Returns the key of a widget in a row; outside of lists the row is `Key(0)`.
    pub const fn new(row: Key, slot: u32) -> Key {
        Key(mix(row.0, slot as u64))
    }

    /// Returns the key of row `index` of the list `self`.
    pub const fn row(self, index: usize) -> Key {
        Key(mix(self.0, (index as u64).wrapping_add(1) << 32))
    }

    /// Returns the key of a record's row: list entries are identified by their id, other records by their index.
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
