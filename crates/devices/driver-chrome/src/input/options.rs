//! Options of a list.

use cdp::protocol::runtime::CallArgument;
use driver::{DriverError, Result};
use serde::Deserialize;

use super::element::{ElementTarget, EntryMode, Refusal};
use super::script_call::{PageFunction, PageInput};

/// The result of selecting options.
#[derive(Debug, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum OptionsResult {
    /// The labels of all options that are selected now.
    Selected {
        shows: Vec<String>,
    },
    /// They are being selected; these are selected then, unless the page selects others.
    Changing {
        shows: Vec<String>,
    },
    /// The page selected others; these are selected now.
    Changed {
        shows: Vec<String>,
    },
    /// The list shows one option and has the requested one; nothing was changed.
    Single,
    Refused(Refusal),
    Unwritable {
        why: String,
    },
    Gone,
}

impl PageInput<'_> {
    /// Selects exactly these options of a list; returns the labels of those that are selected now.
    pub(crate) async fn select_options(
        &mut self,
        target: &ElementTarget,
        options: &[String],
    ) -> Result<Vec<String>> {
        let arguments = vec![CallArgument::value(serde_json::json!(options))];
        let mut selected: OptionsResult = self
            .change(&target.element, PageFunction::SelectOptions, arguments)
            .await?;
        if let OptionsResult::Changing { shows } = selected {
            // After a dialog or with another document there is nothing to verify.
            let result = self.changed(&target.element.realm).await?;
            selected = result.unwrap_or(OptionsResult::Selected { shows });
        }
        match (selected, options) {
            (OptionsResult::Selected { shows }, _) => Ok(shows),
            (OptionsResult::Single, [option]) => {
                let shown = self.enter(target, EntryMode::Set, option).await?;
                Ok(shown.into_iter().collect())
            }
            (OptionsResult::Changed { shows }, _) => Err(DriverError::Partial(format!(
                "the page changed the selection to {}",
                serde_json::json!(shows)
            ))),
            (OptionsResult::Refused(refusal), _) => Err(refusal.into()),
            (OptionsResult::Unwritable { why }, _) => Err(DriverError::Unwritable(why)),
            (OptionsResult::Single | OptionsResult::Changing { .. } | OptionsResult::Gone, _) => {
                Err(DriverError::Stale)
            }
        }
    }
}
