//! `close_app`: stops an app.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{APP_NAMES, Effect, KindFacts, Performer, StepFacts},
    open_app::application_id,
};
use crate::{
    params::ParamReader,
    payload_keys::ParamKey,
    retry::RetryParams,
};

/// Stops an app, in the foreground or not.
///
/// Closing an app that is not running succeeds.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct CloseApp {
    /// The package of the app, such as `com.android.settings`.
    #[schemars(regex(pattern = "\\S"))]
    pub application_id: String,
    /// Retry policy; preset `AppClose`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

retry_policy!(CloseApp: APP_CLOSE);

impl ActionParams for CloseApp {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(APP_NAMES, ParamKey::ApplicationId)],
        performer: Performer::HostBefore,
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
            effects: vec![Effect::EndApp(&self.application_id)],
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}
