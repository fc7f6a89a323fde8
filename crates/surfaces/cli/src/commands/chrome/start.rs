//! `chrome start`: starts a browser that keeps running.

use contract::ErrorBody;
use service::chrome::{ChromeSetup, ExistingBrowser, Sandbox, StartOptions, Window};

use super::task;
use crate::errors::{A_PORT, usage};
use crate::internal_error;
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Group, Task, flags};

flags! {
    HEADED = "--headed", FlagValue::Switch, "Show windows; requires a display";
    PORT = "--port", FlagValue::Text("<n>"),
        "Also listen on this port of 127.0.0.1, or on any free port if 0. Every user of this computer can then drive the \
        browser and read every file that it can read";
    PROFILE = "--profile", FlagValue::Path("<dir>"),
        "Profile directory, which keeps what pages store, such as logins [default: a temporary profile, deleted with the browser]";
    SIZE = "--size", FlagValue::Text("<WxH>"), "Window size in CSS pixels [default: 1280x800]";
    NO_SANDBOX = "--no-sandbox", FlagValue::Switch,
        "Disable the browser's sandbox, for systems that cannot create it; implied for root";
    ANOTHER = "--another", FlagValue::Switch,
        "Start another browser even if one is running; select one with `--cdp`";
}

pub(crate) static COMMAND: Command = Command {
    name: "chrome start",
    group: Group::Browser,
    usage: &[
        "chrome start [--headed] [--port <n>] [--profile <dir>] [--size <WxH>] [--no-sandbox] [--another]",
    ],
    summary: "Start a browser and leave it running, or report the running one",
    notes: &[
        "Only its user can connect to it, through a Unix socket. Without --port it does not listen on a port",
        "`started` is true if this command started it. A running browser is reused as it is; flags that do not match \
        it are refused",
        "The program is CLAWPERATOR_CHROME, or else the first Chrome or Chromium on PATH or in the usual places. \
        CLAWPERATOR_CHROME_FLAGS adds flags",
    ],
    flags: &[FlagSet::new(
        "Options",
        &[&HEADED, &PORT, &PROFILE, &SIZE, &NO_SANDBOX, &ANOTHER],
    )],
    examples: &[
        "chrome start",
        "chrome start --headed --profile ~/shop-profile",
        "chrome start --port 9222 --size 390x844",
    ],
    ..Command::new(build)
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let port = arguments.parsed(&PORT, A_PORT, |text| text.parse().ok())?;
    let profile = match arguments.strict(&PROFILE)? {
        Some(folder) if folder.trim().is_empty() => {
            return Err(usage("--profile requires a directory"));
        }
        folder => folder.map(Into::into),
    };
    let expected = "a width and a height from 100 to 10000, such as 1280x800";
    let size = arguments.parsed(&SIZE, expected, size)?;
    let options = StartOptions {
        port,
        window: match arguments.has(&HEADED) {
            true => Window::Headed,
            false => Window::Headless,
        },
        sandbox: match arguments.has(&NO_SANDBOX) {
            true => Sandbox::Off,
            false => Sandbox::WherePossible,
        },
        profile,
        size,
        existing: match arguments.has(&ANOTHER) {
            true => ExistingBrowser::StartAnother,
            false => ExistingBrowser::Reuse,
        },
    };
    Ok(task(async move |setup, progress| {
        start(setup, &options, progress).await
    }))
}

/// The width and height in a text such as `1280x800`.
pub(super) fn size(text: &str) -> Option<(u32, u32)> {
    let (width, height) = text.split_once(['x', 'X'])?;
    let number = |text: &str| {
        let number = text.trim().parse().ok()?;
        (100..=10_000).contains(&number).then_some(number)
    };
    Some((number(width)?, number(height)?))
}

async fn start(
    setup: &ChromeSetup,
    starting: &StartOptions,
    progress: &mut Progress,
) -> Result<Answer, ErrorBody> {
    let (running, started) = service::chrome::start(setup, starting).await?;
    let how = if started { "runs" } else { "runs already" };
    progress.done(&format!(
        "{} {how} at {}; `clawperator chrome stop` ends it",
        running.browser, running.endpoint
    ));
    if let Some(port) = &running.port {
        progress.done(&format!("{}: {}", port.endpoint, port.opens));
    }
    let mut document = serde_json::to_value(running).map_err(internal_error::internal)?;
    if let Some(document) = document.as_object_mut() {
        document.insert("started".to_owned(), started.into());
    }
    Ok(Answer::Success(document))
}

#[cfg(test)]
mod tests {
    #[test]
    fn window_size_is_validated() {
        assert_eq!(super::size("1280x800"), Some((1280, 800)));
        assert_eq!(super::size("390X844"), Some((390, 844)));
        for wrong in [
            "",
            "1280",
            "1280x",
            "x800",
            "0x0",
            "99x800",
            "1280x800x1",
            "-1x5",
            "1e3x800",
        ] {
            assert_eq!(super::size(wrong), None, "{wrong}");
        }
    }
}
