//! `devices`: lists values for `--device`.

use std::time::Duration;

use contract::ErrorBody;
use service::{Options, Service};

use super::manage::{self, Session};
use super::watch;
use crate::errors::usage;
use crate::output::Answer;
use crate::run::runtime;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Globals, Group, Scope, Task, flags};

flags! {
    LONG = "--long", FlagValue::Switch,
        "Query each device: model, Android version, how it can be driven and whether it is ready";
}

pub(crate) static COMMAND: Command = Command {
    name: "devices",
    group: Group::Devices,
    usage: &[
        "devices [--long]",
        "devices --watch",
        "devices --wait <id> [--within <ms>]",
    ],
    summary: "List devices, or watch them connect and disconnect",
    notes: &[
        "`devices` lists what is attached: phones known to adb, and browser tabs. `embedded` lists what needs no \
        hardware: `sim`, the simulated phone, which starts fresh with each command",
        "With --long each has `ready`, and `model`, `androidVersion`, `sdk` and `via` (the transport that a \
        command would use) if known. A device that is not \
        ready has a `problem`, an error with code and hint. Devices are queried in parallel, for at most five seconds",
        "`sim:app.yaml` is the same phone with your own app, which it starts in. `sim:folder` has every app of the \
        directory, and starts at the home screen if there are several",
        "A tab of a running browser is `chrome:<id>`, with the `title` and `url` of its page; `--cdp` lists the tabs \
        of another browser",
        "If the adb server stops, its phones disappear; --watch and --wait reconnect when it is back",
    ],
    flags: &[FlagSet::new(
        "Options",
        &[&LONG, &watch::WATCH, &watch::WAIT, &watch::WITHIN],
    )],
    scopes: &[Scope::Browser],
    examples: &[
        "devices --output pretty",
        "devices --long",
        "devices --watch",
        "devices --wait 127.0.0.1:5555 --within 30000",
    ],
    ..Command::new(build)
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let long = arguments.has(&LONG);
    match watch::request(arguments)? {
        Some(_) if long => Err(usage(
            "use --long or one of --watch and --wait: --long queries each device once",
        )),
        Some(task) => Ok(task),
        None if long => Ok(manage::task(list_long)),
        None => Ok(Box::new(list)),
    }
}

fn list(globals: &Globals) -> Result<Answer, ErrorBody> {
    let options = Options {
        chrome: globals.chrome(),
        ..Options::default()
    };
    let devices = runtime(&options, globals)?.block_on(Service::new(options).devices())?;
    Answer::success(devices)
}

/// Time limit of querying a device.
const QUERY_TIMEOUT: Duration = Duration::from_secs(5);

async fn list_long(session: Session<'_>) -> Result<Answer, ErrorBody> {
    let statuses = session
        .service
        .device_statuses(&session.package, QUERY_TIMEOUT);
    Answer::success(statuses.await?)
}
