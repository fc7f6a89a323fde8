//! Command lines that are refused before a device is used: those of `testdata/refusals.md`.

use std::fmt::Write;

use expect_test::expect_file;

use crate::run::run;

#[test]
fn command_lines_are_refused_as_on_the_page() {
    let page = include_str!("../../testdata/refusals.md");
    let mut written = String::new();
    for line in page.lines().filter(|line| !line.starts_with("    >")) {
        writeln!(written, "{line}").unwrap();
        let Some(command) = line.strip_prefix("    $ ") else {
            continue;
        };
        let refused = run(command);
        assert_eq!(refused.exit, 1, "{command}");
        let error = refused.document();
        let text = |key: &str| error[key].as_str();
        let message = text("message").unwrap();
        assert!(!message.is_empty(), "{command}");
        writeln!(written, "    > {}: {message}", text("code").unwrap()).unwrap();
        let path = error["details"]["path"].as_str();
        let more = [
            ("suggestion", text("suggestion")),
            ("hint", text("hint")),
            ("path", path),
        ];
        for (name, value) in more {
            if let Some(value) = value {
                writeln!(written, "    > {name}: {value}").unwrap();
            }
        }
    }
    expect_file!["../../testdata/refusals.md"].assert_eq(&written);
}
