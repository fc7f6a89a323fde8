//! The promise of CONTRIBUTING.md that a new command or flag needs no change elsewhere.

use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[test]
fn flags_and_commands_are_not_compared_by_address() {
    let files = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(files.len() > 50, "{}", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for forbidden in ["ptr::eq", "ptr_eq", "enum Job"] {
            assert!(!text.contains(forbidden), "{}: {forbidden}", file.display());
        }
    }
}
