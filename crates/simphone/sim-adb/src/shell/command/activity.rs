//! `am` and `monkey`: start and stop apps, and send broadcasts.

use driver::{Driver, DriverError, Target};

use super::Call;
use super::intent::{Intent, LAUNCHER, MAIN};
use super::package::plain;
use crate::log::Priority;
use crate::packages::{self, Package, short};
use crate::shell::io::CommandResult;

/// The flag of every activity that the shell starts: `FLAG_ACTIVITY_NEW_TASK`.
const NEW_TASK: u32 = 0x1000_0000;
/// The flag that the system adds to every broadcast of the shell.
const FROM_SHELL: u32 = 0x0040_0000;
const SYSTEM: u32 = crate::adb_phone::system::SYSTEM_PID;

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    match call.name() {
        "monkey" => monkey(call).await,
        _ => am(call).await,
    }
}

pub(super) async fn am(call: Call<'_>) -> CommandResult {
    let command = call.arg(1).unwrap_or_default();
    match command {
        "start" => start(call).await,
        "broadcast" => broadcast(call).await,
        "force-stop" => {
            let Some(package) = plain(call.from(2)).into_iter().next() else {
                return missing(call, command).await;
            };
            stop(call, package).await
        }
        other => call.unknown_command(other).await,
    }
}

async fn missing(call: Call<'_>, command: &str) -> CommandResult {
    let why = format!("java.lang.IllegalArgumentException: Argument expected after \"{command}\"");
    call.throws(command, &why).await
}

async fn stop(call: Call<'_>, package: &str) -> CommandResult {
    let adb_phone = call.adb_phone();
    if let Some(operator) = adb_phone.operator()
        && operator.package == package
    {
        adb_phone.stop_operator();
        return Ok(0);
    }
    let mut driver = call.driver().await;
    let done = driver.close(&call.adb_phone().cx(), package).await;
    drop(driver);
    match done {
        // An app that is not installed or does not run is stopped already.
        Ok(()) | Err(DriverError::NotInstalled(_)) => Ok(0),
        Err(error) => call.refused("force-stop", &error).await,
    }
}

async fn start(call: Call<'_>) -> CommandResult {
    let (mut intent, options) = match Intent::read(call.from(2)) {
        Ok(read) => read,
        Err(why) => return call.throws("start", &why).await,
    };
    let has = |option: &str| options.iter().any(|each| each == option);
    let waits = has("-W");
    intent.flags |= NEW_TASK;
    let out = if waits { &call.io.out } else { &call.io.error };
    let activities = intent.resolve(call.adb_phone(), call.driver().await.phone());
    let shown = intent.show();
    call.print_line(format!("Starting: {shown}")).await?;
    let Some((package, class)) = activities.into_iter().next() else {
        let why = match &intent.component {
            Some((package, class)) => {
                let shown = short(package, class);
                format!("Error type 3\nError: Activity class {{{shown}}} does not exist.")
            }
            None => format!("Error: Activity not started, unable to resolve {shown}"),
        };
        out.line(why).await?;
        return Ok(0);
    };
    let begun = tokio::time::Instant::now();
    let done = open(call, &intent, &package).await;
    let warning = match done {
        Ok(Opened::Delivered) => {
            "Warning: Activity not started, intent has been delivered to currently running top-most instance."
        }
        Ok(Opened::Brought) => {
            "Warning: Activity not started, its current task has been brought to the front"
        }
        Ok(Opened::Started) | Err(DriverError::LaunchFailed(_)) => "",
        Err(error) => return call.refused("start", &error).await,
    };
    if !warning.is_empty() {
        out.line(warning).await?;
    }
    let component = short(&package.name, &class);
    call.adb_phone().log().write(
        SYSTEM,
        Priority::Info,
        "ActivityTaskManager",
        &format!(
            "START u0 {{flg=0x{:x} cmp={component}}} with LAUNCH_MULTIPLE from uid 2000",
            intent.flags
        ),
    );
    if waits {
        let took = begun.elapsed().as_millis();
        let (status, state) = match done {
            Ok(Opened::Started) => ("ok", "COLD"),
            Ok(Opened::Brought) => ("ok", "HOT"),
            Ok(Opened::Delivered) => ("ok", "UNKNOWN (0)"),
            Err(_) => ("timeout", "UNKNOWN (-1)"),
        };
        let report = format!(
            "Status: {status}\nLaunchState: {state}\nActivity: {component}\nTotalTime: {took}\nWaitTime: {}\nComplete",
            took + 2
        );
        call.print_line(report).await?;
    }
    Ok(0)
}

/// The outcome of a request to start an activity.
enum Opened {
    Started,
    Brought,
    Delivered,
}

async fn open(call: Call<'_>, intent: &Intent, package: &Package) -> Result<Opened, DriverError> {
    let mut driver = call.driver().await;
    let front = driver.phone().foreground();
    let was_running = package.pid.is_some();
    let is_front = front.as_deref() == Some(&*package.name);
    let target = match &intent.data {
        Some(uri) => Target::Uri(uri.clone()),
        // The Operator app's activity has no screen on this phone.
        None if call
            .adb_phone()
            .operator()
            .is_some_and(|each| each.package == package.name) =>
        {
            call.adb_phone().start_operator();
            return Ok(Opened::Started);
        }
        None => Target::App(package.name.clone()),
    };
    driver.open(&call.adb_phone().cx(), &target).await?;
    Ok(match target {
        Target::App(_) if is_front => Opened::Delivered,
        Target::App(_) if was_running => Opened::Brought,
        Target::App(_) | Target::Uri(_) => Opened::Started,
    })
}

async fn broadcast(call: Call<'_>) -> CommandResult {
    let (mut intent, _) = match Intent::read(call.from(2)) {
        Ok(read) => read,
        Err(why) => return call.throws("broadcast", &why).await,
    };
    intent.flags |= FROM_SHELL;
    call.print_line(format!("Broadcasting: {}", intent.show()))
        .await?;
    let adb_phone = call.adb_phone();
    if let Some(operator) = adb_phone.operator()
        && intent.action.as_deref() == Some(crate::operator_names::ACTION)
        && intent
            .package
            .as_ref()
            .is_none_or(|package| *package == operator.package)
        // A force-stopped app receives no broadcast; there is no error.
        && let Some(pid) = adb_phone.wake_operator()
    {
        let payload = intent
            .extras
            .iter()
            .find(|(name, _)| name == crate::operator_names::EXTRA);
        match payload
            .map(|(_, payload)| payload.clone())
            .filter(|payload| !payload.trim().is_empty())
        {
            Some(payload) => {
                let (app, adb_phone) = (std::sync::Arc::clone(&operator.app), adb_phone.clone());
                // The receiver returns at once; the app continues in the background.
                tokio::spawn(async move {
                    let log = adb_phone.log().clone();
                    app.run(&payload, &adb_phone, &log).await;
                });
            }
            None => adb_phone.log().write(
                pid,
                Priority::Error,
                "OperatorCommandReceiver",
                "[Operator-Receiver] Missing payload extra",
            ),
        }
    }
    call.print_line("Broadcast completed: result=0").await?;
    Ok(0)
}

async fn monkey(call: Call<'_>) -> CommandResult {
    let words = call.from(1);
    let after = |flag: &str| {
        let place = words.iter().position(|word| word == flag)?;
        words.get(place + 1)
    };
    call.io
        .error
        .line(format!("  args: [{}]", words.join(", ")))
        .await?;
    let Some(package) = after("-p") else {
        return call
            .fail(
                "** Error: only `monkey -p PACKAGE [-c CATEGORY] 1` is supported on this phone",
                255,
            )
            .await;
    };
    let launches = after("-c").is_none_or(|category| category == LAUNCHER);
    let count: u32 = words.last().and_then(|word| word.parse().ok()).unwrap_or(0);
    let found = packages::find(call.adb_phone(), call.driver().await.phone(), package);
    let runnable = found.filter(|each| launches && !each.activities.is_empty());
    let Some(package) = runnable else {
        call.io
            .error
            .line("** No activities found to run, monkey aborted.")
            .await?;
        return Ok(252);
    };
    if count > 1 {
        return call
            .fail(
                "** Error: random events are not supported on this phone",
                255,
            )
            .await;
    }
    let intent = Intent {
        action: Some(MAIN.to_owned()),
        ..Intent::default()
    };
    match open(call, &intent, &package).await {
        Ok(_) | Err(DriverError::LaunchFailed(_)) => {}
        Err(error) => return call.refused("monkey", &error).await,
    }
    call.print_line(format!("Events injected: {count}")).await?;
    call.print_line(
        "## Network stats: elapsed time=21ms (0ms mobile, 0ms wifi, 21ms not connected)",
    )
    .await?;
    Ok(0)
}
