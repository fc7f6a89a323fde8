//! `drag`: drags from one place to another.

use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value, json};

use super::click::COORDINATE;
use crate::errors::{invalid, missing};
use crate::number;
use crate::plan::{Origin, Plan};
use crate::selector::{self, Family};
use crate::table::{Arguments, Command, FlagSet, FlagValue, Task, flags};

flags! {
    TO_SELECTOR = "--to-selector", FlagValue::Text("<json>"),
        "The end as a NodeMatcher in JSON, instead of the flags below";
    TO_TEXT = "--to-text", FlagValue::Text("<text>"), "The exact text of the end";
    TO_TEXT_CONTAINS = "--to-text-contains", FlagValue::Text("<text>"),
        "A substring of the text of the end, ignoring case";
    TO_ID = "--to-id", FlagValue::Text("<id>"), "The resource id of the end";
    TO_DESC = "--to-desc", FlagValue::Text("<text>"), "The exact content description of the end";
    TO_ROLE = "--to-role", FlagValue::Text("<role>"), "The role of the end";
    TO_CSS = "--to-css", FlagValue::Text("<selector>"), "The end as a CSS selector, on web pages";
    TO_REF = "--to-ref", FlagValue::Text("<ref>"),
        "A reference of the end, such as e3; instead of all other flags of the end";
    TO_COORDINATE = "--to-coordinate", FlagValue::Point,
        "The end as a point of the screen in pixels; also accepts <x>,<y>";
    DURATION = "--duration", FlagValue::Text("<ms>"),
        "How long the move takes, 0 to 30000 [default: 500]";
}

const END_FLAGS: FlagSet = FlagSet {
    heading: "End selector (all given flags must match)",
    flags: &[
        &TO_SELECTOR,
        &TO_TEXT,
        &TO_TEXT_CONTAINS,
        &TO_ID,
        &TO_DESC,
        &TO_ROLE,
        &TO_CSS,
        &TO_REF,
    ],
};

static END: Family = Family {
    flags: &END_FLAGS,
    mixed: "use --to-selector OR the other --to-* flags, not both",
};

pub(crate) static COMMAND: Command = Command {
    name: "drag",
    usage: &[
        "drag <element selector> --to-<selector> [--duration <ms>]",
        "drag --coordinate <x> <y> --to-coordinate <x> <y> [--duration <ms>]",
    ],
    summary: "Drag a node or a point to another",
    notes: &[
        "The mouse on web pages; on phones a finger that first holds still, as for a long press",
        "--to-selector, --to-text, --to-text-contains, --to-id, --to-desc, --to-role, --to-css, --to-ref or --to-coordinate is the end",
    ],
    flags: &[
        flags::ELEMENT,
        END_FLAGS,
        FlagSet::new("Flags", &[&COORDINATE, &TO_COORDINATE, &DURATION]),
        flags::MISSING,
        flags::VALIDATION,
    ],
    examples: &[
        "drag --text \"Write report\" --to-text Done",
        "drag --coordinate 100 200 --to-coordinate 100 600 --duration 800",
    ],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::action("drag");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let start = super::click::point(arguments, &COORDINATE)?;
    let end = super::click::point(arguments, &TO_COORDINATE)?;
    if start.is_none() {
        selector::require(arguments, &selector::ELEMENT, Some(&COORDINATE))?;
    }
    if end.is_none() && !END.is_given(arguments) {
        return Err(missing(
            "drag requires an end: --to-text, --to-css, --to-ref, --to-coordinate or another --to-* flag",
        ));
    }
    let mut params = Map::new();
    let from = place(start, selector::ELEMENT.matcher(arguments)?, "--coordinate")?;
    let to = place(end, END.matcher(arguments)?, "--to-coordinate")?;
    params.insert("from".to_owned(), from);
    params.insert("to".to_owned(), to);
    super::put(&mut params, "durationMs", duration(arguments)?);
    Plan::new(&ORIGIN, ActionKind::Drag, params, arguments).task(arguments)
}

/// A place from a point or a matcher.
fn place(point: Option<Value>, matcher: Option<Value>, flag: &str) -> Result<Value, ErrorBody> {
    match (point, matcher) {
        (Some(_), Some(_)) => Err(invalid(format!("use {flag} or a selector, not both"))),
        (Some(point), None) => Ok(json!({ "coordinate": point })),
        (None, matcher) => Ok(json!({ "matcher": matcher })),
    }
}

/// The value of `--duration`.
fn duration(arguments: &Arguments) -> Result<Option<Value>, ErrorBody> {
    let Some(given) = arguments.single(&DURATION)? else {
        return Ok(None);
    };
    let text = selector::filled(given)?;
    let number = number::read(text);
    if !number.is_finite() {
        return Err(invalid(format!(
            "invalid value {:?} for --duration (expected milliseconds)",
            escape::truncate_input(text)
        )));
    }
    Ok(Some(number::json(number)))
}
