//! Reads single JSON values; checks types and records paths.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::{
    limits,
    number::format_number,
    problem::{Findings, Path},
    suggest,
    warning::WarningCode,
    words::{Word, choice},
};

/// A value that was looked up.
#[derive(Debug)]
pub(crate) enum FieldValue<T> {
    /// It was not given.
    Absent,
    /// It was given, but a problem was recorded.
    Broken,
    /// It was given and is valid.
    Value(T),
}

impl<T> FieldValue<T> {
    /// For optional values: `None` only if a problem was recorded.
    pub(crate) fn optional(self) -> Option<Option<T>> {
        match self {
            Self::Absent => Some(None),
            Self::Broken => None,
            Self::Value(value) => Some(Some(value)),
        }
    }

    /// For required values: `None` only if a problem was recorded, which includes absence.
    pub(crate) fn required(self) -> Option<T> {
        match self {
            Self::Absent | Self::Broken => None,
            Self::Value(value) => Some(value),
        }
    }

    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    pub(crate) fn is_present(&self) -> bool {
        !self.is_absent()
    }

    pub(crate) fn and_then<U>(self, read: impl FnOnce(T) -> Option<U>) -> FieldValue<U> {
        match self {
            Self::Absent => FieldValue::Absent,
            Self::Broken => FieldValue::Broken,
            Self::Value(value) => read(value).map_or(FieldValue::Broken, FieldValue::Value),
        }
    }
}

/// A looked up value as a field of params: required, or optional as an [`Option`].
pub(crate) trait Field<T> {
    /// `None` only if a problem was recorded.
    fn field(self) -> Option<T>;
}

impl<T> Field<T> for FieldValue<T> {
    fn field(self) -> Option<T> {
        self.required()
    }
}

impl<T> Field<Option<T>> for FieldValue<T> {
    fn field(self) -> Option<Option<T>> {
        self.optional()
    }
}

/// The keys of one object, aliases resolved.
#[derive(Debug)]
pub(crate) struct Keys<'a, K> {
    found: BTreeMap<K, FoundKey<'a>>,
    unknown: Vec<String>,
}

#[derive(Debug)]
enum FoundKey<'a> {
    One(&'a str, &'a Value),
    /// Two aliases without the canonical key are ambiguous.
    Two {
        first: &'a str,
        second: &'a str,
    },
}

impl<'a, K: Word> Keys<'a, K> {
    /// Resolves the keys of an object; an alias beside its canonical key is ignored with a warning.
    pub(crate) fn resolve(
        map: &'a Map<String, Value>,
        path: &Path,
        findings: &mut Findings,
    ) -> Self {
        let mut given: BTreeMap<K, Vec<(&'a str, &'a Value)>> = BTreeMap::new();
        let mut unknown = Vec::new();
        for (name, value) in map {
            match K::read(name) {
                Some(key) => given.entry(key).or_default().push((name, value)),
                None => unknown.push(escape::truncate_input(name)),
            }
        }
        let found = given
            .into_iter()
            .filter_map(|(key, spellings)| {
                let canonical = spellings.iter().find(|(name, _)| *name == key.word());
                let found = match (canonical, spellings.as_slice()) {
                    (Some((_, value)), _) => {
                        for (name, _) in spellings.iter().filter(|(name, _)| *name != key.word()) {
                            findings.warn(
                                WarningCode::AliasIgnored,
                                &path.key(name),
                                format_args!("was ignored because `{}` is given", key.word()),
                            );
                        }
                        FoundKey::One(key.word(), value)
                    }
                    (None, [(name, value)]) => FoundKey::One(name, value),
                    (None, [(first, _), (second, _), ..]) => FoundKey::Two { first, second },
                    (None, []) => return None,
                };
                Some((key, found))
            })
            .collect();
        Self { found, unknown }
    }

    /// Whether the key was given in any spelling.
    pub(crate) fn has(&self, key: K) -> bool {
        self.found.contains_key(&key)
    }

    /// The value of a key and its path, in the given spelling.
    pub(crate) fn take(
        &self,
        key: K,
        path: &Path,
        findings: &mut Findings,
    ) -> (FieldValue<&'a Value>, Path) {
        match self.found.get(&key) {
            None => (FieldValue::Absent, path.key(key.word())),
            Some(FoundKey::One(name, value)) => (FieldValue::Value(*value), path.key(name)),
            Some(FoundKey::Two { first, second }) => {
                let place = path.key(second);
                findings.malformed(
                    &place,
                    format_args!(
                        "is an alias of `{}`, like `{first}`; use only one",
                        key.word()
                    ),
                );
                (FieldValue::Broken, place)
            }
        }
    }

    /// Like [`Self::take`]; a missing key is a problem.
    pub(crate) fn require(
        &self,
        key: K,
        path: &Path,
        findings: &mut Findings,
    ) -> (FieldValue<&'a Value>, Path) {
        let (taken, place) = self.take(key, path, findings);
        if taken.is_absent() {
            findings.malformed(&place, "is required");
        }
        (taken, place)
    }

    /// The only key of an object that takes exactly one, with its value and path; anything else is a problem.
    pub(crate) fn only(
        value: &'a Value,
        path: &Path,
        findings: &mut Findings,
    ) -> Option<(K, &'a Value, Path)> {
        let map = object(value, path, findings)?;
        let keys = Self::resolve(map, path, findings);
        if keys.has_unknown() {
            keys.refuse_unknown(path, findings, unexplained);
            return None;
        }
        let mut given = keys.found.keys();
        let (Some(key), None) = (given.next(), given.next()) else {
            findings.malformed(
                path,
                format_args!("must have exactly one key: {}", choice::<K>()),
            );
            return None;
        };
        let (value, place) = keys.take(*key, path, findings);
        Some((*key, value.required()?, place))
    }

    /// Whether any key is unknown.
    pub(crate) fn has_unknown(&self) -> bool {
        !self.unknown.is_empty()
    }

    /// Records the unknown keys with their likely intent; `explain` adds explanations for known mistakes.
    pub(crate) fn refuse_unknown(
        self,
        path: &Path,
        findings: &mut Findings,
        explain: impl Fn(&str) -> Option<String>,
    ) {
        if self.unknown.is_empty() {
            return;
        }
        let hints: Vec<String> = self
            .unknown
            .iter()
            .take(limits::MAX_LISTED_PROBLEMS)
            .filter_map(|name| {
                explain(name).or_else(|| {
                    let key = nearest_key::<K>(name)?.word();
                    Some(match self.unknown.len() {
                        1 => format!("did you mean `{key}`?"),
                        _ => format!("`{name}` may mean `{key}`"),
                    })
                })
            })
            .take(MAX_HINTS)
            .collect();
        let hint = (!hints.is_empty()).then(|| hints.join("; "));
        let mut keys = self.unknown;
        keys.truncate(limits::MAX_LISTED_PROBLEMS);
        findings.unknown_keys(path, keys, hint);
    }
}

/// For objects whose unknown keys need no explanation.
pub(crate) fn unexplained(_: &str) -> Option<String> {
    None
}

/// The maximum number of explained unknown keys of an object.
const MAX_HINTS: usize = 5;

fn nearest_key<K: Word>(name: &str) -> Option<K> {
    let spellings = K::ALL
        .iter()
        .flat_map(|key| std::iter::once(key.word()).chain(key.other_words().iter().copied()));
    K::read(suggest::nearest(name, spellings)?)
}

/// An input id, not truncated if it is valid, so that it can be looked up.
pub(crate) fn whole_id(text: &str) -> String {
    escape::truncate(text, limits::MAX_ID_LENGTH)
}

/// The type of a value in messages.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn wrong_kind(value: &Value, expected: &str, path: &Path, findings: &mut Findings) {
    findings.malformed(
        path,
        format_args!("must be {expected}, not {}", kind(value)),
    );
}

pub(crate) fn object<'a>(
    value: &'a Value,
    path: &Path,
    findings: &mut Findings,
) -> Option<&'a Map<String, Value>> {
    let map = value.as_object();
    if map.is_none() {
        wrong_kind(value, "an object", path, findings);
    }
    map
}

/// An array of at most `max` items.
pub(crate) fn array<'a>(
    value: &'a Value,
    max: usize,
    path: &Path,
    findings: &mut Findings,
) -> Option<&'a [Value]> {
    let Some(items) = value.as_array() else {
        wrong_kind(value, "an array", path, findings);
        return None;
    };
    if items.len() > max {
        findings.malformed(
            path,
            format_args!("must have at most {max} items, not {}", items.len()),
        );
        return None;
    }
    Some(items)
}

/// A string no longer than `max` UTF-16 units.
pub(crate) fn text<'a>(
    value: &'a Value,
    max: usize,
    path: &Path,
    findings: &mut Findings,
) -> Option<&'a str> {
    let Some(text) = value.as_str() else {
        wrong_kind(value, "a string", path, findings);
        return None;
    };
    let length = limits::length(text);
    if length > max {
        findings.malformed(
            path,
            format_args!("must have at most {max} characters, not {length}"),
        );
        return None;
    }
    Some(text)
}

/// A string that is not blank.
pub(crate) fn name<'a>(
    value: &'a Value,
    max: usize,
    path: &Path,
    findings: &mut Findings,
) -> Option<&'a str> {
    let name = text(value, max, path, findings)?;
    if limits::is_blank(name) {
        findings.malformed(path, "must not be blank");
        return None;
    }
    Some(name)
}

/// A list of texts of at most `max` UTF-16 units each.
pub(crate) fn texts(
    value: &Value,
    max: usize,
    path: &Path,
    findings: &mut Findings,
) -> Option<Vec<String>> {
    let Value::Array(values) = value else {
        findings.malformed(path, format_args!("must be an array, not {}", kind(value)));
        return None;
    };
    let mut all = Some(Vec::new());
    for (index, value) in values.iter().enumerate() {
        match (text(value, max, &path.key(index), findings), &mut all) {
            (Some(text), Some(texts)) => texts.push(text.to_owned()),
            _ => all = None,
        }
    }
    all
}

pub(crate) fn number(value: &Value, path: &Path, findings: &mut Findings) -> Option<f64> {
    let number = value.as_f64().filter(|number| number.is_finite());
    if number.is_none() {
        wrong_kind(value, "a number", path, findings);
    }
    number
}

/// A whole number in a range.
pub(crate) fn whole(
    value: &Value,
    (min, max): (u32, u32),
    path: &Path,
    findings: &mut Findings,
) -> Option<u32> {
    let number = number(value, path, findings)?;
    let whole = whole_in(number, min, max);
    if whole.is_none() {
        let given = format_number(number);
        findings.malformed(
            path,
            format_args!("must be a whole number between {min} and {max}, not {given}"),
        );
    }
    whole
}

/// The number, if it is whole and in a range.
pub(crate) fn whole_in(number: f64, min: u32, max: u32) -> Option<u32> {
    let fits = number.fract() == 0.0 && (f64::from(min)..=f64::from(max)).contains(&number);
    // The cast is exact: the value is whole and within the range of the type.
    fits.then_some(number as u32)
}

pub(crate) fn flag(value: &Value, path: &Path, findings: &mut Findings) -> Option<bool> {
    let flag = value.as_bool();
    if flag.is_none() {
        wrong_kind(value, "a boolean", path, findings);
    }
    flag
}

/// A word of a closed set, in exact spelling.
pub(crate) fn word<W: Word>(value: &Value, path: &Path, findings: &mut Findings) -> Option<W> {
    let Some(given) = value.as_str() else {
        wrong_kind(value, "a string", path, findings);
        return None;
    };
    let word = W::read(given);
    if word.is_none() {
        findings.malformed(
            path,
            format_args!(
                "must be {}, not `{}`",
                choice::<W>(),
                escape::truncate_input(given)
            ),
        );
    }
    word
}
