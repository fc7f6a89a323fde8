//! `close_app`: stops an app.

use super::prelude::*;
use super::open_app::application_id;

params! {
    |reader|
    /// Stops an app, in the foreground or not.
    ///
    /// Closing an app that is not running succeeds.
    pub struct CloseApp {
        /// The package of the app, such as `com.android.settings`.
        #[schemars(regex(pattern = "\\S"))]
        application_id: String = application_id(reader),
        /// Retry policy; preset `AppClose`.
        retry: Option<RetryParams> = reader.retry(ParamKey::Retry),
    }
}

retry_policy!(CloseApp: APP_CLOSE);

impl ActionParams for CloseApp {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(APP_NAMES, ParamKey::ApplicationId)],
        performer: Performer::HostBefore,
        ..KindFacts::new("applicationId", r#"{"applicationId":"com.android.settings"}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            retry: Some(self.retry()),
            effects: vec![Effect::EndApp(&self.application_id)],
            needs_no_screen: true,
            ..StepFacts::default()
        }
    }
}
