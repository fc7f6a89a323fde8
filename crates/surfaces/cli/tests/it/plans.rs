//! The plan of every command, printed by `--validate-only`: those of `testdata/plans.md`.

use std::fmt::Write;

use expect_test::expect_file;
use serde_json::Value;

use crate::reference_cli::anonymous;
use crate::run::{run, words};

/// The plan of a command line.
fn plan(line: &str) -> Value {
    let mut argv = words(line);
    let end = argv.iter().position(|token| *token == "--");
    let end = end.unwrap_or(argv.len());
    argv.insert(end, "--validate-only");
    let document = run(&argv).success();
    assert_eq!(document["validated"], true);
    let execution = anonymous(&document["execution"]);
    // The outline of the same plan agrees, and every command has one.
    argv[end] = "--dry-run";
    let outline = run(&argv).success();
    assert_eq!(outline["dryRun"], true);
    let plan = &outline["plan"];
    assert_eq!(plan["actions"], execution["actions"]);
    assert_eq!(plan["timeoutMs"], execution["timeoutMs"]);
    assert_eq!(plan["actionCount"], 1);
    execution
}

#[test]
fn commands_make_the_plans_of_the_page() {
    let page = include_str!("../../testdata/plans.md");
    let mut written = String::new();
    for line in page.lines().filter(|line| !line.starts_with("    >")) {
        writeln!(written, "{line}").unwrap();
        if let Some(command) = line.strip_prefix("    $ ") {
            let execution = plan(command);
            let options = ["commandId", "taskId", "source", "mode"];
            let options = options.map(|key| execution[key].as_str().unwrap_or("-"));
            writeln!(
                written,
                "    > {} {}",
                options.join(" "),
                execution["timeoutMs"]
            )
            .unwrap();
            writeln!(written, "    > {}", execution["actions"][0]).unwrap();
        }
    }
    expect_file!["../../testdata/plans.md"].assert_eq(&written);
}
