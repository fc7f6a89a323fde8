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
    if let Err(failure) = stage.open_patiently(&target, &mut Pauses::of(&retry)).await {
        let failure = failure
            .recode(ErrorCode::GestureFailed, ErrorCode::AppLaunchFailed)
            .before("application_id", app);
        return Err(match failure.code() {
            Some(ErrorCode::AppNotFound) => stage.with_near_packages(failure, app).await,
            _ => failure,
        });
    }
    let patience: Duration = retry.delays().map(Duration::from).sum();
    stage
        .wait_for_front(app, Instant::now() + patience.max(SHORTEST_START))
        .await
        .map_err(|failure| failure.before("application_id", app))?;
    let mut data = StepData::default();
    data.push("application_id", app);
    Ok(data)
}

/// How many packages that come near are named.
const NEAR: usize = 3;

/// The packages that come near a name that none has: those that contain it, and the one that it misspells.
fn near<'a>(name: &str, packages: &'a [String]) -> Vec<&'a str> {
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
        let alike = contract::nearest_name(last_part(&name), parts);
        let mut packages = packages.iter().map(String::as_str);
        found.extend(packages.find(|package| Some(last_part(package)) == alike));
    }
    found.truncate(NEAR);
    found
}

/// What stands behind the last dot.
fn last_part(package: &str) -> &str {
    package.rsplit('.').next().unwrap_or(package)
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
    /// The failure of an app that is not installed, with the packages that come near.
    async fn with_near_packages(&mut self, failure: Failure, app: &str) -> Failure {
        // Without the list the failure says what it says.
        let packages = self.apps().await.unwrap_or_default();
        let near = near(app, &packages);
        if near.is_empty() {
            return failure;
        }
        let verb = if near.len() == 1 { "comes" } else { "come" };
        failure
            .because(&format!("{} {verb} near", near.join(", ")))
            .after("near_packages", serde_json::json!(near).to_string())
    }

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

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn near_packages_contain_the_name_or_are_spelled_alike() {
        let packages = [
            "com.android.settings.intelligence",
            "com.android.providers.settings",
            "com.android.settings",
            "com.example.shop",
        ]
        .map(str::to_owned);
        assert_eq!(
            near("Settings", &packages),
            [
                "com.android.settings",
                "com.android.providers.settings",
                "com.android.settings.intelligence",
            ]
        );
        assert_eq!(near("com.exmaple.shop", &packages), ["com.example.shop"]);
        assert!(near("com.example.notes", &packages).is_empty());
        assert!(near("a", &packages).is_empty());
        assert!(near("org.nothing", &packages).is_empty());
    }
}
