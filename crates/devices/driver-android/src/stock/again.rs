//! Reading again what a loss of the phone cut off. Reading changes nothing, so that it does no harm.

use adb::Phone;
use driver::{Cx, DriverError, Result};
use tokio::time::Instant;

use super::dump::TAKEN;
use crate::shell::{AWAY, BREATH};

/// The readings of one call.
#[derive(Debug, Default)]
pub(super) struct Again {
    lost_at: Option<Instant>,
}

impl Again {
    /// Waits before the next reading, or returns the error of the last one if there should be none.
    ///
    /// # Errors
    /// The error, `Deadline` and `Cancelled`.
    pub(super) async fn after(&mut self, phone: &Phone, cx: &Cx, error: DriverError) -> Result<()> {
        let away = |at: Instant| at.elapsed() + BREATH;
        let goes_on = match &error {
            DriverError::Lost { .. } if phone.comes_back() => {
                away(*self.lost_at.get_or_insert_with(Instant::now)) < AWAY
            }
            // The dump that the loss cut off goes on for a moment.
            DriverError::Refused(why) if why == TAKEN => {
                self.lost_at.is_some_and(|at| away(at) < 2 * AWAY)
            }
            _ => false,
        };
        if !goes_on {
            return Err(error);
        }
        cx.sleep(BREATH).await
    }
}
