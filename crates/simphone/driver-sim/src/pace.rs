//! How long a phone takes for what the simulated one does at once.

use std::time::Duration;

use driver::{Cx, DriverError, Result};
use tokio::time::Instant;

use crate::choices::PaceChoice;
use crate::driver::SimDriver;
use crate::fault::Calls;
use crate::phone::faults::Struck;

/// How long `input` takes to start.
pub const INPUT_START: Duration = Duration::from_millis(300);
/// How long `uiautomator` takes to start.
pub const DUMP_START: Duration = Duration::from_millis(600);
/// How long the screen must not change before it is dumped, counted from the start of the dump.
pub const DUMP_REST: Duration = Duration::from_secs(1);
/// How long a dump waits for that.
pub const DUMP_LIMIT: Duration = Duration::from_secs(10);
/// What a dump says of a screen that never rests.
const NEVER_RESTS: &str =
    "something on it moves without end, and uiautomator waits for a screen that rests";

impl PaceChoice {
    /// How long a call of this sort takes before it does anything.
    pub(crate) fn start_of(self, calls: Calls) -> Duration {
        let input = Calls::ACT.and(Calls::TOUCH).and(Calls::KEY);
        match self {
            PaceChoice::Instant => Duration::ZERO,
            PaceChoice::Phone if calls == Calls::OBSERVE => DUMP_START,
            PaceChoice::Phone if input.meets(calls) => INPUT_START,
            PaceChoice::Phone => Duration::ZERO,
        }
    }
}

fn never_rests() -> DriverError {
    DriverError::NotIdle(NEVER_RESTS.to_owned())
}

impl SimDriver {
    /// Waits until the screen has rested, as a dump does.
    pub(crate) async fn rest(&mut self, cx: &Cx, struck: &Struck) -> Result<()> {
        if let Some(time) = struck.never_rests() {
            cx.sleep(time).await?;
            return Err(never_rests());
        }
        if self.pace == PaceChoice::Instant {
            return Ok(());
        }
        let begun = Instant::now();
        loop {
            let still = self.phone.still_for().min(begun.elapsed());
            if still >= DUMP_REST {
                return Ok(());
            }
            if begun.elapsed() + (DUMP_REST - still) > DUMP_LIMIT {
                return Err(never_rests());
            }
            cx.sleep(DUMP_REST - still).await?;
            self.advance();
        }
    }
}
