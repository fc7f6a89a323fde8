//! `open_uri`: opens a URI with its default handler.

use super::prelude::*;

params! {
    |reader|
    /// Opens a URI with the app that handles it.
    pub struct OpenUri {
        /// The URI, such as `https://example.com`; any scheme that an app handles.
        #[schemars(length(max = limits::MAX_URI_LENGTH), regex(pattern = "\\S"))]
        uri: String = reader.required_text(ParamKey::Uri),
        /// Retry policy; preset `AppLaunch`, and `PageLoad` if the server of a page is not reached.
        retry: Option<RetryParams> = reader.retry(ParamKey::Retry),
    }
}

retry_policy!(OpenUri: APP_LAUNCH);

impl ActionParams for OpenUri {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(&["link", "href"], ParamKey::Uri)],
        ..KindFacts::new("uri", r#"{"uri":"https://example.com"}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            retry: Some(self.retry()),
            effects: vec![Effect::LoadUri(&self.uri)],
            ..StepFacts::default()
        }
    }
}
