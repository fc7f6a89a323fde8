//! `resize_window`: set the size of the page in the window of a browser.

use contract::actions::ResizeWindow;
use contract::{ErrorCode, StepData};
use uitree::Size;

use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &ResizeWindow,
) -> Result<StepData, Failure> {
    let to_i32 = |to_i32: u32| i32::try_from(to_i32).unwrap_or(i32::MAX);
    let size = Size::new(to_i32(params.width), to_i32(params.height));
    ctx.begin_change().await;
    let (browser, cx) = ctx.device.browser();
    let done = browser.resize_window(cx, size).await;
    ctx.record_answer(done).map_err(|failure| {
        failure
            .recode(ErrorCode::GestureFailed, ErrorCode::WindowNotResized)
            .not_retryable()
    })?;
    let mut data = StepData::default();
    data.push("size", format!("{}x{}", size.width, size.height));
    Ok(data)
}
