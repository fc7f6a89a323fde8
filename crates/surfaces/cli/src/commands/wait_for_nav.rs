//! `wait-for-nav`: waits until an app is in the foreground or a node appears.

use contract::{ActionKind, ErrorBody, limits};
use serde_json::Map;

use super::wait;
use crate::errors::{invalid, missing};
use crate::number;
use crate::plan::{self, Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, FlagSet, FlagValue, ParsedFlag, Task, flags};

flags! {
    APP = "--app", FlagValue::Text("<package-id>"), "The app that must be in the foreground";
}

pub(crate) static COMMAND: Command = Command {
    name: "wait-for-nav",
    synonyms: &["wait-for-navigation"],
    usage: &["wait-for-nav [--app <package-id>] [element selector] --timeout <ms>"],
    summary: "Wait until an app is in the foreground or a node appears",
    notes: &["With --app and a selector, both must be true at the same time"],
    flags: &[
        FlagSet::new("Flags", &[&APP]),
        flags::ELEMENT,
        flags::VALIDATION,
    ],
    timeout: Some("Time to wait in ms, above 0 and up to 30000; required"),
    examples: &[
        "wait-for-nav --app com.android.settings --timeout 5000",
        "wait-for-nav --text \"About phone\" --timeout 5000",
    ],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::action("wait-for-nav");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let app = match arguments.single(&APP)? {
        None => None,
        Some(given) => match ParsedFlag::filled(given).filter(|app| !limits::is_blank(app)) {
            Some(app) => Some(app),
            None => {
                return Err(invalid(
                    "--app requires a package, such as com.android.settings",
                ));
            }
        },
    };
    let Some(timeout) = arguments.globals.timeout else {
        return Err(missing(format!(
            "{} requires --timeout <ms>",
            arguments.spelled
        )));
    };
    if !wait::positive(timeout) || timeout > f64::from(limits::MAX_NAVIGATION_MS) {
        return Err(plan::invalid_timeout(
            arguments,
            &format!("above 0 and at most {}", limits::MAX_NAVIGATION_MS),
        ));
    }
    let node = selector::ELEMENT.matcher(arguments)?;
    if app.is_none() && node.is_none() {
        return Err(missing(format!(
            "{} requires --app or a selector such as --text",
            arguments.spelled
        )));
    }
    let mut params = Map::new();
    super::put(&mut params, "expectedPackage", app.map(Into::into));
    super::put(&mut params, "expectedNode", node);
    params.insert("timeoutMs".to_owned(), number::json(timeout));
    let (kind, limit) = (ActionKind::WaitForNavigation, plan::budget(timeout));
    Plan::within(&ORIGIN, kind, params, limit).task(arguments)
}
