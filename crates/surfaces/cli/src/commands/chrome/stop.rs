//! `chrome stop`: browsers end.

use contract::ErrorBody;
use service::chrome::{ChromeSetup, StopTarget};

use super::task;
use crate::commands::not_blank;
use crate::errors::usage;
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Arguments, Command, Flag, FlagSet, Group, Positional, Takes, Task};

static ALL: Flag = Flag::new("--all", Takes::Nothing, "Every browser that runs");

pub(crate) static COMMAND: Command = Command {
    name: "chrome stop",
    group: Group::Browser,
    usage: &["chrome stop", "chrome stop <endpoint>", "chrome stop --all"],
    summary: "End the browser that `chrome start` or `--device chrome` has started, with its tabs",
    notes: &[
        "One that was started otherwise and is driven by --cdp is left alone",
        "A profile of its own goes with it; one that was named with --profile stays",
    ],
    positional: Some(Positional::new(
        "<endpoint>",
        "The browser, as `chrome list` names it, where several run",
    )),
    flags: &[FlagSet {
        heading: "Options",
        flags: &[&ALL],
    }],
    examples: &["chrome stop", "chrome stop --all"],
    ..Command::new(build)
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let which = match (not_blank(arguments.positional()), arguments.has(&ALL)) {
        (Some(_), true) => return Err(usage("name a browser or use --all, not both")),
        (Some(endpoint), false) => StopTarget::One(endpoint.to_owned()),
        (None, true) => StopTarget::All,
        (None, false) => StopTarget::Only,
    };
    Ok(task(async move |setup, progress| {
        stop(setup, &which, progress).await
    }))
}

async fn stop(
    setup: &ChromeSetup,
    which: &StopTarget,
    progress: &mut Progress,
) -> Result<Answer, ErrorBody> {
    let stopped = service::chrome::stop(setup, which).await?;
    for browser in &stopped {
        progress.done(&format!("{} has ended", browser.endpoint));
    }
    Answer::document("stopped", stopped)
}
