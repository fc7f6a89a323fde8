//! `tab`: lists, opens, chooses and closes tabs of a browser.

use contract::actions::TabOp;
use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value, json};

use crate::errors::{invalid, missing};
use crate::number;
use crate::plan::{Origin, Plan};
use crate::table::{Arguments, Command, Flag, FlagSet, FlagValue, Group, Positional, Task, flags};

flags! {
    URL = "--url" | "--uri", FlagValue::Text("<uri>"), "The page to open";
    INDEX = "--index", FlagValue::Text("<number>"), "The tab with this index in the list";
    TITLE_CONTAINS = "--title-contains", FlagValue::Text("<text>"),
        "The only tab with this substring in its title, ignoring case";
    URL_CONTAINS = "--url-contains", FlagValue::Text("<text>"),
        "The only tab with this substring in its URL, ignoring case";
    LATEST = "--latest", FlagValue::Switch,
        "The tab that was opened last since the browser tab was first driven";
}

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
        FlagSet::new("Tab selector (one)", &SELECTORS),
        FlagSet::new("Flags", &[&URL]),
        flags::VALIDATION,
    ],
    examples: &[
        "tab list --device chrome",
        "tab open --url https://example.com --device chrome",
        "tab choose --url-contains /cart --device chrome",
    ],
    ..Command::action(build)
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
