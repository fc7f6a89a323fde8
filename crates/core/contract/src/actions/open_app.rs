//! `open_app`: brings an app to the foreground.

use super::prelude::*;

params! {
    |reader|
    /// Starts an app and brings it to the foreground.
    ///
    /// The step succeeds when a window of the app is in the foreground.
    pub struct OpenApp {
        /// The package of the app, such as `com.android.settings`.
        #[schemars(regex(pattern = "\\S"))]
        application_id: String = application_id(reader),
        /// Retry policy; preset `AppLaunch`.
        retry: Option<RetryParams> = reader.retry(ParamKey::Retry),
    }
}

retry_policy!(OpenApp: APP_LAUNCH);

impl ActionParams for OpenApp {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(APP_NAMES, ParamKey::ApplicationId)],
        ..KindFacts::new("applicationId", r#"{"applicationId":"com.android.settings"}"#)
    };

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
