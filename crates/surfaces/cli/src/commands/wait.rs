//! `wait`: waits until a node appears, or until a condition holds.

use contract::{ActionKind, ErrorBody, limits};
use serde_json::{Map, Value, json};

use crate::errors::invalid;
use crate::number;
use crate::plan::{self, Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, Flag, FlagSet, FlagValue, Task, flags};

flags! {
    GONE = "--gone", FlagValue::Switch, "Wait until no element matches";
    ENABLED = "--enabled", FlagValue::Switch, "Wait until the element is enabled";
    CHECKED = "--checked", FlagValue::Switch, "Wait until the element is checked";
    COUNT = "--count", FlagValue::Text("<number>"), "Wait until exactly this many elements match";
    MIN_COUNT = "--min-count", FlagValue::Text("<number>"),
        "Wait until this many elements or more match";
    URL_CONTAINS = "--url-contains", FlagValue::Text("<text>"),
        "Wait until the address of the web page contains this text, ignoring case";
    QUIET = "--quiet-for", FlagValue::Text("<ms>"),
        "Wait until the screen has not changed for this long";
}

/// The conditions, of which a command takes one.
const CONDITIONS: [&Flag; 7] = [
    &GONE,
    &ENABLED,
    &CHECKED,
    &COUNT,
    &MIN_COUNT,
    &URL_CONTAINS,
    &QUIET,
];

pub(crate) static COMMAND: Command = Command {
    name: "wait",
    usage: &[
        "wait <element selector> [--timeout <ms>]",
        "wait <element selector> --gone | --enabled | --checked | --count <number> | --min-count <number>",
        "wait --url-contains <text> | --quiet-for <ms>",
    ],
    summary: "Wait until a node appears, or until a condition holds",
    notes: &["For other conditions, and for any one of several, run wait_until with `exec`"],
    flags: &[
        flags::ELEMENT,
        flags::CONTAINER,
        FlagSet::new(
            "Condition (one; default: the element is visible)",
            &CONDITIONS,
        ),
        flags::MISSING,
        flags::VALIDATION,
    ],
    timeout: Some("Time to wait in ms, above 0 and up to 120000 [default: about 6500]"),
    examples: &[
        "wait --text \"Done\" --timeout 10000",
        "wait --text-contains \"connected\" --role listitem",
        "wait --text \"Loading\" --gone",
        "wait --quiet-for 500",
    ],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::action("wait");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let timeout = arguments.globals.timeout;
    let range = format!("above 0 and at most {}", limits::MAX_WAIT_MS);
    if timeout.is_some_and(|timeout| !positive(timeout)) {
        return Err(plan::invalid_timeout(arguments, &range));
    }
    let mut params = Map::new();
    let kind = match condition(arguments)? {
        Some(condition) => {
            params.insert("anyOf".to_owned(), json!([condition]));
            ActionKind::WaitUntil
        }
        None => {
            super::put(&mut params, "matcher", element(arguments)?);
            ActionKind::WaitForNode
        }
    };
    super::put_container(&mut params, arguments)?;
    if timeout.is_some_and(|timeout| timeout > f64::from(limits::MAX_WAIT_MS)) {
        return Err(plan::invalid_timeout(arguments, &range));
    }
    super::put(&mut params, "timeoutMs", timeout.map(number::json));
    let limit = timeout.map_or(plan::DEFAULT_TIMEOUT_MS, plan::budget);
    Plan::within(&ORIGIN, kind, params, limit).task(arguments)
}

/// The matcher of the element, whose flags are required. Without a matcher in them, the contract refuses the plan.
fn element(arguments: &Arguments) -> Result<Option<Value>, ErrorBody> {
    selector::require(arguments, &selector::ELEMENT, None)?;
    selector::ELEMENT.matcher(arguments)
}

/// The condition of `wait_until`; `None` without its flags.
fn condition(arguments: &Arguments) -> Result<Option<Value>, ErrorBody> {
    let mut given = CONDITIONS.iter().filter(|flag| arguments.has(flag));
    let Some(flag) = given.next() else {
        return Ok(None);
    };
    if let Some(other) = given.next() {
        return Err(invalid(format!(
            "{} and {} exclude each other: wait takes one condition; run wait_until with exec for any one of several",
            flag.name, other.name
        )));
    }
    if arguments.has(&flags::IF_PRESENT) {
        return Err(invalid(format!(
            "{} has no effect with {}",
            flags::IF_PRESENT.name,
            flag.name
        )));
    }
    let about_screen = flag.name == URL_CONTAINS.name || flag.name == QUIET.name;
    if about_screen && selector::ELEMENT.is_given(arguments) {
        return Err(invalid(format!("{} takes no element selector", flag.name)));
    }
    if let Some(text) = arguments.strict(&URL_CONTAINS)? {
        return Ok(Some(json!({ "url": { "contains": text } })));
    }
    if let Some(quiet) = whole(&QUIET, arguments)? {
        return Ok(Some(json!({ "quiet": quiet })));
    }
    let matcher = element(arguments)?;
    if arguments.has(&GONE) {
        return Ok(Some(json!({ "gone": matcher })));
    }
    if arguments.has(&ENABLED) {
        return Ok(Some(json!({ "enabled": { "matcher": matcher } })));
    }
    if arguments.has(&CHECKED) {
        return Ok(Some(json!({ "checked": { "matcher": matcher } })));
    }
    if let Some(count) = whole(&COUNT, arguments)? {
        return Ok(Some(
            json!({ "count": { "matcher": matcher, "exactly": count } }),
        ));
    }
    let min_count = whole(&MIN_COUNT, arguments)?;
    Ok(min_count.map(|min_count| json!({ "count": { "matcher": matcher, "atLeast": min_count } })))
}

/// The value of a flag, a whole number from 0; the contract checks its range.
fn whole(flag: &'static Flag, arguments: &Arguments) -> Result<Option<Value>, ErrorBody> {
    let Some(word) = arguments.strict(flag)? else {
        return Ok(None);
    };
    let value = number::read(word);
    if value.fract() == 0.0 && value >= 0.0 {
        return Ok(Some(number::json(value)));
    }
    Err(invalid(format!(
        "invalid value {word:?} for {} (expected a whole number from 0)",
        flag.name
    )))
}

/// Validates the time to wait.
pub(super) fn positive(timeout: f64) -> bool {
    timeout.is_finite() && timeout > 0.0
}
