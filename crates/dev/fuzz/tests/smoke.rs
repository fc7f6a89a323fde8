//! Every target on a few inputs of a fixed seed.

use std::path::Path;

use fuzz::{Limit, TARGETS};

/// The number of inputs of each target.
const INPUTS: [(&str, u64); 8] = [
    ("hierarchy_xml", 500),
    ("payloads", 2_000),
    ("apps", 200),
    ("adb", 500),
    ("cdp", 200),
    ("mcp", 40),
    ("css", 200),
    ("patterns", 2_000),
];

#[test]
fn targets_keep_their_promises() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    for target in TARGETS {
        let name = target.name;
        let inputs = INPUTS.iter().find(|(target, _)| *target == name);
        let (_, inputs) = inputs.unwrap_or_else(|| panic!("{name} has no number of inputs"));
        match target.run(1, Limit::Inputs(*inputs), &folder) {
            Ok(count) => assert_eq!(count, *inputs),
            Err(finding) => panic!("{name}: {} ({})", finding.problem, finding.file.display()),
        }
    }
}
