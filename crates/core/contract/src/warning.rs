//! Warnings: input that was accepted, but changed or ignored.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// The kind of a warning; the strings are stable.
    pub enum WarningCode {
        /// A canonical key and its alias were both given; the alias was ignored.
        AliasIgnored = "ALIAS_IGNORED",
        /// A value outside its range was clamped.
        ValueClamped = "VALUE_CLAMPED",
        /// The contract has this key, but the action does not use it.
        ParamNotUsed = "PARAM_NOT_USED",
        /// Two actions have the same id, so only the order distinguishes their results.
        DuplicateActionId = "DUPLICATE_ACTION_ID",
        /// A sleep or a wait is longer than the time limit of the execution, which will time out first.
        OutlastsTimeout = "OUTLASTS_TIMEOUT",
        /// Several nodes matched; the first one was used.
        SeveralMatches = "SEVERAL_MATCHES",
        /// A step failed and the Operator app continued with the next steps, as it does for some failures.
        RanOnAfterFailure = "RAN_ON_AFTER_FAILURE",
        /// The plan ran with the phone's own tools instead of the Operator app; the message says why.
        OperatorNotUsed = "OPERATOR_NOT_USED",
        /// The plan ran, but the journal of the simulated phone could not be written.
        JournalNotWritten = "JOURNAL_NOT_WRITTEN",
        /// No browser was running, so one was started; it keeps running until `clawperator chrome stop`.
        BrowserStarted = "BROWSER_STARTED",
        /// The node was covered, moved or replaced before the press ended, so it was not clicked; the press may have acted.
        NotClicked = "NOT_CLICKED",
        /// A page started a download, and no download directory is set.
        DownloadDenied = "DOWNLOAD_DENIED",
        /// A download began or ended after the command that caused it.
        LateDownload = "LATE_DOWNLOAD",
        /// A page opened a tab after the last command; it is not in front.
        TabOpened = "TAB_OPENED",
        /// The tab in front was closed by its page or its user, so that another one is in front.
        TabClosed = "TAB_CLOSED",
        /// A dialog of the page is open and blocks the page until it is answered.
        DialogOpen = "DIALOG_OPEN",
        /// A dialog of the page was open at the end and was dismissed, because it could not be answered later.
        DialogDismissed = "DIALOG_DISMISSED",
        /// The page has new console errors or failed requests, since the last request for it; `read_console` lists them.
        PageErrors = "PAGE_ERRORS",
        /// The screen after the last step was requested, but could not be observed; the steps are not affected.
        ScreenNotObserved = "SCREEN_NOT_OBSERVED",
        /// The screen was read before it had settled, because the time for that was up; the message says what it was waiting for.
        ScreenNotSettled = "SCREEN_NOT_SETTLED",
    }
}

/// A warning attached to a successful result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// The kind of warning.
    pub code: WarningCode,
    /// One sentence.
    pub message: String,
    /// The path in the payload, such as `actions.0.params.timeoutMs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Warning {
    /// A warning without a path.
    pub fn new(code: WarningCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            path: None,
        }
    }

    /// The warning with the path of the key it concerns.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The warning as one line of text: `CODE: message`.
    pub fn line(&self) -> String {
        format!("{}: {}", self.code, escape::line(&self.message))
    }
}
