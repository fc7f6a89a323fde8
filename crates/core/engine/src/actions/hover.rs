//! `hover`: move the mouse over a node or a coordinate.

use contract::actions::Hover;
use contract::{ClickTarget, StepData};
use driver::{MouseAct, MouseTarget};

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::failure::Failure;
use crate::screen_lookup::NodeTarget;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &Hover,
) -> Result<StepData, Failure> {
    let mut backoff = Backoff::new(&params.retry());
    let mut data = StepData::default();
    match &params.target {
        ClickTarget::Point(at) => {
            ctx.observe_before_blind_change().await;
            let at = super::point(*at);
            while let Err(failure) = ctx.mouse(MouseTarget::Point(at), MouseAct::Hover).await {
                ctx.back_off(failure, &mut backoff).await?;
            }
            data.push("coordinate", at.to_string());
        }
        ClickTarget::Node(matcher) => {
            let target = NodeTarget {
                matcher,
                container: params.container.as_ref(),
            };
            let (found, hovered) = loop {
                let found = ctx.find_first(target, &mut backoff).await?;
                let at = MouseTarget::Node(found.seen.node_ref(found.first));
                match ctx.mouse(at, MouseAct::Hover).await {
                    Ok(hovered) => break (found, hovered),
                    Err(failure) => {
                        let platform = ctx.device.platform();
                        let failure = ctx
                            .with_cover(&found.seen.tree, found.first, platform, failure)
                            .with_data("match_count", found.all.len().to_string());
                        ctx.back_off(failure, &mut backoff).await?;
                    }
                }
            };
            if let Some(at) = hovered.touched {
                data.push("coordinate", at.to_string());
            }
            found.count_into(&mut data);
        }
    }
    Ok(data)
}
