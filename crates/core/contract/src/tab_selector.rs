//! Selectors of tabs.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{
    limits,
    problem::{Findings, Path},
    read::{self, Keys},
    words::words,
};

/// Selects a tab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum TabSelector {
    /// Its index in the list.
    Index(#[schemars(range(max = limits::MAX_COUNT))] u32),
    /// The only tab with this substring in its title; case-insensitive.
    TitleContains(#[schemars(length(max = limits::MAX_URI_LENGTH), regex(pattern = "\\S"))] String),
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
        let (key, value, place) = Keys::<TabKey>::only(value, path, findings)?;
        let mut text = || read::name(value, limits::MAX_URI_LENGTH, &place, findings);
        Some(match key {
            TabKey::TitleContains => Self::TitleContains(text()?.to_owned()),
            TabKey::UrlContains => Self::UrlContains(text()?.to_owned()),
            TabKey::Device => Self::Device(text()?.to_owned()),
            TabKey::Index => Self::Index(read::whole(
                value,
                (0, limits::MAX_COUNT),
                &place,
                findings,
            )?),
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
