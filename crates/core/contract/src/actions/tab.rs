//! `tab`: lists, opens, chooses and closes tabs of a browser.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{
    ActionParams,
    facts::{DeviceKind, Effect, Found, KindFacts, Requirement, StepFacts},
};
use crate::{
    limits,
    number::shown,
    params::ParamReader,
    payload_keys::ParamKey,
    problem::{Findings, Path},
    read::{self, Keys},
    step_data::StepData,
    words::{choice, words},
};

/// Lists, opens, chooses or closes tabs of the browser; on web pages only.
///
/// An opened or chosen tab is in front, and the following steps, and the next command for `chrome`, act on its page.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(
    deny_unknown_fields,
    extend("allOf" = [
        { "if": { "properties": { "op": { "const": "open" } } },
          "then": { "required": ["uri"] }, "else": { "properties": { "uri": false } } },
        { "if": { "properties": { "op": { "const": "choose" } } }, "then": { "required": ["tab"] } },
        { "if": { "properties": { "op": { "enum": ["list", "open"] } } }, "then": { "properties": { "tab": false } } },
    ])
)]
pub struct Tab {
    /// What to do: `list` returns the tabs in `data.tabs`, `open` loads a URI in a new tab, `choose` brings a tab to the
    /// front, `close` closes a tab, but never the last one.
    pub op: TabOp,
    /// The URI to open. Required for `open`, and only there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limits::MAX_URI_LENGTH), regex(pattern = "\\S"))]
    pub uri: Option<String>,
    /// The tab to choose or close: an object with exactly one of `index`, `titleContains`, `urlContains`, `device` and
    /// `latest`. Required for `choose`; without it, `close` closes the tab in front.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tab: Option<TabSelector>,
}

words! {
    /// What to do with tabs.
    pub enum TabOp {
        /// Returns them.
        List = "list",
        /// Opens a new one.
        Open = "open",
        /// Brings one to the front.
        Choose = "choose",
        /// Closes one.
        Close = "close",
    }
}

/// Selects a tab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum TabSelector {
    /// Its index in the list.
    Index(#[schemars(range(max = limits::MAX_COUNT))] u32),
    /// The only tab with this substring in its title; case-insensitive.
    TitleContains(
        #[schemars(length(max = limits::MAX_URI_LENGTH), regex(pattern = "\\S"))] String,
    ),
    /// The only tab with this substring in its URL; case-insensitive.
    UrlContains(#[schemars(length(max = limits::MAX_URI_LENGTH), regex(pattern = "\\S"))] String),
    /// Its device, such as `chrome:4B2F…`, from the list or from `data.opened_tab`.
    Device(#[schemars(length(max = limits::MAX_URI_LENGTH), regex(pattern = "\\S"))] String),
    /// The tab that was opened last since the browser tab was first driven.
    Latest(#[schemars(extend("const" = true))] bool),
}

words! {
    /// The keys of a selector of a tab.
    pub enum TabKey {
        /// Its index.
        Index = "index",
        /// A part of its title.
        TitleContains = "titleContains",
        /// A part of its URL.
        UrlContains = "urlContains",
        /// Its device.
        Device = "device",
        /// Whether it was opened last.
        Latest = "latest",
    }
}

impl TabSelector {
    pub(crate) fn read(value: &Value, path: &Path, findings: &mut Findings) -> Option<Self> {
        let map = read::object(value, path, findings)?;
        let keys = Keys::<TabKey>::resolve(map, path, findings);
        if keys.has_unknown() {
            keys.refuse_unknown(path, findings, read::unexplained);
            return None;
        }
        let mut given = TabKey::ALL.iter().filter(|key| keys.has(**key));
        let (Some(key), None) = (given.next(), given.next()) else {
            findings.malformed(
                path,
                format_args!("must have exactly one key: {}", choice::<TabKey>()),
            );
            return None;
        };
        let (value, place) = keys.take(*key, path, findings);
        let value = value.required()?;
        let mut text = || read::name(value, limits::MAX_URI_LENGTH, &place, findings);
        Some(match key {
            TabKey::TitleContains => Self::TitleContains(text()?.to_owned()),
            TabKey::UrlContains => Self::UrlContains(text()?.to_owned()),
            TabKey::Device => Self::Device(text()?.to_owned()),
            TabKey::Index => {
                let number = read::number(value, &place, findings)?;
                let most = f64::from(limits::MAX_COUNT);
                if number.fract() != 0.0 || !(0.0..=most).contains(&number) {
                    findings.malformed(
                        &place,
                        format_args!(
                            "must be a whole number between 0 and {most}, not {}",
                            shown(number)
                        ),
                    );
                    return None;
                }
                // The cast is exact: the value is whole and within the range of the type.
                Self::Index(number as u32)
            }
            TabKey::Latest => {
                if !read::flag(value, &place, findings)? {
                    findings.malformed(&place, "must be true, or left out");
                    return None;
                }
                Self::Latest(true)
            }
        })
    }
}

/// Formats as words, such as `url contains "/cart"`.
impl fmt::Display for TabSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "index {index}"),
            Self::TitleContains(part) => write!(f, "title contains {}", Value::from(part.as_str())),
            Self::UrlContains(part) => write!(f, "url contains {}", Value::from(part.as_str())),
            Self::Device(device) => f.write_str(device),
            Self::Latest(_) => f.write_str("latest"),
        }
    }
}

impl ActionParams for Tab {
    const FACTS: KindFacts = KindFacts {
        found,
        ..KindFacts::of(r#"{"op":"choose","tab":{"urlContains":"/cart"}}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let op = reader.word::<TabOp>(ParamKey::Op);
        if op.is_absent() {
            reader.refuse_missing(ParamKey::Op);
        }
        let uri = reader.filled_text(ParamKey::Uri);
        let tab = reader.tab(ParamKey::Tab);
        let op = op.required();
        let opens = op == Some(TabOp::Open);
        let selects = matches!(op, Some(TabOp::Choose | TabOp::Close));
        if let Some(op) = op {
            if opens && uri.is_absent() {
                reader.refuse(ParamKey::Uri, "is required if `op` is `open`");
            }
            if !opens && uri.is_given() {
                reader.refuse(ParamKey::Uri, format_args!("must be left out if `op` is `{op}`"));
            }
            if op == TabOp::Choose && tab.is_absent() {
                reader.refuse(ParamKey::Tab, "is required if `op` is `choose`");
            }
            if !selects && tab.is_given() {
                reader.refuse(ParamKey::Tab, format_args!("must be left out if `op` is `{op}`"));
            }
        }
        Some(Self {
            op: op?,
            uri: uri.optional()?,
            tab: tab.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        let requirement = Requirement {
            path: "type".to_owned(),
            device: DeviceKind::Page,
            what: "only browsers have tabs",
        };
        let changes = self.op != TabOp::List;
        StepFacts {
            effects: changes.then_some(Effect::ChangeTabs(self.op)).into_iter().collect(),
            requirements: vec![requirement],
            operator_gaps: vec![(ParamKey::Op, "phones have no tabs")],
            ..StepFacts::default()
        }
    }
}

/// The list, or the tab in front.
fn found(data: &StepData) -> Option<Found<'_>> {
    match data.get("tabs") {
        Some(tabs) => Some(Found::List {
            short: tabs,
            json: tabs,
        }),
        None => data.get("url").map(Found::Outcome),
    }
}
