//! Repeats reads that the loss of a phone interrupted. Reads change nothing, so repeating them is safe.

use adb::Phone;
use driver::{Cx, DriverError, Result};
use tokio::time::Instant;

use crate::phone::ui_automation::TAKEN;
use crate::shell::{RECONNECT_TIMEOUT, RETRY_PAUSE};

/// The attempts of one read.
#[derive(Debug, Default)]
pub(super) struct ReadRetry {
    lost_at: Option<Instant>,
}

impl ReadRetry {
    /// Pauses before the next attempt, or returns the error of the last one if no other may succeed.
    pub(super) async fn pause_or_fail(
        &mut self,
        phone: &Phone,
        cx: &Cx,
        error: DriverError,
    ) -> Result<()> {
        let elapsed = |at: Instant| at.elapsed() + RETRY_PAUSE;
        let may_succeed = match &error {
            DriverError::Lost { .. } if phone.comes_back() => {
                elapsed(*self.lost_at.get_or_insert_with(Instant::now)) < RECONNECT_TIMEOUT
            }
            // The interrupted dump still runs for a moment.
            DriverError::Refused(why) if why == TAKEN => self
                .lost_at
                .is_some_and(|at| elapsed(at) < 2 * RECONNECT_TIMEOUT),
            _ => false,
        };
        if !may_succeed {
            return Err(error);
        }
        cx.sleep(RETRY_PAUSE).await
    }
}
