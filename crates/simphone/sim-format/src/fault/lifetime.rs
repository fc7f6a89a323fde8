//! How long a fault goes on, and how often it strikes.

use std::time::Duration;

use super::{Fault, Lasts, Start};

impl Fault {
    /// How long it goes on once it has struck.
    pub fn lasts(&self) -> Lasts {
        let row = self.kind.row();
        self.when.lasts.unwrap_or(match self.when.start {
            // What strikes every call needs no length.
            Start::AtOnce if !row.moment && self.when.chance.is_none() => Lasts::Once,
            Start::AtOnce | Start::Call(_) | Start::After(_) => row.lasts,
        })
    }

    /// How often it strikes at most.
    pub fn times(&self) -> u32 {
        let row = self.kind.row();
        let once = row.moment || self.when.start != Start::AtOnce || self.when.lasts.is_some();
        match self.when.times {
            Some(times) => times,
            None if once && self.when.chance.is_none() => 1,
            None => u32::MAX,
        }
    }

    /// Whether the phone's agenda has the moment of it.
    pub fn own_moment(&self) -> Option<Duration> {
        match self.when.start {
            Start::After(time) if self.kind.row().moment && self.when.on.is_none() => Some(time),
            Start::After(_) | Start::AtOnce | Start::Call(_) => None,
        }
    }
}
