//! `take_screenshot`: writes the screen to a PNG file.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Found, KindFacts, Performer, StepFacts},
};
use crate::{
    params::ParamReader,
    payload_keys::ParamKey,
    retry::{Retry, RetryParams},
};

/// Writes a screenshot to a file and its path to `data.path`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct TakeScreenshot {
    /// The PNG file to write; overwrites a PNG image, but no other file. Generated if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "\\S"))]
    pub path: Option<String>,
    /// Whether to capture the whole page and not only the visible part; fails except on web pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = false))]
    pub full_page: Option<bool>,
    /// Retry policy; preset `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

impl TakeScreenshot {
    /// Whether to capture the whole page.
    #[must_use]
    pub fn is_of_the_page(&self) -> bool {
        self.full_page.unwrap_or_default()
    }

    /// The retry policy in effect.
    #[must_use]
    pub fn retry(&self) -> Retry {
        self.retry.map_or(Retry::NONE, |retry| retry.policy())
    }
}

impl ActionParams for TakeScreenshot {
    const FACTS: KindFacts = KindFacts {
        performer: Performer::HostAfter,
        found: |data| data.get("path").map(Found::File),
        ..KindFacts::of(r#"{"path":"/tmp/settings.png"}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let path = reader.filled_text(ParamKey::Path).and_then(|path| {
            if path.contains('\0') {
                reader.refuse(ParamKey::Path, "must not contain a NUL character");
                return None;
            }
            Some(path)
        });
        let full_page = reader.flag(ParamKey::FullPage);
        let retry = reader.retry(ParamKey::Retry);
        Some(Self {
            path: path.optional()?,
            full_page: full_page.optional()?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            retry: Some(self.retry()),
            ..StepFacts::default()
        }
    }
}
