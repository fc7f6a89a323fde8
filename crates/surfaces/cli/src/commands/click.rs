//! `click`: clicks a node or a point.

use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value, json};

use crate::errors::invalid;
use crate::number;
use crate::plan::{Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, Flag, FlagSet, FlagValue, Task, flags};

flags! {
    COORDINATE = "--coordinate", FlagValue::Point,
        "A point of the screen in pixels, instead of an element; also accepts <x>,<y>";
    LONG = "--long", FlagValue::Switch, "Long-press";
    DOUBLE = "--double", FlagValue::Switch, "Double-click";
    RIGHT = "--right", FlagValue::Switch, "Click with the right mouse button, on web pages";
    FOCUS = "--focus", FlagValue::Switch, "Give the element input focus instead of clicking it";
}

pub(crate) static COMMAND: Command = Command {
    name: "click",
    synonyms: &["tap"],
    usage: &[
        "click <element selector> [--long | --double | --right | --focus]",
        "click --coordinate <x> <y> [--long | --double | --right]",
    ],
    summary: "Click a node or a point of the screen",
    notes: &["Clicking a label clicks the row around it, as a finger would"],
    flags: &[
        flags::ELEMENT,
        flags::CONTAINER,
        FlagSet::new("Flags", &[&COORDINATE, &LONG, &DOUBLE, &RIGHT, &FOCUS]),
        flags::MISSING,
        flags::VALIDATION,
    ],
    examples: &[
        "click --text \"Wi-Fi\"",
        "click --role button --text-contains \"sign in\"",
        "click --id com.example:id/photo --long",
        "click --text report.txt --double",
        "click --coordinate 540 1200",
    ],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::action("click");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let mut params = Map::new();
    let coordinate = coordinate(arguments)?;
    let on_point = coordinate.is_some();
    match coordinate {
        Some(_) if selector::ELEMENT.is_given(arguments) => {
            return Err(invalid("use --coordinate or a selector, not both"));
        }
        Some(_) if selector::CONTAINER.is_given(arguments) => {
            return Err(invalid("use --coordinate or a container, not both"));
        }
        Some(point) => {
            params.insert("coordinate".to_owned(), point);
        }
        None => {
            selector::require(arguments, &selector::ELEMENT, Some(&COORDINATE))?;
            // A matcher without fields counts as absent.
            let matcher = selector::ELEMENT
                .matcher(arguments)?
                .filter(|matcher| matcher.as_object().is_none_or(|fields| !fields.is_empty()));
            super::put(&mut params, "matcher", matcher);
        }
    }
    let (long, focus) = (arguments.has(&LONG), arguments.has(&FOCUS));
    if long && focus {
        return Err(invalid(
            "--long and --focus exclude each other: --long long-presses the element, --focus gives it the input focus",
        ));
    }
    let mut others = [(&DOUBLE, "double_click"), (&RIGHT, "right_click")]
        .into_iter()
        .filter(|(flag, _)| arguments.has(flag));
    let other = others.next();
    if let Some((flag, _)) = other
        && (long || focus || others.next().is_some())
    {
        return Err(invalid(format!(
            "{} excludes --long, --focus and the other kinds of click: give one of them",
            flag.name
        )));
    }
    if on_point && focus {
        return Err(invalid(
            "--focus requires an element; it is not supported with --coordinate",
        ));
    }
    let kind = match (long, focus) {
        (true, _) => Some("long_click"),
        (_, true) => Some("focus"),
        _ => other.map(|(_, kind)| kind),
    };
    super::put(&mut params, "clickType", kind.map(Into::into));
    super::put_container(&mut params, arguments)?;
    Plan::new(&ORIGIN, ActionKind::Click, params, arguments).task(arguments)
}

/// The value of `--coordinate`.
pub(super) fn coordinate(arguments: &Arguments) -> Result<Option<Value>, ErrorBody> {
    point(arguments, &COORDINATE)
}

/// The point of a flag.
pub(super) fn point(
    arguments: &Arguments,
    flag: &'static Flag,
) -> Result<Option<Value>, ErrorBody> {
    let Some(given) = arguments.single(flag)? else {
        return Ok(None);
    };
    let mut values = given.values.iter().map(|text| number::read(text));
    let whole = |value: f64| value.is_finite() && value >= 0.0 && value.fract() == 0.0;
    match (values.next(), values.next(), values.next()) {
        (Some(x), Some(y), None) if whole(x) && whole(y) => Ok(Some(json!({
            "x": number::json(x),
            "y": number::json(y),
        }))),
        _ => Err(invalid(format!(
            "invalid value {:?} for {} (expected two whole numbers from 0, as in 540 1200 or 540,1200)",
            escape::truncate_input(&given.values.join(" ")),
            flag.name
        ))),
    }
}
