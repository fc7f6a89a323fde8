//! `type`: enters text into a field.

use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value};

use crate::errors::{invalid, missing};
use crate::payload;
use crate::plan::{Origin, Plan};
use crate::selector::{self, Family};
use crate::table::{Arguments, Command, FlagSet, FlagValue, Positional, Task, flags};

flags! {
    TEXT = "--text", FlagValue::Text("<text>"), "The text to enter, instead of the argument";
    TEXT_FROM = "--text-from", FlagValue::Path("<file>"),
        "Read the text from this file, or from standard input if `-`; one trailing newline is removed";
    SUBMIT = "--submit", FlagValue::Switch, "Then send the field's editor action, or Enter";
    CLEAR = "--clear", FlagValue::Switch, "Replace the field's content, the default; without a text, empty it";
    APPEND = "--append", FlagValue::Switch, "Append to the field's content";
    FOCUSED = "--focused", FlagValue::Switch,
        "Enter it into the field that has the input focus, instead of a selector";
}

pub(crate) static COMMAND: Command = Command {
    name: "type",
    synonyms: &["fill"],
    usage: &[
        "type <text> <element selector> [--submit] [--clear | --append]",
        "type --text <text> <element selector> [--submit] [--clear | --append]",
        "type --text-from <file> <element selector> [--submit] [--clear | --append]",
        "type <text> --focused [--submit] [--clear | --append]",
    ],
    summary: "Enter text into a field",
    notes: &[
        "Here --text is the text to enter. Select the field with --id, --role, --desc, --text-contains or --selector",
        "Write text that starts with two dashes after `--`, or as --text=<text>",
        "Other users of the computer can read command lines. Pass passwords with --text-from, or in a plan with `exec -`",
    ],
    positional: Some(Positional::new("<text>", "The text to enter")),
    flags: &[
        FIELD_FLAGS,
        flags::CONTAINER,
        FlagSet::new(
            "Flags",
            &[&TEXT, &TEXT_FROM, &FOCUSED, &SUBMIT, &CLEAR, &APPEND],
        ),
        flags::MISSING,
        flags::VALIDATION,
    ],
    examples: &[
        "type \"hello world\" --role textfield",
        "type \"bluetooth\" --id com.android.settings:id/search_src_text --submit",
        "type \"hello\" --focused",
        "type -5 --id com.example:id/amount",
        "type --text-from - --id com.example:id/password < password.txt",
    ],
    ..Command::action(build)
};

/// The element flags without `--text`, which is the text to enter here.
const FIELD_FLAGS: FlagSet = FlagSet {
    heading: "Element selector (all given flags must match)",
    flags: &[
        &flags::SELECTOR,
        &flags::TEXT_CONTAINS,
        &flags::ID,
        &flags::DESC,
        &flags::DESC_CONTAINS,
        &flags::ROLE,
        &flags::CSS,
        &flags::REF,
    ],
};

static FIELD: Family = Family {
    flags: &FIELD_FLAGS,
    mixed: selector::ELEMENT.mixed,
};

static ORIGIN: Origin = Origin::action("type");

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    // If both text and field are missing, report the text.
    if let Some(given) = arguments.first(&TEXT)
        && FIELD.is_given(arguments)
    {
        selector::value_of(given)?;
    }
    let text = arguments.either(&TEXT)?.filter(|text| !text.is_empty());
    let source = arguments.strict(&TEXT_FROM)?;
    if text.is_some() && source.is_some() {
        return Err(invalid(
            "type takes the text either from the command line or from --text-from, not both",
        ));
    }
    if text.is_none() && source.is_none() && !arguments.has(&CLEAR) {
        return Err(missing(
            "type requires text: an argument, --text <text>, or --text-from <file>; --clear alone empties the field",
        ));
    }
    let focused = arguments.has(&FOCUSED);
    if focused && (FIELD.is_given(arguments) || selector::CONTAINER.is_given(arguments)) {
        return Err(invalid(
            "use --focused or a selector, not both: --focused means the field that has the input focus",
        ));
    }
    if !focused {
        selector::require(arguments, &FIELD, Some(&FOCUSED))?;
    }
    let append = arguments.has(&APPEND);
    if append && arguments.has(&CLEAR) {
        return Err(invalid(
            "--clear and --append exclude each other: --clear replaces the field's content, --append adds to it",
        ));
    }
    let mut params = Map::new();
    super::put(&mut params, "matcher", FIELD.matcher(arguments)?);
    super::put(&mut params, "focused", focused.then(|| true.into()));
    let text = match source {
        Some(source) => payload::read_text(source)?,
        None => text.unwrap_or_default().to_owned(),
    };
    params.insert("text".to_owned(), Value::from(text));
    params.insert("submit".to_owned(), arguments.has(&SUBMIT).into());
    params.insert("clear".to_owned(), (!append).into());
    super::put_container(&mut params, arguments)?;
    Plan::new(&ORIGIN, ActionKind::EnterText, params, arguments).task(arguments)
}
