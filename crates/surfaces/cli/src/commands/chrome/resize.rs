//! `chrome resize`: sets the size of the page in the window of a browser.

use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value};

use super::start::size;
use crate::errors::{missing, usage};
use crate::plan::{Ids, Origin, Plan};
use crate::table::{Arguments, Command, Group, Positional, Task, flags};

pub(crate) static COMMAND: Command = Command {
    name: "chrome resize",
    group: Group::Browser,
    usage: &["chrome resize <WxH>"],
    summary: "Resize the window of a tab, so that its page has this size",
    notes: &[
        "The size is that of the page (`innerWidth`, `innerHeight`), from 100 to 10000 CSS pixels. It stays for later \
        commands; other tabs of the same window get it, too",
    ],
    positional: Some(Positional::new(
        "<WxH>",
        "Width and height of the page, such as 390x844",
    )),
    flags: &[flags::VALIDATION],
    examples: &[
        "chrome resize 390x844",
        "chrome resize 1280x800 --device chrome:shop",
    ],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::cli(Ids::Random("resize"), "resize");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let text = match arguments.positionals() {
        [text] => text,
        _ => return Err(missing("chrome resize requires a size, such as 390x844")),
    };
    let (width, height) = size(text).ok_or_else(|| {
        usage(format!(
            "invalid size {:?} (expected a width and a height from 100 to 10000, such as 390x844)",
            escape::truncate_input(text)
        ))
    })?;
    let params = Map::from_iter([
        ("width".to_owned(), Value::from(width)),
        ("height".to_owned(), Value::from(height)),
    ]);
    Plan::new(&ORIGIN, ActionKind::ResizeWindow, params, arguments).task(arguments)
}
