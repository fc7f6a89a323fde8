//! `open`: opens an app or a URI.

use contract::{ActionKind, ErrorBody};
use serde_json::{Map, Value};

use crate::errors::{invalid, missing};
use crate::plan::{Ids, Origin, Plan};
use crate::table::{Arguments, Command, FlagSet, FlagValue, Positional, Task, flags};

flags! {
    APP = "--app", FlagValue::Text("<package-id>"), "The app, even if its name looks like a URI";
    URI = "--uri" | "--url", FlagValue::Text("<uri>"),
        "The URI, even if it looks like a package name";
}

pub(crate) static COMMAND: Command = Command {
    name: "open",
    synonyms: &["open-uri", "open-url"],
    usage: &[
        "open <package-id>",
        "open <uri>",
        "open --app <package-id>",
        "open --uri <uri>",
    ],
    summary: "Open an app or a URI",
    notes: &[
        "A target that starts with a scheme, such as https:// or tel:, is a URI; anything else is a package name",
    ],
    positional: Some(Positional::new("<package-id|uri>", "What to open")),
    flags: &[FlagSet::new("Flags", &[&APP, &URI]), flags::VALIDATION],
    timeout: Some("Time limit of the command in milliseconds, 1000 to 120000 [default: 15000]"),
    examples: &[
        "open com.android.settings",
        "open https://example.com",
        "open tel:5550100",
    ],
    ..Command::action(build)
};

static APP_ORIGIN: Origin = Origin::cli(Ids::Timed("open_app", "cli-action-open-app"), "a1");

static URI_ORIGIN: Origin = Origin::cli(Ids::Timed("open_uri", "cli-action-open-uri"), "a1");

/// Default time limit.
const OPEN_MS: f64 = 15_000.0;

/// Schemes without slashes.
const BARE_SCHEMES: &[&str] = &[
    "about",
    "content",
    "data",
    "facetime",
    "file",
    "geo",
    "google.navigation",
    "intent",
    "mailto",
    "market",
    "mms",
    "mmsto",
    "package",
    "sip",
    "sms",
    "smsto",
    "spotify",
    "tel",
    "upi",
    "urn",
    "whatsapp",
];

fn build(arguments: &Arguments) -> Result<Box<dyn Task>, ErrorBody> {
    let app = arguments.single(&APP)?;
    let uri = arguments.single(&URI)?;
    let target = match (app, uri, arguments.positional()) {
        (Some(app), None, None) => app.filled().map(|app| (ActionKind::OpenApp, app)),
        (None, Some(uri), None) => uri.filled().map(|uri| (ActionKind::OpenUri, uri)),
        (None, None, Some(target)) if is_uri(target) => Some((ActionKind::OpenUri, target)),
        (None, None, target) => target.map(|target| (ActionKind::OpenApp, target)),
        _ => {
            return Err(invalid(
                "open takes one target: an argument, --app or --uri",
            ));
        }
    };
    let Some((kind, target)) =
        target.filter(|(_, target)| super::not_blank(Some(target)).is_some())
    else {
        return Err(missing(
            "open requires a target: a package such as com.android.settings, or a URI such as https://example.com",
        ));
    };
    let (origin, key) = match kind {
        ActionKind::OpenUri => (&URI_ORIGIN, "uri"),
        _ => (&APP_ORIGIN, "applicationId"),
    };
    let mut params = Map::new();
    params.insert(key.to_owned(), Value::from(target));
    let timeout = arguments.globals.timeout.unwrap_or(OPEN_MS);
    Plan::within(origin, kind, params, timeout).task(arguments)
}

/// Whether the target starts with a scheme: any before `://`, a known one before a bare `:`.
fn is_uri(target: &str) -> bool {
    let Some((scheme, rest)) = target.trim_start().split_once(':') else {
        return false;
    };
    let mut letters = scheme.chars();
    let well_formed = letters
        .next()
        .is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    well_formed
        && (rest.starts_with("//")
            || BARE_SCHEMES
                .iter()
                .any(|known| known.eq_ignore_ascii_case(scheme)))
}

#[cfg(test)]
mod tests {
    use super::is_uri;

    #[test]
    fn scheme_makes_target_a_uri() {
        for uri in [
            "https://example.com",
            "HTTPS://EXAMPLE.COM",
            "my.app+x-1://home",
            "mailto:a@b.c",
            "tel:5550100",
            "geo:0,0?q=x",
            "sms:1",
            "market://details?id=x",
            "intent:#Intent;end",
        ] {
            assert!(is_uri(uri), "{uri}");
        }
        for package in [
            "com.android.settings",
            "foo https://x",
            "com.example:remote",
            "1a://x",
            "://x",
            "a",
            "",
            ":",
        ] {
            assert!(!is_uri(package), "{package}");
        }
    }
}
