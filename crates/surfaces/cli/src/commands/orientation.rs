//! `orientation`: turns the screen of a phone.

use contract::{ActionKind, ErrorBody, Orientation};
use serde_json::Map;

use crate::errors::{alternatives, missing};
use crate::plan::{Origin, Plan};
use crate::table::{Arguments, Command, Positional, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "orientation",
    synonyms: &["rotate"],
    usage: &["orientation <portrait|landscape|auto>"],
    summary: "Turn the screen of a phone",
    notes: &[
        "auto lets the screen follow how the phone is held",
        "How the screen is turned afterwards is in envelope.stepResults[0].data.orientation",
    ],
    positional: Some(Positional {
        words: orientations,
        ..Positional::new("<orientation>", "portrait, landscape or auto")
    }),
    flags: &[flags::VALIDATION],
    examples: &["orientation landscape", "orientation auto"],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::action("orientation");

fn orientations() -> Vec<&'static str> {
    let all = Orientation::ALL.iter();
    all.map(|orientation| orientation.as_str()).collect()
}

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let Some(orientation) = arguments.positional() else {
        let message = format!("orientation needs {}", alternatives(&orientations()));
        return Err(missing(message));
    };
    let mut params = Map::new();
    params.insert("orientation".to_owned(), orientation.into());
    Plan::new(&ORIGIN, ActionKind::SetOrientation, params, arguments).task(arguments)
}
