//! Remarks that change nothing: what was accepted, but not quite as it was written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// What kind of remark a warning is; the strings are stable.
    pub enum WarningCode {
        /// A canonical key and an alias of it were both given; the alias was ignored.
        AliasIgnored = "ALIAS_IGNORED",
        /// A value outside its range was moved to the nearest end of the range.
        ValueClamped = "VALUE_CLAMPED",
        /// A key that the contract knows, but that this action does not use.
        ParamNotUsed = "PARAM_NOT_USED",
        /// Two actions have the same id, so their results can be told apart by position only.
        DuplicateActionId = "DUPLICATE_ACTION_ID",
        /// A pause or a wait is longer than the whole execution may take, which is stopped before it.
        OutlastsTimeout = "OUTLASTS_TIMEOUT",
        /// More than one node matched; the first one was taken.
        SeveralMatches = "SEVERAL_MATCHES",
        /// A step failed, and the Operator app went on with the steps behind it, as it does after failures of some kinds.
        RanOnAfterFailure = "RAN_ON_AFTER_FAILURE",
        /// The Operator app was to run the plan, and the phone's own programs did; the message says why.
        OperatorNotUsed = "OPERATOR_NOT_USED",
        /// The plan ran, but the journal of the simulated phone could not be written afterwards.
        JournalNotWritten = "JOURNAL_NOT_WRITTEN",
        /// No browser ran, so one was started; it stays until `clawperator chrome stop`.
        BrowserStarted = "BROWSER_STARTED",
        /// A node was pressed, and something came to lie over it before the press ended: it was not clicked.
        NotClicked = "NOT_CLICKED",
        /// A page gave a file, and no folder is named for downloads.
        DownloadDenied = "DOWNLOAD_DENIED",
        /// A dialog of the page is open, and the page stands still until it is answered.
        DialogOpen = "DIALOG_OPEN",
        /// A dialog of the page was open at the end and was dismissed: it could not be answered later.
        DialogDismissed = "DIALOG_DISMISSED",
    }
}

/// A remark beside an answer that is otherwise as asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// The kind of remark.
    pub code: WarningCode,
    /// One sentence for a reader.
    pub message: String,
    /// The place in the payload, such as `actions.0.params.timeoutMs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Warning {
    /// A remark about no place in particular.
    #[must_use]
    pub fn new(code: WarningCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            path: None,
        }
    }

    /// The same remark, about this place of the payload.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }
}
