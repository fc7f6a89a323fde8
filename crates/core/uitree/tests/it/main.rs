//! Tests of this crate on real, hand-written and random screens.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod arbitrary;
mod changes;
mod documents;
mod fuzz;
mod movement;
mod near;
mod notation;
mod queries;
mod ref_cards;
mod ref_changes;
mod ref_choices;
mod ref_context;
mod ref_opened;
mod ref_reloads;
mod ref_rerender;
mod ref_routes;
mod ref_same_nodes;
mod ref_titles;
mod ref_unique_name;
mod refs;
mod roles;
mod screens;
mod visibility;

use std::path::PathBuf;
use uitree::UiTree;

/// A file among the test data.
fn testdata(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(path)
}

/// The bytes of a file among the test data.
fn bytes_of(path: &str) -> Vec<u8> {
    std::fs::read(testdata(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The real screen whose file name begins with `number`.
fn real_screen(number: &str) -> UiTree {
    let (name, bytes) = real_screens()
        .into_iter()
        .find(|(name, _)| name.starts_with(number))
        .unwrap_or_else(|| panic!("no screen {number}"));
    UiTree::parse_hierarchy_xml(&bytes, None).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every well-formed real screen, by file name.
fn real_screens() -> Vec<(String, Vec<u8>)> {
    let index = String::from_utf8(bytes_of("screens/index.tsv")).unwrap();
    let names = index
        .lines()
        .skip(1)
        .filter_map(|line| line.split('\t').next());
    let screens: Vec<_> = names
        .map(|name| (name.to_owned(), bytes_of(&format!("screens/{name}"))))
        .collect();
    assert_eq!(screens.len(), 48, "the index lists every screen");
    screens
}

/// A screen from the notation.
fn screen(notation: &str) -> UiTree {
    UiTree::parse_notation(notation).unwrap_or_else(|error| panic!("{error}"))
}
