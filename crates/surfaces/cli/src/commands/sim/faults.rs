//! `sim faults`: what can go wrong on the simulated phone, and how it is written.

use contract::ErrorBody;

use super::task;
use crate::commands::not_blank;
use crate::errors::usage;
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Arguments, Command, Group, Positional, Task};

pub(crate) static COMMAND: Command = Command {
    name: "sim faults",
    group: Group::Simulation,
    usage: &["sim faults [<fault>]"],
    summary: "List what can go wrong on the simulated phone, and how --sim-fault and `sim start --fault` take it",
    notes: &[
        "`on` says which calls a fault strikes; `params` are its parameters, each with what it is without being given",
        "`place` is `wire` for what only a phone that `sim start` starts can have; such a fault counts its own times: `@2` the second, `x3` three at most",
        "After the name and its parameters stands when it happens: `@4` the fourth call, `@2.5s` a time, `10%` a chance, `x3` three times at most",
    ],
    positional: Some(Positional {
        words: names,
        ..Positional::new(
            "<fault>",
            "The one fault that is listed; without it every one",
        )
    }),
    examples: &["sim faults --output pretty", "sim faults latency"],
    ..Command::new(build)
};

fn names() -> Vec<&'static str> {
    service::sim_faults()
        .iter()
        .map(|fault| fault.name)
        .collect()
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let name = match not_blank(arguments.positional()) {
        None => None,
        Some(name) if names().contains(&name) => Some(name.to_owned()),
        Some(name) => {
            // The reader of faults knows what was meant.
            let why = service::SimSetup::default().fault(name).err();
            let why =
                why.unwrap_or_else(|| format!("{:?} is no fault", crate::truncate::cut(name)));
            return Err(usage(why));
        }
    };
    Ok(task(move |progress| list(name.as_deref(), progress)))
}

fn list(name: Option<&str>, progress: &mut Progress) -> Result<Answer, ErrorBody> {
    let mut faults = service::sim_faults();
    faults.retain(|fault| name.is_none_or(|name| fault.name == name));
    for fault in &faults {
        progress.done(&format!(
            "{}: {}; such as `{}`",
            fault.name, fault.about, fault.example
        ));
    }
    Answer::document("faults", faults)
}
