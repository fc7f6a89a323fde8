//! `upload`: give files of this computer to a web page.

use std::path::PathBuf;

use contract::actions::Upload;
use contract::{ErrorCode, StepData};

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::failure::Failure;
use crate::screen_lookup::NodeTarget;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &Upload,
) -> Result<StepData, Failure> {
    let files: Result<Vec<PathBuf>, String> = params
        .files
        .iter()
        .map(|file| ctx.artifacts.upload(file))
        .collect();
    let files = files.map_err(|why| {
        let message = format!("{why}. Nothing was done");
        Failure::new(ErrorCode::FilesNotUploaded, message)
    })?;
    let target = NodeTarget {
        matcher: &params.matcher,
        container: params.container.as_ref(),
    };
    let mut backoff = Backoff::new(&params.retry());
    loop {
        let found = ctx.find_first(target, &mut backoff).await?;
        let node = found.seen.node_ref(found.first);
        ctx.begin_change().await;
        let (browser, cx) = ctx.device.browser();
        let done = browser.upload(cx, node, &files).await;
        match ctx.record_answer(done) {
            Ok(()) => {
                let mut data = StepData::default();
                data.push("files", serde_json::json!(params.files).to_string());
                found.count_into(&mut data);
                return Ok(data);
            }
            Err(failure) => {
                let failure = failure
                    .recode(ErrorCode::GestureFailed, ErrorCode::FilesNotUploaded)
                    .recode(ErrorCode::TextNotEntered, ErrorCode::FilesNotUploaded)
                    .with_data("match_count", found.all.len().to_string());
                ctx.back_off(failure, &mut backoff).await?;
            }
        }
    }
}
