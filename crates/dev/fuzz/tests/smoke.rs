//! Every target on a few inputs of a fixed seed.

use std::path::Path;

use fuzz::{Limit, TARGETS, Target};

/// Runs a target on a number of inputs.
fn smoke(name: &str, inputs: u64) {
    let target = Target::named(name).expect("the target exists");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    match target.run(1, Limit::Inputs(inputs), &folder) {
        Ok(count) => assert_eq!(count, inputs),
        Err(finding) => panic!("{name}: {} ({})", finding.problem, finding.file.display()),
    }
}

#[test]
fn hierarchy_xml() {
    smoke("hierarchy_xml", 500);
}

#[test]
fn payloads() {
    smoke("payloads", 2_000);
}

#[test]
fn apps() {
    smoke("apps", 200);
}

#[test]
fn adb() {
    smoke("adb", 500);
}

#[test]
fn cdp() {
    smoke("cdp", 200);
}

#[test]
fn mcp() {
    smoke("mcp", 40);
}

#[test]
fn css() {
    smoke("css", 200);
}

#[test]
fn patterns() {
    smoke("patterns", 2_000);
}

#[test]
fn every_target_has_a_smoke_test() {
    assert_eq!(TARGETS.len(), 8);
}
