//! The reference page of the commands, and the commands that README and guides show.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The top folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

#[test]
fn command_reference_is_fresh() {
    let page = Command::new(env!("CARGO_BIN_EXE_clawperator"))
        .arg("generate-docs")
        .output()
        .unwrap();
    expect_test::expect_file![root().join("docs/reference/command-line.md")]
        .assert_eq(&String::from_utf8(page.stdout).unwrap());
}

/// Codes that the contract names for devices with an agent, before such devices can be reached.
const NOT_YET: &[&str] = &[];

/// All Rust source of a folder as one text, without the table of codes.
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
fn every_guide_is_listed() {
    let list = fs::read_to_string(root().join("docs/README.md")).unwrap();
    for entry in fs::read_dir(root().join("docs/guides")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            list.contains(&format!("(guides/{name})")),
            "docs/README.md does not list {name}"
        );
    }
}

#[test]
fn every_error_code_is_used() {
    let mut text = String::new();
    for family in fs::read_dir(root().join("crates")).unwrap() {
        for package in fs::read_dir(family.unwrap().path()).unwrap() {
            let folder = package.unwrap().path().join("src");
            // A family has a page beside its packages.
            if folder.is_dir() {
                sources(&folder, &mut text);
            }
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

/// An action of a page's reader.
enum Step {
    /// A line of an `sh` block that calls the program.
    Run(String),
    /// A block whose fence names a file, as in ```` ```yaml hello.yaml ````.
    Save(String, String),
}

/// The actions of a page's reader, from top to bottom.
fn steps(page: &str) -> Vec<Step> {
    let mut fence: Option<&str> = None;
    let mut text = String::new();
    let mut found = Vec::new();
    for line in page.lines() {
        match (fence, line.strip_prefix("```")) {
            (None, Some(info)) => fence = Some(info),
            (Some(info), Some(_)) => {
                if let Some((_, file)) = info.split_once(' ') {
                    found.push(Step::Save(file.to_owned(), std::mem::take(&mut text)));
                }
                text.clear();
                fence = None;
            }
            (Some("sh"), None) if line.starts_with("clawperator ") => {
                found.push(Step::Run(line.to_owned()));
            }
            (Some(_), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

/// Runs every command of a page as written; expected failures are marked by a comment.
#[test]
fn documented_commands_run() {
    let program = Path::new(env!("CARGO_BIN_EXE_clawperator"));
    let path = std::env::join_paths(std::iter::once(program.parent().unwrap().to_owned()).chain(
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()),
    ))
    .unwrap();
    let mut pages = vec![root().join("README.md")];
    for entry in fs::read_dir(root().join("docs/guides")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|kind| kind == "md") {
            pages.push(path);
        }
    }
    let mut ran = 0;
    for page in pages {
        let steps = steps(&fs::read_to_string(&page).unwrap());
        // Downloads of a page go to a separate directory.
        let saves = steps.iter().any(|step| matches!(step, Step::Save(..)));
        let own = std::env::temp_dir().join(format!("clawperator-page-{}", std::process::id()));
        let folder = if saves { own.clone() } else { root() };
        fs::create_dir_all(&folder).unwrap();
        for step in steps {
            let command = match step {
                Step::Run(command) => command,
                Step::Save(file, text) => {
                    fs::write(folder.join(file), text).unwrap();
                    continue;
                }
            };
            let output = crate::run::isolate(&mut Command::new("sh"))
                // Browsers of the pages are not those of other tests.
                .env(
                    "XDG_RUNTIME_DIR",
                    concat!(env!("CARGO_TARGET_TMPDIR"), "/pages"),
                )
                .args(["-c", &command])
                .current_dir(&folder)
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
        if saves {
            fs::remove_dir_all(own).unwrap();
        }
    }
    assert!(ran >= 6, "{ran} commands were found");
}
