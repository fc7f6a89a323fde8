//! `open_app`: brings an app to the foreground.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{APP_NAMES, Effect, KindFacts, StepFacts},
};
use crate::{
    params::ParamReader,
    payload_keys::ParamKey,
    read::FieldValue,
    retry::RetryParams,
};

/// Starts an app and brings it to the foreground.
///
/// The step succeeds when a window of the app is in the foreground.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct OpenApp {
    /// The package of the app, such as `com.android.settings`.
    #[schemars(regex(pattern = "\\S"))]
    pub application_id: String,
    /// Retry policy; preset `AppLaunch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

retry_policy!(OpenApp: APP_LAUNCH);

impl ActionParams for OpenApp {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(APP_NAMES, ParamKey::ApplicationId)],
        ..KindFacts::of(r#"{"applicationId":"com.android.settings"}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let application_id = application_id(reader);
        let retry = reader.retry(ParamKey::Retry);
        Some(Self {
            application_id: application_id.required()?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            retry: Some(self.retry()),
            effects: vec![Effect::StartApp(&self.application_id)],
            ..StepFacts::default()
        }
    }
}

/// The package of an app. Only blanks and control characters are refused; the device knows its apps.
pub(super) fn application_id(reader: &mut ParamReader<'_>) -> FieldValue<String> {
    package_name(
        reader.required_text(ParamKey::ApplicationId),
        ParamKey::ApplicationId,
        reader,
    )
}

pub(super) fn package_name(
    name: FieldValue<String>,
    key: ParamKey,
    reader: &mut ParamReader<'_>,
) -> FieldValue<String> {
    name.and_then(|name| {
        if name.chars().any(char::is_control) {
            reader.refuse(key, "must not contain control characters");
            return None;
        }
        Some(name)
    })
}
