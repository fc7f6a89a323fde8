//! `snapshot_ui`: the screen as text.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{KindFacts, StepFacts},
};
use crate::{
    limits,
    params::ParamReader,
    payload_keys::ParamKey,
    retry::{Retry, RetryParams},
    words::ScreenView,
};

/// Reads the screen's tree of nodes into `data.text`, in the format that `data.actual_format` names.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, extend("allOf" = [{ "anyOf": [
    { "properties": { "budget": { "type": "null" } } },
    { "properties": { "view": { "enum": ["text", "actionable"] } }, "required": ["view"] },
] }]))]
pub struct SnapshotUi {
    /// The format: `hierarchy_xml` has everything, `text` is short, for models.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "hierarchy_xml"))]
    pub view: Option<ScreenView>,
    /// The maximum length in tokens, estimated; not for `hierarchy_xml`. Left out first are controls without a name, then text,
    /// containers that scroll, titles, and other controls; the focused element and dialogs stay longest. The last line and
    /// `data.omitted_lines` count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = limits::MIN_VIEW_BUDGET, max = limits::MAX_VIEW_BUDGET))]
    pub budget: Option<u32>,
    /// Retry policy; preset `UiReadiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

impl SnapshotUi {
    /// The format.
    #[must_use]
    pub fn view(&self) -> ScreenView {
        self.view.unwrap_or(ScreenView::HierarchyXml)
    }

    /// The retry policy in effect.
    #[must_use]
    pub fn retry(&self) -> Retry {
        self.retry
            .map_or(Retry::UI_READINESS, |retry| retry.policy())
    }
}

impl ActionParams for SnapshotUi {
    const FACTS: KindFacts = KindFacts {
        wrong_keys: &[(
            "format",
            "`format` was removed from snapshot_ui; `view` selects `hierarchy_xml`, `text` or `actionable`",
        )],
        ..KindFacts::of(r#"{"view":"text"}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let view = reader.word::<ScreenView>(ParamKey::View).optional();
        let budget = reader.whole_within(
            ParamKey::Budget,
            limits::MIN_VIEW_BUDGET,
            limits::MAX_VIEW_BUDGET,
        );
        let is_xml = matches!(view, Some(None | Some(ScreenView::HierarchyXml)));
        if is_xml && !budget.is_absent() {
            reader.refuse(
                ParamKey::Budget,
                "requires `view` to be `text` or `actionable`",
            );
        }
        let retry = reader.retry(ParamKey::Retry);
        Some(Self {
            view: view?,
            budget: budget.optional()?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        StepFacts {
            retry: Some(self.retry()),
            ..StepFacts::default()
        }
    }
}
