//! The rules of each action: those of `testdata/rules.md`, and those that hold for many values.

mod apps;
mod conditions;
mod hints;
mod interrupts;
mod nodes;
mod reading;
mod tabs;

use std::fmt::Write;

use expect_test::expect_file;

use crate::support::outcome_of;

/// A text with each `x{300}` written out as 300 letters.
fn written_out(text: &str) -> String {
    let mut parts = text.split("x{");
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (count, after) = part.split_once('}').unwrap();
        all.push_str(&"x".repeat(count.parse().unwrap()));
        all.push_str(after);
    }
    all
}

#[test]
fn actions_are_read_as_the_page_says() {
    let page = include_str!("../../../testdata/rules.md");
    let mut written = String::new();
    for line in page.lines().filter(|line| !line.starts_with("    >")) {
        writeln!(written, "{line}").unwrap();
        if let Some(step) = line.strip_prefix("    ") {
            let (kind, params) = step.split_once(' ').unwrap();
            let params = serde_json::from_str(&written_out(params)).unwrap();
            for printed in outcome_of(kind, params).lines() {
                writeln!(written, "    > {printed}").unwrap();
            }
        }
    }
    expect_file!["../../../testdata/rules.md"].assert_eq(&written);
}
