//! `exec`: runs a plan from a file, the command line or standard input.

use contract::{ErrorBody, Execution, OnFailure, Overrides, Warning, WarningCode};

use crate::errors::{missing, usage};
use crate::payload;
use crate::plan;
use crate::table::{
    Arguments, Command, FlagSet, FlagValue, Group, ParsedFlag, Positional, Task, flags, twice,
};

flags! {
    PAYLOAD = "--payload" | "--execution" | "--input" | "--file", FlagValue::Path("<json-or-file>"),
        "The execution, instead of the argument";
    ON_FAILURE = "--on-failure", FlagValue::OneOf("<stop|continue>", reactions),
        "Whether to run the remaining steps after a failed one; overrides the plan's onFailure";
}

pub(crate) static COMMAND: Command = Command {
    name: "exec",
    synonyms: &["execute"],
    group: Group::Execution,
    usage: &[
        "exec <json-or-file> [--validate-only] [--dry-run]",
        "exec - < plan.json",
    ],
    summary: "Run a plan of several actions",
    notes: &[
        "An argument that starts with { is the plan itself, `-` reads standard input, and anything else is a file",
        "Other users of the computer can read command lines. Pass a plan that contains a password as a file or with `-`",
        "--payload takes precedence over its other spellings; any other duplicate is an error",
        "--timeout and --on-failure override the plan's values before validation",
        "--validate-only prints the plan as it would be sent, with aliases resolved; --dry-run prints its outline",
    ],
    positional: Some(Positional::new("<json-or-file>", "The execution")),
    flags: &[
        FlagSet::new("Flags", &[&PAYLOAD, &ON_FAILURE, &flags::FORCE]),
        flags::VALIDATION,
    ],
    timeout: Some(
        "Time limit of the execution in milliseconds, 1000 to 120000; overrides the plan's timeoutMs",
    ),
    examples: &[
        "exec examples/tour.json --device sim",
        "exec plan.json --validate-only --output pretty",
        "exec plan.json --on-failure continue --timeout 60000",
    ],
    ..Command::action(build)
};

fn reactions() -> Vec<&'static str> {
    OnFailure::ALL.iter().map(|word| word.as_str()).collect()
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let on_failure = arguments.word(&ON_FAILURE, &reactions(), OnFailure::from_word)?;
    let Sources { counts, ignored } = Sources::from_arguments(arguments)?;
    let flag = counts.and_then(ParsedFlag::filled);
    if let (Some(given), Some(_), Some(extra)) = (counts, flag, arguments.positional()) {
        return Err(usage(format!(
            "exec: unexpected argument {:?} in addition to {}",
            escape::truncate_input(extra),
            given.spelled
        )));
    }
    let Some(source) = flag
        .or(arguments.positional())
        .filter(|source| !source.is_empty())
    else {
        return Err(missing(
            "exec requires an execution: JSON, a file, or - for standard input",
        ));
    };
    let payload = payload::read(source)?;
    let instead = Overrides {
        timeout_ms: plan::whole_timeout(arguments)?,
        on_failure,
    };
    let mut parsed = Execution::parse_with(&payload.text, &instead)
        .map_err(|invalid| payload.blame(ErrorBody::from(invalid)))?;
    parsed.warnings.extend(ignored.into_iter().map(|given| {
        Warning::new(
            WarningCode::AliasIgnored,
            format!(
                "{} is ignored because {} is given",
                given.spelled, PAYLOAD.name
            ),
        )
    }));
    Ok(plan::execute(parsed, arguments))
}

/// The flags that name an execution: the one that applies, and ignored ones.
struct Sources<'a> {
    counts: Option<&'a ParsedFlag>,
    ignored: Vec<&'a ParsedFlag>,
}

impl<'a> Sources<'a> {
    /// The canonical spelling takes precedence; two other spellings are ambiguous.
    fn from_arguments(arguments: &'a Arguments) -> Result<Self, ErrorBody> {
        let (canonical, others): (Vec<&ParsedFlag>, Vec<&ParsedFlag>) = arguments
            .all(&PAYLOAD)
            .partition(|given| given.spelled == PAYLOAD.name);
        match (canonical.as_slice(), others.as_slice()) {
            ([first, second, ..], _) | ([], [first, second, ..]) => Err(twice(first, second)),
            ([one], _) => Ok(Self {
                counts: Some(one),
                ignored: others,
            }),
            ([], rest) => Ok(Self {
                counts: rest.first().copied(),
                ignored: Vec::new(),
            }),
        }
    }
}
