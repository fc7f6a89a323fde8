//! Names from other tools (adb, Appium, Maestro, Playwright) and the reference, with their equivalents here.

use contract::{Direction, ErrorBody, ErrorCode, Key};

/// Commands of other tools, one kind a line: their names in lower case without dashes and underscores, the equivalent
/// command or `-`, and the hint.
const COMMANDS: &str = include_str!("other_tools.txt");

/// Error of a command of another tool, and of the word after it.
pub(crate) fn command(name: &str, second: Option<&str>) -> Option<ErrorBody> {
    let normalized = name.replace(['-', '_'], "").to_ascii_lowercase();
    let (instead, hint) = COMMANDS.lines().find_map(|line| {
        let mut cells = line.split(" | ");
        let mut names = cells.next()?.split(' ');
        names.find(|known| *known == normalized)?;
        Some((cells.next()?, cells.next()?))
    })?;
    let error = |more: &str| {
        let message = format!("Unknown command: {name}{more}");
        ErrorBody::new(ErrorCode::UnknownCommand, message).with_hint(hint)
    };
    let swiped = second.and_then(Direction::parse);
    Some(match (instead, swiped) {
        ("scroll", Some(swiped)) => {
            let shown = match swiped {
                Direction::Up => Direction::Down,
                Direction::Down => Direction::Up,
                Direction::Left => Direction::Right,
                Direction::Right => Direction::Left,
            };
            error(&format!(". Use 'scroll {shown}'")).with_suggestion(format!("scroll {shown}"))
        }
        ("-", _) => error(""),
        (instead, _) => error(&format!(". Use '{instead}'")).with_suggestion(instead),
    })
}

/// Flags of this program with their names in other tools.
static FLAGS: &[(&str, &str)] = &[
    (
        "--coordinate <x> <y>",
        "--x --y --point --coords --coordinates --at --position --xy",
    ),
    (
        "--path",
        "--out --outfile --output-file --file --filename --save -o -p",
    ),
    (
        "--device",
        "--serial --udid --target --device-serial --emulator -s -d -e",
    ),
    (
        "--text-contains",
        "--contains --partial-text --text-matches",
    ),
    (
        "--desc",
        "--accessibility-id --aria-label --label --description",
    ),
    ("--id", "--resource --element-id"),
    ("--css", "--css-selector --locator"),
    ("--app", "--package --application-id --app-id --bundle-id"),
    ("--long", "--long-press --long-click --hold --duration"),
    ("--submit", "--enter --press-enter"),
    ("--text", "--value --name"),
    ("--output pretty", "--pretty"),
    ("--verbose", "--debug -v"),
];

/// The equivalent of a flag of another tool.
pub(crate) fn flag(name: &str) -> Option<&'static str> {
    FLAGS
        .iter()
        .find(|(_, names)| names.split(' ').any(|other| other == name))
        .map(|(flag, _)| *flag)
}

/// The keys of Android, by number; its names for them are `KEYCODE_BACK` and so on.
static KEYS: &[(&str, Key)] = &[
    ("3", Key::Home),
    ("4", Key::Back),
    ("61", Key::Tab),
    ("66", Key::Enter),
    ("67", Key::Delete),
    ("111", Key::Escape),
    ("187", Key::Recents),
    ("app_switch", Key::Recents),
    ("del", Key::Delete),
];

/// The key with this Android name or number.
pub(crate) fn key(name: &str) -> Option<Key> {
    let normalized = name.trim().to_ascii_lowercase();
    let normalized = normalized.strip_prefix("keycode_").unwrap_or(&normalized);
    let known = KEYS.iter().find(|(code, _)| *code == normalized);
    known
        .map(|(_, key)| *key)
        .or_else(|| Key::parse(normalized))
}

/// The selector flag for an argument that looks like a selector; `None` for plain words.
pub(crate) fn selector(argument: &str) -> Option<(&'static str, &str)> {
    if let Some(text) = argument.strip_prefix("text=") {
        return Some(("--text", text));
    }
    if let Some(desc) = argument.strip_prefix('~') {
        return Some(("--desc", desc));
    }
    if argument.starts_with(['#', '.', '[']) {
        return Some(("--css", argument));
    }
    argument.contains(":id/").then_some(("--id", argument))
}
