//! Rules that hold for every file of the repository.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::{actions, layers, lines, links};

/// The line limit of a source file; plan a split from 500 lines on.
const MAX_LINES: usize = 700;

/// Marks of unfinished work, split in two so that this file does not match.
const UNFINISHED_MARKS: &[(&str, &str)] = &[
    ("to", "do!("),
    ("unimple", "mented!("),
    ("db", "g!("),
    ("#[ig", "nore"),
    ("FIX", "ME"),
    ("XX", "X "),
];

/// Folders of one machine, which no file of the repository may name.
const MACHINE_FOLDERS: &[(&str, &str)] = &[("/wo", "rk/"), ("/ro", "ot/"), ("/ho", "me/")];

/// Every violation in the tree.
pub(crate) fn check(root: &Path) -> Vec<String> {
    let mut problems = layers::check(root);
    let files = match files(root) {
        Ok(files) => files,
        Err(problem) => {
            problems.push(problem);
            return problems;
        }
    };
    problems.extend(misplaced_modules(&files));
    problems.extend(links::check(root, &files));
    problems.extend(lines::check(root, &files));
    problems.extend(actions::check(root, &files));
    for file in files {
        let testdata = file.split('/').any(|part| part == "testdata");
        let Ok(text) = std::fs::read_to_string(root.join(&file)) else {
            // A binary file, or UTF-16.
            continue;
        };
        for (first, second) in MACHINE_FOLDERS {
            let path = format!("{first}{second}");
            if !testdata && !file.ends_with(".lock") && names_path(&text, &path) {
                problems.push(format!(
                    "tidy: {file} names a folder of one machine ({path})"
                ));
            }
        }
        if file.ends_with(".rs") && !testdata {
            problems.extend(check_source(&file, &text));
        }
    }
    problems
}

/// Modules with submodules that are not `mod.rs` in their folder.
fn misplaced_modules(files: &[String]) -> Vec<String> {
    let known: BTreeSet<&str> = files.iter().map(String::as_str).collect();
    files
        .iter()
        .filter_map(|file| {
            let folder = file.strip_suffix(".rs")?;
            let inside = format!("{folder}/");
            let next = known.range(inside.as_str()..).next()?;
            next.starts_with(&inside)
                .then(|| format!("tidy: {file} has submodules: move it to {inside}mod.rs"))
        })
        .collect()
}

/// Whether `text` contains a path that begins with `path`.
fn names_path(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        !text[..at]
            .chars()
            .next_back()
            .is_some_and(|before| before.is_alphanumeric() || "._-/~<>*".contains(before))
    })
}

/// Every violation in a source file.
fn check_source(file: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if !text.starts_with("//!") {
        problems.push(format!(
            "tidy: {file} does not begin with a `//!` line that states its purpose"
        ));
    }
    let lines = text.lines().count();
    if lines > MAX_LINES {
        problems.push(format!(
            "tidy: {file} has {lines} lines, more than {MAX_LINES}: split it"
        ));
    }
    for (first, second) in UNFINISHED_MARKS {
        let mark = format!("{first}{second}");
        if let Some(line) = text.lines().position(|line| line.contains(&mark)) {
            problems.push(format!("tidy: {file}:{}: {mark}", line + 1));
        }
    }
    problems
}

/// The files that git tracks or would add.
pub(crate) fn files(root: &Path) -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("tidy: git ls-files: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "tidy: git ls-files: {}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter(|file| root.join(file).is_file())
        .map(str::to_owned)
        .collect())
}
