//! `uiautomator` and `screencap`.

use std::sync::Arc;
use std::time::Duration;

use driver::{Driver, DriverError};
use driver_sim::pace::{DUMP_LIMIT, DUMP_REST};
use driver_sim::{PaceChoice, Phone};
use tokio::time::Instant;
use uitree::{Point, Rect, Size, UiTree, WindowKind};

use super::Call;
use super::dump::{self, Bar, Display};
use crate::fault::{AgentFault, WireFault};
use crate::files::Errno;
use crate::shell::io::{CommandResult, PipeClosed};

const DUMP_FILE: &str = "/sdcard/window_dump.xml";

/// The warning of `screencap` on a phone with several displays if no display is selected.
const SEVERAL_DISPLAYS: &str = "[Warning] Multiple displays were found, but no display id was specified! Defaulting to \
                                the first display found, however this default is not guaranteed to be consistent \
                                across captures. A display id should be specified.";
const SYSTEM_UI: &str = "com.android.systemui";
/// The error of `uiautomator` while another program holds the UiAutomation.
const TAKEN: &str = "java.lang.IllegalStateException: UiAutomationService \
                     android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@5c1f8aalready registered!";
const POLL_INTERVAL: Duration = Duration::from_millis(50);

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    match (call.name(), call.arg(1)) {
        ("screencap", _) => screencap(call).await,
        (_, Some("dump")) => dump(call).await,
        _ => {
            call.done("Usage: uiautomator dump [--windows] [file]")
                .await
        }
    }
}

enum DumpError {
    Busy,
    NoRoot,
    Killed,
    Gone,
}

async fn dump(call: Call<'_>) -> CommandResult {
    let words = call.from(2);
    let has = |flag: &str| words.iter().any(|word| word == flag);
    // From Android 11 on.
    let all_windows = has("--windows");
    let name = words.iter().find(|word| !word.starts_with("--"));
    let name = name.map_or(DUMP_FILE, String::as_str);
    let faults = call.adb_phone().faults();
    let is_taken = call.adb_phone().agents().running().is_some()
        || faults.has(&WireFault::Agent(AgentFault::SlotTaken));
    if is_taken {
        return call.fail(TAKEN, 0).await;
    }
    let mut xml = match document(call, all_windows).await {
        Ok(xml) => xml,
        // These end with status 0; only the message reports the error.
        Err(DumpError::Busy) => return call.fail("ERROR: could not get idle state.", 0).await,
        Err(DumpError::NoRoot) => {
            let why = "ERROR: null root node returned by UiTestAutomationBridge.";
            return call.fail(why, 0).await;
        }
        Err(DumpError::Killed) => return call.fail("Killed", 137).await,
        Err(DumpError::Gone) => return Err(PipeClosed),
    };
    if faults.has(&WireFault::TruncatedDump) {
        xml.truncate(xml.floor_char_boundary(xml.len() * 3 / 5));
    }
    if name == "/dev/tty" {
        // The program reports success even if it could not write the file.
        if let Ok(tty) = call.io.terminal() {
            tty.bytes(xml).await?;
        }
    } else if !faults.has(&WireFault::StaleDump) {
        let _ = write_file(call, name, xml.into_bytes());
    }
    let shown = call.path(name);
    call.done(format!("UI hierchary dumped to: {shown}")).await
}

async fn document(call: Call<'_>, all_windows: bool) -> Result<String, DumpError> {
    let adb_phone = call.adb_phone();
    let faults = adb_phone.faults();
    let options = adb_phone.options();
    let phone_pace = options.sim.pace == PaceChoice::Phone;
    let (idle, idle_limit) = if phone_pace {
        (DUMP_REST, DUMP_LIMIT)
    } else {
        (options.idle, options.idle_limit)
    };
    if faults.has(&WireFault::NoIdle) {
        tokio::time::sleep(if phone_pace { idle_limit } else { idle }).await;
        return Err(DumpError::Busy);
    }
    if faults.has(&WireFault::NullRoot) {
        return Err(DumpError::NoRoot);
    }
    let limit = Instant::now() + idle_limit;
    let mut known: Option<(Arc<UiTree>, Instant)> = None;
    loop {
        let still = {
            let mut driver = call.driver().await;
            let phone = driver.phone_mut();
            let now = Instant::now();
            let tree = phone.peek().map(|seen| seen.tree);
            // Invisible changes, such as timers of background apps, do not count.
            let since = match (&known, &tree) {
                (Some((old, since)), Some(tree)) if Arc::ptr_eq(old, tree) || old == tree => *since,
                // At a phone's pace the idle time counts from the start of the dump.
                (Some(_), _) => now,
                (None, _) if phone_pace => now,
                (None, _) => now.checked_sub(phone.still_for()).unwrap_or(now),
            };
            known = tree.map(|tree| (tree, since));
            let still = now.saturating_duration_since(since);
            if still >= idle || known.is_none() {
                return dump_windows(&mut driver, call, all_windows).await;
            }
            still
        };
        let wait = (idle - still).clamp(Duration::from_millis(1), POLL_INTERVAL);
        if Instant::now() + wait > limit {
            return Err(DumpError::Busy);
        }
        tokio::time::sleep(wait).await;
    }
}

async fn dump_windows(
    driver: &mut driver_sim::SimDriver,
    call: Call<'_>,
    all_windows: bool,
) -> Result<String, DumpError> {
    let seen = match driver.observe(&call.adb_phone().cx()).await {
        Ok(seen) => seen,
        Err(DriverError::NoWindow | DriverError::ScreenOff) => return Err(DumpError::NoRoot),
        Err(DriverError::NotIdle(_)) => return Err(DumpError::Busy),
        Err(DriverError::Incomplete(_) | DriverError::Refused(_)) => return Err(DumpError::Killed),
        Err(_) => return Err(DumpError::Gone),
    };
    let active = seen.tree.windows().iter().find(|window| window.active);
    let root = active.map(|window| window.root).ok_or(DumpError::NoRoot)?;
    let bars = seen.windows.iter().any(|window| {
        window.kind == WindowKind::System && window.package.as_deref() == Some(SYSTEM_UI)
    });
    let faults = call.adb_phone().faults();
    if !all_windows {
        return Ok(dump::document(&seen.tree, root));
    }
    let bars = match bars {
        true => bars_of(driver.phone()),
        false => Vec::new(),
    };
    let mut displays = vec![Display {
        id: 0,
        tree: &seen.tree,
        bars: &bars,
    }];
    let second = dump::second_display();
    if faults.has(&WireFault::TwoDisplays) {
        displays.push(Display {
            id: 2,
            tree: &second,
            bars: &[],
        });
    }
    Ok(dump::displays(&displays))
}

/// The system bars, found where touches reach no app window.
fn bars_of(phone: &Phone) -> Vec<Bar> {
    let Size { width, height } = phone.screen();
    let (middle_x, middle_y) = (width / 2, height / 2);
    let under = |x: i32, y: i32| phone.is_under_bar(Point::new(x, y));
    let status = (0..height).take_while(|y| under(middle_x, *y)).count() as i32;
    let below = (0..height)
        .rev()
        .take_while(|y| under(middle_x, *y))
        .count() as i32;
    let beside = (0..width).rev().take_while(|x| under(*x, middle_y)).count() as i32;
    let navigation = if below > 0 {
        Rect::new(0, height - below, width, height)
    } else {
        Rect::new(width - beside, 0, width, height)
    };
    let bars = [
        (dump::NAVIGATION, navigation),
        ("StatusBar", Rect::new(0, 0, width, status)),
    ];
    let bars = bars.into_iter().filter(|(_, bounds)| !bounds.is_empty());
    bars.map(|(title, bounds)| Bar { title, bounds }).collect()
}

pub(crate) fn bar_trees(phone: &Phone, screen: &UiTree) -> Vec<UiTree> {
    let bars = bars_of(phone);
    bars.iter().map(|bar| bar.tree(screen)).collect()
}

pub(super) fn write_file(call: Call<'_>, name: &str, bytes: Vec<u8>) -> Result<(), Errno> {
    let adb_phone = call.adb_phone();
    if adb_phone.faults().has(&WireFault::FullDisk) {
        return Err(Errno::NoSpace);
    }
    let (now, path) = (adb_phone.clock().now().stamp(), call.path(name));
    if path == "/dev/tty" {
        call.io.terminal()?;
    }
    adb_phone.files().write(&path, bytes, 0o660, now)
}

async fn screencap(call: Call<'_>) -> CommandResult {
    let (mut png, mut named) = (false, false);
    let mut file = None;
    let mut words = call.from(1).iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-p" => png = true,
            "-d" => {
                named = true;
                words.next();
            }
            word => file = Some(word),
        }
    }
    if call.adb_phone().faults().has(&WireFault::TwoDisplays) && !named {
        call.io.error.line(SEVERAL_DISPLAYS).await?;
    }
    png |= file.is_some_and(|name| name.ends_with(".png"));
    let bytes = {
        let mut driver = call.driver().await;
        match driver.screenshot(&call.adb_phone().cx()).await {
            Ok(image) if png => image.bytes,
            Ok(_) => raw(&driver.phone_mut().draw()),
            Err(DriverError::Lost { .. } | DriverError::Deadline | DriverError::Cancelled) => {
                return Err(PipeClosed);
            }
            Err(error) => {
                drop(driver);
                return call.fail(format!("Capturing failed: {error}"), 1).await;
            }
        }
    };
    let to = match file {
        None | Some("/dev/stdout") => Ok(Some(&call.io.out)),
        Some("/dev/tty") => call.io.terminal().map(Some),
        Some(_) => Ok(None),
    };
    match (to, file.unwrap_or_default()) {
        (Ok(Some(out)), _) => out.bytes(bytes).await?,
        (to, name) => {
            if let Err(errno) = to.and_then(|_| write_file(call, name, bytes)) {
                let why = format!("Error opening file: {name} ({errno})");
                return call.fail(why, 1).await;
            }
        }
    }
    Ok(0)
}

/// The raw format of `screencap`: width, height, format (1 is RGBA), colour space (1 is sRGB), pixels.
fn raw(image: &driver_sim::Image) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(16 + image.rgba.len());
    for number in [image.width, image.height, 1, 1] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(&image.rgba);
    bytes
}

#[cfg(test)]
mod tests {
    use driver_sim::SimOptions;

    use super::*;
    use crate::adb_phone::AdbPhone;
    use crate::adb_phone::Options;
    use crate::shell::Shell;
    use crate::shell::io::{InputStream, Io, OutputTarget};

    #[tokio::test(start_paused = true)]
    async fn programs_have_delays_at_phone_pace() {
        let adb_phone = AdbPhone::new(Options {
            sim: SimOptions {
                pace: PaceChoice::Phone,
                ..SimOptions::default()
            },
            idle: Duration::ZERO,
            ..Options::default()
        })
        .unwrap();
        let io = Io {
            input: InputStream::from_bytes(b""),
            out: OutputTarget::Null,
            error: OutputTarget::Null,
            tty: None,
        };
        let mut shell = Shell::new(&adb_phone);
        for (command, millis) in [
            ("uiautomator dump", 1600),
            ("input tap 1 1", 300),
            ("input keyevent HOME", 300),
            ("wm size; pm list packages", 100),
            (
                "cmd package list packages; settings get global adb_enabled",
                100,
            ),
            ("am force-stop com.none", 50),
            ("dumpsys power | grep Wake", 80),
            ("content query --uri content://none", 300),
            ("getprop ro.build.version.sdk; echo done", 0),
        ] {
            let start = Instant::now();
            assert!(shell.script(command, &io).await.is_ok(), "{command}");
            assert_eq!(start.elapsed(), Duration::from_millis(millis), "{command}");
        }
        adb_phone.faults().add(WireFault::NoIdle);
        let start = Instant::now();
        assert_eq!(shell.script("uiautomator dump", &io).await, Ok(0));
        assert_eq!(start.elapsed(), Duration::from_millis(10_600));
    }
}
