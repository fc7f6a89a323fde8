//! `am`: starts and stops apps, and sends broadcasts.

use driver::{Driver, DriverError, Target};

use super::Call;
use super::intent::Intent;
use super::package::plain;
use crate::log::Priority;
use crate::packages::{Package, short};
use crate::shell::io::CommandResult;

/// The flag of every activity that the shell starts: `FLAG_ACTIVITY_NEW_TASK`.
const NEW_TASK: u32 = 0x1000_0000;
/// The flag that the system adds to every broadcast of the shell.
const FROM_SHELL: u32 = 0x0040_0000;
const SYSTEM: u32 = crate::adb_phone::system::SYSTEM_PID;

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
    let mut intent = match Intent::read(call.from(2)) {
        Ok(read) => read,
        Err(why) => return call.throws("start", &why).await,
    };
    intent.flags |= NEW_TASK;
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
        return call.fail(why, 0).await;
    };
    match open(call, &intent, &package).await {
        Ok(Some(warning)) => call.io.error.line(warning).await?,
        Ok(None) | Err(DriverError::LaunchFailed(_)) => {}
        Err(error) => return call.refused("start", &error).await,
    }
    let (flags, component) = (intent.flags, short(&package.name, &class));
    let started =
        format!("START u0 {{flg=0x{flags:x} cmp={component}}} with LAUNCH_MULTIPLE from uid 2000");
    let log = call.adb_phone().log();
    log.write(SYSTEM, Priority::Info, "ActivityTaskManager", &started);
    Ok(0)
}

const DELIVERED: &str = "Warning: Activity not started, intent has been delivered to currently running top-most instance.";
const BROUGHT: &str =
    "Warning: Activity not started, its current task has been brought to the front";

/// Opens the target of an intent; returns the warning if its activity ran already.
async fn open(
    call: Call<'_>,
    intent: &Intent,
    package: &Package,
) -> Result<Option<&'static str>, DriverError> {
    let mut driver = call.driver().await;
    let front = driver.phone().foreground();
    let was_running = package.pid.is_some();
    let is_front = front.as_deref() == Some(&*package.name);
    let target = match &intent.data {
        Some(uri) => Target::Uri(uri.clone()),
        // The Operator app's activity has no screen on this phone.
        None if (call.adb_phone().operator()).is_some_and(|app| app.package == package.name) => {
            call.adb_phone().start_operator();
            return Ok(None);
        }
        None => Target::App(package.name.clone()),
    };
    driver.open(&call.adb_phone().cx(), &target).await?;
    Ok(match target {
        Target::App(_) if is_front => Some(DELIVERED),
        Target::App(_) if was_running => Some(BROUGHT),
        Target::App(_) | Target::Uri(_) => None,
    })
}

async fn broadcast(call: Call<'_>) -> CommandResult {
    let mut intent = match Intent::read(call.from(2)) {
        Ok(read) => read,
        Err(why) => return call.throws("broadcast", &why).await,
    };
    intent.flags |= FROM_SHELL;
    call.print_line(format!("Broadcasting: {}", intent.show()))
        .await?;
    let adb_phone = call.adb_phone();
    if let Some(operator) = adb_phone.operator()
        && intent.action.as_deref() == Some(crate::operator_names::ACTION)
        && (intent.package.as_ref()).is_none_or(|package| *package == operator.package)
        // A force-stopped app receives no broadcast; there is no error.
        && let Some(pid) = adb_phone.wake_operator()
    {
        let mut extras = intent.extras.iter();
        let payload = extras.find(|(name, _)| name == crate::operator_names::EXTRA);
        match payload.filter(|(_, payload)| !payload.trim().is_empty()) {
            Some((_, payload)) => {
                let payload = payload.clone();
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
    call.done("Broadcast completed: result=0").await
}
