//! Conditions of `wait_until`.

use std::fmt;

use pattern::Pattern;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::{
    limits,
    matcher::NodeMatcher,
    number::{Millis, format_number},
    problem::{Findings, Path},
    read::{self, Keys},
    words::{Word, words},
};

/// A condition on the screen, with exactly one key.
///
/// Except for `visible`, nodes that are scrolled out of view count, too, as far as the device reports them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Condition {
    /// A matching node is visible.
    Visible(NodeMatcher),
    /// No node matches.
    Gone(NodeMatcher),
    /// A matching node has this text.
    Text(TextCondition),
    /// This many nodes match.
    Count(CountCondition),
    /// A matching node is enabled, or disabled if `is` is false.
    Enabled(StateCondition),
    /// A matching node is checked, or not if `is` is false.
    Checked(StateCondition),
    /// The page has this address; on web pages only.
    Url(TextTest),
    /// The app with this package is in the foreground; on phones only.
    App(#[schemars(length(max = limits::MAX_PACKAGE_LENGTH), regex(pattern = "\\S"))] String),
    /// The screen has not changed for this many milliseconds.
    Quiet(#[schemars(range(min = 1, max = limits::MAX_QUIET_MS))] Millis),
}

/// A condition on the text of a node.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TextCondition {
    /// The node.
    pub matcher: NodeMatcher,
    /// What its text must be.
    #[serde(flatten)]
    pub test: TextTest,
}

/// A condition on the number of nodes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CountCondition {
    /// The nodes.
    pub matcher: NodeMatcher,
    /// How many must match.
    #[serde(flatten)]
    pub test: CountTest,
}

/// A condition on the state of a node.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct StateCondition {
    /// The node.
    pub matcher: NodeMatcher,
    /// Whether it must be in the state.
    #[serde(rename = "is", skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = true))]
    pub expected: Option<bool>,
}

impl StateCondition {
    /// Whether the node must be in the state.
    pub fn expected(&self) -> bool {
        self.expected.unwrap_or(true)
    }
}

/// What a text must be.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum TextTest {
    /// Exactly this text; case-sensitive.
    Equals(
        #[schemars(length(max = limits::MAX_CONDITION_TEXT_LENGTH), regex(pattern = "\\S"))] String,
    ),
    /// A text with this substring; case-insensitive.
    Contains(
        #[schemars(length(max = limits::MAX_CONDITION_TEXT_LENGTH), regex(pattern = "\\S"))] String,
    ),
    /// A text that this ECMAScript regular expression matches as a whole.
    #[serde(serialize_with = "as_text")]
    Pattern(
        #[schemars(with = "String", length(max = limits::MAX_PATTERN_LENGTH), regex(pattern = "\\S"))]
         Pattern,
    ),
}

/// How many nodes must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum CountTest {
    /// Exactly this many.
    Exactly(#[schemars(range(max = limits::MAX_COUNT))] u32),
    /// This many or more.
    AtLeast(#[schemars(range(max = limits::MAX_COUNT))] u32),
    /// This many or fewer.
    AtMost(#[schemars(range(max = limits::MAX_COUNT))] u32),
}

fn as_text<S: Serializer>(pattern: &Pattern, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(pattern.as_str())
}

words! {
    /// The kinds of conditions.
    pub enum ConditionKey {
        /// A node is visible.
        Visible = "visible",
        /// No node matches.
        Gone = "gone",
        /// A node has a text.
        Text = "text",
        /// A number of nodes match.
        Count = "count",
        /// A node is enabled.
        Enabled = "enabled",
        /// A node is checked.
        Checked = "checked",
        /// The page has an address.
        Url = "url",
        /// An app is in front.
        App = "app",
        /// The screen does not change.
        Quiet = "quiet",
    }
}

words! {
    /// The keys inside a condition.
    pub enum ConditionField {
        /// The node.
        Matcher = "matcher",
        /// The whole text.
        Equals = "equals",
        /// A part of the text.
        Contains = "contains",
        /// The pattern of the text.
        Pattern = "pattern",
        /// The number of nodes.
        Exactly = "exactly",
        /// The smallest number of nodes.
        AtLeast = "atLeast",
        /// The largest number of nodes.
        AtMost = "atMost",
        /// The state.
        Is = "is",
    }
}

/// The keys of a text test.
const TEXT_TESTS: &[ConditionField] = &[
    ConditionField::Equals,
    ConditionField::Contains,
    ConditionField::Pattern,
];

/// The keys of a count test.
const COUNT_TESTS: &[ConditionField] = &[
    ConditionField::Exactly,
    ConditionField::AtLeast,
    ConditionField::AtMost,
];

impl Condition {
    /// Its kind.
    pub const fn key(&self) -> ConditionKey {
        match self {
            Self::Visible(_) => ConditionKey::Visible,
            Self::Gone(_) => ConditionKey::Gone,
            Self::Text(_) => ConditionKey::Text,
            Self::Count(_) => ConditionKey::Count,
            Self::Enabled(_) => ConditionKey::Enabled,
            Self::Checked(_) => ConditionKey::Checked,
            Self::Url(_) => ConditionKey::Url,
            Self::App(_) => ConditionKey::App,
            Self::Quiet(_) => ConditionKey::Quiet,
        }
    }

    /// Its matcher.
    pub const fn matcher(&self) -> Option<&NodeMatcher> {
        match self {
            Self::Visible(matcher) | Self::Gone(matcher) => Some(matcher),
            Self::Text(condition) => Some(&condition.matcher),
            Self::Count(condition) => Some(&condition.matcher),
            Self::Enabled(condition) | Self::Checked(condition) => Some(&condition.matcher),
            Self::Url(_) | Self::App(_) | Self::Quiet(_) => None,
        }
    }

    pub(crate) fn read_all(
        value: &Value,
        path: &Path,
        findings: &mut Findings,
    ) -> Option<Vec<Self>> {
        let items = read::array(value, limits::MAX_CONDITIONS, path, findings)?;
        if items.is_empty() {
            findings.malformed(path, "must have at least one condition");
            return None;
        }
        let read: Vec<Option<Self>> = items
            .iter()
            .enumerate()
            .map(|(index, item)| Self::read(item, &path.key(index), findings))
            .collect();
        read.into_iter().collect()
    }

    fn read(value: &Value, path: &Path, findings: &mut Findings) -> Option<Self> {
        let (key, value, place) = Keys::<ConditionKey>::only(value, path, findings)?;
        Some(match key {
            ConditionKey::Visible => Self::Visible(NodeMatcher::read(value, &place, findings)?),
            ConditionKey::Gone => Self::Gone(NodeMatcher::read(value, &place, findings)?),
            ConditionKey::Text => {
                let fields = Fields::read(value, &place, TEXT_TESTS, Matcher::Required, findings)?;
                let (matcher, test) = (fields.matcher(findings), fields.text_test(findings));
                Self::Text(TextCondition {
                    matcher: matcher?,
                    test: test?,
                })
            }
            ConditionKey::Count => {
                let fields = Fields::read(value, &place, COUNT_TESTS, Matcher::Required, findings)?;
                let (matcher, test) = (fields.matcher(findings), fields.count_test(findings));
                Self::Count(CountCondition {
                    matcher: matcher?,
                    test: test?,
                })
            }
            ConditionKey::Enabled => Self::Enabled(read_state(value, &place, findings)?),
            ConditionKey::Checked => Self::Checked(read_state(value, &place, findings)?),
            ConditionKey::Url => {
                let fields = Fields::read(value, &place, TEXT_TESTS, Matcher::None, findings)?;
                Self::Url(fields.text_test(findings)?)
            }
            ConditionKey::App => {
                let app = read::name(value, limits::MAX_PACKAGE_LENGTH, &place, findings)?;
                Self::App(app.to_owned())
            }
            ConditionKey::Quiet => {
                let millis = read::number(value, &place, findings)?;
                let max = f64::from(limits::MAX_QUIET_MS);
                if !(1.0..=max).contains(&millis) {
                    findings.malformed(
                        &place,
                        format_args!("must be between 1 and {max}, not {}", format_number(millis)),
                    );
                    return None;
                }
                Self::Quiet(Millis::new(millis)?)
            }
        })
    }
}

fn read_state(value: &Value, path: &Path, findings: &mut Findings) -> Option<StateCondition> {
    let fields = Fields::read(
        value,
        path,
        &[ConditionField::Is],
        Matcher::Required,
        findings,
    )?;
    let matcher = fields.matcher(findings);
    let (expected, place) = fields.keys.take(ConditionField::Is, path, findings);
    let expected = expected.and_then(|value| read::flag(value, &place, findings));
    Some(StateCondition {
        matcher: matcher?,
        expected: expected.optional()?,
    })
}

/// Whether a condition has a matcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Matcher {
    Required,
    None,
}

/// The keys inside a condition.
struct Fields<'a> {
    keys: Keys<'a, ConditionField>,
    path: Path,
}

impl<'a> Fields<'a> {
    /// Resolves the keys; others than `allowed` and the matcher are refused.
    fn read(
        value: &'a Value,
        path: &Path,
        allowed: &[ConditionField],
        matcher: Matcher,
        findings: &mut Findings,
    ) -> Option<Self> {
        let map = read::object(value, path, findings)?;
        let keys = Keys::<ConditionField>::resolve(map, path, findings);
        let is_allowed = |key: ConditionField| {
            allowed.contains(&key) || key == ConditionField::Matcher && matcher == Matcher::Required
        };
        let others: Vec<String> = map
            .keys()
            .filter(|name| ConditionField::read(name).is_none_or(|key| !is_allowed(key)))
            .map(|name| escape::truncate_input(name))
            .take(limits::MAX_LISTED_PROBLEMS)
            .collect();
        if !others.is_empty() {
            findings.unknown_keys(path, others, None);
            return None;
        }
        Some(Self {
            keys,
            path: path.clone(),
        })
    }

    fn matcher(&self, findings: &mut Findings) -> Option<NodeMatcher> {
        let (value, place) = self
            .keys
            .require(ConditionField::Matcher, &self.path, findings);
        value
            .and_then(|value| NodeMatcher::read(value, &place, findings))
            .required()
    }

    /// The one test that is given.
    fn only(
        &self,
        tests: &[ConditionField],
        findings: &mut Findings,
    ) -> Option<(ConditionField, &'a Value, Path)> {
        let mut given = tests.iter().filter(|key| self.keys.has(**key));
        let (Some(key), None) = (given.next(), given.next()) else {
            let names: Vec<&str> = tests.iter().map(|key| key.as_str()).collect();
            findings.malformed(
                &self.path,
                format_args!("must have exactly one of {}", names.join(", ")),
            );
            return None;
        };
        let (value, place) = self.keys.take(*key, &self.path, findings);
        Some((*key, value.required()?, place))
    }

    fn text_test(&self, findings: &mut Findings) -> Option<TextTest> {
        let (key, value, place) = self.only(TEXT_TESTS, findings)?;
        if key == ConditionField::Pattern {
            let pattern = read::name(value, limits::MAX_PATTERN_LENGTH, &place, findings)?;
            return match Pattern::new(pattern) {
                Ok(pattern) => Some(TextTest::Pattern(pattern)),
                Err(error) => {
                    let what = format_args!("is not a regular expression: {error}");
                    findings.malformed(&place, what);
                    None
                }
            };
        }
        let text = read::name(value, limits::MAX_CONDITION_TEXT_LENGTH, &place, findings)?;
        let text = text.to_owned();
        Some(match key {
            ConditionField::Equals => TextTest::Equals(text),
            _ => TextTest::Contains(text),
        })
    }

    fn count_test(&self, findings: &mut Findings) -> Option<CountTest> {
        let (key, value, place) = self.only(COUNT_TESTS, findings)?;
        let number = read::whole(value, (0, limits::MAX_COUNT), &place, findings)?;
        Some(match key {
            ConditionField::Exactly => CountTest::Exactly(number),
            ConditionField::AtLeast => CountTest::AtLeast(number),
            _ => CountTest::AtMost(number),
        })
    }
}

/// Formats as words, such as `count {"role":"row"} at least 5`.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key();
        match self {
            Self::Visible(matcher) | Self::Gone(matcher) => write!(f, "{key} {matcher}"),
            Self::Text(condition) => write!(f, "{key} {} {}", condition.matcher, condition.test),
            Self::Count(condition) => write!(f, "{key} {} {}", condition.matcher, condition.test),
            Self::Enabled(condition) | Self::Checked(condition) => {
                let not = if condition.expected() { "" } else { "not " };
                write!(f, "{not}{key} {}", condition.matcher)
            }
            Self::Url(test) => write!(f, "{key} {test}"),
            Self::App(app) => write!(f, "{key} {app}"),
            Self::Quiet(millis) => write!(f, "{key} for {millis} ms"),
        }
    }
}

impl fmt::Display for TextTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equals(text) => write!(f, "equals {}", Value::from(text.as_str())),
            Self::Contains(text) => write!(f, "contains {}", Value::from(text.as_str())),
            Self::Pattern(pattern) => write!(f, "matches {}", Value::from(pattern.as_str())),
        }
    }
}

impl fmt::Display for CountTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(number) => write!(f, "exactly {number}"),
            Self::AtLeast(number) => write!(f, "at least {number}"),
            Self::AtMost(number) => write!(f, "at most {number}"),
        }
    }
}
