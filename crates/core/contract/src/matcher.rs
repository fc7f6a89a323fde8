//! Matchers, which select nodes.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use crate::{
    invalid::Invalid,
    limits::{self, MAX_CSS_LENGTH, MAX_LINE_LENGTH, MAX_MATCHER_VALUE_LENGTH, MAX_REF_LENGTH},
    printed::{self, NotPrinted, PrintedElement},
    problem::{Findings, Path},
    read::{self, FieldValue, Keys},
    words::words,
};

/// Selects a node: a node must match every given field.
///
/// At least one field is required, and none may be blank. What a text view prints can be pasted instead of the object.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, extend("minProperties" = 1), extend("allOf" = [{ "anyOf": [
    { "properties": { "ref": { "type": "null" }, "line": { "type": "null" } } },
    { "maxProperties": 1 },
] }]))]
pub struct NodeMatcher {
    /// The exact resource id, such as `android:id/title`, or `#title` as a text view prints it; case-sensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_MATCHER_VALUE_LENGTH), regex(pattern = "\\S"))]
    pub resource_id: Option<String>,
    /// The role, such as `button` or `textfield`; case-insensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_MATCHER_VALUE_LENGTH), regex(pattern = "\\S"))]
    pub role: Option<String>,
    /// The exact visible text; case-sensitive. Another kind of space also matches where no element has the given one; it
    /// may be given as printed, `7\u{202f}PM`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_MATCHER_VALUE_LENGTH), regex(pattern = "\\S"))]
    pub text_equals: Option<String>,
    /// A substring of the visible text; case-insensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_MATCHER_VALUE_LENGTH), regex(pattern = "\\S"))]
    pub text_contains: Option<String>,
    /// The exact content description (accessible name); case-sensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_MATCHER_VALUE_LENGTH), regex(pattern = "\\S"))]
    pub content_desc_equals: Option<String>,
    /// A substring of the content description; case-insensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_MATCHER_VALUE_LENGTH), regex(pattern = "\\S"))]
    pub content_desc_contains: Option<String>,
    /// A CSS selector, on web pages only; `host >>> inner` continues inside the shadow tree or frame of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_CSS_LENGTH), regex(pattern = "\\S"))]
    pub css: Option<String>,
    /// A reference from a text view, such as `e12`; excludes every other field. It names the same element on later screens;
    /// if the element is gone, the step fails with `REF_STALE`.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_REF_LENGTH), regex(pattern = "^e[1-9][0-9]*$"))]
    pub reference: Option<Box<str>>,
    /// An element as a text view prints it, such as `button "Save"`; excludes every other field. The role, texts, `of "…"` and
    /// `#id` count, states do not. With a reference in it, it means `ref`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MAX_LINE_LENGTH), regex(pattern = "\\S"))]
    pub line: Option<Box<str>>,
}

words! {
    /// The keys of a matcher, with every spelling that is accepted.
    pub enum MatcherKey {
        /// The whole resource id.
        ResourceId = "resourceId" | "id" | "resource_id",
        /// The role.
        Role = "role",
        /// The whole visible text.
        TextEquals = "textEquals" | "text",
        /// A part of the visible text.
        TextContains = "textContains" | "text_contains",
        /// The whole content description.
        ContentDescEquals = "contentDescEquals" | "content_desc" | "content_desc_equals"
            | "description" | "accessibility_label",
        /// A part of the content description.
        ContentDescContains = "contentDescContains" | "content_desc_contains"
            | "description_contains" | "accessibility_label_contains",
        /// A CSS selector, on web pages only.
        Css = "css",
        /// A reference from a text view.
        Ref = "ref",
        /// An element as a text view prints it.
        Line = "line",
    }
}

/// Formats as JSON.
impl std::fmt::Display for NodeMatcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("{")?;
        for (place, (key, value)) in self.fields().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(f, "{comma}\"{}\":{}", key.as_str(), Value::from(value))?;
        }
        f.write_str("}")
    }
}

impl MatcherKey {
    /// The maximum length of a value.
    const fn longest(self) -> usize {
        match self {
            Self::Css => MAX_CSS_LENGTH,
            // A reference may be pasted with its line.
            Self::Ref | Self::Line => MAX_LINE_LENGTH,
            Self::ResourceId
            | Self::Role
            | Self::TextEquals
            | Self::TextContains
            | Self::ContentDescEquals
            | Self::ContentDescContains => MAX_MATCHER_VALUE_LENGTH,
        }
    }
}

impl<'de> Deserialize<'de> for NodeMatcher {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_value(&value).map_err(de::Error::custom)
    }
}

impl NodeMatcher {
    /// Reads a matcher outside a plan, such as the value of a selector flag; paths start at the matcher.
    pub fn from_value(value: &Value) -> Result<Self, Invalid> {
        let mut findings = Findings::default();
        let matcher = Self::read(value, &Path::whole("the matcher"), &mut findings);
        Invalid::unless_clean(findings, matcher, value).map(|(matcher, _)| matcher)
    }

    /// The value of a field.
    pub fn get(&self, key: MatcherKey) -> Option<&str> {
        let value = match key {
            MatcherKey::ResourceId => &self.resource_id,
            MatcherKey::Role => &self.role,
            MatcherKey::TextEquals => &self.text_equals,
            MatcherKey::TextContains => &self.text_contains,
            MatcherKey::ContentDescEquals => &self.content_desc_equals,
            MatcherKey::ContentDescContains => &self.content_desc_contains,
            MatcherKey::Css => &self.css,
            MatcherKey::Ref => return self.reference.as_deref(),
            MatcherKey::Line => return self.line.as_deref(),
        };
        value.as_deref()
    }

    /// As JSON, shortened for a message.
    pub fn shortened(&self) -> String {
        const MAX: usize = 120;
        escape::truncate(&self.to_string(), MAX)
    }

    /// The element that `line` describes.
    pub fn printed(&self) -> Option<PrintedElement> {
        PrintedElement::read(self.line.as_deref()?).ok()
    }

    /// The given fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = (MatcherKey, &str)> {
        MatcherKey::ALL
            .iter()
            .filter_map(|key| self.get(*key).map(|value| (*key, value)))
    }

    pub(crate) fn read(value: &Value, path: &Path, findings: &mut Findings) -> Option<Self> {
        let Value::Object(map) = value else {
            let pasted = value.as_str().map(PrintedElement::read);
            if let Some(Ok(element)) = pasted {
                let text = read::text(value, MAX_LINE_LENGTH, path, findings)?;
                return Some(Self::of_printed(element, text));
            }
            if pasted == Some(Err(NotPrinted::Several)) {
                findings.malformed(path, SEVERAL);
                return None;
            }
            let what = format!("must be an object, not {}", read::kind(value));
            let hint = pasted.map(|_| {
                "write a matcher as {\"textEquals\": \"…\"}, {\"resourceId\": \"…\"} or, on web pages, {\"css\": \"…\"}, or paste a printed element such as `button \"Save\"`"
            });
            findings.malformed_with_hint(path, what, hint.map(str::to_owned));
            return None;
        };
        let keys = Keys::<MatcherKey>::resolve(map, path, findings);
        let texts: Vec<(FieldValue<&str>, Path)> = MatcherKey::ALL
            .iter()
            .map(|key| {
                let (taken, place) = keys.take(*key, path, findings);
                let text =
                    taken.and_then(|value| read::text(value, key.longest(), &place, findings));
                (text, place)
            })
            .collect();
        // A blank value beside a valid one is reported at its own path; only blank values are no matcher.
        let has_value = texts.iter().any(|(text, _)| match text {
            FieldValue::Absent => false,
            FieldValue::Broken => true,
            FieldValue::Value(text) => !limits::is_blank(text),
        });
        let mut sound = has_value;
        if has_value {
            for (text, place) in &texts {
                match text {
                    FieldValue::Value(text) if limits::is_blank(text) => {
                        findings.malformed(place, "must not be blank");
                        sound = false;
                    }
                    FieldValue::Broken => sound = false,
                    FieldValue::Absent | FieldValue::Value(_) => {}
                }
            }
        }
        if keys.has_unknown() {
            sound = false;
            keys.refuse_unknown(path, findings, read::unexplained);
        } else if !has_value {
            findings.malformed(path, "must have at least one field that is not blank");
        }
        let is_given = |(text, _): &&(FieldValue<&str>, Path)| !matches!(text, FieldValue::Absent);
        let given = texts.iter().filter(is_given).count();
        let mut pasted = None;
        for (key, (text, place)) in MatcherKey::ALL.iter().zip(&texts) {
            let (MatcherKey::Ref | MatcherKey::Line, FieldValue::Value(text)) = (key, text) else {
                continue;
            };
            if given > 1 {
                let what = format_args!("must not have other keys beside `{}`", key.as_str());
                findings.breaks_rule(path, what);
                sound = false;
            }
            if !sound {
                continue;
            }
            let what = match PrintedElement::read(text) {
                Ok(element) => {
                    pasted = Some(Self::of_printed(element, text));
                    continue;
                }
                Err(NotPrinted::Several) => SEVERAL,
                Err(NotPrinted::Unknown) if *key == MatcherKey::Ref => {
                    "must be a reference such as `e12`"
                }
                Err(NotPrinted::Unknown) => {
                    "must be an element as a text view prints it, such as `button \"Save\"`"
                }
            };
            let hint =
                "take it from a snapshot with `view` `text`, where it ends the line of an element";
            let hint = (*key == MatcherKey::Ref).then(|| hint.to_owned());
            findings.malformed_with_hint(place, what, hint);
            sound = false;
        }
        if !sound {
            return None;
        }
        if pasted.is_some() {
            return pasted;
        }
        let mut matcher = Self::default();
        for (key, (text, _)) in MatcherKey::ALL.iter().zip(texts) {
            let value = text.optional()?.map(|text| Self::as_meant(*key, text));
            match key {
                MatcherKey::ResourceId => matcher.resource_id = value,
                MatcherKey::Role => matcher.role = value,
                MatcherKey::TextEquals => matcher.text_equals = value,
                MatcherKey::TextContains => matcher.text_contains = value,
                MatcherKey::ContentDescEquals => matcher.content_desc_equals = value,
                MatcherKey::ContentDescContains => matcher.content_desc_contains = value,
                MatcherKey::Css => matcher.css = value,
                // Each is the only field, and was read above.
                MatcherKey::Ref | MatcherKey::Line => {}
            }
        }
        Some(matcher)
    }

    /// The matcher of an element that was pasted as this text.
    fn of_printed(element: PrintedElement, text: &str) -> Self {
        let line = element.reference.is_none().then(|| text.trim().into());
        Self {
            reference: element.reference.map(String::into_boxed_str),
            line,
            ..Self::default()
        }
    }

    /// A value without what only its printed form has.
    fn as_meant(key: MatcherKey, value: &str) -> String {
        match key {
            MatcherKey::TextEquals
            | MatcherKey::TextContains
            | MatcherKey::ContentDescEquals
            | MatcherKey::ContentDescContains => printed::with_unseen(value),
            MatcherKey::ResourceId if value.starts_with("#\"") => {
                let id = PrintedElement::read(value).ok().and_then(|own| own.id);
                id.map_or_else(|| value.to_owned(), |id| format!("#{id}"))
            }
            _ => value.to_owned(),
        }
    }
}

/// What is wrong with a printed line of several elements.
const SEVERAL: &str = "has several elements; paste one of them, or its reference";
