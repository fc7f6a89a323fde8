//! `select_options`: select options of a list on a web page.

use contract::actions::SelectOptions;
use contract::{ErrorCode, StepData};

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::failure::Failure;
use crate::screen_lookup::NodeTarget;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &SelectOptions,
) -> Result<StepData, Failure> {
    let target = NodeTarget {
        matcher: &params.matcher,
        container: params.container.as_ref(),
    };
    let mut backoff = Backoff::new(&params.retry());
    loop {
        let found = ctx.find_first(target, &mut backoff).await?;
        let list = found.seen.node_ref(found.first);
        ctx.begin_change().await;
        let (browser, cx) = ctx.device.browser();
        let done = browser.select_options(cx, list, &params.options).await;
        let failure = match ctx.record_answer(done) {
            Ok(selected) => {
                let mut data = StepData::default();
                data.push("options", serde_json::json!(selected).to_string());
                found.count_into(&mut data);
                return Ok(data);
            }
            Err(failure) => failure
                .recode(ErrorCode::GestureFailed, ErrorCode::OptionsNotSelected)
                .recode(ErrorCode::TextNotEntered, ErrorCode::OptionsNotSelected),
        };
        let failure = failure.with_data("match_count", found.all.len().to_string());
        ctx.back_off(failure, &mut backoff).await?;
    }
}
