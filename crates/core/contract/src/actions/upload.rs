//! `upload`: gives files of this computer to a web page.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Effect, KindFacts, Requirement, StepFacts, no_such_action},
};
use crate::{
    limits,
    matcher::NodeMatcher,
    params::ParamReader,
    payload_keys::ParamKey,
    retry::RetryParams,
};

/// Gives files of this computer to a file input of a web page, or to the button that opens its file chooser.
///
/// A server and an MCP server read only files in the folders that they were started with.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Upload {
    /// The file input, its label, or the button that opens the file chooser.
    pub matcher: NodeMatcher,
    /// The paths of the files.
    #[schemars(
        length(min = 1, max = limits::MAX_FILES),
        inner(length(max = limits::MAX_FILE_PATH_LENGTH), regex(pattern = "\\S")),
        extend("uniqueItems" = true)
    )]
    pub files: Vec<String>,
    /// The node to search in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<NodeMatcher>,
    /// Retry policy; preset `UiReadiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

retry_policy!(Upload: UI_READINESS);

impl ActionParams for Upload {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(&["paths", "filepaths"], ParamKey::Files)],
        finds: true,
        takes_on_missing: true,
        ..KindFacts::of(r#"{"matcher":{"textEquals":"Choose file"},"files":["report.pdf"]}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let matcher = reader.required_matcher(ParamKey::Matcher);
        let files = reader.required_texts(ParamKey::Files, limits::MAX_FILES);
        let container = reader.matcher(ParamKey::Container);
        let retry = reader.node_retry();
        Some(Self {
            matcher: matcher.required()?,
            files: files.required()?,
            container: container.optional()?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            matchers: [Some(&self.matcher), self.container.as_ref()],
            means_one: true,
            retry: Some(self.retry()),
            effects: vec![Effect::Upload(&self.files)],
            operator_gaps: no_such_action(ParamKey::Files),
            requirements: vec![Requirement::of_pages(
                "type",
                "a phone shows no web page, so there is no file input to give files to",
            )],
            ..StepFacts::default()
        }
    }
}
