//! Names from other tools (adb, Appium, Maestro, Playwright) and the reference, with their equivalents here.

use contract::{Direction, ErrorBody, ErrorCode, Key};

/// A command of other tools.
struct ForeignCommand {
    /// Its names in lower case, without dashes and underscores.
    names: &'static [&'static str],
    /// The equivalent command, if there is one.
    instead: Option<&'static str>,
    /// The hint.
    hint: &'static str,
}

const fn to(
    names: &'static [&'static str],
    instead: &'static str,
    hint: &'static str,
) -> ForeignCommand {
    ForeignCommand {
        names,
        instead: Some(instead),
        hint,
    }
}

const fn none(names: &'static [&'static str], hint: &'static str) -> ForeignCommand {
    ForeignCommand {
        names,
        instead: None,
        hint,
    }
}

static COMMANDS: &[ForeignCommand] = &[
    to(
        &[
            "swipe",
            "fling",
            "drag",
            "swipeup",
            "swipedown",
            "scrolldown",
            "scrollup",
        ],
        "scroll",
        "scroll names the side that comes into view: `scroll down` moves the content up, as a swipe up does",
    ),
    to(
        &[
            "longpress",
            "longclick",
            "longtap",
            "longpresson",
            "hold",
            "touchandhold",
        ],
        "click",
        "Add --long: click --text \"Wi-Fi\" --long, or click --coordinate 540 1200 --long",
    ),
    to(
        &["tapon", "touch", "clickon", "clicktext"],
        "click",
        "For example click --text \"Wi-Fi\", or click --coordinate 540 1200",
    ),
    to(
        &["doubletap", "doubleclick", "dblclick", "doubletapon"],
        "click",
        "Add --double: click --text \"Wi-Fi\" --double, or click --coordinate 540 1200 --double",
    ),
    none(
        &["pinch", "zoom"],
        "This gesture is not supported; `clawperator --help` lists the commands",
    ),
    to(
        &[
            "inputtext",
            "input",
            "entertext",
            "sendkeys",
            "settext",
            "keyboard",
            "fillin",
        ],
        "type",
        "Text: type \"hello\" --id <id>; a key: press back; a point: click --coordinate 540 1200; a swipe: scroll down",
    ),
    to(
        &["keyevent", "key", "sendkey", "pressbutton"],
        "press",
        "For example press back; `clawperator press --help` lists the keys",
    ),
    to(&["recents", "appswitch"], "press", "press recents"),
    to(
        &[
            "dump",
            "uiautomator",
            "hierarchy",
            "source",
            "pagesource",
            "ui",
            "tree",
            "dom",
            "getsource",
        ],
        "snapshot",
        "snapshot returns the screen as a tree in data.text",
    ),
    to(
        &["screencap", "capture", "takescreenshot", "picture"],
        "screenshot",
        "For example screenshot --path screen.png",
    ),
    to(
        &[
            "launch",
            "launchapp",
            "start",
            "startapp",
            "am",
            "monkey",
            "openapp",
            "openlink",
            "goto",
            "navigate",
            "visit",
            "activate",
        ],
        "open",
        "open takes a package or a URI: open com.android.settings, open https://example.com",
    ),
    to(
        &[
            "kill",
            "forcestop",
            "terminate",
            "stop",
            "stopapp",
            "killapp",
        ],
        "close",
        "For example close com.android.settings",
    ),
    to(
        &["find", "locate", "findelement", "query", "element"],
        "inspect",
        "For example inspect \"the login button\"",
    ),
    to(
        &[
            "assert",
            "assertvisible",
            "expect",
            "waitforselector",
            "waituntil",
            "extendedwaituntil",
            "exists",
        ],
        "wait",
        "wait fails if the element does not appear: wait --text \"Done\" --timeout 5000",
    ),
    to(
        &["gettext", "text", "readtext", "innertext"],
        "read",
        "For example read --id android:id/title",
    ),
    to(
        &["scrolluntilvisible", "scrollto", "scrollintoview"],
        "scroll-until",
        "For example scroll-until --text \"About phone\"",
    ),
    to(
        &["ls", "list", "listdevices"],
        "devices",
        "devices lists phones, browser tabs and the embedded phone",
    ),
    to(
        &["run", "play", "runflow"],
        "exec",
        "exec takes a plan: exec plan.json",
    ),
    to(
        &["codegen"],
        "recording start",
        "recording start, then recording stop",
    ),
    none(
        &[
            "shell",
            "uninstall",
            "push",
            "pull",
            "logcat",
            "forward",
            "reboot",
            "connect",
            "pair",
        ],
        "This is an adb command: use `adb -s <serial>`. `clawperator logs` shows clawperator's own log",
    ),
    none(
        &["skills", "skill"],
        "This build has no skills; save a plan to a file and run it with `clawperator exec <file>`",
    ),
    none(
        &["emulator", "emulators", "avd", "provision"],
        "This build does not start Android emulators; start one with `emulator -avd <name>` and it appears in \
        `clawperator devices`, or use --device sim, or `clawperator sim start` for a simulated phone that adb lists",
    ),
];

/// Error of a command of another tool, and of the word after it.
pub(crate) fn command(name: &str, second: Option<&str>) -> Option<ErrorBody> {
    let normalized = name.replace(['-', '_'], "").to_ascii_lowercase();
    let found = COMMANDS
        .iter()
        .find(|foreign| foreign.names.contains(&normalized.as_str()))?;
    let error = |more: &str| {
        ErrorBody::new(
            ErrorCode::UnknownCommand,
            format!("Unknown command: {name}{more}"),
        )
        .with_hint(found.hint)
    };
    let swiped = second.and_then(Direction::parse);
    Some(match (found.instead, swiped) {
        (Some("scroll"), Some(swiped)) => {
            let shown = match swiped {
                Direction::Up => Direction::Down,
                Direction::Down => Direction::Up,
                Direction::Left => Direction::Right,
                Direction::Right => Direction::Left,
            };
            error(&format!(". Use 'scroll {shown}'")).with_suggestion(format!("scroll {shown}"))
        }
        (Some(instead), _) => error(&format!(". Use '{instead}'")).with_suggestion(instead),
        (None, _) => error(""),
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
