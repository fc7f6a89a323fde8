//! Steps that the app does not support and that run on this computer.

use contract::{Action, ErrorBody, ErrorCode, Params, StepData, StepResult};
use driver::{Dispatch, Driver, DriverError};
use engine::Event;
use tokio::time::Instant;

use super::{Run, Stop, screen_code};

impl Run<'_> {
    /// Runs a step that the app does not support on this computer.
    pub(super) async fn run_on_host(&mut self, index: usize) -> Result<(), Stop> {
        let action = self.action(index)?.clone();
        let of = self.of();
        (self.on_event)(&Event::StepStarted {
            index,
            of,
            action: &action,
        });
        let started_at = Instant::now();
        // Like every step, it may use the rest of the plan's timeout.
        let left = self
            .execution
            .timeout()
            .to_duration()
            .saturating_sub(self.started.elapsed());
        let cx = self.cx.within(left);
        self.dispatch = Dispatch::NotSent;
        let result = match action.params() {
            Params::CloseApp(params) => {
                self.dispatch = Dispatch::Unknown;
                let done = self.phone.stock.close(&cx, &params.application_id).await;
                let data = StepData::new().with("application_id", params.application_id.as_str());
                match done {
                    Ok(()) => StepResult::succeeded(&action, data),
                    Err(error @ DriverError::NotInstalled(_)) => {
                        let warn = format!("{error}; nothing was closed");
                        StepResult::succeeded(&action, data.with("warn", warn))
                    }
                    Err(error) => failed(&action, &error, data, ErrorCode::AppCloseFailed)
                        .ok_or_else(|| self.ended(index, &error))?,
                }
            }
            Params::TakeScreenshot(params) => match self.phone.stock.screenshot(&cx).await {
                Ok(image) => {
                    let written = engine::convert_picture(image, engine::image_request(params))
                        .and_then(|image| {
                            let path = params.path.as_deref();
                            let path = self.artifacts.keep_screenshot(path, &image.bytes)?;
                            Ok((path, image.size))
                        });
                    match written {
                        Ok((path, size)) => {
                            let data = StepData::new()
                                .with("path", path)
                                .with("width", size.width.to_string())
                                .with("height", size.height.to_string());
                            StepResult::succeeded(&action, data)
                        }
                        Err(why) => StepResult::failed(
                            &action,
                            ErrorCode::ScreenshotFailed,
                            format!("the screenshot could not be written: {why}"),
                            StepData::new(),
                        ),
                    }
                }
                Err(error) => failed(
                    &action,
                    &error,
                    StepData::new(),
                    ErrorCode::ScreenshotFailed,
                )
                .ok_or_else(|| self.ended(index, &error))?,
            },
            _ => {
                return Err(ErrorBody::new(
                    ErrorCode::InternalError,
                    "the app's step came to the host",
                )
                .with_default_hint()
                .into());
            }
        };
        let elapsed = started_at.elapsed();
        let mut result = result;
        result
            .data
            .push("elapsed_ms", elapsed.as_millis().to_string());
        self.report(index, &result, Some(elapsed));
        self.take(result)
    }
}

/// The error of a step of this computer; `None` if the run ended during the step.
fn failed(
    action: &Action,
    error: &DriverError,
    data: StepData,
    otherwise: ErrorCode,
) -> Option<StepResult> {
    let (code, dispatch) = match error {
        DriverError::Deadline | DriverError::Cancelled => return None,
        DriverError::Lost { dispatch, .. } => (ErrorCode::DeviceLost, Some(*dispatch)),
        error => (screen_code(error).unwrap_or(otherwise), None),
    };
    let mut result = StepResult::failed(action, code, error.to_string(), data);
    if let Some(dispatch) = dispatch {
        result.data.push("dispatch", dispatch.as_str());
    }
    Some(result)
}
