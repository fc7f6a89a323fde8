//! The checks of driving: reading the screen, taking a screenshot, sending input.

use contract::ErrorCode;
use driver::{Cx, Driver, DriverError, Observation};
use driver_android::Shell;
use serde_json::{Value, json};
use tokio::time::Instant;
use uitree::Window;

use super::phone::why;
use super::report::Check;

/// A snapshot that takes longer gets a remark.
const SLOW_MS: u128 = 5000;

/// Whether the screen can be read.
pub(super) async fn snapshot(driver: &mut dyn Driver, cx: &Cx) -> Check {
    let id = "readiness.snapshot";
    let started_at = Instant::now();
    let seen = driver.observe(cx).await;
    let millis = started_at.elapsed().as_millis();
    let time = u64::try_from(millis).unwrap_or(u64::MAX);
    match seen {
        Ok(seen) => {
            let nodes = seen.tree.len();
            let front = seen.foreground.as_deref().unwrap_or("an unknown window");
            let summary =
                format!("The screen can be read: {nodes} nodes of {front}, in {millis} ms");
            let check = Check::pass(id, summary).with_evidence(json!({
                "nodes": nodes,
                "foregroundPackage": seen.foreground,
                "elapsedMs": time,
                "windows": windows(&seen),
                "otherDisplays": seen.other_displays.len(),
            }));
            if millis > SLOW_MS {
                return check.with_detail(
                    "That is slow: `uiautomator dump` waits until the screen is idle; turn animations off, and avoid screens that play video",
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

/// The windows of the screen, without their titles, which may be private.
fn windows(seen: &Observation) -> Vec<Value> {
    let of_window = |window: &Window| {
        json!({
            "kind": window.kind.as_str(),
            "package": &*seen.tree.node(window.root).owner,
            "layer": window.layer,
            "active": window.active,
            "bounds": window.bounds.map(|bounds| bounds.to_string()),
            "nodes": seen.tree.subtree(window.root).count(),
        })
    };
    seen.tree.windows().iter().map(of_window).collect()
}

/// Adds what to do about an unreadable screen.
fn remedy(check: Check, error: &DriverError) -> Check {
    let steps: &[&str] = match error {
        DriverError::NoWindow => {
            &["Wake and unlock the phone, or wait until an app is in the foreground"]
        }
        DriverError::Incomplete(_) | DriverError::NotIdle(_) | DriverError::Deadline => &[
            "Leave a screen that never stops moving: a video, a progress bar, a map",
            "Switch animations off in the developer options",
        ],
        DriverError::Refused(_) => &[
            "Stop the other tool that reads the screen (an Appium or uiautomator2 server, a running test), or restart the phone",
        ],
        _ => &["Plug the phone in again, and try again"],
    };
    check.with_manual(
        "Make the screen readable",
        "android",
        steps.iter().map(|step| (*step).to_owned()),
    )
}

/// Whether a screenshot can be taken; a warning only.
pub(super) async fn screenshot(driver: &mut dyn Driver, cx: &Cx) -> Check {
    let id = "readiness.screenshot";
    match driver.screenshot(cx).await {
        Ok(image) => {
            let (width, height) = (image.size.width, image.size.height);
            Check::pass(id, "A screenshot can be taken").with_evidence(json!({
                "width": width,
                "height": height,
                "bytes": image.bytes.len(),
            }))
        }
        Err(error) => Check::warn(
            id,
            ErrorCode::ScreenshotFailed,
            "Screenshots cannot be taken; everything else works",
        )
        .with_detail(why(&error)),
    }
}

/// Whether the shell may send input: presses a key code that apps ignore.
pub(super) async fn input(shell: &Shell, cx: &Cx) -> Check {
    let id = "readiness.input";
    let summary = "The phone rejects input from the shell";
    match shell.change(cx, "input keyevent 0").await {
        Ok(_) => Check::pass(id, "Input is accepted"),
        Err(DriverError::InputDenied(output) | DriverError::Refused(output)) => {
            input_denied(id, summary, &output)
        }
        Err(error) => {
            Check::fail(id, ErrorCode::DeviceShellUnavailable, summary).with_detail(why(&error))
        }
    }
}

fn input_denied(id: &'static str, summary: &str, output: &str) -> Check {
    let output: String = output.trim().chars().take(300).collect();
    Check::fail(id, ErrorCode::DeviceInputDenied, summary)
        .with_detail(output)
        .with_guidance(
            "Settings, Developer options",
            [
                "switch on `USB debugging (Security settings)` (Xiaomi and others)",
                "restart the phone",
            ],
        )
        .with_manual(
            "Or use the runtime app",
            "host",
            ["Install the runtime app, which needs no such right, and use `--via app`: see the Android guide".to_owned()],
        )
}
