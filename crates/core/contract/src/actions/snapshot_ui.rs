//! `snapshot_ui`: the screen as text.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{KindFacts, StepFacts},
};
use crate::{
    limits,
    matcher::NodeMatcher,
    params::ParamReader,
    payload_keys::ParamKey,
    read::FieldValue,
    retry::RetryParams,
    words::ScreenView,
};

/// Reads the screen's tree of nodes into `data.text`, in the format that `data.actual_format` names.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, extend("allOf" = [{ "anyOf": [
    { "properties": { "budget": { "type": "null" }, "all": { "enum": [false, null] } } },
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
    /// Whether to show also what containers have beyond their edges; not for `hierarchy_xml`, which always has it. Web pages tell
    /// all of it, phones seldom more than what is on the screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = false))]
    pub all: Option<bool>,
    /// The element that is shown with all that is inside of it, instead of the whole screen; without effect for `hierarchy_xml`. It
    /// is scrolled into view if necessary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matcher: Option<NodeMatcher>,
    /// Retry policy; preset `UiReadiness`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryParams>,
}

accessors! {
    SnapshotUi, this:
    view: ScreenView = this.view.unwrap_or(ScreenView::HierarchyXml);
    all: bool = this.all.unwrap_or(false);
}

retry_policy!(SnapshotUi: UI_READINESS);

impl ActionParams for SnapshotUi {
    const FACTS: KindFacts = KindFacts {
        wrong_keys: &[(
            "format",
            "`format` was removed from snapshot_ui; `view` selects `hierarchy_xml`, `text` or `actionable`",
        )],
        finds: true,
        ..KindFacts::of(r#"{"view":"text"}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let view = reader.word::<ScreenView>(ParamKey::View).optional();
        let budget = reader.whole_within(
            ParamKey::Budget,
            limits::MIN_VIEW_BUDGET,
            limits::MAX_VIEW_BUDGET,
        );
        let all = reader.flag(ParamKey::All);
        let is_xml = matches!(view, Some(None | Some(ScreenView::HierarchyXml)));
        let for_text = [
            (ParamKey::Budget, !budget.is_absent()),
            (ParamKey::All, matches!(all, FieldValue::Value(true))),
        ];
        for (key, _) in for_text.into_iter().filter(|(_, given)| is_xml && *given) {
            reader.refuse(key, "requires `view` to be `text` or `actionable`");
        }
        // The XML always has everything, whatever a matcher says.
        let matcher = match is_xml {
            true => Some(None),
            false => reader.matcher(ParamKey::Matcher).optional(),
        };
        let retry = reader.retry(ParamKey::Retry);
        Some(Self {
            view: view?,
            budget: budget.optional()?,
            all: all.optional()?,
            matcher: matcher?,
            retry: retry.optional()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        let what = "the app finds no elements for snapshots";
        let gap = self.matcher.as_ref().map(|_| (ParamKey::Matcher, what));
        StepFacts {
            matchers: [self.matcher.as_ref(), None],
            means_one: self.matcher.is_some(),
            operator_gaps: gap.into_iter().collect(),
            retry: Some(self.retry()),
            ..StepFacts::default()
        }
    }
}
