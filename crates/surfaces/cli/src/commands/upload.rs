//! `upload`: gives files to a web page.

use contract::{ActionKind, ErrorBody};

use super::select::{Texts, on_node};
use crate::plan::Origin;
use crate::table::{Arguments, Arity, Command, Positional, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "upload",
    usage: &["upload <file>... <element selector>"],
    summary: "Give files to a web page",
    notes: &[
        "The element is the file input, its label, or the button that opens the file chooser, which is not shown",
    ],
    positional: Some(Positional {
        arity: Arity::Many,
        ..Positional::new("<file>…", "The files")
    }),
    flags: &[
        flags::ELEMENT,
        flags::CONTAINER,
        flags::MISSING,
        flags::VALIDATION,
    ],
    examples: &[
        "upload report.pdf --css \"input[type=file]\"",
        "upload one.png two.png --text \"Add photos\"",
    ],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::action("upload");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let files = Texts {
        key: "files",
        missing: "upload requires a file, as in `upload report.pdf --css \"input[type=file]\"`",
    };
    on_node(&ORIGIN, ActionKind::Upload, &files, arguments)
}
