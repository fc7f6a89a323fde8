//! `take_screenshot`: the screen as a picture.

use schemars::JsonSchema;
use serde::Serialize;

use super::ReadParams;
use crate::{
    params::{Given, ParamKey},
    retry::{Retry, RetryParams},
};

/// Takes a picture of the screen and writes it to a file, whose place is in `data.path`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct TakeScreenshot {
    /// The PNG file to write; a file that is there is replaced. Made up if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "\\S"))]
    pub path: Option<String>,
    /// How often taking the picture is tried; preset `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

impl TakeScreenshot {
    /// The retry policy in effect.
    #[must_use]
    pub fn retry(&self) -> Retry {
        self.retry.map_or(Retry::NONE, |given| given.policy())
    }
}

impl ReadParams for TakeScreenshot {
    const EXAMPLE: &'static str = r#"{"path":"/tmp/settings.png"}"#;

    fn read(given: &mut Given<'_>) -> Option<Self> {
        let path = given.filled_text(ParamKey::Path).and_then(|path| {
            if path.contains('\0') {
                given.refuse(ParamKey::Path, "must not contain a NUL character");
                return None;
            }
            Some(path)
        });
        let retry = given.retry(ParamKey::Retry);
        Some(Self {
            path: path.optional()?,
            retry: retry.optional()?,
        })
    }
}
