//! `upload`: gives files of this computer to a web page.

use super::prelude::*;

params! {
    |reader|
    /// Gives files of this computer to a file input of a web page, or to the button that opens its file chooser.
    ///
    /// A server and an MCP server read only files in the folders that they were started with.
    pub struct Upload {
        /// The file input, its label, or the button that opens the file chooser.
        matcher: NodeMatcher = reader.required_matcher(ParamKey::Matcher),
        /// The paths of the files.
        #[schemars(
            length(min = 1, max = limits::MAX_FILES),
            inner(length(max = limits::MAX_FILE_PATH_LENGTH), regex(pattern = "\\S")),
            extend("uniqueItems" = true)
        )]
        files: Vec<String> = reader.required_texts(ParamKey::Files, limits::MAX_FILES),
        /// The node to search in.
        container: Option<NodeMatcher> = reader.matcher(ParamKey::Container),
        /// Retry policy; preset `UiReadiness`.
        retry: Option<RetryParams> = reader.node_retry(),
    }
}

retry_policy!(Upload: UI_READINESS);

impl ActionParams for Upload {
    const FACTS: KindFacts = KindFacts {
        foreign_keys: &[(&["paths", "filepaths"], ParamKey::Files)],
        finds: true,
        takes_on_missing: true,
        ..KindFacts::new("matcher files", r#"{"matcher":{"textEquals":"Choose file"},"files":["report.pdf"]}"#)
    };

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
