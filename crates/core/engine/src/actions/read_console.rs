//! `read_console`: read the console errors and failed requests of a web page.

use contract::StepData;
use contract::actions::ReadConsole;
use driver::CountedError;
use serde_json::json;

use crate::context::StepContext;
use crate::failure::Failure;

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    _: &ReadConsole,
) -> Result<StepData, Failure> {
    let (browser, cx) = ctx.device.browser();
    let errors = browser.page_errors(cx).await?;
    let texts: Vec<String> = errors
        .last
        .iter()
        .rev()
        .map(|error| ctx.artifacts.mask(&describe_counted(error)).into_owned())
        .collect();
    let mut data = StepData::default();
    data.push("errors", json!(texts).to_string());
    data.push("count", texts.len().to_string());
    if errors.forgotten > 0 {
        data.push("forgotten", errors.forgotten.to_string());
    }
    Ok(data)
}

/// An error, and how often it came in a row.
fn describe_counted(counted: &CountedError) -> String {
    match counted.times {
        1 => counted.error.to_string(),
        times => format!("{} ({times} times)", counted.error),
    }
}
