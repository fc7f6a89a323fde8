//! `close`: stops an app.

use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value};

use crate::errors::missing;
use crate::plan::{Ids, Origin, Plan};
use crate::table::{Arguments, Command, FlagSet, FlagValue, Positional, Task, flags};

flags! {
    APP = "--app", FlagValue::Text("<package-id>"), "The app, instead of the argument";
}

pub(crate) static COMMAND: Command = Command {
    name: "close",
    synonyms: &["close-app"],
    usage: &["close <package-id>", "close --app <package-id>"],
    summary: "Stop an app",
    positional: Some(Positional::new("<package-id>", "The app to stop")),
    flags: &[FlagSet::new("Flags", &[&APP]), flags::VALIDATION],
    examples: &["close com.android.settings"],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::cli(Ids::Random("close"), "close");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let Some(app) = super::not_blank(arguments.either(&APP)?) else {
        return Err(missing(format!(
            "{} requires a package, such as com.android.settings",
            arguments.spelled
        )));
    };
    let mut params = Map::new();
    params.insert("applicationId".to_owned(), Value::from(app));
    Plan::new(&ORIGIN, ActionKind::CloseApp, params, arguments).task(arguments)
}
