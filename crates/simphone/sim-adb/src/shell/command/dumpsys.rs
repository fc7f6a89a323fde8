//! `dumpsys`: the lines that tools read.

use driver_sim::{FocusedWindow, Phone};

use super::Call;
use super::dump::SECOND;
use super::package::PERMISSIONS;
use crate::adb_phone::system::SDK;
use crate::fault::WireFault;
use crate::packages::{self, Package, short};
use crate::shell::io::CommandResult;

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    match call.arg(1).unwrap_or_default() {
        "window" => window(call).await,
        "package" => package(call, call.arg(2).unwrap_or_default()).await,
        "power" => {
            let on = call.driver().await.phone().is_awake();
            let word = if on { "Awake" } else { "Asleep" };
            call.done(format!("Power Manager State:\n  mWakefulness={word}"))
                .await
        }
        other => call.fail(format!("Can't find service: {other}"), 0).await,
    }
}

/// The hash that names an object in dumps: unique per window and the same on every run.
fn token(id: u64) -> String {
    format!(
        "{:07x}",
        id.wrapping_mul(0x009e_3779).wrapping_add(0x00a5_17c3) & 0x0fff_ffff
    )
}

/// The name of a window in dumps of the window manager.
fn window_name(window: &FocusedWindow) -> String {
    let title = if window.activity {
        format!("{}/{}", window.package, window.name)
    } else {
        window.name.clone()
    };
    format!("Window{{{} u0 {title}}}", token(window.id))
}

/// The name of an activity in dumps of the activity manager.
fn record(activity: &FocusedWindow) -> String {
    let component = short(&activity.package, &activity.name);
    format!(
        "ActivityRecord{{{} u0 {component} t{}}}",
        token(activity.id ^ 0xa),
        activity.id + 10
    )
}

/// The resumed activity; a system prompt is an activity.
fn resumed(phone: &Phone) -> Option<FocusedWindow> {
    let focused = phone.focused_window().filter(|window| window.activity);
    focused
        .or_else(|| phone.resumed_activity())
        .filter(|_| phone.is_awake())
}

/// The same for each part of the window manager.
async fn window(call: Call<'_>) -> CommandResult {
    let driver = call.driver().await;
    let phone = driver.phone();
    let focus = phone.focused_window();
    let app = resumed(phone);
    let keyboard = phone.keyboard_is_up();
    let [screen, upright] = [phone.screen(), phone.upright_screen()]
        .map(|size| format!("{}x{}", size.width, size.height));
    let turns = phone.rotation().quarter_turns();
    let density = (phone.density() * 160.0).round() as u32;
    drop(driver);
    let null = || "null".to_owned();
    let mut text = format!(
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0 (organized)\n    \
         init={upright} {density}dpi cur={screen} app={screen}\n      mRotation={turns}\n  mCurrentFocus={}\n  \
         mFocusedApp={}\n",
        focus.as_ref().map_or_else(null, window_name),
        app.as_ref().map_or_else(null, record),
    );
    if keyboard {
        text.push_str("  mImeWindow=Window{3f2a91c u0 InputMethod} mInputShown=true\n");
    }
    if call.adb_phone().faults().has(&WireFault::TwoDisplays) {
        text.push_str(&format!(
            "  Display: mDisplayId=2\n    init=1920x1080 320dpi cur=1920x1080 app=1920x1080\n  \
             mCurrentFocus=Window{{5c1d9e2 u0 {SECOND}/{SECOND}.Main}}\n  \
             mFocusedApp=ActivityRecord{{77ab3c1 u0 {SECOND}/.Main t9}}\n"
        ));
    }
    // The phone has no lock screen.
    text.push_str("  KeyguardServiceDelegate\n    showing=false\n    secure=false\n");
    call.io.out.bytes(text).await?;
    Ok(0)
}

async fn package(call: Call<'_>, name: &str) -> CommandResult {
    let driver = call.driver().await;
    let phone = driver.phone();
    let found = packages::find(call.adb_phone(), phone, name);
    let mut granted = String::new();
    for (permission, _) in PERMISSIONS
        .iter()
        .filter(|(_, what)| phone.has_permission(name, *what))
    {
        granted.push_str(&format!(
            "        android.permission.{permission}: granted=true, flags=[ USER_SET ]\n"
        ));
    }
    drop(driver);
    let text = match found {
        Some(Package {
            version: (version, code),
            ..
        }) => format!(
            "Packages:\n  Package [{name}] ({}):\n    versionCode={code} minSdk=24 targetSdk={SDK}\n    \
             versionName={version}\n      runtime permissions:\n{granted}",
            token(code),
        ),
        None => format!("Unable to find package: {name}\n"),
    };
    call.io.out.bytes(text).await?;
    Ok(0)
}
