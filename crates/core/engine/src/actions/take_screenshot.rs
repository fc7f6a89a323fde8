//! `take_screenshot`: take a screenshot.

use contract::actions::TakeScreenshot;
use contract::{ErrorCode, StepData};

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &TakeScreenshot,
) -> Result<StepData, Failure> {
    let mut backoff = Backoff::of(&params.retry());
    let image = loop {
        let taken = if params.is_of_the_page() {
            ctx.full_page_screenshot().await
        } else {
            ctx.screenshot().await
        };
        match taken {
            Ok(image) => break image,
            Err(failure) => {
                let failure = failure
                    .recode(ErrorCode::ScreenUnavailable, ErrorCode::ScreenshotFailed)
                    .recode(ErrorCode::GestureFailed, ErrorCode::ScreenshotFailed);
                ctx.back_off(failure, &mut backoff).await?;
            }
        }
    };
    let path = ctx
        .artifacts
        .keep_screenshot(params.path.as_deref(), &image.png)
        .map_err(|why| {
            Failure::new(
                ErrorCode::ScreenshotFailed,
                format!("the screenshot could not be written: {why}"),
            )
        })?;
    let mut data = StepData::default();
    data.push("path", path);
    data.push("width", image.size.width.to_string());
    data.push("height", image.size.height.to_string());
    Ok(data)
}
