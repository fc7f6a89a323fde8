//! `open_app`: open an app and wait until it is in front.

use std::time::Duration;

use contract::actions::OpenApp;
use contract::{ErrorCode, StepData};
use driver::{Observation, Target};
use tokio::time::Instant;

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::device_session::ChangeWait;
use crate::failure::Failure;
use crate::screen_lookup::dialog_in_front;

/// The minimum time for an app to start, even if the plan allows few attempts.
const MIN_START: Duration = Duration::from_secs(3);

pub(super) async fn perform(
    ctx: &mut StepContext<'_>,
    params: &OpenApp,
) -> Result<StepData, Failure> {
    let app = params.application_id.as_str();
    let target = Target::App(app.to_owned());
    let retry = params.retry();
    let mut backoff = Backoff::new(&retry);
    while let Err(failure) = ctx.open(&target).await {
        let Err(failure) = ctx.back_off(failure, &mut backoff).await else {
            continue;
        };
        let failure = failure
            .recode(ErrorCode::GestureFailed, ErrorCode::AppLaunchFailed)
            .with_leading_data("application_id", app);
        return Err(match failure.code() {
            Some(ErrorCode::AppNotFound) => ctx.with_similar_packages(failure, app).await,
            _ => failure,
        });
    }
    let retry_time: Duration = retry.delays().map(Duration::from).sum();
    ctx.wait_for_front(app, Instant::now() + retry_time.max(MIN_START))
        .await
        .map_err(|failure| failure.with_leading_data("application_id", app))?;
    let mut data = StepData::default();
    data.push("application_id", app);
    Ok(data)
}

/// The most similar packages that a failure lists.
const MAX_SIMILAR: usize = 3;

/// The packages that contain `name`, and the one of which it is a misspelling.
fn similar_packages<'a>(name: &str, packages: &'a [String]) -> Vec<&'a str> {
    let name = name.trim().to_lowercase();
    let mut found: Vec<&str> = packages
        .iter()
        .map(String::as_str)
        .filter(|package| name.len() > 2 && package.to_lowercase().contains(&name))
        .collect();
    // `com.android.settings` before `com.android.settings.intelligence`.
    found.sort_by_key(|package| (last_part(package) != name, package.len()));
    if found.is_empty() {
        let parts = packages.iter().map(|package| last_part(package));
        let nearest = contract::nearest_name(last_part(&name), parts);
        let mut packages = packages.iter().map(String::as_str);
        found.extend(packages.find(|package| Some(last_part(package)) == nearest));
    }
    found.truncate(MAX_SIMILAR);
    found
}

/// The part after the last dot.
fn last_part(package: &str) -> &str {
    package.rsplit('.').next().unwrap_or(package)
}

/// The failure when an app was opened but did not come to the front.
fn not_in_front(app: &str, seen: Observation) -> Failure {
    let last = seen.foreground;
    let dialog = dialog_in_front(&seen.tree);
    let in_front = dialog.as_deref().or(last.as_deref()).unwrap_or("nothing");
    let mut failure = Failure::new(
        ErrorCode::AppLaunchFailed,
        format!("{app} was opened, but {in_front} is in front"),
    );
    if dialog.is_some() {
        failure = failure.with_hint("Answer the dialog; what was opened is behind it");
    }
    match last {
        Some(other) => failure.with_data("last_package", other),
        None => failure,
    }
}

impl StepContext<'_> {
    /// Adds similar packages to the failure of an app that is not installed.
    async fn with_similar_packages(&mut self, failure: Failure, app: &str) -> Failure {
        // If the list is not available, the failure stays as it is.
        let (driver, cx) = self.device.driver();
        let packages = driver.apps(cx).await.unwrap_or_default();
        let near = similar_packages(app, &packages);
        if near.is_empty() {
            return failure;
        }
        let verb = if near.len() == 1 { "comes" } else { "come" };
        failure
            .with_reason(&format!("{} {verb} near", near.join(", ")))
            .with_data("near_packages", serde_json::json!(near).to_string())
    }

    /// Waits until `app` is in front, at most until `until`.
    async fn wait_for_front(&mut self, app: &str, until: Instant) -> Result<(), Failure> {
        loop {
            match self.observe_uninterrupted().await {
                Ok(seen) if seen.foreground.as_deref() == Some(app) => return Ok(()),
                Ok(seen) => {
                    if self.device.wait_for_change(&seen, until).await? == ChangeWait::TimedOut {
                        return Err(not_in_front(app, seen));
                    }
                }
                // While an app starts there may be no window for a moment.
                Err(failure) if failure.is_retryable() && Instant::now() < until => {
                    self.wait_poll(until).await?;
                }
                Err(failure) => return Err(failure),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::similar_packages;

    #[test]
    fn similar_packages_contain_or_resemble_the_name() {
        let packages = [
            "com.android.settings.intelligence",
            "com.android.providers.settings",
            "com.android.settings",
            "com.example.shop",
        ]
        .map(str::to_owned);
        assert_eq!(
            similar_packages("Settings", &packages),
            [
                "com.android.settings",
                "com.android.providers.settings",
                "com.android.settings.intelligence",
            ]
        );
        assert_eq!(
            similar_packages("com.exmaple.shop", &packages),
            ["com.example.shop"]
        );
        assert!(similar_packages("com.example.notes", &packages).is_empty());
        assert!(similar_packages("a", &packages).is_empty());
        assert!(similar_packages("org.nothing", &packages).is_empty());
    }
}
