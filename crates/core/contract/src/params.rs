//! Reads `params`: the types of its keys, and the reader from which actions use their keys.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    chord::KeyPress,
    condition::Condition,
    coordinate::Coordinate,
    limits,
    matcher::{MatcherKey, NodeMatcher},
    number::{Millis, Ratio, format_number},
    payload_keys::ParamKey,
    place::Place,
    problem::{Findings, Path},
    read::{self, FieldValue, Keys},
    retry::{RetryParams, clamp},
    tab_selector::TabSelector,
    warning::WarningCode,
    words::{Word, choice},
};

/// Declares the values that keys have: a variant for each type, and how to take it out again.
macro_rules! entries {
    ($($variant:ident($(#[$attr:meta])* $type:ty)),+ $(,)?) => {
        /// A value of the right type; the rules of the action are not checked yet.
        #[derive(Debug, Clone, Serialize)]
        #[serde(untagged)]
        enum Entry {
            $($variant($(#[$attr])* $type)),+
        }

        $(impl TryFrom<Entry> for $type {
            type Error = ();

            fn try_from(entry: Entry) -> Result<Self, ()> {
                match entry {
                    Entry::$variant(value) => Ok(value),
                    _ => Err(()),
                }
            }
        })+
    };
}

entries! {
    Text(String),
    Texts(Vec<String>),
    Number(#[serde(serialize_with = "crate::number::serialize_number")] f64),
    Flag(bool),
    Matcher(NodeMatcher),
    Point(Coordinate),
    Place(Place),
    Retry(RetryParams),
    Conditions(Vec<Condition>),
    Tab(TabSelector),
}

/// The facts about an action that affect problems with its params.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ActionTraits {
    /// Its type, for messages.
    pub(crate) name: &'static str,
    /// Whether it takes `text`.
    pub(crate) takes_text: bool,
}

/// The `params` of one action with types checked; the action takes its keys and checks its rules.
#[derive(Debug)]
pub(crate) struct ParamReader<'f> {
    path: Path,
    action: Option<ActionTraits>,
    entries: BTreeMap<ParamKey, Option<Entry>>,
    /// The path of each given key, in the given spelling.
    places: BTreeMap<ParamKey, Path>,
    /// Explanations for keys without effect.
    reasons: BTreeMap<ParamKey, &'static str>,
    findings: &'f mut Findings,
}

impl<'f> ParamReader<'f> {
    /// Missing params.
    pub(crate) fn nothing(path: Path, findings: &'f mut Findings) -> Self {
        Self {
            path,
            action: None,
            entries: BTreeMap::new(),
            places: BTreeMap::new(),
            reasons: BTreeMap::new(),
            findings,
        }
    }

    /// Checks the type of every key; `None` if `params` is not an object. `explain` gives hints for unknown keys.
    pub(crate) fn read(
        value: &Value,
        path: Path,
        action: Option<ActionTraits>,
        explain: impl Fn(&str) -> Option<String>,
        findings: &'f mut Findings,
    ) -> Option<Self> {
        let map = read::object(value, &path, findings)?;
        let keys = Keys::<ParamKey>::resolve(map, &path, findings);
        let mut entries = BTreeMap::new();
        let mut places = BTreeMap::new();
        for key in ParamKey::ALL.iter().copied().filter(|key| keys.has(*key)) {
            let (taken, place) = keys.take(key, &path, findings);
            let entry = taken.and_then(|value| entry(key, value, &place, findings));
            entries.insert(key, entry.required());
            places.insert(key, place);
        }
        keys.refuse_unknown(&path, findings, explain);
        Some(Self {
            path,
            action,
            entries,
            places,
            reasons: BTreeMap::new(),
            findings,
        })
    }

    /// The path of a key, in the given spelling.
    pub(crate) fn place(&self, key: ParamKey) -> Path {
        match self.places.get(&key) {
            Some(place) => place.clone(),
            None => self.path.key(key.word()),
        }
    }

    /// Whether a key was given, valid or not.
    pub(crate) fn has(&self, key: ParamKey) -> bool {
        self.entries.contains_key(&key)
    }

    /// Records that the params as a whole break a rule.
    pub(crate) fn refuse_whole(&mut self, what: &str) {
        self.findings.breaks_rule(&self.path, what);
    }

    /// Records that none of several keys was given; `likely` is the likely intended one.
    pub(crate) fn refuse_none_of(&mut self, likely: ParamKey, what: &str) {
        let hint = self.mistaken_for(likely);
        self.findings.breaks_rule_with_hint(&self.path, what, hint);
    }

    /// Records that a key is missing, with the key that was likely intended.
    pub(crate) fn refuse_missing(&mut self, key: ParamKey) {
        let hint = self.mistaken_for(key);
        let place = self.place(key);
        self.findings
            .breaks_rule_with_hint(&place, "is required", hint);
    }

    /// A given, unused key that looks like the missing one.
    fn mistaken_for(&self, missing: ParamKey) -> Option<String> {
        let action = self.action?;
        let given = |key: ParamKey| {
            let (_, spelled) = self.places.get(&key)?.as_str().rsplit_once('.')?;
            self.entries.contains_key(&key).then_some(spelled)
        };
        if !action.takes_text
            && is_node(missing)
            && let Some(text) = given(ParamKey::Text)
            && MatcherKey::from_word(text).is_some()
        {
            return Some(format!("`{text}` belongs inside `{missing}`"));
        }
        let other = similar_keys(missing).iter().find_map(|key| given(*key))?;
        Some(format!(
            "`{other}` is not used by {}; use `{missing}`",
            action.name
        ))
    }

    /// Replaces the sentence of the last problem by the one that the published contract quotes.
    pub(crate) fn word_last(&mut self, sentence: &str) {
        self.findings.word_last(sentence);
    }

    /// Records that a key breaks a rule.
    pub(crate) fn refuse(&mut self, key: ParamKey, what: impl std::fmt::Display) {
        let place = self.place(key);
        self.findings.breaks_rule(&place, what);
    }

    /// Sets the explanation for a key without effect.
    pub(crate) fn explain_unused(&mut self, key: ParamKey, why: &'static str) {
        self.reasons.insert(key, why);
    }

    /// Warns that a given key has no effect.
    pub(crate) fn warn_unused(&mut self, key: ParamKey, why: &str) {
        let place = self.place(key);
        self.findings.warn(WarningCode::ParamNotUsed, &place, why);
    }

    /// Warns about a value inside a key.
    pub(crate) fn warn_inside(
        &mut self,
        code: WarningCode,
        key: ParamKey,
        inside: &str,
        what: &str,
    ) {
        let place = self.place(key).key(inside);
        self.findings.warn(code, &place, what);
    }

    // A key taken as another type than its own is reported as broken, and the payload is refused as a bug of
    // the program. The tests read every key of every action.
    fn take<T: TryFrom<Entry>>(&mut self, key: ParamKey) -> FieldValue<T> {
        match self.entries.remove(&key) {
            None => FieldValue::Absent,
            Some(None) => FieldValue::Broken,
            Some(Some(entry)) => T::try_from(entry).map_or(FieldValue::Broken, FieldValue::Value),
        }
    }

    /// The value of a key that is required.
    pub(crate) fn required<T>(
        &mut self,
        key: ParamKey,
        read: impl FnOnce(&mut Self, ParamKey) -> FieldValue<T>,
    ) -> FieldValue<T> {
        let value = read(self, key);
        if value.is_absent() {
            self.refuse_missing(key);
        }
        value
    }

    pub(crate) fn matcher(&mut self, key: ParamKey) -> FieldValue<NodeMatcher> {
        self.take(key)
    }

    pub(crate) fn required_matcher(&mut self, key: ParamKey) -> FieldValue<NodeMatcher> {
        self.required(key, Self::matcher)
    }

    pub(crate) fn point(&mut self, key: ParamKey) -> FieldValue<Coordinate> {
        self.take(key)
    }

    pub(crate) fn required_place(&mut self, key: ParamKey) -> FieldValue<Place> {
        self.required(key, Self::take)
    }

    pub(crate) fn retry(&mut self, key: ParamKey) -> FieldValue<RetryParams> {
        self.take(key)
    }

    /// The retry policy of a step that searches for a node. `timeoutMs` instead of `retry` sets how long to search.
    pub(crate) fn node_retry(&mut self) -> FieldValue<RetryParams> {
        let retry = self.retry(ParamKey::Retry);
        if !retry.is_absent() {
            return retry;
        }
        let max_delay = limits::MAX_RETRY_INITIAL_DELAY_MS;
        self.millis_clamped(ParamKey::TimeoutMs, limits::MIN_WAIT_MS, max_delay)
            .and_then(|millis| Some(RetryParams::within(millis)))
    }

    pub(crate) fn conditions(&mut self, key: ParamKey) -> FieldValue<Vec<Condition>> {
        self.take(key)
    }

    pub(crate) fn tab(&mut self, key: ParamKey) -> FieldValue<TabSelector> {
        self.take(key)
    }

    pub(crate) fn flag(&mut self, key: ParamKey) -> FieldValue<bool> {
        self.take(key)
    }

    pub(crate) fn text(&mut self, key: ParamKey) -> FieldValue<String> {
        self.take(key)
    }

    /// An optional text that must not be blank.
    pub(crate) fn filled_text(&mut self, key: ParamKey) -> FieldValue<String> {
        self.text(key).and_then(|text| {
            if limits::is_blank(&text) {
                self.refuse(key, "must not be blank");
                return None;
            }
            Some(text)
        })
    }

    pub(crate) fn required_text(&mut self, key: ParamKey) -> FieldValue<String> {
        self.required(key, Self::filled_text)
    }

    /// A word of a closed set, ignoring case and surrounding white space.
    pub(crate) fn word<W: Word>(&mut self, key: ParamKey) -> FieldValue<W> {
        self.text(key).and_then(|given| {
            let trimmed = given.trim();
            let word = W::read(trimmed).or_else(|| W::read(&trimmed.to_lowercase()));
            if word.is_none() {
                self.refuse(
                    key,
                    format_args!(
                        "must be {}, not `{}`",
                        choice::<W>(),
                        escape::truncate_input(&given)
                    ),
                );
            }
            word
        })
    }

    /// A key of the device or of a keyboard.
    pub(crate) fn key_press(&mut self, key: ParamKey) -> FieldValue<KeyPress> {
        self.text(key).and_then(|given| {
            let error = match KeyPress::parse(&given) {
                Ok(keys) => return Some(keys),
                Err(error) => error,
            };
            let what = if error.what.is_empty() {
                format!(
                    "must be {}, not `{}`",
                    KeyPress::choice(),
                    escape::truncate_input(&given)
                )
            } else {
                error.what
            };
            let hint = error
                .suggestion
                .map(|meant| format!("did you mean `{meant}`?"));
            let place = self.place(key);
            self.findings.breaks_rule_with_hint(&place, what, hint);
            None
        })
    }

    /// From one to `most` texts, none of them blank and no two equal.
    pub(crate) fn required_texts(
        &mut self,
        key: ParamKey,
        max_count: usize,
    ) -> FieldValue<Vec<String>> {
        let texts: FieldValue<Vec<String>> = self.required(key, Self::take);
        texts.and_then(|texts| {
            if texts.is_empty() || texts.len() > max_count {
                let what = format!("must have 1 to {max_count} entries, not {}", texts.len());
                self.refuse(key, what);
                return None;
            }
            for (index, text) in texts.iter().enumerate() {
                let place = self.place(key).key(index);
                if limits::is_blank(text) {
                    self.findings.breaks_rule(&place, "must not be blank");
                    return None;
                }
                if texts.iter().take(index).any(|earlier| earlier == text) {
                    self.findings.breaks_rule(&place, "is given twice");
                    return None;
                }
            }
            Some(texts)
        })
    }

    pub(crate) fn number(&mut self, key: ParamKey) -> FieldValue<f64> {
        self.take(key)
    }

    /// A number that is refused outside of its range.
    pub(crate) fn number_within(&mut self, key: ParamKey, min: f64, max: f64) -> FieldValue<f64> {
        self.number(key).and_then(|number| {
            if (min..=max).contains(&number) {
                return Some(number);
            }
            self.refuse(
                key,
                format_args!(
                    "must be between {} and {}, not {}",
                    format_number(min),
                    format_number(max),
                    format_number(number)
                ),
            );
            None
        })
    }

    /// A duration in milliseconds that is refused outside of its range.
    pub(crate) fn millis_within(
        &mut self,
        key: ParamKey,
        min: u32,
        max: u32,
    ) -> FieldValue<Millis> {
        let number = self.number_within(key, min.into(), max.into());
        number.and_then(Millis::new)
    }

    /// A duration in milliseconds that is clamped to its range, with a warning.
    pub(crate) fn millis_clamped(
        &mut self,
        key: ParamKey,
        min: u32,
        max: u32,
    ) -> FieldValue<Millis> {
        let number = self.number_clamped(key, min.into(), max.into());
        number.and_then(Millis::new)
    }

    /// A whole number that is refused outside of its range.
    pub(crate) fn whole_within(&mut self, key: ParamKey, min: u32, max: u32) -> FieldValue<u32> {
        self.number(key).and_then(|number| {
            let whole = read::whole_in(number, min, max);
            if whole.is_none() {
                let given = format_number(number);
                let what = format!("must be a whole number between {min} and {max}, not {given}");
                self.refuse(key, what);
            }
            whole
        })
    }

    /// A number that is clamped to its range, with a warning.
    pub(crate) fn number_clamped(&mut self, key: ParamKey, min: f64, max: f64) -> FieldValue<f64> {
        let place = self.place(key);
        self.number(key)
            .and_then(|number| clamp(number, min, max, &place, self.findings))
    }

    /// A whole number that is clamped to its range, with a warning.
    pub(crate) fn whole_clamped(&mut self, key: ParamKey, min: u32, max: u32) -> FieldValue<u32> {
        let place = self.place(key);
        self.number(key).and_then(|number| {
            if number.fract() != 0.0 {
                self.refuse(
                    key,
                    format_args!("must be a whole number, not {}", format_number(number)),
                );
                return None;
            }
            // The cast is exact: the value is whole and was clamped to the range of the type.
            clamp(number, min.into(), max.into(), &place, self.findings).map(|moved| moved as u32)
        })
    }

    /// The keys that no action took, kept for the output, each with a warning.
    pub(crate) fn into_unused(mut self, action: &str) -> BTreeMap<ParamKey, Value> {
        let mut unused = BTreeMap::new();
        for (key, entry) in std::mem::take(&mut self.entries) {
            let Some(entry) = entry else { continue };
            let place = self.place(key);
            let why = self.reasons.get(&key).copied();
            let why = why.map_or_else(|| format!("is not used by {action}"), str::to_owned);
            self.findings.warn(WarningCode::ParamNotUsed, &place, why);
            // Entries are plain types, whose conversion to JSON cannot fail.
            unused.insert(key, serde_json::to_value(entry).unwrap_or_default());
        }
        unused
    }
}

/// The value of a key, whose type is the same for every action.
fn entry(key: ParamKey, value: &Value, place: &Path, findings: &mut Findings) -> Option<Entry> {
    let mut text = |max_length| {
        read::text(value, max_length, place, findings).map(|text| Entry::Text(text.to_owned()))
    };
    match key {
        ParamKey::ApplicationId
        | ParamKey::SessionId
        | ParamKey::Path
        | ParamKey::ClickType
        | ParamKey::Direction
        | ParamKey::Validator
        | ParamKey::ValidatorPattern
        | ParamKey::Key
        | ParamKey::OnMissing
        | ParamKey::Orientation
        | ParamKey::Op
        | ParamKey::View => text(usize::MAX),
        ParamKey::Uri => text(limits::MAX_URI_LENGTH),
        ParamKey::Text => text(limits::MAX_TEXT_LENGTH),
        ParamKey::ExpectedPackage => text(limits::MAX_PACKAGE_LENGTH),
        ParamKey::Options => {
            read::texts(value, limits::MAX_TEXT_LENGTH, place, findings).map(Entry::Texts)
        }
        ParamKey::Files => {
            read::texts(value, limits::MAX_FILE_PATH_LENGTH, place, findings).map(Entry::Texts)
        }
        ParamKey::DurationMs
        | ParamKey::MaxSwipes
        | ParamKey::DistanceRatio
        | ParamKey::SettleDelayMs
        | ParamKey::MaxScrolls
        | ParamKey::MaxDurationMs
        | ParamKey::NoPositionChangeThreshold
        | ParamKey::TimeoutMs
        | ParamKey::Budget
        | ParamKey::MaxSide
        | ParamKey::Width
        | ParamKey::Height => read::number(value, place, findings).map(Entry::Number),
        ParamKey::Focused
        | ParamKey::Submit
        | ParamKey::Clear
        | ParamKey::FindFirstScrollableChild
        | ParamKey::ClickAfter
        | ParamKey::FullPage
        | ParamKey::Marks
        | ParamKey::All => read::flag(value, place, findings).map(Entry::Flag),
        ParamKey::Matcher
        | ParamKey::Container
        | ParamKey::ExpectedNode
        | ParamKey::LabelMatcher => NodeMatcher::read(value, place, findings).map(Entry::Matcher),
        ParamKey::Coordinate => Coordinate::read(value, place, findings).map(Entry::Point),
        ParamKey::From | ParamKey::To => Place::read(value, place, findings).map(Entry::Place),
        ParamKey::Retry | ParamKey::ScrollRetry | ParamKey::ClickRetry => {
            RetryParams::read(value, place, findings).map(Entry::Retry)
        }
        ParamKey::AnyOf => Condition::read_all(value, place, findings).map(Entry::Conditions),
        ParamKey::Tab => TabSelector::read(value, place, findings).map(Entry::Tab),
    }
}

/// Whether a key takes a node.
fn is_node(key: ParamKey) -> bool {
    matches!(
        key,
        ParamKey::Matcher | ParamKey::LabelMatcher | ParamKey::ExpectedNode
    )
}

/// Keys of other actions that are easily confused with this one.
fn similar_keys(key: ParamKey) -> &'static [ParamKey] {
    match key {
        ParamKey::Matcher => &[ParamKey::LabelMatcher, ParamKey::ExpectedNode],
        ParamKey::LabelMatcher => &[ParamKey::Matcher, ParamKey::ExpectedNode],
        ParamKey::ExpectedNode => &[ParamKey::Matcher, ParamKey::LabelMatcher],
        ParamKey::AnyOf => &[ParamKey::Matcher, ParamKey::ExpectedNode],
        ParamKey::ApplicationId => &[ParamKey::ExpectedPackage],
        ParamKey::DurationMs => &[ParamKey::TimeoutMs],
        ParamKey::TimeoutMs => &[ParamKey::DurationMs, ParamKey::MaxDurationMs],
        _ => &[],
    }
}

/// The params of an action in the order of [`ParamKey`].
pub(crate) fn in_order(
    used: &impl Serialize,
    unused: &BTreeMap<ParamKey, Value>,
) -> Result<Map<String, Value>, serde_json::Error> {
    let Value::Object(used) = serde_json::to_value(used)? else {
        return Err(serde::ser::Error::custom("params must be an object"));
    };
    if unused.is_empty() {
        return Ok(used);
    }
    let mut entries: Vec<(Option<ParamKey>, String, Value)> = used
        .into_iter()
        .map(|(name, value)| (ParamKey::from_word(&name), name, value))
        .collect();
    for (key, value) in unused {
        entries.push((Some(*key), key.as_str().to_owned(), value.clone()));
    }
    entries.sort_by_key(|(key, _, _)| *key);
    Ok(entries
        .into_iter()
        .map(|(_, name, value)| (name, value))
        .collect())
}

impl FieldValue<f64> {
    /// The number as a ratio; known to be between 0 and 1.
    pub(crate) fn ratio(self) -> FieldValue<Ratio> {
        self.and_then(Ratio::new)
    }
}
