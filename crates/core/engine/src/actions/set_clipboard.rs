//! `set_clipboard`: put a text into the clipboard of a phone.

use contract::actions::SetClipboard;
use contract::{ErrorCode, StepData};
use driver::DriverError;

use crate::context::StepContext;
use crate::failure::Failure;

use super::read_clipboard::not_read;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &SetClipboard,
) -> Result<StepData, Failure> {
    ctx.begin_change().await;
    let (driver, cx) = ctx.device.driver();
    let done = driver.set_clipboard(cx, &params.text).await;
    ctx.record_answer(done)
        .map_err(|failure| failure.recode(ErrorCode::GestureFailed, ErrorCode::ClipboardFailed))?;
    // Some phones ignore what they do not allow.
    let (driver, cx) = ctx.device.driver();
    let verified = match driver.clipboard(cx).await {
        Ok(text) if text == params.text => "true",
        Ok(_) => {
            let message = "the clipboard does not hold the text after it was set";
            return Err(Failure::new(ErrorCode::ClipboardFailed, message));
        }
        Err(DriverError::Unsupported(_)) => "unknown",
        Err(error) => return Err(not_read(error)),
    };
    let mut data = StepData::default();
    data.push("verified", verified);
    Ok(data)
}
