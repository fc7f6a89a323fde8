//! Opens apps and URIs with `am start`, and closes apps with `am force-stop`.

use adb::{Output, command};
use driver::{Cx, DriverError, OpenOutcome, Result, Target};

use crate::names::{check_component, check_package};
use crate::shell::{Shell, error_text};

/// New task, keeping its activities, as a launcher does.
const FLAGS: &str = "0x10200000";

const MAIN: &str = "android.intent.action.MAIN";
/// The category of apps with an icon.
const LAUNCHER: &str = "android.intent.category.LAUNCHER";
/// The category of home screens, which have no icon.
const HOME: &str = "android.intent.category.HOME";

/// Opens an app or a URI.
pub(crate) async fn open(shell: &Shell, cx: &Cx, target: &Target) -> Result<OpenOutcome> {
    match target {
        Target::App(package) => app(shell, cx, package).await?,
        Target::Uri(address) => uri(shell, cx, address).await?,
    }
    Ok(OpenOutcome::default())
}

/// Brings an app to the front.
async fn app(shell: &Shell, cx: &Cx, package: &str) -> Result<()> {
    check_installed(shell, cx, package).await?;
    for category in [LAUNCHER, HOME] {
        let resolve = command([
            "cmd",
            "package",
            "resolve-activity",
            "--brief",
            "-a",
            MAIN,
            "-c",
            category,
            package,
        ]);
        let resolved = shell.query(cx, &resolve).await?;
        if let Some(component) = component(&resolved.text()) {
            let start = command([
                "am", "start", "-a", MAIN, "-c", category, "-f", FLAGS, "-n", &component,
            ]);
            return run_start(shell, cx, &start, &Target::App(package.to_owned())).await;
        }
        if !resolved.text().contains("No activity found") {
            return by_monkey(shell, cx, package).await;
        }
    }
    Err(DriverError::LaunchFailed(format!(
        "{package}, which has nothing to launch,"
    )))
}

/// Opens an app by its icon on old phones, or fails with the reason.
async fn by_monkey(shell: &Shell, cx: &Cx, package: &str) -> Result<()> {
    let monkey = command(["monkey", "-p", package, "-c", LAUNCHER, "1"]);
    let output = shell.change(cx, &monkey).await?;
    if output.text().contains("Events injected: 1") {
        Ok(())
    } else {
        Err(DriverError::LaunchFailed(package.to_owned()))
    }
}

/// Opens a URI with its default handler.
async fn uri(shell: &Shell, cx: &Cx, uri: &str) -> Result<()> {
    if uri.contains('\0') {
        // It does not fit into a command line, and no app handles it.
        return Err(DriverError::NotHandled(uri.to_owned()));
    }
    let start = command([
        "am",
        "start",
        "-a",
        "android.intent.action.VIEW",
        "-f",
        FLAGS,
        "-d",
        uri,
    ]);
    run_start(shell, cx, &start, &Target::Uri(uri.to_owned())).await
}

/// Stops an app.
pub(crate) async fn close(shell: &Shell, cx: &Cx, package: &str) -> Result<()> {
    check_installed(shell, cx, package).await?;
    shell
        .change(cx, &command(["am", "force-stop", package]))
        .await?;
    Ok(())
}

/// An error unless the app is installed; validates the name first.
async fn check_installed(shell: &Shell, cx: &Cx, package: &str) -> Result<()> {
    check_package(package).map_err(|_| DriverError::NotInstalled(package.to_owned()))?;
    let output = shell.query(cx, &command(["pm", "path", package])).await?;
    let is_installed = output
        .text()
        .lines()
        .any(|line| line.trim_start().starts_with("package:"));
    if is_installed {
        return Ok(());
    }
    let message = output.error_text();
    if message.is_empty() {
        Err(DriverError::NotInstalled(package.to_owned()))
    } else {
        Err(DriverError::Refused(error_text(&output)))
    }
}

/// Runs `am start`, which reports errors as text and, before about Android 9, exits with 0.
async fn run_start(shell: &Shell, cx: &Cx, start: &str, target: &Target) -> Result<()> {
    let output = match shell.change(cx, start).await {
        Ok(output) => output,
        Err(DriverError::Refused(message)) => {
            return Err(start_error(&message, target).unwrap_or(DriverError::Refused(message)));
        }
        Err(error) => return Err(error),
    };
    match start_error(&output_text(&output), target) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

fn output_text(output: &Output) -> String {
    format!(
        "{}\n{}",
        output.text(),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// The error in the output of `am start`, if any. It repeats the intent, whose URI may contain anything, in lines of its own
/// that begin with `Starting:` or `Warning:`.
fn start_error(message: &str, target: &Target) -> Option<DriverError> {
    let is_error = |line: &&str| {
        let repeats_intent = line.starts_with("Starting:") || line.starts_with("Warning:");
        let begins = line.split([':', ' ']).next().unwrap_or_default();
        !repeats_intent
            && (begins.starts_with("Error")
                || begins.ends_with("Exception")
                || line.contains("unable to resolve Intent"))
    };
    let mut errors = message.lines().map(str::trim).filter(is_error);
    // Since Android 11 this line comes before the exception.
    let first = errors.next()?;
    let line = match first.starts_with("Exception occurred while executing") {
        true => errors.next().unwrap_or(first),
        false => first,
    };
    Some(match target {
        Target::App(package) => DriverError::LaunchFailed(package.clone()),
        Target::Uri(uri)
            if line.contains("unable to resolve Intent")
                || line.contains("ActivityNotFoundException") =>
        {
            DriverError::NotHandled(uri.clone())
        }
        Target::Uri(_) => DriverError::Refused(line.chars().take(300).collect()),
    })
}

/// The component in the output of `resolve-activity --brief`: the last valid line.
fn component(text: &str) -> Option<String> {
    let mut lines = text.lines().rev().map(str::trim);
    lines
        .find(|line| check_component(line).is_ok())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intent_in_the_output_is_no_error() {
        let uri = Target::Uri("pay://ExceptionDesk/42".to_owned());
        let started =
            "Starting: Intent { act=android.intent.action.VIEW dat=pay://ExceptionDesk/... }\n";
        let warning = "Warning: Activity not started, intent has been delivered to currently running top-most instance: pay://Error\n";
        for output in [started, &format!("{started}{warning}")] {
            assert!(start_error(output, &uri).is_none(), "{output}");
        }
        let none = "Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW }";
        let missing =
            "android.content.ActivityNotFoundException: No Activity found to handle Intent { }";
        for line in [none, missing] {
            let error = start_error(&format!("{started}{line}\n"), &uri);
            assert!(matches!(error, Some(DriverError::NotHandled(_))), "{line}");
        }
        let denied = "java.lang.SecurityException: Permission Denial: starting Intent { }";
        let heading = "Exception occurred while executing 'start':";
        let error = start_error(&format!("{started}\n{heading}\n{denied}\n"), &uri);
        assert!(matches!(error, Some(DriverError::Refused(why)) if why == denied));
    }

    #[test]
    fn launcher_activity_is_resolved() {
        let text = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\ncom.x/.Main\n";
        assert_eq!(component(text).as_deref(), Some("com.x/.Main"));
        assert_eq!(component("No activity found\n"), None);
        assert_eq!(component("com.x/.Main;id\n"), None);
    }

    #[test]
    fn am_errors_are_recognized() {
        let uri = Target::Uri("foo://x".to_owned());
        let error = start_error(
            "Starting: Intent { act=android.intent.action.VIEW dat=foo://x }\nError: Activity not started, unable to resolve \
             Intent { act=android.intent.action.VIEW }",
            &uri,
        );
        assert_eq!(error, Some(DriverError::NotHandled("foo://x".to_owned())));
        let fine = "Starting: Intent { act=android.intent.action.MAIN cmp=com.x/.Main }\n\
                    Warning: Activity not started, its current task has been brought to the front\n";
        assert_eq!(start_error(fine, &Target::App("com.x".to_owned())), None);
        let error = start_error(
            "Error type 3\nError: Activity class {com.x/com.x.Main} does not exist.",
            &Target::App("com.x".to_owned()),
        );
        assert_eq!(error, Some(DriverError::LaunchFailed("com.x".to_owned())));
    }
}
