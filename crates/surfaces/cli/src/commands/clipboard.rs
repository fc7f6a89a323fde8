//! `clipboard`: reads or sets the clipboard of a phone.

use contract::{ActionKind, ErrorBody};
use serde_json::Map;

use crate::errors::invalid;
use crate::plan::{Origin, Plan};
use crate::table::{Arguments, Command, Positional, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "clipboard",
    usage: &["clipboard", "clipboard <text>"],
    summary: "Read the clipboard of a phone, or put a text into it",
    notes: &[
        "The text that was read is in envelope.stepResults[0].data.text",
        "Phones need our agent or its app; `press ctrl+v` pastes into the field with the focus",
    ],
    positional: Some(Positional::new(
        "<text>",
        "The text to put into the clipboard; without it the clipboard is read",
    )),
    flags: &[flags::VALIDATION],
    examples: &["clipboard", "clipboard SPRING-25"],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::action("clipboard");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let mut params = Map::new();
    let kind = match arguments.positional() {
        Some(word @ ("read" | "get" | "set" | "copy" | "paste")) => {
            return Err(invalid(format!(
                "clipboard takes the text itself, and {word:?} reads like an operation: `clipboard` reads, `clipboard <text>` sets"
            ))
            .with_hint("A text that is only this word can be set by an action: set_clipboard"));
        }
        Some(text) => {
            params.insert("text".to_owned(), text.into());
            ActionKind::SetClipboard
        }
        None => ActionKind::ReadClipboard,
    };
    Plan::new(&ORIGIN, kind, params, arguments).task(arguments)
}
