//! The cases that once broke a rule, played for ever after.

use std::path::Path;

use proving::{Case, Faults, kept, make, replay};

#[test]
fn what_was_once_broken_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cases");
    let cases = kept(&folder).unwrap();
    assert!(!cases.is_empty());
    let broken: Vec<String> = cases
        .iter()
        .flat_map(|(path, case)| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            replay(case)
                .violations
                .into_iter()
                .map(move |violation| format!("{name}: {violation}"))
        })
        .collect();
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn a_case_is_read_back_as_it_was_written() {
    let made = make(5, None, &Faults::All, 30).unwrap();
    let read = Case::from_json(&made.case.to_json()).unwrap();
    assert_eq!(read, made.case);
}
