//! The delays of a real phone: how long `input` and `uiautomator` take to start.

use std::time::Duration;

use sim_format::PaceChoice;
use sim_format::fault::Calls;

pub const INPUT_START: Duration = Duration::from_millis(300);
pub const DUMP_START: Duration = Duration::from_millis(600);
/// How long the screen must be still before it is dumped, counted from the start of the dump.
pub const DUMP_REST: Duration = Duration::from_secs(1);
/// How long a dump waits for a still screen.
pub const DUMP_LIMIT: Duration = Duration::from_secs(10);

/// The delay before a call of this kind does anything.
pub(crate) fn start_of(pace: PaceChoice, calls: Calls) -> Duration {
    let input = Calls::ACT.and(Calls::TOUCH).and(Calls::KEY);
    match pace {
        PaceChoice::Instant => Duration::ZERO,
        PaceChoice::Phone if calls == Calls::OBSERVE => DUMP_START,
        PaceChoice::Phone if input.intersects(calls) => INPUT_START,
        PaceChoice::Phone => Duration::ZERO,
    }
}
