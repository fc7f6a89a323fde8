//! Documents: screens, plans, app files.

use contract::Execution;
use driver_sim::SeededRng;
use uitree::UiTree;

use super::promise;
use crate::mutate::{mutated, mutated_json};
use crate::{Target, files};

/// Screens in the format of `uiautomator dump`: they round-trip, and errors have a position.
pub(super) const HIERARCHY_XML: Target = Target {
    name: "hierarchy_xml",
    seeds: || files("crates/core/uitree/testdata/screens", ".xml"),
    make: |rng, seeds| {
        let pieces = [
            "<",
            ">",
            "\"",
            "'",
            "&",
            "&#x1F600;",
            "&#",
            "/>",
            "</node>",
            "<node ",
            "<!--",
            "<![CDATA[",
            "<?",
            "\r",
            "\0",
            "=",
            "bounds=\"[0,0][2147483647,-2147483648]\"",
            "<hierarchy rotation=\"9\">",
            "</hierarchy>",
        ];
        mutated(rng, seeds, &pieces)
    },
    check: |input| match UiTree::parse_hierarchy_xml(input, None) {
        Ok(tree) => {
            let written = tree.to_hierarchy_xml();
            let again = UiTree::parse_hierarchy_xml(written.as_bytes(), None);
            promise(again.as_ref() == Ok(&tree), || {
                format!("written as {written}, parsed again as {again:?}")
            })
        }
        Err(error) => promise(error.line >= 1 && error.column >= 1, || {
            format!("{error} has no position")
        }),
    },
};

/// Plans: accepted ones round-trip through their canonical form; refused ones have a code, a message and a path.
pub(super) const PAYLOADS: Target = Target {
    name: "payloads",
    seeds: || {
        let mut seeds = files("crates/core/contract/testdata/examples/valid", ".json");
        seeds.extend(files(
            "crates/core/contract/testdata/examples/invalid",
            ".json",
        ));
        seeds.extend(files("examples", ".json"));
        seeds
    },
    make: mutated_json,
    check: |input| match Execution::parse(input) {
        Ok(parsed) => {
            let written =
                serde_json::to_vec(&parsed.execution).map_err(|error| error.to_string())?;
            let again = Execution::parse(&written)
                .map_err(|error| format!("the canonical form is refused: {error}"))?;
            promise(again.execution == parsed.execution, || {
                "the canonical form differs in meaning".to_owned()
            })
        }
        Err(invalid) => {
            let body = serde_json::to_value(invalid.body()).map_err(|error| error.to_string())?;
            let filled = |key: &str| body[key].as_str().is_some_and(|text| !text.is_empty());
            promise(filled("code") && filled("message"), || {
                format!("no code and message: {body}")
            })?;
            let known = |path: &str| path.is_empty() || body.to_string().contains("path");
            promise(
                invalid
                    .problems()
                    .iter()
                    .all(|problem| known(&problem.path)),
                || format!("no path: {body}"),
            )
        }
    },
};

/// App files of the simulated phone: every problem has a line in the file and a message.
pub(super) const APPS: Target = Target {
    name: "apps",
    seeds: || files("examples/apps", ".yaml"),
    make: app,
    check: |input| {
        let Ok(text) = std::str::from_utf8(input) else {
            return Ok(());
        };
        let Err(error) = driver_sim::check("fuzz.yaml", text) else {
            return Ok(());
        };
        promise(!error.problems.is_empty(), || {
            "refused without a problem".to_owned()
        })?;
        let lines = text.lines().count() + 1;
        for problem in &error.problems {
            let inside = usize::try_from(problem.line).is_ok_and(|line| line <= lines);
            promise(inside && !problem.message.is_empty(), || {
                format!("{problem:?} of {lines} lines")
            })?;
        }
        Ok(())
    },
};

fn app(rng: &mut SeededRng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let pieces = [
        ":",
        "- ",
        "  ",
        "\n",
        "\t",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        "|",
        ">",
        "&a ",
        "*a",
        "<<: *a",
        "!!int ",
        "#",
        "? ",
        "---\n",
        "on_click: { goto: home }",
        "text: \"{len(user)}\"",
        "repeat: ",
        "{if(1, 2, 3)}",
        "{((((1))))}",
        "appear_after: 1s",
        "list:\n",
    ];
    mutated(rng, seeds, &pieces)
}
