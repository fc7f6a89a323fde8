//! `recording parse`: converts a recording to a log of steps or a plan.

use std::path::PathBuf;

use contract::ErrorBody;
use serde_json::Value;
use service::recording::{OutputFormat, ParseRequest};

use crate::errors::usage;
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{
    Arguments, Command, FlagSet, FlagValue, Globals, Group, Positional, Task, flags,
};

flags! {
    INPUT = "--input", FlagValue::Path("<file>"), "The recording, instead of the argument";
    OUT = "--out", FlagValue::Path("<file>"),
        "The file to write [default: next to the recording, as .steps.json or .execution.json]";
    AS = "--as", FlagValue::OneOf("<steps|execution>", kinds),
        "The output: a log of steps, or a plan for `exec`";
}

pub(crate) static COMMAND: Command = Command {
    name: "recording parse",
    synonyms: &["record parse"],
    group: Group::Recording,
    usage: &["recording parse --input <file> [--out <file>] [--as <steps|execution>]"],
    summary: "Convert a recording to a log of steps, or to a plan that repeats it",
    notes: &[
        "Every line is validated. If a line is invalid, the error names its number and nothing is written",
        "`warnings` lists events that did not become steps, with the reason",
        "The plan's matchers are unique on the recorded screens. A plan never contains passwords. `complete` is false \
        if a step is missing",
    ],
    positional: Some(Positional::new("<file>", "The recording")),
    flags: &[FlagSet::new("Flags", &[&INPUT, &OUT, &AS])],
    examples: &[
        "recording parse --input recordings/login.ndjson",
        "recording parse recordings/login.ndjson --as execution --out login.json",
    ],
    ..Command::new(build)
};

fn kinds() -> Vec<&'static str> {
    OutputFormat::ALL.iter().map(|(word, _)| *word).collect()
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    arguments.strict(&INPUT)?;
    let Some(input) = arguments
        .either(&INPUT)?
        .filter(|path| !path.trim().is_empty())
    else {
        return Err(usage(format!(
            "{} requires --input <file>",
            arguments.spelled
        )));
    };
    let format = arguments.word(&AS, &kinds(), |word| {
        let known = OutputFormat::ALL.iter().find(|(each, _)| *each == word);
        known.map(|(_, format)| *format)
    })?;
    let request = ParseRequest {
        input: PathBuf::from(input),
        out: arguments.strict(&OUT)?.map(PathBuf::from),
        format: format.unwrap_or_default(),
    };
    Ok(Box::new(move |globals: &Globals| write(&request, globals)))
}

fn write(request: &ParseRequest, globals: &Globals) -> Result<Answer, ErrorBody> {
    let written = service::recording::parse(request)?;
    let mut progress = Progress::open(globals);
    for line in &written.lines {
        progress.done(line);
    }
    let warnings = written.answer.get("warnings").and_then(Value::as_array);
    for warning in warnings.into_iter().flatten().filter_map(Value::as_str) {
        progress.warn(warning);
    }
    Ok(Answer::Success(written.answer))
}
