//! Values for parameters that do not come from the screen.

pub(super) const MISSING_PACKAGE: &str = "com.example.nowhere";

/// URIs that match no pattern of an app.
pub(super) const URIS: [&str; 5] = [
    "https://example.com/a?b=c#d",
    "https://shop.example.com/item/5",
    "nothing://at/all",
    "tel:112",
    "shop://",
];

/// Non-numeric values for the placeholders of URI patterns.
pub(super) const LINK_VALUES: [&str; 5] = ["lamp", "home", "%20", "ü", "9999999999"];

/// Language tags, two of them right-to-left, one invalid.
pub(super) const LANGUAGES: [&str; 6] = ["en-US", "de-DE", "ar", "he", "ja", "no_such tag!"];

pub(super) const TEXTS: [&str; 17] = [
    "a",
    // Prefixes with suggestions.
    "Gen",
    "exa",
    "e",
    "lamp",
    "ann@example.com",
    "secret",
    "wrong",
    "12345678",
    "4.2",
    "Zürich 🎉",
    "two  spaces",
    "line\nbreak",
    " padded ",
    "{braces}",
    "example.com",
    "0123456789012345678901234567890123456789012345678901234567890123456789",
];

pub(super) const MISSING_TEXTS: [&str; 4] = ["Qwghlm", "no:id/such_thing", "ﬀ", "�"];

/// Keys by their name in the contract, weighted by repetition.
pub(super) const KEYS: [&str; 17] = [
    "back",
    "back",
    "back",
    "back",
    "home",
    "recents",
    "enter",
    "enter",
    "delete",
    "tab",
    "escape",
    "volume_up",
    "volume_down",
    "power",
    "menu",
    "search",
    "tab",
];

pub(super) const DIRECTIONS: [&str; 6] = ["down", "down", "down", "up", "left", "right"];

/// Patterns for `validatorPattern`.
pub(super) const PATTERNS: [&str; 6] = [
    ".*",
    "^[A-Z].*$",
    "[0-9]+",
    "(?=.*a).+",
    "([a-z]+) \\1",
    "^$",
];

/// Session names of recordings; two are invalid file names.
pub(super) const SESSIONS: [&str; 5] = ["one", "two", "three", "not a name", "../up"];
