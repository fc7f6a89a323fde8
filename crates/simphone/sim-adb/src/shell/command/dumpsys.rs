//! `dumpsys`: the lines that tools read.

use driver_sim::{FocusedWindow, Phone};

use super::Call;
use super::dump::SECOND;
use super::package::PERMISSIONS;
use crate::adb_phone::system::SDK;
use crate::fault::WireFault;
use crate::packages::{self, short};
use crate::shell::io::CommandResult;

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    let service = call.arg(1).unwrap_or_default();
    match service {
        "window" => window(call).await?,
        "package" => return package(call, call.arg(2)).await,
        "power" => {
            let on = call.driver().await.phone().is_awake();
            let (word, state) = if on {
                ("Awake", "ON")
            } else {
                ("Asleep", "OFF")
            };
            call.print_line(format!(
                "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mWakefulness={word}\n  mIsPowered=true\n  \
                 mPlugType=2\n\nDisplay Power: state={state}"
            ))
            .await?;
        }
        "display" => {
            let driver = call.driver().await;
            let phone = driver.phone();
            let (screen, turns) = (phone.screen(), phone.rotation().quarter_turns());
            let state = if phone.is_awake() { "ON" } else { "OFF" };
            drop(driver);
            call.print_line(format!(
                "DISPLAY MANAGER (dumpsys display)\n  mScreenState={state}\n  mCurrentOrientation={turns}\n  \
                 mBaseDisplayInfo=DisplayInfo{{\"Built-in Screen\", displayId 0, real {} x {}, rotation {turns}, state {state}}}",
                screen.width, screen.height
            ))
            .await?;
        }
        other => {
            return call.fail(format!("Can't find service: {other}"), 0).await;
        }
    }
    Ok(0)
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

async fn window(call: Call<'_>) -> Result<(), crate::shell::io::Broken> {
    let driver = call.driver().await;
    let phone = driver.phone();
    let focus = phone.focused_window();
    let app = resumed(phone);
    let keyboard = phone.keyboard_is_up();
    let (screen, upright) = (phone.screen(), phone.upright_screen());
    let turns = phone.rotation().quarter_turns();
    let density = (phone.density() * 160.0).round() as u32;
    let awake = phone.is_awake();
    drop(driver);
    let focus_name = focus
        .as_ref()
        .map_or_else(|| "null".to_owned(), window_name);
    let app_name = app.as_ref().map_or_else(|| "null".to_owned(), record);
    let ime = "Window{3f2a91c u0 InputMethod}";
    let mut text = String::new();
    let what = call.arg(2).unwrap_or_default();
    if what != "displays" && what != "d" {
        text.push_str("WINDOW MANAGER WINDOWS (dumpsys window windows)\n");
        let mut names = vec![
            "Window{91d04b7 u0 StatusBar}".to_owned(),
            "Window{2c0e57a u0 NavigationBar0}".to_owned(),
        ];
        if keyboard {
            names.insert(0, ime.to_owned());
        }
        names.extend(focus.iter().map(window_name));
        for (place, name) in names.iter().enumerate() {
            text.push_str(&format!(
                "  Window #{place} {name}:\n    mDisplayId=0 rootTaskId=1 mSession=Session{{8a1c3d2}}\n    isOnScreen=true\n    \
                 isVisible=true\n"
            ));
        }
        text.push('\n');
    }
    if keyboard {
        text.push_str(&format!("  mInputMethodWindow={ime}\n"));
    }
    if what != "windows" && what != "w" {
        text.push_str(&format!(
            "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0 (organized)\n    \
             init={}x{} {density}dpi cur={}x{} app={}x{}\n    DisplayRotation\n      mCurrentAppOrientation=\
             SCREEN_ORIENTATION_UNSPECIFIED\n      mRotation={turns} mDeferredRotationPauseCount=0\n    \
             mCurrentRotation=ROTATION_{}\n",
            upright.width,
            upright.height,
            screen.width,
            screen.height,
            screen.width,
            screen.height,
            u32::from(turns) * 90,
        ));
    }
    text.push_str(&format!(
        "  mCurrentFocus={focus_name}\n  mFocusedApp={app_name}\n"
    ));
    if keyboard && what != "windows" {
        text.push_str(&format!("  mImeWindow={ime} mInputShown=true\n"));
    }
    if call.adb_phone().faults().has(&WireFault::TwoDisplays) {
        text.push_str(&format!(
            "  Display: mDisplayId=2\n    init=1920x1080 320dpi cur=1920x1080 app=1920x1080\n  \
             mCurrentFocus=Window{{5c1d9e2 u0 {SECOND}/{SECOND}.Main}}\n  \
             mFocusedApp=ActivityRecord{{77ab3c1 u0 {SECOND}/.Main t9}}\n"
        ));
    }
    text.push_str(&format!("  mAwake={awake} mScreenOnFully={awake}\n"));
    // The phone has no lock screen.
    text.push_str("  KeyguardServiceDelegate\n    showing=false\n    secure=false\n");
    call.io.out.bytes(text).await
}

async fn package(call: Call<'_>, name: Option<&str>) -> CommandResult {
    let driver = call.driver().await;
    let phone = driver.phone();
    let all = packages::all(call.adb_phone(), phone);
    let grants: Vec<(&str, &str)> = all
        .iter()
        .flat_map(|each| {
            PERMISSIONS
                .iter()
                .map(|(name, what)| (each.name.as_str(), *name, *what))
        })
        .filter(|(package, _, what)| phone.has_permission(package, *what))
        .map(|(package, name, _)| (package, name))
        .collect();
    drop(driver);
    let wanted = all
        .iter()
        .filter(|each| name.is_none_or(|name| each.name == name));
    let found: Vec<_> = wanted.collect();
    if found.is_empty() {
        call.print_line(format!(
            "Unable to find package: {}",
            name.unwrap_or_default()
        ))
        .await?;
        return Ok(0);
    }
    let mut text = String::from(
        "Activity Resolver Table:\n  Non-Data Actions:\n      android.intent.action.MAIN:\n",
    );
    for each in &found {
        if let Some(launcher) = each.launcher() {
            text.push_str(&format!(
                "        {} {launcher} filter {}\n          Action: \"android.intent.action.MAIN\"\n          Category: \
                 \"android.intent.category.LAUNCHER\"\n",
                token(u64::from(each.uid)),
                token(u64::from(each.uid) + 1),
            ));
        }
    }
    text.push_str("\nPackages:\n");
    for each in &found {
        let (version, code) = &each.version;
        let flags = if each.system {
            "[ SYSTEM HAS_CODE ]"
        } else {
            "[ HAS_CODE ALLOW_BACKUP ]"
        };
        text.push_str(&format!(
            "  Package [{}] ({}):\n    userId={}\n    codePath={}\n    versionCode={code} minSdk=24 targetSdk={SDK}\n    \
             versionName={version}\n    flags={flags}\n    firstInstallTime=2026-01-01 09:00:00\n    User 0: ceDataInode=1 \
             installed=true hidden=false suspended=false stopped={} enabled=0\n      runtime permissions:\n",
            each.name,
            token(u64::from(each.uid)),
            each.uid,
            each.path().trim_end_matches("/base.apk"),
            each.pid.is_none(),
        ));
        for (_, permission) in grants.iter().filter(|(owner, _)| *owner == each.name) {
            text.push_str(&format!(
                "        android.permission.{permission}: granted=true, flags=[ USER_SET ]\n"
            ));
        }
    }
    call.io.out.bytes(text).await?;
    Ok(0)
}
