//! `wait_for_node`: wait until a node is on the screen.

use contract::StepData;
use contract::actions::WaitForNode;

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::failure::Failure;
use crate::find_with_retries::OffScreenPolicy;
use crate::screen_lookup::NodeTarget;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &WaitForNode,
) -> Result<StepData, Failure> {
    let target = NodeTarget {
        matcher: &params.matcher,
        container: params.container.as_ref(),
    };
    let (found, limit) = match params.timeout_ms {
        Some(limit) => {
            let until = ctx.device.wait_deadline(limit.to_duration());
            (
                ctx.find_until(target, until, OffScreenPolicy::ScrollIntoView)
                    .await,
                Some(limit.to_string()),
            )
        }
        None => {
            let mut backoff = Backoff::new(&params.retry()).without_early_stop();
            (
                ctx.find_with_backoff(target, &mut backoff, OffScreenPolicy::ScrollIntoView)
                    .await,
                None,
            )
        }
    };
    let found = match (found, limit.as_deref()) {
        (Ok(found), _) => found,
        (Err(failure), Some(limit)) => return Err(failure.with_leading_data("timeout_ms", limit)),
        (Err(failure), None) => return Err(failure),
    };
    let node = found.node();
    let mut data = StepData::default();
    data.push("resource_id", &*node.id);
    data.push("label", crate::describe::node_text(node));
    if let Some(limit) = limit {
        data.push("timeout_ms", limit);
    }
    found.count_into(&mut data);
    Ok(data)
}
