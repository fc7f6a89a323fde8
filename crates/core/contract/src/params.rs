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
    number::{Millis, Ratio, format_number, json_number},
    payload_keys::ParamKey,
    place::Place,
    problem::{Findings, Path},
    read::{self, FieldValue, Keys, shortened},
    retry::{RetryParams, clamp},
    tab_selector::TabSelector,
    warning::WarningCode,
    words::{Word, choice},
};

/// The type of a key's value, the same for every action.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Text(usize),
    Texts(usize),
    Number,
    Flag,
    Matcher,
    Point,
    Place,
    Retry,
    Conditions,
    Tab,
}

impl ParamKey {
    const fn shape(self) -> Shape {
        match self {
            Self::ApplicationId
            | Self::SessionId
            | Self::Path
            | Self::ClickType
            | Self::Direction
            | Self::Validator
            | Self::ValidatorPattern
            | Self::Key
            | Self::OnMissing
            | Self::Orientation
            | Self::Op
            | Self::View => Shape::Text(usize::MAX),
            Self::Uri => Shape::Text(limits::MAX_URI_LENGTH),
            Self::Text => Shape::Text(limits::MAX_TEXT_LENGTH),
            Self::Options => Shape::Texts(limits::MAX_TEXT_LENGTH),
            Self::Files => Shape::Texts(limits::MAX_FILE_PATH_LENGTH),
            Self::ExpectedPackage => Shape::Text(limits::MAX_PACKAGE_LENGTH),
            Self::DurationMs
            | Self::MaxSwipes
            | Self::DistanceRatio
            | Self::SettleDelayMs
            | Self::MaxScrolls
            | Self::MaxDurationMs
            | Self::NoPositionChangeThreshold
            | Self::TimeoutMs
            | Self::Budget
            | Self::MaxSide
            | Self::Width
            | Self::Height => Shape::Number,
            Self::Focused
            | Self::Submit
            | Self::Clear
            | Self::FindFirstScrollableChild
            | Self::ClickAfter
            | Self::FullPage
            | Self::Marks
            | Self::All => Shape::Flag,
            Self::Matcher | Self::Container | Self::ExpectedNode | Self::LabelMatcher => {
                Shape::Matcher
            }
            Self::Coordinate => Shape::Point,
            Self::From | Self::To => Shape::Place,
            Self::Retry | Self::ScrollRetry | Self::ClickRetry => Shape::Retry,
            Self::AnyOf => Shape::Conditions,
            Self::Tab => Shape::Tab,
        }
    }
}

/// A value of the right type; the rules of the action are not checked yet.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
enum Entry {
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
            let entry = taken.and_then(|value| shaped(key, value, &place, findings));
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

    /// Records that none of several keys was given; `wanted` is the likely intended one.
    pub(crate) fn refuse_none_of(&mut self, wanted: ParamKey, what: &str) {
        let hint = self.mistaken_for(wanted);
        self.findings.breaks_rule_with_hint(&self.path, what, hint);
    }

    /// Records that a key is missing, with the key that may have been meant.
    pub(crate) fn refuse_missing(&mut self, key: ParamKey) {
        let hint = self.mistaken_for(key);
        let place = self.place(key);
        self.findings
            .breaks_rule_with_hint(&place, "is required", hint);
    }

    /// A given, unused key that looks like the missing one.
    fn mistaken_for(&self, wanted: ParamKey) -> Option<String> {
        let action = self.action?;
        let given = |key: ParamKey| {
            let (_, spelled) = self.places.get(&key)?.as_str().rsplit_once('.')?;
            self.entries.contains_key(&key).then_some(spelled)
        };
        if !action.takes_text
            && is_node(wanted)
            && let Some(text) = given(ParamKey::Text)
            && MatcherKey::from_word(text).is_some()
        {
            return Some(format!("`{text}` belongs inside `{wanted}`"));
        }
        let other = look_alikes(wanted).iter().find_map(|key| given(*key))?;
        Some(format!(
            "`{other}` is not used by {}; use `{wanted}`",
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
    fn take<T>(&mut self, key: ParamKey, shape: impl FnOnce(Entry) -> Option<T>) -> FieldValue<T> {
        match self.entries.remove(&key) {
            None => FieldValue::Absent,
            Some(None) => FieldValue::Broken,
            Some(Some(entry)) => shape(entry).map_or(FieldValue::Broken, FieldValue::Value),
        }
    }

    pub(crate) fn matcher(&mut self, key: ParamKey) -> FieldValue<NodeMatcher> {
        self.take(key, |entry| match entry {
            Entry::Matcher(matcher) => Some(matcher),
            _ => None,
        })
    }

    pub(crate) fn required_matcher(&mut self, key: ParamKey) -> FieldValue<NodeMatcher> {
        let matcher = self.matcher(key);
        if matcher.is_absent() {
            self.refuse_missing(key);
        }
        matcher
    }

    pub(crate) fn point(&mut self, key: ParamKey) -> FieldValue<Coordinate> {
        self.take(key, |entry| match entry {
            Entry::Point(point) => Some(point),
            _ => None,
        })
    }

    pub(crate) fn required_place(&mut self, key: ParamKey) -> FieldValue<Place> {
        let place = self.take(key, |entry| match entry {
            Entry::Place(place) => Some(place),
            _ => None,
        });
        if place.is_absent() {
            self.refuse_missing(key);
        }
        place
    }

    pub(crate) fn retry(&mut self, key: ParamKey) -> FieldValue<RetryParams> {
        self.take(key, |entry| match entry {
            Entry::Retry(retry) => Some(retry),
            _ => None,
        })
    }

    /// The retry policy of a step that looks for a node; `timeoutMs` in its place looks for it so long.
    pub(crate) fn node_retry(&mut self) -> FieldValue<RetryParams> {
        let retry = self.retry(ParamKey::Retry);
        if !retry.is_absent() {
            return retry;
        }
        let longest = limits::MAX_RETRY_INITIAL_DELAY_MS.into();
        self.number_clamped(ParamKey::TimeoutMs, limits::MIN_WAIT_MS.into(), longest)
            .and_then(|millis| Millis::new(millis).map(RetryParams::within))
    }

    pub(crate) fn conditions(&mut self, key: ParamKey) -> FieldValue<Vec<Condition>> {
        self.take(key, |entry| match entry {
            Entry::Conditions(conditions) => Some(conditions),
            _ => None,
        })
    }

    pub(crate) fn tab(&mut self, key: ParamKey) -> FieldValue<TabSelector> {
        self.take(key, |entry| match entry {
            Entry::Tab(tab) => Some(tab),
            _ => None,
        })
    }

    pub(crate) fn flag(&mut self, key: ParamKey) -> FieldValue<bool> {
        self.take(key, |entry| match entry {
            Entry::Flag(flag) => Some(flag),
            _ => None,
        })
    }

    pub(crate) fn text(&mut self, key: ParamKey) -> FieldValue<String> {
        self.take(key, |entry| match entry {
            Entry::Text(text) => Some(text),
            _ => None,
        })
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
        let text = self.filled_text(key);
        if text.is_absent() {
            self.refuse_missing(key);
        }
        text
    }

    /// A word of a closed set, ignoring case and surrounding white space.
    pub(crate) fn word<W: Word>(&mut self, key: ParamKey) -> FieldValue<W> {
        self.text(key).and_then(|given| {
            let trimmed = given.trim();
            let word = W::read(trimmed).or_else(|| W::read(&trimmed.to_lowercase()));
            if word.is_none() {
                self.refuse(
                    key,
                    format_args!("must be {}, not `{}`", choice::<W>(), shortened(&given)),
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
                    shortened(&given)
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
    pub(crate) fn required_texts(&mut self, key: ParamKey, most: usize) -> FieldValue<Vec<String>> {
        let texts = self.take(key, |entry| match entry {
            Entry::Texts(texts) => Some(texts),
            _ => None,
        });
        if texts.is_absent() {
            self.refuse_missing(key);
        }
        texts.and_then(|texts| {
            if texts.is_empty() || texts.len() > most {
                let what = format!("must have 1 to {most} entries, not {}", texts.len());
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
        self.take(key, |entry| match entry {
            Entry::Number(number) => Some(number),
            _ => None,
        })
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

    /// A whole number that is refused outside of its range.
    pub(crate) fn whole_within(&mut self, key: ParamKey, min: u32, max: u32) -> FieldValue<u32> {
        self.number(key).and_then(|number| {
            if number.fract() == 0.0 && (f64::from(min)..=f64::from(max)).contains(&number) {
                // The cast is exact: the value is whole and within the range of the type.
                return Some(number as u32);
            }
            self.refuse(
                key,
                format_args!(
                    "must be a whole number between {min} and {max}, not {}",
                    format_number(number)
                ),
            );
            None
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
            unused.insert(key, entry.into_value());
        }
        unused
    }
}

impl Entry {
    fn into_value(self) -> Value {
        match self {
            Self::Text(text) => text.into(),
            Self::Texts(texts) => texts.into(),
            Self::Number(number) => json_number(number).map_or(Value::Null, Value::Number),
            Self::Flag(flag) => flag.into(),
            Self::Matcher(matcher) => to_value(&matcher),
            Self::Point(point) => to_value(&point),
            Self::Place(place) => to_value(&place),
            Self::Retry(retry) => to_value(&retry),
            Self::Conditions(conditions) => to_value(&conditions),
            Self::Tab(tab) => to_value(&tab),
        }
    }
}

fn to_value(value: &impl Serialize) -> Value {
    // Matchers, points, retry objects, conditions and selectors of tabs are plain types, whose conversion to JSON cannot fail.
    serde_json::to_value(value).unwrap_or_default()
}

fn shaped(key: ParamKey, value: &Value, place: &Path, findings: &mut Findings) -> Option<Entry> {
    match key.shape() {
        Shape::Text(max) => {
            read::text(value, max, place, findings).map(|text| Entry::Text(text.to_owned()))
        }
        Shape::Texts(max) => read::texts(value, max, place, findings).map(Entry::Texts),
        Shape::Number => read::number(value, place, findings).map(Entry::Number),
        Shape::Flag => read::flag(value, place, findings).map(Entry::Flag),
        Shape::Matcher => NodeMatcher::read(value, place, findings).map(Entry::Matcher),
        Shape::Point => Coordinate::read(value, place, findings).map(Entry::Point),
        Shape::Place => Place::read(value, place, findings).map(Entry::Place),
        Shape::Retry => RetryParams::read(value, place, findings).map(Entry::Retry),
        Shape::Tab => TabSelector::read(value, place, findings).map(Entry::Tab),
        Shape::Conditions => Condition::read_all(value, place, findings).map(Entry::Conditions),
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
fn look_alikes(wanted: ParamKey) -> &'static [ParamKey] {
    match wanted {
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
    /// The number as a duration; known not to be negative.
    pub(crate) fn millis(self) -> FieldValue<Millis> {
        self.and_then(Millis::new)
    }

    /// The number as a ratio; known to be between 0 and 1.
    pub(crate) fn ratio(self) -> FieldValue<Ratio> {
        self.and_then(Ratio::new)
    }
}
