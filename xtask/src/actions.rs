//! Checks which source files name an action: all others look up its facts, so that a new action changes four files.

use std::path::Path;

use contract::ActionKind;

/// Actions without special treatment anywhere.
const ORDINARY_ACTIONS: [ActionKind; 5] = [
    ActionKind::Sleep,
    ActionKind::PressKey,
    ActionKind::WaitForNavigation,
    ActionKind::StartRecording,
    ActionKind::StopRecording,
];

/// The files that an action changes; `*` stands for its name.
const ACTION_FILES: [&str; 4] = [
    "crates/core/contract/src/actions/*.rs",
    "crates/core/contract/src/actions/mod.rs",
    "crates/core/engine/src/actions/*.rs",
    "crates/core/engine/src/actions/mod.rs",
];

/// Folders with files for some actions: flat commands, rules of the proof.
const OPTIONAL_FILES: [&str; 2] = [
    "crates/surfaces/cli/src/commands/",
    "crates/dev/proving/src/judge/",
];

/// The crate in which the bare name of an action counts as well.
const CONTRACT_FOLDER: &str = "crates/core/contract/src/";

/// Every file that names a plain action without reason.
pub(crate) fn check(root: &Path, files: &[String]) -> Vec<String> {
    let mut problems = Vec::new();
    let sources = files.iter().filter(|file| {
        let tests = ["/tests/", "/tests.rs", "/testdata/"];
        file.starts_with("crates/")
            && file.ends_with(".rs")
            && file.contains("/src/")
            && !tests.iter().any(|part| file.contains(part))
            && !OPTIONAL_FILES.iter().any(|folder| file.starts_with(folder))
    });
    for file in sources {
        let Ok(text) = std::fs::read_to_string(root.join(file)) else {
            problems.push(format!("actions: {file} cannot be read"));
            continue;
        };
        let code = code(&text);
        for kind in ORDINARY_ACTIONS {
            let touched = ACTION_FILES
                .iter()
                .any(|path| path.replace('*', kind.as_str()) == *file);
            if !touched
                && names(
                    &code,
                    file.starts_with(CONTRACT_FOLDER),
                    &format!("{kind:?}"),
                )
            {
                problems.push(format!(
                    "actions: {file} names {kind}: look up its facts (crates/core/contract/src/actions/facts.rs)"
                ));
            }
        }
    }
    problems
}

/// A source file without comments and tests.
fn code(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    let lines = text[..end].lines();
    let code = lines.filter(|line| !line.trim_start().starts_with("//"));
    code.collect::<Vec<_>>().join("\n")
}

/// Whether code names an action by the variant of an enum or the struct of its params.
fn names(code: &str, bare: bool, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&code[..at], &code[at + name.len()..]);
        let part = |letter: char| letter.is_alphanumeric() || letter == '_';
        if before.ends_with(part) || behind.starts_with(part) {
            return false;
        }
        let imported = before
            .rsplit_once("actions::{")
            .is_some_and(|(_, group)| !group.contains('}'));
        let owners = ["Params::", "ActionKind::", "actions::"];
        bare || imported || owners.iter().any(|owner| before.ends_with(owner))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_whole_word_of_the_contract() {
        let named = [
            "match x { Params::Sleep(_) => {} }",
            "kind == ActionKind::Sleep",
            "use contract::actions::Sleep;",
            "use contract::actions::{\n    Click, Sleep,\n};",
        ];
        for code in named {
            assert!(names(code, false, "Sleep"), "{code}");
        }
        let others = [
            "use tokio::time::Sleep;",
            "ActionKind::Sleeping",
            "use contract::actions::{Click}; use tokio::time::{Sleep};",
        ];
        for code in others {
            assert!(!names(code, false, "Sleep"), "{code}");
        }
        let tested = "fn f() {}\n// Params::Sleep\n#[cfg(test)]\nmod tests { Params::Sleep }";
        assert_eq!(code(tested), "fn f() {}");
    }
}
