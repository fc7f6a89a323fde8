//! Warnings: deviations and conditions that do not change the outcome.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// The kind of a warning; the strings are stable.
    pub enum WarningCode {
        /// A canonical key and an alias of it were both given; the alias was ignored.
        AliasIgnored = "ALIAS_IGNORED",
        /// A value outside of its range was clamped.
        ValueClamped = "VALUE_CLAMPED",
        /// A known key that this action does not use.
        ParamNotUsed = "PARAM_NOT_USED",
        /// Two actions have the same id, so that their results differ only by position.
        DuplicateActionId = "DUPLICATE_ACTION_ID",
        /// A pause or a wait is longer than the time limit of the execution.
        OutlastsTimeout = "OUTLASTS_TIMEOUT",
        /// Several nodes matched; the first one was used.
        SeveralMatches = "SEVERAL_MATCHES",
        /// A step failed, and the Operator app continued with the steps after it, as it does for some
        /// failures.
        RanOnAfterFailure = "RAN_ON_AFTER_FAILURE",
        /// The stock tools ran the plan instead of the Operator app; the message gives the reason.
        OperatorNotUsed = "OPERATOR_NOT_USED",
        /// The plan ran, but the journal of the simulated phone could not be written.
        JournalNotWritten = "JOURNAL_NOT_WRITTEN",
        /// No browser was running, so one was started; it keeps running until `clawperator chrome stop`.
        BrowserStarted = "BROWSER_STARTED",
        /// A node was pressed, but covered before the press ended: it was not clicked.
        NotClicked = "NOT_CLICKED",
        /// A page offered a file, but no download folder is set.
        DownloadDenied = "DOWNLOAD_DENIED",
        /// A dialog of the page is open and blocks the page until it is answered.
        DialogOpen = "DIALOG_OPEN",
        /// A dialog of the page was open at the end and was dismissed, since it could not be answered later.
        DialogDismissed = "DIALOG_DISMISSED",
    }
}

/// A warning beside an otherwise regular answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// The kind of warning.
    pub code: WarningCode,
    /// One sentence for people.
    pub message: String,
    /// The path in the payload, such as `actions.0.params.timeoutMs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Warning {
    /// A warning without a path.
    #[must_use]
    pub fn new(code: WarningCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            path: None,
        }
    }

    /// Sets the path in the payload.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }
}
