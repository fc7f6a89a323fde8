//! The checks of a phone that hold for every transport: its shell, its screen, its settings.

use contract::ErrorCode;
use driver::{Cx, DriverError};
use driver_android::manage::{Settings, Table};
use driver_android::{Profile, ScreenState, Shell};
use serde_json::json;

use super::repair::Repair;
use super::report::Check;

/// The animation scales of a phone; 0 is off.
pub(super) const ANIMATIONS: [&str; 3] = [
    "window_animation_scale",
    "transition_animation_scale",
    "animator_duration_scale",
];

/// Whether the phone's shell answers, and the phone's properties.
pub(super) async fn capability(serial: &str, shell: &Shell, cx: &Cx) -> (Check, Option<Profile>) {
    let id = "device.capability";
    match Profile::query(shell, cx).await {
        Ok(profile) => {
            let summary = format!(
                "{}, Android {} (API {}), responds",
                profile.model, profile.release, profile.sdk
            );
            let evidence = json!({
                "model": profile.model,
                "androidVersion": profile.release,
                "sdk": profile.sdk,
                "wmSize": format!("{}x{}", profile.screen.width, profile.screen.height),
                "wmDensity": profile.density,
            });
            (
                Check::pass(id, summary).with_evidence(evidence),
                Some(profile),
            )
        }
        Err(error) => {
            let summary = "The phone's shell does not answer like that of an Android phone";
            let check = Check::fail(id, ErrorCode::DeviceShellUnavailable, summary)
                .with_detail(why(&error))
                .with_manual(
                    "Restart the phone",
                    "android",
                    [
                        format!("Try `{}`", on(serial, "getprop ro.build.version.sdk")),
                        "Restart the phone if that fails".to_owned(),
                    ],
                );
            (check, None)
        }
    }
}

/// A command of the phone's shell as an adb command line.
fn on(serial: &str, command: &str) -> String {
    format!("adb -s {} shell {command}", adb::quote(serial))
}

/// The text of an error for a report, without the title of a window, which may be private.
pub(super) fn why(error: &DriverError) -> String {
    match error {
        DriverError::Deadline => "it did not answer in time".to_owned(),
        error @ DriverError::Incomplete(_) => without_quotations(&error.to_string()),
        error => error.to_string(),
    }
}

/// The text with what is between quotation marks left out.
fn without_quotations(text: &str) -> String {
    let (mut kept, mut is_quoted, mut is_escaped) = (String::new(), false, false);
    for character in text.chars() {
        let ends = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        if ends {
            is_quoted = !is_quoted;
            kept.push_str(if is_quoted { "\"…" } else { "\"" });
        } else if !is_quoted {
            kept.push(character);
        }
    }
    kept
}

/// Whether the screen is on and unlocked.
pub(super) async fn screen(shell: &Shell, cx: &Cx, serial: &str) -> Check {
    let id = "device.screen";
    let state = match ScreenState::query(shell, cx).await {
        Ok(state) => state,
        Err(error) => {
            let summary = "The screen state cannot be read";
            return Check::fail(id, ErrorCode::DeviceShellUnavailable, summary)
                .with_detail(why(&error));
        }
    };
    let evidence = json!({
        "wakefulness": state.wakefulness,
        "locked": state.lock.map(|lock| lock.showing),
    });
    let word = state.wakefulness.as_deref();
    let check = if state.is_off() {
        Check::fail(id, ErrorCode::DeviceScreenOff, "The screen is off")
            .with_detail(format!("The phone reports {}", word.unwrap_or_default()))
            .with_commands(
                "Wake the phone",
                "android",
                [on(serial, "input keyevent KEYCODE_WAKEUP")],
            )
            .with_repair(Repair::Wake)
    } else if state.is_dismissible() {
        locked(id)
            .with_commands(
                "Dismiss the lock screen",
                "android",
                [on(serial, "wm dismiss-keyguard")],
            )
            .with_repair(Repair::Unlock)
    } else if state.is_locked() {
        locked(id).with_guidance("Lock screen", ["unlock the phone"])
    } else {
        let summary = match (word, state.lock) {
            (Some(_), Some(_)) => "The screen is on and unlocked",
            (Some(_), None) => "The screen is on; the phone does not report whether it is locked",
            (None, _) => "The phone does not report whether the screen is on",
        };
        Check::pass(id, summary)
    };
    check.with_evidence(evidence)
}

fn locked(id: &'static str) -> Check {
    let summary = "The phone shows its lock screen";
    Check::fail(id, ErrorCode::DeviceLocked, summary)
}

/// Whether animations are on; a warning only.
pub(super) async fn animations(shell: &Shell, cx: &Cx, serial: &str) -> Check {
    let id = "device.animations";
    let settings = Settings::new(shell, cx);
    let mut values = serde_json::Map::new();
    let mut moving = false;
    for key in ANIMATIONS {
        match settings.get(Table::Global, key).await {
            Ok(value) => {
                // Animations are on by default.
                let scale = value.as_deref().unwrap_or("1");
                moving |= scale.parse::<f64>() != Ok(0.0);
                values.insert(key.to_owned(), json!(scale));
            }
            Err(error) => return unread(id, ErrorCode::DeviceAnimationsOn, &error),
        }
    }
    let check = if moving {
        let commands = ANIMATIONS.map(|key| on(serial, &format!("settings put global {key} 0")));
        Check::warn(
            id,
            ErrorCode::DeviceAnimationsOn,
            "Animations are on: waits take longer, and snapshots with stock tools wait until they end",
        )
        .with_commands("Turn animations off", "android", commands)
        .with_repair(Repair::DisableAnimations)
    } else {
        Check::pass(id, "Animations are off")
    };
    check.with_evidence(serde_json::Value::Object(values))
}

/// A setting that cannot be read; a warning only.
fn unread(id: &'static str, code: ErrorCode, error: &DriverError) -> Check {
    Check::warn(id, code, "Cannot read the phone's setting").with_detail(why(error))
}

/// Whether developer options and USB debugging are on.
pub(super) async fn developer(shell: &Shell, cx: &Cx) -> Vec<Check> {
    let rows = [
        (
            "readiness.settings.dev_options",
            "development_settings_enabled",
            "Developer options are on",
            ErrorCode::DeviceDevOptionsDisabled,
        ),
        (
            "readiness.settings.usb_debugging",
            "adb_enabled",
            "USB debugging is on",
            ErrorCode::DeviceUsbDebuggingDisabled,
        ),
    ];
    let mut checks = Vec::new();
    for (id, key, good, code) in rows {
        let value = Settings::new(shell, cx).get(Table::Global, key).await;
        checks.push(match value {
            Ok(value) if value.as_deref() == Some("1") => Check::pass(id, good),
            Ok(value) => Check::warn(id, code, code.meaning())
                .with_evidence(json!({ key: value }))
                .with_manual("Turn it on", "android", [code.hint().to_owned()]),
            Err(error) => unread(id, code, &error),
        });
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_of_a_window_is_left_out() {
        let title = "Chat with \"Ann\" \\";
        let error = DriverError::Incomplete(format!("the window {title:?} came without its nodes"));
        assert_eq!(
            why(&error),
            "the screen could not be read completely: the window \"…\" came without its nodes"
        );
    }
}
