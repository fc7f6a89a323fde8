//! How long a fault lasts, and how often it fires.

use std::time::Duration;

use super::{Fault, FaultDuration, Start};

impl Fault {
    /// Returns how long it lasts after it fires.
    pub fn lasts(&self) -> FaultDuration {
        let row = self.kind.row();
        self.when.lasts.unwrap_or(match self.when.start {
            // A fault that affects every call needs no duration.
            Start::AtOnce if !row.moment && self.when.chance.is_none() => FaultDuration::Once,
            Start::AtOnce | Start::Call(_) | Start::After(_) => row.lasts,
        })
    }

    pub fn times(&self) -> u32 {
        let row = self.kind.row();
        let once = row.moment || self.when.start != Start::AtOnce || self.when.lasts.is_some();
        match self.when.times {
            Some(times) => times,
            None if once && self.when.chance.is_none() => 1,
            None => u32::MAX,
        }
    }

    /// Returns the time at which the phone schedules it, if it waits for no call.
    pub fn own_moment(&self) -> Option<Duration> {
        match self.when.start {
            Start::After(time) if self.kind.row().moment && self.when.on.is_none() => Some(time),
            Start::After(_) | Start::AtOnce | Start::Call(_) => None,
        }
    }
}
