//! `chrome start`: a browser that stays.

use contract::ErrorBody;
use service::chrome::{ChromeSetup, ExistingBrowser, Sandbox, StartOptions, Window};

use super::task;
use crate::errors::usage;
use crate::fault;
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Arguments, Command, Flag, FlagSet, Group, Takes, Task};

static HEADED: Flag = Flag::new(
    "--headed",
    Takes::Nothing,
    "Show its windows, for which there has to be a screen",
);
static PORT: Flag = Flag::new(
    "--port",
    Takes::One("<n>"),
    "Listen on this port of 127.0.0.1, too, 0 for any that is free: every user of this computer can then drive the browser and read every file that it can read",
);
static PROFILE: Flag = Flag::new(
    "--profile",
    Takes::Path("<folder>"),
    "The folder of its profile, which keeps what pages store, such as logins; without it one of its own, which goes with it",
);
static SIZE: Flag = Flag::new(
    "--size",
    Takes::One("<WxH>"),
    "The size of its windows in CSS pixels, 1280x800 without it",
);
static NO_SANDBOX: Flag = Flag::new(
    "--no-sandbox",
    Takes::Nothing,
    "Without the sandbox that keeps pages from this computer, where it cannot be made; as root there is none anyway",
);
static ANOTHER: Flag = Flag::new(
    "--another",
    Takes::Nothing,
    "Start one more beside those that run; `--cdp` then says which is meant",
);

pub(crate) static COMMAND: Command = Command {
    name: "chrome start",
    group: Group::Browser,
    usage: &[
        "chrome start [--headed] [--port <n>] [--profile <folder>] [--size <WxH>] [--no-sandbox] [--another]",
    ],
    summary: "Start a browser and leave it running, or find the one that runs",
    notes: &[
        "Only its user can connect to it: it is reached through a Unix socket and listens on no port without --port",
        "`started` says whether it was started now; one that runs already is taken as it is, and flags that ask for another are refused",
        "Its program is CLAWPERATOR_CHROME, else the first Chrome or Chromium on PATH or in the usual places; CLAWPERATOR_CHROME_FLAGS adds flags",
    ],
    flags: &[FlagSet {
        heading: "Options",
        flags: &[&HEADED, &PORT, &PROFILE, &SIZE, &NO_SANDBOX, &ANOTHER],
    }],
    examples: &[
        "chrome start",
        "chrome start --headed --profile ~/shop-profile",
        "chrome start --port 9222 --size 390x844",
    ],
    ..Command::new(build)
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let port = arguments.strict(&PORT)?;
    let port = port.map(|text| {
        text.parse().map_err(|_| {
            usage(format!(
                "--port takes a number from 0 to 65535, not {:?}",
                crate::truncate::cut(text)
            ))
        })
    });
    let profile = match arguments.strict(&PROFILE)? {
        Some(folder) if folder.trim().is_empty() => {
            return Err(usage("--profile requires a folder"));
        }
        folder => folder.map(Into::into),
    };
    let size = arguments
        .strict(&SIZE)?
        .map(|text| {
            size(text).ok_or_else(|| {
                usage(format!(
                    "--size takes a width and a height from 100 to 10000, such as 1280x800, not {:?}",
                    crate::truncate::cut(text)
                ))
            })
        })
        .transpose()?;
    let options = StartOptions {
        port: port.transpose()?,
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

fn size(text: &str) -> Option<(u32, u32)> {
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
    let mut document = serde_json::to_value(running).map_err(fault::internal)?;
    if let Some(document) = document.as_object_mut() {
        document.insert("started".to_owned(), started.into());
    }
    Ok(Answer::Success(document))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_size_is_two_numbers_that_a_window_can_have() {
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
