//! `read-value`: reads the value next to a label.

use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value};

use crate::errors::missing;
use crate::plan::{self, Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, Flag, FlagSet, FlagValue, Group, Scope, Task, flags};

static LABEL: Flag = Flag {
    name: "--label",
    aliases: &["--label-text", "--text"],
    value: FlagValue::Text("<text>"),
    help: "The label's exact text",
};

static LABEL_ID: Flag = Flag {
    name: "--label-id",
    aliases: &["--id", "--resource-id"],
    value: FlagValue::Text("<id>"),
    help: "The label's exact resource id",
};

static LABEL_DESC: Flag = Flag {
    name: "--label-desc",
    aliases: &["--desc", "--content-desc"],
    value: FlagValue::Text("<text>"),
    help: "The label's exact content description",
};

pub(crate) static COMMAND: Command = Command {
    name: "read-value",
    synonyms: &["read-kv"],
    group: Group::Interaction,
    usage: &["read-value --label <text> [--all --json]"],
    summary: "Read the value next to a label",
    notes: &["All given label flags must match"],
    flags: &[
        FlagSet {
            heading: "Label",
            flags: &[&LABEL, &LABEL_ID, &LABEL_DESC],
        },
        FlagSet {
            heading: "Flags",
            flags: &[&flags::ALL],
        },
        flags::MISSING,
        flags::VALIDATION,
    ],
    scopes: Scope::ACTION,
    timeout: Some(plan::TIMEOUT_HELP),
    examples: &[
        "read-value --label \"Battery level\" --json",
        "read-value --label \"Android version\" --validate-only",
    ],
    ..Command::new(build)
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
    Plan {
        origin: &ORIGIN,
        kind: ActionKind::ReadKeyValuePair,
        params: Some(params),
        timeout: plan::DEFAULT_TIMEOUT_MS,
    }
    .task_with_override(arguments)
}
