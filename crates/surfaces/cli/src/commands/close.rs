//! `close`: stops an app.

use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value};

use crate::errors::missing;
use crate::plan::{self, Ids, Origin, Plan};
use crate::table::{
    Arguments, Command, Flag, FlagSet, FlagValue, Group, Positional, Scope, Task, flags,
};

static APP: Flag = Flag::new(
    "--app",
    FlagValue::Text("<package-id>"),
    "The app, instead of the argument",
);

pub(crate) static COMMAND: Command = Command {
    name: "close",
    synonyms: &["close-app"],
    group: Group::Interaction,
    usage: &["close <package-id>", "close --app <package-id>"],
    summary: "Stop an app",
    positional: Some(Positional::new("<package-id>", "The app to stop")),
    flags: &[
        FlagSet {
            heading: "Flags",
            flags: &[&APP],
        },
        flags::VALIDATION,
    ],
    scopes: Scope::ACTION,
    timeout: Some(plan::TIMEOUT_HELP),
    examples: &["close com.android.settings"],
    ..Command::new(build)
};

static ORIGIN: Origin = Origin {
    ids: Ids::Random("close"),
    source: "clawperator-cli",
    step: "close",
    mode: None,
};

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let timeout = plan::finite_timeout(arguments)?;
    let Some(app) = super::not_blank(arguments.either(&APP)?) else {
        return Err(missing(format!(
            "{} requires a package, such as com.android.settings",
            arguments.spelled
        )));
    };
    let mut params = Map::new();
    params.insert("applicationId".to_owned(), Value::from(app));
    Plan {
        origin: &ORIGIN,
        kind: ActionKind::CloseApp,
        params: Some(params),
        timeout: timeout.unwrap_or(plan::DEFAULT_TIMEOUT_MS),
    }
    .task(arguments)
}
