//! The reference pages are complete and mention nothing unknown.

use contract::{
    ActionKind, ErrorCode, Execution, WarningCode,
    keys::{MatcherKey, ParamKey},
    reference,
};

fn page(name: &str) -> String {
    let (_, text) = reference::all()
        .into_iter()
        .find(|(file, _)| *file == name)
        .unwrap();
    text
}

#[test]
fn every_action_param_and_code_is_documented() {
    let actions = page("actions.md");
    for kind in ActionKind::ALL {
        assert!(actions.contains(&format!("\n## {kind}\n")), "{kind}");
        for alias in kind.aliases() {
            assert!(actions.contains(&format!("`{alias}`")), "{alias}");
        }
    }
    for key in ParamKey::ALL {
        assert!(actions.contains(&format!("| `{key}` |")), "{key}");
    }
    for code in WarningCode::ALL {
        assert!(actions.contains(&format!("| `{code}` |")), "{code}");
    }
    let errors = page("errors.md");
    for code in ErrorCode::ALL {
        assert_eq!(
            errors.matches(&format!("| `{code}` |")).count(),
            1,
            "{code}"
        );
    }
    let selectors = page("selectors.md");
    for key in MatcherKey::ALL {
        assert!(selectors.contains(&format!("| `{key}` |")), "{key}");
    }
}

#[test]
fn table_rows_are_complete() {
    for (name, text) in reference::all() {
        let mut columns = None;
        for line in text.lines() {
            if !line.starts_with('|') {
                columns = None;
                continue;
            }
            let count = line.replace("\\|", "").matches('|').count();
            assert_eq!(*columns.get_or_insert(count), count, "{name}: {line}");
        }
        assert!(!text.contains("null"), "{name}");
        assert!(text.ends_with('\n') && !text.contains("\n\n\n"), "{name}");
    }
}

#[test]
fn page_examples_are_valid() {
    let text = page("actions.md");
    let examples: Vec<&str> = text
        .split("```json\n")
        .skip(1)
        .filter_map(|part| part.split("\n```").next())
        .collect();
    assert_eq!(examples.len(), ActionKind::ALL.len());
    let actions = format!("[{}]", examples.join(","));
    let payload = crate::support::payload(serde_json::from_str(&actions).unwrap());
    let parsed = Execution::from_value(&payload).unwrap();
    assert_eq!(parsed.warnings, []);
    let kinds: Vec<ActionKind> = parsed
        .execution
        .actions()
        .iter()
        .map(|action| action.kind())
        .collect();
    assert_eq!(kinds, ActionKind::ALL);
}

#[test]
fn pages_show_ranges_and_defaults() {
    let actions = page("actions.md");
    for row in [
        "| `maxScrolls` | integer | no | `20` | from 1 to 200 |",
        "| `distanceRatio` | number | no | `0.7` | from 0 to 1 |",
        "| `timeoutMs` | number | yes |  | above 0 to 30000 |",
        "| `matcher` | [matcher](selectors.md) | exactly one |",
        "| `validator` | `temperature`, `version`, `regex` | no |",
        "| `UiReadiness` | 5 | 500, 1000, 2000, 3000 | 0.15 |",
    ] {
        assert!(actions.contains(row), "{row}");
    }
}
