//! What every file of the repository must look like.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::{actions, layers, lines, links};

/// The longest that a source file may be; 500 lines ask for a plan.
const LONGEST: usize = 700;

/// Marks of unfinished work; spelt in two parts so that this file does not hold them.
const MARKS: &[(&str, &str)] = &[
    ("to", "do!("),
    ("unimple", "mented!("),
    ("db", "g!("),
    ("#[ig", "nore"),
    ("FIX", "ME"),
    ("XX", "X "),
];

/// Folders of one machine, which a file of the repository never names.
const MACHINE: &[(&str, &str)] = &[("/wo", "rk/"), ("/ro", "ot/"), ("/ho", "me/")];

/// Every way in which the tree is not tidy.
pub(crate) fn check(root: &Path) -> Vec<String> {
    let mut problems = layers::check(root);
    let files = match files(root) {
        Ok(files) => files,
        Err(problem) => {
            problems.push(problem);
            return problems;
        }
    };
    problems.extend(beside(&files));
    problems.extend(links::check(root, &files));
    problems.extend(lines::check(root, &files));
    problems.extend(actions::check(root, &files));
    for file in files {
        let testdata = file.split('/').any(|part| part == "testdata");
        let Ok(text) = std::fs::read_to_string(root.join(&file)) else {
            // Not text: a picture, a font, a dump in UTF-16.
            continue;
        };
        for (first, second) in MACHINE {
            let path = format!("{first}{second}");
            if !testdata && !file.ends_with(".lock") && names_path(&text, &path) {
                problems.push(format!(
                    "tidy: {file} names a folder of one machine ({path})"
                ));
            }
        }
        if file.ends_with(".rs") && !testdata {
            problems.extend(source(&file, &text));
        }
    }
    problems
}

/// The modules that lie beside their folder: here a module with parts of its own is the folder's `mod.rs`.
fn beside(files: &[String]) -> Vec<String> {
    let known: BTreeSet<&str> = files.iter().map(String::as_str).collect();
    files
        .iter()
        .filter_map(|file| {
            let folder = file.strip_suffix(".rs")?;
            let inside = format!("{folder}/");
            let next = known.range(inside.as_str()..).next()?;
            next.starts_with(&inside)
                .then(|| format!("tidy: {file} lies beside its folder: it is {inside}mod.rs"))
        })
        .collect()
}

/// Whether `text` holds `path` as the beginning of a path, not as the middle of another.
fn names_path(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        !text[..at]
            .chars()
            .next_back()
            .is_some_and(|before| before.is_alphanumeric() || "._-/~<>*".contains(before))
    })
}

/// Every way in which a source file is not tidy.
fn source(file: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if !text.starts_with("//!") {
        problems.push(format!(
            "tidy: {file} does not open with a line that says what it is for"
        ));
    }
    let lines = text.lines().count();
    if lines > LONGEST {
        problems.push(format!(
            "tidy: {file} has {lines} lines, more than {LONGEST}: split it"
        ));
    }
    for (first, second) in MARKS {
        let mark = format!("{first}{second}");
        if let Some(line) = text.lines().position(|line| line.contains(&mark)) {
            problems.push(format!("tidy: {file}:{}: {mark}", line + 1));
        }
    }
    problems
}

/// The files that git tracks or would track.
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
