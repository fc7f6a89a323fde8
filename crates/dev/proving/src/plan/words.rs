//! The names and texts that plans use where the screen gives none.

/// A package that is not installed.
pub(super) const NO_APP: &str = "com.example.nowhere";

/// Uris that no pattern of an app gives.
pub(super) const URIS: [&str; 5] = [
    "https://example.com/a?b=c#d",
    "https://shop.example.com/item/5",
    "nothing://at/all",
    "tel:112",
    "shop://",
];

/// What stands for a name in the pattern of a uri, where it is no number.
pub(super) const FILLINGS: [&str; 5] = ["lamp", "home", "%20", "ü", "9999999999"];

/// Languages, two of them written from right to left, and a tag that is none.
pub(super) const LANGUAGES: [&str; 6] = ["en-US", "de-DE", "ar", "he", "ja", "no_such tag!"];

/// Texts to enter.
pub(super) const TEXTS: [&str; 17] = [
    "a",
    // Beginnings to which fields suggest more.
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

/// Words that stand on no screen.
pub(super) const NOWHERE: [&str; 4] = ["Qwghlm", "no:id/such_thing", "ﬀ", "�"];

/// Keys as the contract names them; those that lead somewhere more often.
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

/// Directions, down more often.
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

/// Names of recordings, two of which are no names of files.
pub(super) const SESSIONS: [&str; 5] = ["one", "two", "three", "not a name", "../up"];
