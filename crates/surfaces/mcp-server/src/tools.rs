//! The list of tools. Clients pay for it in every conversation, so it is short; details are in resources and hints.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// The tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolName {
    /// Lists devices.
    Devices,
    /// The screen as text.
    Snapshot,
    /// Finds an element and returns its selectors.
    InspectElement,
    /// Does something.
    Act,
    /// The screen as a picture.
    Screenshot,
}

impl ToolName {
    /// All tools, in the order in which an agent needs them.
    pub const ALL: [Self; 5] = [
        Self::Devices,
        Self::Snapshot,
        Self::InspectElement,
        Self::Act,
        Self::Screenshot,
    ];

    /// The name of the tool.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Devices => "devices",
            Self::Snapshot => "snapshot",
            Self::InspectElement => "inspect_element",
            Self::Act => "act",
            Self::Screenshot => "screenshot",
        }
    }

    /// The tool with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.as_str() == name)
    }

    fn description(self) -> Cow<'static, str> {
        let text = match self {
            Self::Devices => {
                "List devices: Android phones, Chrome tabs, `sim` (a simulated phone, always available). Pass one as \
                `device` to other tools; optional if only one phone is connected. `chrome` starts or finds a browser."
            }
            Self::Snapshot => {
                "The screen as text: role, \"text\", #id, states, ref. `#x` is the resourceId \
                `PACKAGE:id/x` on phones, `x` on web pages; `e12` is a ref for act."
            }
            Self::InspectElement => {
                "Find an element by description and get stable selectors, verified on the live screen. Says if \
                unsure or several match. `*` is a wildcard."
            }
            Self::Act => {
                let fields: Vec<String> = contract::ActionKind::ALL
                    .iter()
                    .map(|kind| {
                        format!("{kind} {}", kind.facts().synopsis)
                            .trim_end()
                            .to_owned()
                    })
                    .collect();
                return format!(
                    "Run actions in order until one fails. Each finds its element, waits for it and retries; sleeps are not \
                    needed. Fields beside `type`:\n{}\n\
                    A matcher is {{\"ref\":\"e12\"}} (short: \"ref\":\"e12\", or a printed line), or has one or more of textEquals, textContains, contentDescEquals, contentDescContains, \
                    resourceId, role, css (web only); all must match. An open dialog comes first. More: clawperator://actions/TYPE.",
                    fields.join(" · ")
                )
                .into();
            }
            Self::Screenshot => {
                "The screen as a scaled-down image, and the path of the full one. A snapshot costs less and can be acted on."
            }
        };
        text.into()
    }

    fn parameters(self) -> Value {
        let text = json!({ "type": "string" });
        match self {
            Self::Devices => json!({}),
            Self::Snapshot => json!({
                "device": text,
                "actionable": { "type": "boolean", "description": "only what can be acted on" },
                "budget": { "type": "integer", "description": "maximum tokens" },
                "all": { "type": "boolean", "description": "beyond the viewport" },
            }),
            Self::InspectElement => json!({
                "device": text,
                "description": { "type": "string", "description": "such as: the login button" },
                "text_contains": text,
                "near": {
                    "type": "object",
                    "properties": {
                        "selector": {
                            "type": "string",
                            "description": "CSS, #id, a matcher in JSON, or visible text",
                        },
                        "direction": { "enum": ["above", "below", "left", "right", "inside"] },
                    },
                    "required": ["selector"],
                },
                "attributes": {
                    "type": "object",
                    "properties": {
                        "role": text,
                        "aria_label": text,
                        "data_testid": text,
                        "class_contains": text,
                        "placeholder": text,
                        "type": text,
                    },
                },
                "tag": text,
                "strict_stability": { "type": "boolean", "description": "ids and test ids only" },
                "limit": { "type": "integer" },
            }),
            Self::Act => json!({
                "device": text,
                "actions": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": { "type": text },
                        "required": ["type"],
                    },
                },
                "observe": { "enum": ["none", "diff", "screen"], "description": "of the screen afterwards, or of one action; default none; diff: what \
                    changed, or a new page" },
                "timeoutMs": { "type": "integer" },
                "onFailure": { "enum": ["stop", "continue"] },
                "interrupts": { "type": "array", "description": "[{when: matcher, action}] for possible prompts" },
            }),
            Self::Screenshot => json!({
                "device": text,
                "maxSide": { "type": "integer", "description": "pixels of the longer side, default 1024" },
                "matcher": { "type": "object", "description": "one element" },
                "marks": { "type": "boolean", "description": "draw refs" },
            }),
        }
    }

    /// What an argument, or a key of one, may be, in words; `None` if its schema does not say it, or allows this value.
    pub(crate) fn must_be(self, path: &[String], given: &Value) -> Option<String> {
        let schema = json!({ "properties": self.parameters() });
        let schema = path
            .iter()
            .try_fold(&schema, |schema, key| schema["properties"].get(key))?;
        if let Some(words) = schema["enum"].as_array() {
            let words: Vec<String> = words.iter().map(Value::to_string).collect();
            return Some(format!("must be {}", words.join(" or ")));
        }
        let (is_it, name) = match schema["type"].as_str()? {
            "string" => (given.is_string(), "a string"),
            "boolean" => (given.is_boolean(), "true or false"),
            "integer" => (given.is_number(), "a whole number"),
            _ => return None,
        };
        (!is_it).then(|| format!("must be {name}"))
    }

    const fn required(self) -> &'static [&'static str] {
        match self {
            Self::Act => &["actions"],
            Self::Devices | Self::Snapshot | Self::InspectElement | Self::Screenshot => &[],
        }
    }

    /// The names of its arguments.
    pub fn arguments(self) -> Vec<String> {
        let parameters = self.parameters();
        let names = parameters.as_object().into_iter().flatten();
        names.map(|(name, _)| name.clone()).collect()
    }

    /// The description of the tool for clients.
    pub fn tool(self) -> Tool {
        let mut schema = JsonObject::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), self.parameters());
        if !self.required().is_empty() {
            schema.insert("required".to_owned(), self.required().into());
        }
        let annotations = match self {
            Self::Act => ToolAnnotations::new(),
            Self::Devices | Self::Snapshot | Self::InspectElement | Self::Screenshot => {
                ToolAnnotations::new().read_only(true)
            }
        };
        Tool::new(self.as_str(), self.description(), Arc::new(schema)).with_annotations(annotations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::ListToolsResult;

    /// The list as it is sent.
    fn list() -> String {
        let tools = ToolName::ALL.map(ToolName::tool).to_vec();
        serde_json::to_string(&ListToolsResult::with_all_items(tools)).unwrap()
    }

    #[test]
    fn tool_list_is_below_token_budget() {
        let encoding = tiktoken_rs::o200k_base().unwrap();
        let tokens = encoding.encode_ordinary(&list()).len();
        println!("tools/list: {tokens} tokens");
        assert!(tokens < 1000, "{tokens} tokens");
    }

    #[test]
    fn estimate_of_tokens_is_close() {
        let encoding = tiktoken_rs::o200k_base().unwrap();
        let screens = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../core/uitree/testdata/screens"
        );
        let (mut estimates, mut counts) = (0, 0);
        for file in std::fs::read_dir(screens).unwrap() {
            let path = file.unwrap().path();
            let Ok(dump) = std::fs::read(&path) else {
                continue;
            };
            let Ok(tree) = uitree::UiTree::parse_hierarchy_xml(&dump, None) else {
                continue;
            };
            let text = tree.to_compact();
            let line = |line: &str| uitree::estimate_tokens(line.trim_start()) + 1;
            let estimate: usize = text.lines().map(line).sum();
            let count = encoding.encode_ordinary(&text).len();
            // The words of these screens are scrambled, which costs more tokens than real words.
            assert!(
                estimate * 4 >= count * 3,
                "{}: {estimate} for {count}",
                path.display()
            );
            estimates += estimate;
            counts += count;
        }
        println!("text views: {counts} tokens, estimated {estimates}");
        assert!(counts > 0 && estimates * 10 > counts * 9 && estimates * 10 < counts * 13);
    }

    #[test]
    fn synopses_match_contract_fields() {
        for kind in contract::ActionKind::ALL {
            let page = contract::reference::action(*kind);
            for word in kind.facts().synopsis.split_whitespace() {
                // Values follow `=`.
                let keys = word.split('=').next().unwrap();
                for key in keys.split('|') {
                    let key = key.split(['?', '{']).next().unwrap();
                    assert!(
                        page.contains(&format!("| `{key}` |")),
                        "{kind} has no {key}"
                    );
                }
            }
        }
    }
}
