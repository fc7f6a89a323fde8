//! `selectors`: lists all selectors of a known element.

use contract::{ErrorBody, NodeMatcher};
use serde_json::Value;
use service::inspect::{KnownElement, SelectorOptions, StabilityFilter, Target};

use super::click;
use super::click::COORDINATE;
use super::inspect::{self, Inspect, LIMIT, STRICT};
use crate::errors::invalid;
use crate::plan;
use crate::selector;
use crate::table::{Arguments, Command, FlagSet, Group, Scope, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "selectors",
    group: Group::Interaction,
    usage: &[
        "selectors <element selector> [--limit <n>] [--strict-stability]",
        "selectors --coordinate <x> <y>",
        "selectors --ref <ref>",
    ],
    summary: "List all selectors for a known element, most stable first",
    notes: &[
        "The result has the form of inspect with one element. If a selector matches several, it is the first, as for \
        actions, and `count` is their number",
        "At a point, it is the innermost element that accepts actions",
        "Here --ref takes the ref of a result of inspect; it is refused if another element has taken its place",
    ],
    flags: &[
        flags::ELEMENT,
        FlagSet::new("Flags", &[&COORDINATE, &STRICT, &LIMIT]),
    ],
    scopes: Scope::PLAN,
    timeout: Some(plan::TIMEOUT_HELP),
    examples: &[
        "selectors --text \"Wi-Fi\" --device sim",
        "selectors --coordinate 540 1200 --output pretty",
        "selectors --css \"form button\" --device chrome",
    ],
    ..Command::new(build)
};

/// Default number of selectors.
const DEFAULT_LIMIT: usize = 8;

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let point = click::coordinate(arguments)?;
    let reference = arguments.strict(&flags::REF)?;
    let by_matcher = selector::ELEMENT.is_given_beside(&flags::REF, arguments);
    let ways = [point.is_some(), reference.is_some(), by_matcher];
    if ways.into_iter().filter(|way| *way).count() > 1 {
        return Err(invalid(
            "use only one of a selector, --coordinate and --ref",
        ));
    }
    let known = match (point, reference) {
        (Some(point), _) => KnownElement::at(whole(&point, "x"), whole(&point, "y")),
        (None, Some(text)) => KnownElement::by_ref(text).ok_or_else(|| inspect::no_ref(text))?,
        (None, None) => {
            selector::require(arguments, &selector::ELEMENT, Some(&COORDINATE))?;
            let matcher = selector::ELEMENT.matcher(arguments)?.unwrap_or_default();
            KnownElement::matcher(NodeMatcher::from_value(&matcher)?)
        }
    };
    let naming = SelectorOptions {
        wanted: if arguments.has(&STRICT) {
            StabilityFilter::Strict
        } else {
            StabilityFilter::Any
        },
        limit: inspect::limit(arguments)?.unwrap_or(DEFAULT_LIMIT),
        places: 0,
    };
    let plan = inspect::snapshot_plan(arguments)?;
    let what = Target::Known(known, naming);
    Ok(Box::new(Inspect { plan, what }))
}

/// A coordinate; a number out of range becomes one outside of every screen.
fn whole(point: &Value, key: &str) -> i32 {
    let number = point.get(key).and_then(Value::as_i64);
    number
        .and_then(|number| i32::try_from(number).ok())
        .unwrap_or(i32::MAX)
}
