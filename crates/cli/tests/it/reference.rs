//! The reference page of the commands, and the commands that README and guides show.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The top folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_page_of_the_commands_is_fresh() {
    let page = Command::new(env!("CARGO_BIN_EXE_clawperator"))
        .arg("generate-docs")
        .output()
        .unwrap();
    expect_test::expect_file![root().join("docs/reference/command-line.md")]
        .assert_eq(&String::from_utf8(page.stdout).unwrap());
}

/// Codes that the contract names for devices with an agent, before such devices can be reached.
const NOT_YET: &[&str] = &["SERVICE_UNAVAILABLE"];

/// All Rust of a folder as one text, but for the table that declares the codes.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("src/error") {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_code_of_the_errors_page_is_answered_by_something() {
    let mut text = String::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut text);
        }
    }
    for code in contract::ErrorCode::ALL {
        let answered = text
            .split(&format!("ErrorCode::{code:?}"))
            .skip(1)
            .any(|rest| !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric()));
        assert_eq!(answered, !NOT_YET.contains(&code.as_str()), "{code}");
    }
}

/// The lines of the `sh` blocks of a page that call the program.
fn commands(page: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside && line.starts_with("clawperator ") {
            found.push(line.to_owned());
        }
    }
    found
}

/// Runs every command of a page as it stands there; one that is to fail says so in a comment.
#[cfg(unix)]
#[test]
fn every_command_that_is_shown_runs() {
    let program = Path::new(env!("CARGO_BIN_EXE_clawperator"));
    let path = std::env::join_paths(std::iter::once(program.parent().unwrap().to_owned()).chain(
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()),
    ))
    .unwrap();
    let mut pages = vec![root().join("README.md")];
    for entry in fs::read_dir(root().join("docs/guides")).unwrap() {
        pages.push(entry.unwrap().path());
    }
    let mut ran = 0;
    for page in pages {
        for command in commands(&fs::read_to_string(&page).unwrap()) {
            let output = Command::new("sh")
                .args(["-c", &command])
                .current_dir(root())
                .env("PATH", &path)
                .output()
                .unwrap();
            let expected = i32::from(command.ends_with("# exit 1"));
            assert_eq!(
                output.status.code(),
                Some(expected),
                "{}: {command}\n{}",
                page.display(),
                String::from_utf8_lossy(&output.stdout)
            );
            ran += 1;
        }
    }
    assert!(ran >= 6, "{ran} commands were found");
}
