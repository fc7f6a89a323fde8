//! `screenshot`: saves the screen as a PNG or JPEG file.

use contract::{ActionKind, ErrorBody};
use serde_json::Map;

use crate::errors::usage;
use crate::plan::{Ids, Origin, Plan};
use crate::selector;
use crate::table::{Arguments, Command, FlagSet, FlagValue, Task, flags};

flags! {
    PATH = "--path", FlagValue::Path("<file>"),
        "The file to write, a JPEG image if it ends in .jpg or .jpeg, else PNG; overwrites an existing image [default: a new file in a temporary directory, deleted after seven days]";
    FULL_PAGE = "--full-page", FlagValue::Switch,
        "Capture the whole page, not only the visible part; web pages only";
    MARKS = "--marks", FlagValue::Switch,
        "Draw a box with its reference, such as e12, around each element that has one in the text view";
    MAX_SIDE = "--max-side", FlagValue::Text("<pixels>"),
        "Scale the picture down until no side is longer, 64 to 4096";
}

pub(crate) static COMMAND: Command = Command {
    name: "screenshot",
    synonyms: &["observe screenshot"],
    usage: &[
        "screenshot [--path <file>] [--marks] [--max-side <pixels>] [--force]",
        "screenshot <element selector> [--path <file>] [--marks] [--max-side <pixels>] [--force]",
        "screenshot --full-page [--path <file>] [--max-side <pixels>] [--force]",
    ],
    summary: "Save the screen or an element as a PNG or JPEG file",
    notes: &[
        "The file's path is in envelope.stepResults[0].data.path",
        "With a selector the picture is cut to the element, which is scrolled into view if necessary",
        "--marks needs references, which on the command line only web pages have",
    ],
    flags: &[
        flags::ELEMENT,
        FlagSet::new(
            "Flags",
            &[&PATH, &FULL_PAGE, &MARKS, &MAX_SIDE, &flags::FORCE],
        ),
        flags::VALIDATION,
    ],
    examples: &[
        "screenshot --device sim --path screen.png",
        "screenshot --css \"#chart\" --path chart.png",
        "screenshot --marks --device chrome",
    ],
    ..Command::action(build)
};

static ORIGIN: Origin = Origin::observe(Ids::Random("screenshot"), "snap");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let mut params = Map::new();
    let path = arguments.strict(&PATH)?;
    super::put(&mut params, "path", path.map(Into::into));
    let whole = arguments.has(&FULL_PAGE).then_some(true);
    super::put(&mut params, "fullPage", whole.map(Into::into));
    let marks = arguments.has(&MARKS).then_some(true);
    let max_side = super::number(arguments, &MAX_SIDE, "pixels")?;
    super::put(&mut params, "maxSide", max_side);
    let matcher = selector::ELEMENT.matcher(arguments)?;
    if whole.is_some() && (marks.is_some() || matcher.is_some()) {
        return Err(usage("--full-page takes neither a selector nor --marks"));
    }
    super::put(&mut params, "matcher", matcher);
    super::put(&mut params, "marks", marks.map(Into::into));
    Plan::new(&ORIGIN, ActionKind::TakeScreenshot, params, arguments).task(arguments)
}
