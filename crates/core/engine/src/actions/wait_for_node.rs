//! `wait_for_node`: until a node is there.

use contract::StepData;
use contract::actions::WaitForNode;

use crate::failure::Failure;
use crate::lookup::{OutOfView, Wanted};
use crate::patience::Pauses;
use crate::stage::Stage;

pub(super) async fn perform(
    stage: &mut Stage<'_>,
    params: &WaitForNode,
) -> Result<StepData, Failure> {
    let wanted = Wanted {
        matcher: &params.matcher,
        container: params.container.as_ref(),
    };
    let (found, limit) = match params.timeout_ms {
        Some(limit) => {
            let until = stage.end_of(limit.to_duration());
            (
                stage.find_until(wanted, until, OutOfView::Bring).await,
                Some(limit.to_string()),
            )
        }
        None => {
            let mut pauses = Pauses::of(&params.retry()).waiting();
            (
                stage.find_with(wanted, &mut pauses, OutOfView::Bring).await,
                None,
            )
        }
    };
    let found = match (found, limit.as_deref()) {
        (Ok(found), _) => found,
        (Err(failure), Some(limit)) => return Err(failure.before("timeout_ms", limit)),
        (Err(failure), None) => return Err(failure),
    };
    let node = found.node();
    let mut data = StepData::default();
    data.push("resource_id", &*node.id);
    data.push("label", crate::words::words(node));
    if let Some(limit) = limit {
        data.push("timeout_ms", limit);
    }
    found.count_into(&mut data);
    Ok(data)
}
