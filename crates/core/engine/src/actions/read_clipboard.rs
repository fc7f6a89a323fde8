//! `read_clipboard`: read the text in the clipboard of a phone.

use contract::{ErrorCode, StepData};
use driver::DriverError;

use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(ctx: &mut StepContext<'_>) -> Result<StepData, Failure> {
    let (driver, cx) = ctx.device.driver();
    let text = driver.clipboard(cx).await.map_err(not_read)?;
    let mut data = StepData::default();
    data.push("text", ctx.artifacts.mask(&text).into_owned());
    Ok(data)
}

/// The failure of reading the clipboard.
pub(super) fn not_read(error: DriverError) -> Failure {
    Failure::from(error).recode(ErrorCode::GestureFailed, ErrorCode::ClipboardFailed)
}
