//! The checks of what driving comes to: the screen can be read, it can be drawn, and it can be touched.

use contract::ErrorCode;
use driver::{Cx, Driver, DriverError};
use driver_android::Shell;
use serde_json::json;
use tokio::time::Instant;

use super::phone::why;
use super::report::Check;

/// Longer than this, a look at the screen is worth a word.
const SLOW_MS: u128 = 5000;

/// Whether the screen can be read.
pub(super) async fn snapshot(driver: &mut dyn Driver, cx: &Cx) -> Check {
    let id = "readiness.snapshot";
    let begun = Instant::now();
    let seen = driver.observe(cx).await;
    let millis = begun.elapsed().as_millis();
    let time = u64::try_from(millis).unwrap_or(u64::MAX);
    match seen {
        Ok(seen) => {
            let nodes = seen.tree.len();
            let front = seen.foreground.as_deref().unwrap_or("a window of nobody");
            let summary =
                format!("The screen can be read: {nodes} nodes of {front}, in {millis} ms");
            let check = Check::pass(id, summary).with_evidence(json!({
                "nodes": nodes,
                "foregroundPackage": seen.foreground,
                "elapsedMs": time,
            }));
            if millis > SLOW_MS {
                return check.with_detail(
                    "That is long: `uiautomator dump` waits until nothing moves; switch animations off, and leave screens that play",
                );
            }
            check
        }
        Err(error) => {
            let check = Check::fail(
                id,
                ErrorCode::ScreenUnavailable,
                "The screen cannot be read",
            )
            .with_detail(why(&error))
            .with_evidence(json!({ "elapsedMs": time }));
            remedy(check, &error)
        }
    }
}

/// What to do about a screen that cannot be read, by why it cannot.
fn remedy(check: Check, error: &DriverError) -> Check {
    let steps: &[&str] = match error {
        DriverError::NoWindow => &["Wake and unlock the phone, or wait until an app is in front"],
        DriverError::Incomplete(_) | DriverError::NotIdle(_) | DriverError::Deadline => &[
            "Leave the screen that moves without end: a video, a progress bar, a map",
            "Switch animations off in the developer options",
        ],
        DriverError::Refused(_) => &[
            "End the other tool that reads the screen (an Appium or uiautomator2 server, a test that runs), or restart the phone",
        ],
        _ => &["Plug the phone in again, and try once more"],
    };
    check.with_manual(
        "Bring the screen to rest",
        "android",
        steps.iter().map(|step| (*step).to_owned()),
    )
}

/// Whether a picture of the screen can be taken. Nothing else depends on it.
pub(super) async fn screenshot(driver: &mut dyn Driver, cx: &Cx) -> Check {
    let id = "readiness.screenshot";
    match driver.screenshot(cx).await {
        Ok(image) => {
            let (width, height) = (image.size.width, image.size.height);
            Check::pass(id, "A screenshot can be taken").with_evidence(json!({
                "width": width,
                "height": height,
                "bytes": image.png.len(),
            }))
        }
        Err(error) => Check::warn(
            id,
            ErrorCode::ScreenshotFailed,
            "No screenshot can be taken; everything else works without",
        )
        .with_detail(why(&error)),
    }
}

/// Whether the shell may press keys and touch the screen: presses the key without a meaning, which no app knows.
pub(super) async fn input(shell: &Shell, cx: &Cx) -> Check {
    let id = "readiness.input";
    let summary = "The phone does not let the shell touch the screen";
    match shell.change(cx, "input keyevent 0").await {
        Ok(_) => Check::pass(id, "Keys and touches are taken"),
        Err(DriverError::InputDenied(said) | DriverError::Refused(said)) => {
            denied(id, summary, &said)
        }
        Err(error) => {
            Check::fail(id, ErrorCode::DeviceShellUnavailable, summary).with_detail(why(&error))
        }
    }
}

fn denied(id: &'static str, summary: &str, said: &str) -> Check {
    let said: String = said.trim().chars().take(300).collect();
    Check::fail(id, ErrorCode::DeviceInputDenied, summary)
        .with_detail(said)
        .with_guidance(
            "Settings, Developer options",
            [
                "switch `USB debugging (Security settings)` on, which Xiaomi and others have",
                "restart the phone",
            ],
        )
}
