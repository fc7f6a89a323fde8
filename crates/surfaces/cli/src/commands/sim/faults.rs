//! `sim faults`: lists faults and their syntax.

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
    summary: "List the faults of the simulated phone, for --sim-fault and `sim start --fault`",
    notes: &[
        "`on` lists the calls that a fault affects; `params` lists its parameters with their defaults",
        "`place` is `wire` for faults that need `sim start`. Such a fault counts its own occurrences: `@2` is the \
        second, `x3` at most three",
        "After the name and parameters, say when it happens: `@4` on the fourth call, `@2.5s` at a time, `10%` with a \
        probability, `x3` at most three times",
    ],
    positional: Some(Positional {
        words: names,
        ..Positional::new("<fault>", "List only this fault")
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
            // The fault parser makes the suggestion.
            let why = service::SimSetup::default().fault(name).err();
            let why =
                why.unwrap_or_else(|| format!("unknown fault {:?}", escape::truncate_input(name)));
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
            "{}: {}; example: `{}`",
            fault.name, fault.about, fault.example
        ));
    }
    Answer::document("faults", faults)
}
