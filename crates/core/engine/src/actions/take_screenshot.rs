//! `take_screenshot`: a picture of the screen, taken in its place in the plan.

use contract::actions::TakeScreenshot;
use contract::{ErrorCode, StepData};

use crate::failure::Failure;
use crate::patience::Pauses;
use crate::stage::Stage;

pub(super) async fn perform(
    stage: &mut Stage<'_>,
    params: &TakeScreenshot,
) -> Result<StepData, Failure> {
    let mut pauses = Pauses::of(&params.retry());
    let image = loop {
        let taken = if params.is_of_the_page() {
            stage.picture_of_the_page().await
        } else {
            stage.screenshot().await
        };
        match taken {
            Ok(image) => break image,
            Err(failure) => {
                let failure = failure
                    .recode(ErrorCode::ScreenUnavailable, ErrorCode::ScreenshotFailed)
                    .recode(ErrorCode::GestureFailed, ErrorCode::ScreenshotFailed);
                stage.pause_after(failure, &mut pauses).await?;
            }
        }
    };
    let path = stage
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
