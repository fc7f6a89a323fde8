//! `open_app`: an app is open when it is in front.

use std::time::Duration;

use contract::actions::OpenApp;
use contract::{ErrorCode, StepData};
use driver::Target;
use tokio::time::Instant;

use crate::failure::Failure;
use crate::patience::Pauses;
use crate::stage::{Heard, Stage};

/// How long an app is given to come to the front, however few attempts the plan allows.
const SHORTEST_START: Duration = Duration::from_secs(3);

pub(super) async fn perform(stage: &mut Stage<'_>, params: &OpenApp) -> Result<StepData, Failure> {
    let app = params.application_id.as_str();
    let target = Target::App(app.to_owned());
    let retry = params.retry();
    stage
        .open_patiently(&target, &mut Pauses::of(&retry))
        .await
        .map_err(|failure| {
            failure
                .recode(ErrorCode::GestureFailed, ErrorCode::AppLaunchFailed)
                .before("application_id", app)
        })?;
    let patience: Duration = retry.delays().map(Duration::from).sum();
    stage
        .wait_for_front(app, Instant::now() + patience.max(SHORTEST_START))
        .await
        .map_err(|failure| failure.before("application_id", app))?;
    let mut data = StepData::default();
    data.push("application_id", app);
    Ok(data)
}

/// The app was asked to open and is not in front.
fn not_in_front(app: &str, last: Option<String>) -> Failure {
    let instead = last.as_deref().unwrap_or("nothing");
    let failure = Failure::new(
        ErrorCode::AppLaunchFailed,
        format!("{app} was asked to open, but {instead} is in front"),
    );
    match last {
        Some(other) => failure.after("last_package", other),
        None => failure,
    }
}

impl Stage<'_> {
    /// Asks the device to open something, again where it said that it did not.
    pub(super) async fn open_patiently(
        &mut self,
        target: &Target,
        pauses: &mut Pauses,
    ) -> Result<(), Failure> {
        while let Err(failure) = self.open(target).await {
            self.pause_after(failure, pauses).await?;
        }
        Ok(())
    }

    /// Waits until `app` is in front, at the longest until `until`.
    async fn wait_for_front(&mut self, app: &str, until: Instant) -> Result<(), Failure> {
        loop {
            match self.observe().await {
                Ok(seen) if seen.foreground.as_deref() == Some(app) => return Ok(()),
                Ok(seen) => {
                    if self.listen(&seen, until).await? == Heard::Nothing {
                        return Err(not_in_front(app, seen.foreground));
                    }
                }
                // No window for a moment is what a start looks like.
                Err(failure) if failure.is_worth_another_try() && Instant::now() < until => {
                    self.blink(until).await?;
                }
                Err(failure) => return Err(failure),
            }
        }
    }
}
