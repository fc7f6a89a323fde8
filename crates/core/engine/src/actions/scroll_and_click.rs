//! `scroll_and_click`: bring a target into view, then click it.

use std::time::Duration;

use contract::StepData;
use contract::actions::ScrollAndClick;

use crate::click::word;
use crate::failure::{Failure, append};
use crate::lookup::{OutOfView, Wanted};
use crate::patience::Pauses;
use crate::scroll::{Limits, Reason, Scrolling};
use crate::stage::Stage;

/// How many swipes in a row may be refused.
const UNMOVED: u32 = 2;

pub(super) async fn perform(
    stage: &mut Stage<'_>,
    params: &ScrollAndClick,
) -> Result<StepData, Failure> {
    let scrolling = Scrolling::from(params);
    let target = Wanted {
        matcher: &params.matcher,
        container: None,
    };
    let mut data = StepData::default();
    data.push("max_swipes", params.max_swipes().to_string());
    data.push("direction", scrolling.direction.as_str());
    data.push("click_types", word(params.click_type()));
    data.push("click_after", params.click_after().to_string());
    let (swipes, matches) = reveal(stage, target, &scrolling, params)
        .await
        .map_err(|failure| failure.with(data.clone()))?;
    data.push("swipes_used", swipes.to_string());
    if params.click_after() {
        let clicked = stage
            .click_on(
                target,
                params.click_type(),
                &params.click_retry(),
                OutOfView::Leave,
            )
            .await
            .map_err(|failure| failure.with(data.clone()))?;
        append(&mut data, &clicked);
    } else {
        data.push("match_count", matches.to_string());
    }
    Ok(data)
}

/// Scrolls until the target can be seen; gives the number of swipes and of nodes that are the target.
async fn reveal(
    stage: &mut Stage<'_>,
    target: Wanted<'_>,
    scrolling: &Scrolling<'_>,
    params: &ScrollAndClick,
) -> Result<(u32, usize), Failure> {
    let mut pauses = Pauses::of(&params.scroll_retry());
    let mut swipes = 0;
    loop {
        let limits = Limits {
            scrolls: params.max_swipes().saturating_sub(swipes),
            duration: Duration::MAX,
            at_least: 0,
            unmoved: UNMOVED,
        };
        let mut ended = stage.scroll_loop(Some(target), scrolling, limits).await?;
        swipes += ended.scrolls;
        let failure = match ended.failure.take() {
            Some(failure) => failure,
            None if ended.reason == Reason::TargetFound => return Ok((swipes, ended.matches)),
            None => {
                return match stage.last_look(target, scrolling, &ended).await {
                    Ok(matches) => Ok((swipes, matches)),
                    Err(failure) => Err(failure
                        .before("termination_reason", ended.reason.as_str())
                        .before("swipes_used", swipes.to_string())),
                };
            }
        };
        stage
            .pause_after(failure, &mut pauses)
            .await
            .map_err(|failure| failure.before("swipes_used", swipes.to_string()))?;
    }
}
