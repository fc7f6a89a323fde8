//! Saved cases of earlier violations.

use std::path::Path;

use proving::{Case, Faults, generate, load_cases, replay};

#[test]
fn saved_cases_have_no_violations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cases");
    let cases = load_cases(&folder).unwrap();
    assert!(!cases.is_empty());
    let violations: Vec<String> = cases
        .iter()
        .flat_map(|(path, case)| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            replay(case)
                .violations
                .into_iter()
                .map(move |violation| format!("{name}: {violation}"))
        })
        .collect();
    assert!(violations.is_empty(), "\n{}", violations.join("\n"));
}

#[test]
fn a_case_survives_a_round_trip_through_json() {
    let generated = generate(5, &Faults::All, 30).unwrap();
    let text = serde_json::to_string(&generated.case).unwrap();
    let parsed: Case = serde_json::from_str(&text).unwrap();
    assert_eq!(parsed, generated.case);
}
