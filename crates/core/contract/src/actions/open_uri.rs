//! `open_uri`: opens a URI with its default handler.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Effect, KindFacts, StepFacts},
};
use crate::{
    limits,
    params::ParamReader,
    payload_keys::ParamKey,
    retry::RetryParams,
};

/// Opens a URI with the app that handles it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct OpenUri {
    /// The URI, such as `https://example.com`; any scheme that an app handles.
    #[schemars(length(max = limits::MAX_URI_LENGTH), regex(pattern = "\\S"))]
    pub uri: String,
    /// Retry policy; preset `AppLaunch`, and `PageLoad` if the server of a page is not reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

retry_policy!(OpenUri: APP_LAUNCH);

impl ActionParams for OpenUri {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(&["link", "href"], ParamKey::Uri)],
        ..KindFacts::of(r#"{"uri":"https://example.com"}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let uri = reader.required_text(ParamKey::Uri);
        let retry = reader.retry(ParamKey::Retry);
        Some(Self {
            uri: uri.required()?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            retry: Some(self.retry()),
            effects: vec![Effect::LoadUri(&self.uri)],
            ..StepFacts::default()
        }
    }
}
