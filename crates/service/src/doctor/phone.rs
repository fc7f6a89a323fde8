//! The checks of a phone, whichever way it is driven: its shell, its screen, its settings.

use contract::ErrorCode;
use driver::{Cx, DriverError};
use driver_android::manage::{Settings, Table};
use driver_android::{Profile, Shell};
use serde_json::json;

use super::repair::Repair;
use super::report::Check;

/// The settings by which a phone says how fast it animates: 0 is not at all.
pub(super) const ANIMATIONS: [&str; 3] = [
    "window_animation_scale",
    "transition_animation_scale",
    "animator_duration_scale",
];

/// Whether the phone's shell answers, and what the phone is.
pub(super) async fn capability(serial: &str, shell: &Shell, cx: &Cx) -> (Check, Option<Profile>) {
    let id = "device.capability";
    match Profile::of(shell, cx).await {
        Ok(profile) => {
            let summary = format!(
                "{}, Android {} (API {}), answers",
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
            let summary = "The phone's shell does not answer as an Android phone's";
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

/// A command of the phone's shell as a command line of this computer.
fn on(serial: &str, command: &str) -> String {
    format!("adb -s {} shell {command}", adb::quote(serial))
}

/// What an error says, for a detail.
pub(super) fn why(error: &DriverError) -> String {
    match error {
        DriverError::Deadline => "it did not answer in time".to_owned(),
        error => error.to_string(),
    }
}

/// Whether the screen is on and unlocked.
pub(super) async fn screen(shell: &Shell, cx: &Cx, serial: &str) -> Check {
    let id = "device.screen";
    let command = "dumpsys power; echo --clawperator--; dumpsys window policy; dumpsys window | grep -E \
                   'mDreamingLockscreen|mShowingLockscreen|isStatusBarKeyguard|isKeyguardShowing'";
    let output = match shell.ask(cx, command).await {
        Ok(output) => output.text(),
        Err(error) => {
            let summary = "Whether the screen is on cannot be told";
            return Check::fail(id, ErrorCode::DeviceShellUnavailable, summary)
                .with_detail(why(&error));
        }
    };
    let (power, window) = output
        .split_once("--clawperator--")
        .unwrap_or((&output, ""));
    let (awake, lock) = (wakefulness(power), lock(window));
    let evidence = json!({
        "wakefulness": awake,
        "locked": lock.map(|lock| lock.showing),
    });
    let check = match (awake, lock) {
        (Some(word), _) if word != "Awake" => {
            Check::fail(id, ErrorCode::DeviceScreenOff, "The screen is off")
                .with_detail(format!("The phone says that it is {word}"))
                .with_commands(
                    "Wake the phone",
                    "android",
                    [on(serial, "input keyevent KEYCODE_WAKEUP")],
                )
                .with_repair(Repair::Wake)
        }
        (_, Some(lock)) if lock.showing => {
            let check = Check::fail(
                id,
                ErrorCode::DeviceLocked,
                "The phone shows its lock screen",
            );
            if lock.secure == Some(true) {
                check.with_guidance("Lock screen", ["unlock the phone"])
            } else {
                check
                    .with_commands(
                        "Put the lock screen away",
                        "android",
                        [on(serial, "wm dismiss-keyguard")],
                    )
                    .with_repair(Repair::Unlock)
            }
        }
        (Some(_), Some(_)) => Check::pass(id, "The screen is on and unlocked"),
        (Some(_), None) => Check::pass(
            id,
            "The screen is on; whether it is locked the phone does not say",
        ),
        (None, _) => Check::pass(
            id,
            "Whether the screen is on the phone does not say; it can be looked at",
        ),
    };
    check.with_evidence(evidence)
}

/// What `dumpsys power` calls the state of the phone: `Awake`, `Asleep`, `Dozing`, `Dreaming`.
fn wakefulness(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim);
    let value = lines.find_map(|line| line.strip_prefix("mWakefulness="))?;
    value.split_whitespace().next()
}

/// The lock screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lock {
    showing: bool,
    secure: Option<bool>,
}

/// What the window manager says of the lock screen; each version of Android calls it something else.
fn lock(text: &str) -> Option<Lock> {
    let mut showing = None;
    let mut secure = None;
    let mut delegate = false;
    for line in text.lines() {
        delegate |= line.contains("KeyguardServiceDelegate");
        for word in line.split_whitespace() {
            let Some((name, value)) = word.split_once('=') else {
                continue;
            };
            let on = match value.trim_end_matches(',') {
                "true" => true,
                "false" => false,
                _ => continue,
            };
            match name {
                "mShowingLockscreen"
                | "mDreamingLockscreen"
                | "isStatusBarKeyguard"
                | "isKeyguardShowing"
                | "mIsShowing" => {
                    showing = Some(showing.unwrap_or(false) || on);
                }
                "showing" if delegate => showing = Some(showing.unwrap_or(false) || on),
                "secure" if delegate => secure = Some(on),
                _ => {}
            }
        }
    }
    showing.map(|showing| Lock { showing, secure })
}

/// Whether the phone animates its screens, which is advice.
pub(super) async fn animations(shell: &Shell, cx: &Cx, serial: &str) -> Check {
    let id = "device.animations";
    let settings = Settings::of(shell, cx);
    let mut values = serde_json::Map::new();
    let mut moving = false;
    for key in ANIMATIONS {
        match settings.get(Table::Global, key).await {
            Ok(value) => {
                // A phone that was never asked otherwise animates.
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
            "The phone animates its screens, for which every look has to wait",
        )
        .with_commands("Switch the animations off", "android", commands)
        .with_repair(Repair::Still)
    } else {
        Check::pass(id, "The phone does not animate its screens")
    };
    check.with_evidence(serde_json::Value::Object(values))
}

/// A setting that cannot be read: nothing depends on it.
fn unread(id: &'static str, code: ErrorCode, error: &DriverError) -> Check {
    Check::warn(id, code, "The phone's setting cannot be read").with_detail(why(error))
}

/// Whether the phone says that developers may debug it.
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
        let value = Settings::of(shell, cx).get(Table::Global, key).await;
        checks.push(match value {
            Ok(value) if value.as_deref() == Some("1") => Check::pass(id, good),
            Ok(value) => Check::warn(id, code, code.meaning())
                .with_evidence(json!({ key: value }))
                .with_manual("Switch it on", "android", [code.fix().to_owned()]),
            Err(error) => unread(id, code, &error),
        });
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_phones_say_of_their_screens() {
        let power =
            "Power Manager State:\n  Settings power_manager_constants:\n  mWakefulness=Asleep\n";
        assert_eq!(wakefulness(power), Some("Asleep"));
        assert_eq!(wakefulness("Power Manager State:\n"), None);
        let of = |showing, secure| Some(Lock { showing, secure });
        let today = "    KeyguardServiceDelegate\n      showing=true\n      showingAndNotOccluded=true\n      inputRestricted=true\n      occluded=false\n      secure=true\n";
        assert_eq!(lock(today), of(true, Some(true)));
        assert_eq!(
            lock(&today.replace("showing=true", "showing=false")),
            of(false, Some(true))
        );
        let before = "    mShowingLockscreen=true mShowingDream=false mDreamingLockscreen=false";
        assert_eq!(lock(before), of(true, None));
        assert_eq!(
            lock("    mDreamingLockscreen=false mDreamingSleepToken=null"),
            of(false, None)
        );
        // Another window's word is not the lock screen's.
        assert_eq!(lock("  ImeInsetsSourceProvider showing=true"), None);
        assert_eq!(lock(""), None);
    }
}
