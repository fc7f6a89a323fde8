//! `chrome stop`: stops browsers.

use contract::ErrorBody;
use service::chrome::{ChromeSetup, StopTarget};

use super::task;
use crate::commands::not_blank;
use crate::errors::usage;
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Group, Positional, Task, flags};

flags! {
    ALL = "--all", FlagValue::Switch, "Stop all running browsers";
}

pub(crate) static COMMAND: Command = Command {
    name: "chrome stop",
    group: Group::Browser,
    usage: &["chrome stop", "chrome stop <endpoint>", "chrome stop --all"],
    summary: "Stop the browser that `chrome start` or `--device chrome` started",
    notes: &[
        "A browser that was started another way and is used with --cdp is left running",
        "A temporary profile is deleted; one given with --profile is kept",
    ],
    positional: Some(Positional::new(
        "<endpoint>",
        "The browser's endpoint from `chrome list`, if several are running",
    )),
    flags: &[FlagSet::new("Options", &[&ALL])],
    examples: &["chrome stop", "chrome stop --all"],
    ..Command::new(build)
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let target = match (not_blank(arguments.positional()), arguments.has(&ALL)) {
        (Some(_), true) => return Err(usage("use an endpoint or --all, not both")),
        (Some(endpoint), false) => StopTarget::One(endpoint.to_owned()),
        (None, true) => StopTarget::All,
        (None, false) => StopTarget::Only,
    };
    Ok(task(async move |setup, progress| {
        stop(setup, &target, progress).await
    }))
}

async fn stop(
    setup: &ChromeSetup,
    target: &StopTarget,
    progress: &mut Progress,
) -> Result<Answer, ErrorBody> {
    let stopped = service::chrome::stop(setup, target).await?;
    for browser in &stopped {
        progress.done(&format!("{} stopped", browser.endpoint));
    }
    Answer::document("stopped", stopped)
}
