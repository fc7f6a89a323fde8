//! `recording parse`: a recording becomes a log of steps, or a plan.

use std::path::PathBuf;

use contract::ErrorBody;
use serde_json::Value;
use service::recording::{OutputFormat, ParseRequest};

use crate::errors::usage;
use crate::output::Answer;
use crate::progress::Progress;
use crate::table::{Arguments, Command, Flag, FlagSet, Globals, Group, Positional, Takes, Task};

static INPUT: Flag = Flag::new(
    "--input",
    Takes::Path("<file>"),
    "The recording, instead of the argument",
);
static OUT: Flag = Flag::new(
    "--out",
    Takes::Path("<file>"),
    "The file to write; beside the recording as .steps.json or .execution.json unless given",
);
static AS: Flag = Flag::new(
    "--as",
    Takes::Word("<steps|execution>", kinds),
    "What it becomes: a log of steps, or a plan that `exec` runs",
);

pub(crate) static COMMAND: Command = Command {
    name: "recording parse",
    synonyms: &["record parse"],
    group: Group::Recording,
    usage: &["recording parse --input <file> [--out <file>] [--as <steps|execution>]"],
    summary: "Make steps of a recording, or a plan that does the same",
    notes: &[
        "Every line is checked; what is wrong is named with the number of its line, and nothing is written then",
        "What became no step stands in `warnings`, with the reason",
        "A plan names each node by what means it alone on the screen that was recorded; passwords are never in it. `complete` is false where a step is missing from it",
    ],
    positional: Some(Positional::new("<file>", "The recording")),
    flags: &[FlagSet {
        heading: "Flags",
        flags: &[&INPUT, &OUT, &AS],
    }],
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
    let format = match arguments.strict(&AS)? {
        None => OutputFormat::default(),
        Some(word) => {
            let known = OutputFormat::ALL.iter().find(|(each, _)| *each == word);
            let Some((_, format)) = known else {
                return Err(usage(format!(
                    "--as must be one of: {}",
                    kinds().join(", ")
                )));
            };
            *format
        }
    };
    let request = ParseRequest {
        input: PathBuf::from(input),
        out: arguments.strict(&OUT)?.map(PathBuf::from),
        format,
    };
    Ok(Box::new(move |globals: &Globals| write(&request, globals)))
}

fn write(request: &ParseRequest, globals: &Globals) -> Result<Answer, ErrorBody> {
    let written = service::recording::parse(request)?;
    let mut progress = Progress::open(globals);
    for line in &written.told {
        progress.done(line);
    }
    let warnings = written.answer.get("warnings").and_then(Value::as_array);
    for warning in warnings.into_iter().flatten().filter_map(Value::as_str) {
        progress.warn(warning);
    }
    Ok(Answer::Success(written.answer))
}
