//! `tab`: lists, opens, chooses and closes tabs of a browser.

use contract::actions::TabOp;
use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value, json};

use crate::errors::{invalid, missing};
use crate::number;
use crate::plan::{self, Origin, Plan};
use crate::table::{
    Arguments, Command, Flag, FlagSet, FlagValue, Group, Positional, Scope, Task, flags,
};

static URL: Flag = Flag {
    name: "--url",
    aliases: &["--uri"],
    value: FlagValue::Text("<uri>"),
    help: "The page to open",
};

static INDEX: Flag = Flag::new(
    "--index",
    FlagValue::Text("<number>"),
    "The tab with this index in the list",
);

static TITLE_CONTAINS: Flag = Flag::new(
    "--title-contains",
    FlagValue::Text("<text>"),
    "The only tab with this substring in its title, ignoring case",
);

static URL_CONTAINS: Flag = Flag::new(
    "--url-contains",
    FlagValue::Text("<text>"),
    "The only tab with this substring in its URL, ignoring case",
);

static LATEST: Flag = Flag::new(
    "--latest",
    FlagValue::Switch,
    "The tab that was opened last since the browser tab was first driven",
);

/// The flags that select a tab, of which a command takes one.
const SELECTORS: [&Flag; 4] = [&INDEX, &TITLE_CONTAINS, &URL_CONTAINS, &LATEST];

pub(crate) static COMMAND: Command = Command {
    name: "tab",
    group: Group::Browser,
    usage: &[
        "tab list",
        "tab open --url <uri>",
        "tab choose <tab selector>",
        "tab close [tab selector]",
    ],
    summary: "List, open, choose or close tabs of a browser",
    notes: &[
        "The next command for `--device chrome` acts on the opened or chosen tab",
        "`tab close` closes the tab in front, but never the last one",
    ],
    positional: Some(Positional {
        words: operations,
        ..Positional::new("<operation>", "What to do: list, open, choose or close")
    }),
    flags: &[
        FlagSet {
            heading: "Tab selector (one)",
            flags: &SELECTORS,
        },
        FlagSet {
            heading: "Flags",
            flags: &[&URL],
        },
        flags::VALIDATION,
    ],
    scopes: Scope::ACTION,
    timeout: Some(plan::TIMEOUT_HELP),
    examples: &[
        "tab list --device chrome",
        "tab open --url https://example.com --device chrome",
        "tab choose --url-contains /cart --device chrome",
    ],
    ..Command::new(build)
};

static ORIGIN: Origin = Origin::action("tab");

fn operations() -> Vec<&'static str> {
    TabOp::ALL.iter().map(|op| op.as_str()).collect()
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let Some(op) = arguments.positional() else {
        return Err(missing(format!(
            "tab requires an operation: {}",
            operations().join(", ")
        )));
    };
    let mut params = Map::new();
    params.insert("op".to_owned(), op.into());
    super::put(&mut params, "uri", arguments.strict(&URL)?.map(Value::from));
    super::put(&mut params, "tab", selector(arguments)?);
    Plan::new(&ORIGIN, ActionKind::Tab, params, arguments).task(arguments)
}

/// The selector of the tab; `None` without its flags.
fn selector(arguments: &Arguments) -> Result<Option<Value>, ErrorBody> {
    let mut given = SELECTORS.iter().filter(|flag| arguments.has(flag));
    if let (Some(flag), Some(other)) = (given.next(), given.next()) {
        return Err(invalid(format!(
            "{} and {} exclude each other: one of them selects the tab",
            flag.name, other.name
        )));
    }
    if let Some(word) = arguments.strict(&INDEX)? {
        let index = number::read(word);
        if index.fract() != 0.0 || index < 0.0 {
            return Err(invalid(format!(
                "invalid value {word:?} for {} (expected a whole number from 0)",
                INDEX.name
            )));
        }
        return Ok(Some(json!({ "index": number::json(index) })));
    }
    if let Some(part) = arguments.strict(&TITLE_CONTAINS)? {
        return Ok(Some(json!({ "titleContains": part })));
    }
    if let Some(part) = arguments.strict(&URL_CONTAINS)? {
        return Ok(Some(json!({ "urlContains": part })));
    }
    Ok(arguments.has(&LATEST).then(|| json!({ "latest": true })))
}
