//! Characters and attribute names that a tree can hold.

use crate::Attributes;
use std::borrow::Cow;
use std::sync::Arc;

/// Attributes with a field of their own, which are never among `attributes`.
pub(crate) const OWN_NAMES: [&str; 28] = [
    "index",
    "text",
    "resource-id",
    "class",
    "package",
    "content-desc",
    "checkable",
    "checked",
    "clickable",
    "enabled",
    "focusable",
    "focused",
    "scrollable",
    "long-clickable",
    "password",
    "selected",
    "bounds",
    "hint",
    "visible-to-user",
    "editable",
    "heading",
    "showing-hint",
    "role",
    "window-kind",
    "window-layer",
    "window-active",
    "window-title",
    "window-bounds",
];

/// Whether XML 1.0 can carry `c`.
pub(crate) const fn is_storable(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => true,
        '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => false,
        _ => true,
    }
}

/// `value` with U+FFFD for every character that XML cannot carry.
pub(crate) fn storable(value: Arc<str>) -> Arc<str> {
    // Fast path: U+FFFE and U+FFFF begin with 0xEF.
    let suspect =
        |byte: u8| byte == 0xEF || (byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r'));
    if value.is_empty() || !value.bytes().any(suspect) || value.chars().all(is_storable) {
        return value;
    }
    value
        .chars()
        .map(|c| if is_storable(c) { c } else { '\u{fffd}' })
        .collect::<String>()
        .into()
}

/// As [`storable`]; skips the check if the value equals `known`, which was checked.
pub(crate) fn storable_like(value: Arc<str>, known: Option<&Arc<str>>) -> Arc<str> {
    match known {
        Some(known) if Arc::ptr_eq(known, &value) || **known == *value => value,
        Some(_) | None => storable(value),
    }
}

/// Whether `name` is an attribute name of XML 1.0.
fn is_name(name: &str) -> bool {
    let start = |c: char| {
        matches!(c,
            ':' | '_' | 'A'..='Z' | 'a'..='z'
            | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
            | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}'
            | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
    };
    let inside = |c: char| {
        start(c)
            || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
    };
    let mut chars = name.chars();
    chars.next().is_some_and(start) && chars.all(inside)
}

/// The `attributes` that a document can hold.
pub(crate) fn storable_attributes(attributes: Attributes) -> Attributes {
    let mut kept = Attributes::with_capacity(attributes.len());
    for (name, value) in attributes {
        if is_name(&name)
            && !OWN_NAMES.contains(&&*name)
            && kept.iter().all(|(other, _)| *other != name)
        {
            kept.push((name, storable(value)));
        }
    }
    kept
}

/// `value` with a plain space for every other kind of space in a line, such as the narrow one before `PM`.
pub(crate) fn plain_spaces(value: &str) -> Cow<'_, str> {
    if value.is_ascii() || !value.chars().any(is_odd_space) {
        return Cow::Borrowed(value);
    }
    value.chars().map(plain_space).collect::<String>().into()
}

fn is_odd_space(c: char) -> bool {
    !c.is_ascii() && c.is_whitespace() && !c.is_control()
}

fn plain_space(c: char) -> char {
    if is_odd_space(c) { ' ' } else { c }
}

/// Folds case for comparisons, independent of the locale, and makes every kind of space in a line a plain one.
///
/// Folds through upper case and back, so that `STRASSE` matches `straße`, a final sigma is a sigma, and the dotted and
/// dotless i of Turkish are an i.
pub(crate) fn fold(value: &str) -> Cow<'_, str> {
    fold_with(value, |c| fold_char(plain_space(c)))
}

/// As [`fold`], but keeps the kinds of spaces.
pub(crate) fn fold_case(value: &str) -> Cow<'_, str> {
    fold_with(value, fold_char)
}

fn fold_with<I: Iterator<Item = char>>(value: &str, fold: impl FnMut(char) -> I) -> Cow<'_, str> {
    if value.is_ascii() {
        return if value.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(value.to_ascii_lowercase())
        } else {
            Cow::Borrowed(value)
        };
    }
    Cow::Owned(value.chars().flat_map(fold).collect())
}

fn fold_char(c: char) -> impl Iterator<Item = char> {
    let c = if c == '\u{130}' { 'i' } else { c };
    c.to_uppercase().flat_map(char::to_lowercase)
}
