//! `read-value`: reads the value next to a label.

use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value};

use crate::errors::missing;
use crate::plan::{self, Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Task, flags};

flags! {
    LABEL = "--label" | "--label-text" | "--text", FlagValue::Text("<text>"),
        "The label's exact text";
    LABEL_ID = "--label-id" | "--id" | "--resource-id", FlagValue::Text("<id>"),
        "The label's exact resource id";
    LABEL_DESC = "--label-desc" | "--desc" | "--content-desc", FlagValue::Text("<text>"),
        "The label's exact content description";
}

pub(crate) static COMMAND: Command = Command {
    name: "read-value",
    synonyms: &["read-kv"],
    usage: &["read-value --label <text> [--all --json]"],
    summary: "Read the value next to a label",
    notes: &["All given label flags must match"],
    flags: &[
        FlagSet::new("Label", &[&LABEL, &LABEL_ID, &LABEL_DESC]),
        FlagSet::new("Flags", &[&flags::ALL]),
        flags::MISSING,
        flags::VALIDATION,
    ],
    examples: &[
        "read-value --label \"Battery level\" --json",
        "read-value --label \"Android version\" --validate-only",
    ],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::action("read-value");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let all = super::reads_all(arguments)?;
    let mut label = Map::new();
    let mut empty = None;
    for (flag, field) in [
        (&LABEL, "textEquals"),
        (&LABEL_ID, "resourceId"),
        (&LABEL_DESC, "contentDescEquals"),
    ] {
        let Some(given) = arguments.single(flag)? else {
            continue;
        };
        match given.filled() {
            Some(_) => {
                label.insert(field.to_owned(), selector::filled(given)?.into());
            }
            None => empty = empty.or(Some(given)),
        }
    }
    if label.is_empty() {
        return Err(missing(format!(
            "{} requires a label: one or more of {}, {} and {}",
            arguments.spelled, LABEL.name, LABEL_ID.name, LABEL_DESC.name
        )));
    }
    // An empty value next to another label is a mistake, such as an unset script variable.
    if let Some(given) = empty {
        selector::filled(given)?;
    }
    let mut params = Map::new();
    params.insert("labelMatcher".to_owned(), Value::Object(label));
    if all {
        params.insert("all".to_owned(), true.into());
    }
    Plan::within(
        &ORIGIN,
        ActionKind::ReadKeyValuePair,
        params,
        plan::DEFAULT_TIMEOUT_MS,
    )
    .task_with_override(arguments)
}
