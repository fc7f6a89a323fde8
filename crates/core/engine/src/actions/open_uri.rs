//! `open_uri`: open a URI with its handler.

use contract::actions::OpenUri;
use contract::{ErrorCode, Retry, StepData};
use driver::Target;

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &OpenUri,
) -> Result<StepData, Failure> {
    let target = Target::Uri(params.uri.clone());
    let mut backoff = Backoff::new(&params.retry());
    let mut page_backoff = params
        .retry
        .is_none()
        .then(|| Backoff::new(&Retry::PAGE_LOAD));
    let opened = loop {
        let failure = match ctx.open(&target).await {
            Ok(opened) => break opened,
            Err(failure) => failure,
        };
        let backoff = match (&mut page_backoff, failure.code()) {
            (Some(backoff), Some(ErrorCode::PageNotLoaded)) => backoff,
            _ => &mut backoff,
        };
        ctx.back_off(failure, backoff).await.map_err(|failure| {
            failure
                .recode(ErrorCode::GestureFailed, ErrorCode::UriNotHandled)
                .with_leading_data("uri", params.uri.as_str())
        })?;
    };
    let mut data = StepData::default();
    data.push("uri", params.uri.as_str());
    // An error page still opened; the plan decides whether its status is acceptable.
    if let Some(status) = opened.http_status {
        data.push("httpStatus", status.to_string());
    }
    if let Some(prompt) = ctx.prompt_in_front().await {
        data.push(
            "warn",
            format!("{prompt} is in front; what was opened is behind it"),
        );
    }
    Ok(data)
}
