//! `snapshot_ui`: the screen as text.

use super::prelude::*;

params! {
    |reader| {
        let view = reader.word::<ScreenView>(ParamKey::View);
        let budget = reader.whole_within(
            ParamKey::Budget,
            limits::MIN_VIEW_BUDGET,
            limits::MAX_VIEW_BUDGET,
        );
        let all = reader.flag(ParamKey::All);
        let is_xml = matches!(view, FieldValue::Absent | FieldValue::Value(ScreenView::HierarchyXml));
        let for_text = [
            (ParamKey::Budget, !budget.is_absent()),
            (ParamKey::All, matches!(all, FieldValue::Value(true))),
        ];
        for (key, _) in for_text.into_iter().filter(|(_, given)| is_xml && *given) {
            reader.refuse(key, "requires `view` to be `text` or `actionable`");
        }
        // The XML always has everything, whatever a matcher says.
        let matcher = match is_xml {
            true => FieldValue::Absent,
            false => reader.matcher(ParamKey::Matcher),
        };
        let retry = reader.retry(ParamKey::Retry);
    }
    /// Reads the screen's tree of nodes into `data.text`, in the format that `data.actual_format` names.
    #[schemars(extend("allOf" = [{ "anyOf": [
        { "properties": { "budget": { "type": "null" }, "all": { "enum": [false, null] } } },
        { "properties": { "view": { "enum": ["text", "actionable"] } }, "required": ["view"] },
    ] }]))]
    pub struct SnapshotUi {
        /// The format: `hierarchy_xml` has everything, `text` is short, for models.
        #[schemars(extend("default" = "hierarchy_xml"))]
        view: Option<ScreenView>,
        /// The maximum length in tokens, estimated; not for `hierarchy_xml`. Left out first are controls without a name, then text,
        /// containers that scroll, titles, and other controls; the focused element and dialogs stay longest. The last line and
        /// `data.omitted_lines` count them.
        #[schemars(range(min = limits::MIN_VIEW_BUDGET, max = limits::MAX_VIEW_BUDGET))]
        budget: Option<u32>,
        /// Whether to show also what containers have beyond their edges; not for `hierarchy_xml`, which always has it. Web pages tell
        /// all of it, phones seldom more than what is on the screen.
        #[schemars(extend("default" = false))]
        all: Option<bool>,
        /// The element that is shown with all that is inside of it, instead of the whole screen; without effect for `hierarchy_xml`. It
        /// is scrolled into view if necessary.
        matcher: Option<NodeMatcher>,
        /// Retry policy; preset `UiReadiness`.
        retry: Option<RetryParams>,
    }
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
        ..KindFacts::new("matcher? all?", r#"{"view":"text"}"#)
    };

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
