//! `click`: on a node, or at a place.

use contract::actions::Click;
use contract::{ClickTarget, ClickType, Retry, StepData};
use driver::Gesture;
use uitree::Point;

use crate::click::word;
use crate::failure::Failure;
use crate::lookup::{OutOfView, Wanted};
use crate::patience::Pauses;
use crate::stage::Stage;

pub(super) async fn perform(stage: &mut Stage<'_>, params: &Click) -> Result<StepData, Failure> {
    let click = params.click_type();
    match &params.target {
        ClickTarget::Point(at) => {
            let at = Point::new(pixels(at.x), pixels(at.y));
            touch(stage, at, click, &params.retry()).await
        }
        ClickTarget::Node(matcher) => {
            let wanted = Wanted {
                matcher,
                container: params.container.as_ref(),
            };
            stage
                .click_on(wanted, click, &params.retry(), OutOfView::Bring)
                .await
        }
    }
}

/// A touch at a place, whatever lies there.
async fn touch(
    stage: &mut Stage<'_>,
    at: Point,
    click: ClickType,
    retry: &Retry,
) -> Result<StepData, Failure> {
    let gesture = match click {
        ClickType::Click => Gesture::Tap { at },
        // The contract refuses a focus at a coordinate before anything runs.
        ClickType::LongClick | ClickType::Focus => Gesture::LongPress { at },
    };
    let mut pauses = Pauses::of(retry);
    while let Err(failure) = stage.touch(&gesture).await {
        stage.pause_after(failure, &mut pauses).await?;
    }
    let mut data = StepData::default();
    data.push("coordinate", at.to_string());
    data.push("click_types", word(click));
    Ok(data)
}

/// A coordinate of a plan as pixels; what is too large for a screen stays outside of it.
fn pixels(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}
