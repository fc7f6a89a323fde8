//! Selects options of a `<select>` or an ARIA listbox.

use cdp::protocol::runtime::CallArgument;
use driver::{DriverError, Result};
use serde::Deserialize;

use super::element::{ElementTarget, EntryMode, Refusal};
use super::script_call::{PageFunction, PageInput};

/// The result of selecting options.
#[derive(Debug, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum OptionsResult {
    /// Done: the labels of all selected options.
    Selected {
        labels: Vec<String>,
    },
    /// In progress: the labels that will be selected unless the page interferes.
    Pending {
        labels: Vec<String>,
    },
    /// The page replaced the selection: the labels that are selected now.
    Overridden {
        labels: Vec<String>,
    },
    /// A closed list with a single selection that has the requested option: nothing was changed; use `enter`.
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
        if let OptionsResult::Pending { labels } = selected {
            // After a dialog or a new document there is nothing to verify.
            let result = self.wait_for_result(&target.element.realm).await?;
            selected = result.unwrap_or(OptionsResult::Selected { labels });
        }
        match (selected, options) {
            (OptionsResult::Selected { labels }, _) => Ok(labels),
            (OptionsResult::Single, [option]) => {
                let shown = self.enter(target, EntryMode::Set, option).await?;
                Ok(shown.into_iter().collect())
            }
            (OptionsResult::Overridden { labels }, _) => Err(DriverError::Partial(format!(
                "the page changed the selection to {}",
                serde_json::json!(labels)
            ))),
            (OptionsResult::Refused(refusal), _) => Err(refusal.into()),
            (OptionsResult::Unwritable { why }, _) => Err(DriverError::Unwritable(why)),
            (OptionsResult::Single | OptionsResult::Pending { .. } | OptionsResult::Gone, _) => {
                Err(DriverError::Stale)
            }
        }
    }
}
