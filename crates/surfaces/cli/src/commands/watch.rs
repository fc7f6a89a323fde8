//! `devices --watch` and `devices --wait`: follow devices.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Duration;

use contract::ErrorBody;
use service::{DeviceList, Options, Service};

use crate::errors::usage;
use crate::output::Answer;
use crate::run::block_on;
use crate::table::{Arguments, FlagValue, Globals, Task, flags};

flags! {
    WATCH = "--watch", FlagValue::Switch,
        "Print the list now and after each change, one JSON document per line, until interrupted";
    WAIT = "--wait", FlagValue::Text("<id>"),
        "Wait until this device is ready, for example after a restart";
    WITHIN = "--within", FlagValue::Text("<ms>"),
        "Time limit of --wait in milliseconds [default: 60000]";
}

/// Default of `--within`.
const PATIENCE: Duration = Duration::from_secs(60);
/// Maximum of `--within`: a day.
const MAX: u64 = 24 * 3600 * 1000;

/// The request of `--watch` or `--wait`, if given.
pub(super) fn request(arguments: &Arguments) -> Result<Option<Box<dyn Task>>, ErrorBody> {
    let expected = format!("milliseconds from 1 to {MAX}");
    let within = arguments.parsed(&WITHIN, &expected, |text| {
        let millis = text.parse().ok();
        millis.filter(|millis| (1..=MAX).contains(millis))
    })?;
    let within = within.map(Duration::from_millis);
    match (arguments.has(&WATCH), arguments.strict(&WAIT)?) {
        (true, Some(_)) => Err(usage("use --watch or --wait, not both")),
        (true, None) if within.is_some() => Err(usage(
            "--within applies to --wait; --watch runs until interrupted",
        )),
        (true, None) => Ok(Some(Box::new(watch))),
        (false, Some(device)) => {
            let (device, within) = (device.to_owned(), within.unwrap_or(PATIENCE));
            Ok(Some(Box::new(move |_: &Globals| wait(&device, within))))
        }
        (false, None) if within.is_none() => Ok(None),
        (false, None) => Err(usage("--within requires --wait <id>")),
    }
}

fn watch(_: &Globals) -> Result<Answer, ErrorBody> {
    let service = Service::new(Options::default());
    let watched = block_on(async {
        let mut print_notice = print_notice;
        tokio::select! {
            watched = service.watch(&mut print_notice) => watched,
            // SIGINT is the normal end.
            _ = tokio::signal::ctrl_c() => Ok(()),
        }
    })?;
    watched.map(|()| Answer::Done)
}

fn wait(device: &str, within: Duration) -> Result<Answer, ErrorBody> {
    let service = Service::new(Options::default());
    Answer::success(block_on(service.wait_for(device, within))??)
}

/// Prints a line; a closed pipe ends the watch.
fn print_notice(devices: &DeviceList) -> ControlFlow<()> {
    let line = serde_json::json!(devices);
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{}", escape::json(&line.to_string())).and_then(|()| out.flush()) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}
