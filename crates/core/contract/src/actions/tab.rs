//! `tab`: lists, opens, chooses and closes tabs of a browser.

use super::prelude::*;

params! {
    |reader| {
        let op = reader.required(ParamKey::Op, ParamReader::word::<TabOp>);
        let uri = reader.filled_text(ParamKey::Uri);
        let tab = reader.tab(ParamKey::Tab);
        if let FieldValue::Value(op) = op {
            let opens = op == TabOp::Open;
            let selects = matches!(op, TabOp::Choose | TabOp::Close);
            if opens && uri.is_absent() {
                reader.refuse(ParamKey::Uri, "is required if `op` is `open`");
            }
            if !opens && uri.is_present() {
                reader.refuse(ParamKey::Uri, format_args!("must be left out if `op` is `{op}`"));
            }
            if op == TabOp::Choose && tab.is_absent() {
                reader.refuse(ParamKey::Tab, "is required if `op` is `choose`");
            }
            if !selects && tab.is_present() {
                reader.refuse(ParamKey::Tab, format_args!("must be left out if `op` is `{op}`"));
            }
        }
    }
    /// Lists, opens, chooses or closes tabs of the browser; on web pages only.
    ///
    /// An opened or chosen tab comes to the front; later steps, and the next command with `--device chrome`, act on it.
    #[schemars(extend("allOf" = [
            { "if": { "properties": { "op": { "const": "open" } } },
              "then": { "required": ["uri"] }, "else": { "properties": { "uri": false } } },
            { "if": { "properties": { "op": { "const": "choose" } } }, "then": { "required": ["tab"] } },
            { "if": { "properties": { "op": { "enum": ["list", "open"] } } }, "then": { "properties": { "tab": false } } },
        ])
    )]
    pub struct Tab {
        /// What to do: `list` returns the tabs in `data.tabs`, `open` loads a URI in a new tab, `choose` brings a tab to the
        /// front, `close` closes a tab, but never the last one.
        op: TabOp,
        /// The URI to open. Required for `open`, and only there.
        #[schemars(length(max = limits::MAX_URI_LENGTH), regex(pattern = "\\S"))]
        uri: Option<String>,
        /// The tab to choose or close: an object with exactly one of `index`, `titleContains`, `urlContains`, `device` and
        /// `latest`. Required for `choose`; without it, `close` closes the tab in front.
        tab: Option<TabSelector>,
    }
}

words! {
    /// What to do with tabs.
    pub enum TabOp {
        /// List the tabs.
        List = "list",
        /// Open a tab.
        Open = "open",
        /// Bring a tab to the front.
        Choose = "choose",
        /// Close a tab.
        Close = "close",
    }
}

impl ActionParams for Tab {
    const FACTS: KindFacts = KindFacts {
        found,
        ..KindFacts::new("op=list|open|choose|close uri? tab?", r#"{"op":"choose","tab":{"urlContains":"/cart"}}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        let requirement = Requirement::of_pages("type", "only browsers have tabs");
        let changes = self.op != TabOp::List;
        StepFacts {
            effects: changes.then_some(Effect::ChangeTabs(self.op)).into_iter().collect(),
            requirements: vec![requirement],
            ..StepFacts::default()
        }
    }
}

/// The list, or the tab in front.
fn found(data: &StepData) -> Option<ReturnedData<'_>> {
    match data.get("tabs") {
        Some(tabs) => Some(ReturnedData::Tabs(tabs)),
        None => data.get("url").map(ReturnedData::Outcome),
    }
}
