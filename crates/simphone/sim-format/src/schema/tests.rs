//! Tests that table and readers agree, and that the generated reference is up to date.

use expect_test::expect_file;
use std::collections::BTreeSet;

use super::{Topic, mappings, table};
use crate::app::App;
use crate::app::parse::attempt;
use crate::problem::Problem;
use crate::reader::Reader;

fn read(reader: &mut Reader, yaml: &str) -> Result<App, Vec<Problem>> {
    attempt(reader, yaml)
}

/// Returns the app files of the repository and its documentation, each with its name.
fn app_files() -> Vec<(String, String)> {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/apps");
    let mut files: Vec<(String, String)> = std::fs::read_dir(examples)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "yaml"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path.display().to_string(), text)
        })
        .collect();
    files.extend(
        crate::catalog::built_in_files().map(|file| (file.name.to_owned(), file.text.to_owned())),
    );
    files.extend(readme_apps().map(|app| ("README.md".to_owned(), app)));
    files
}

#[test]
fn table_and_readers_agree() {
    let mut reader = Reader::default();
    for (name, app) in app_files() {
        let notes = std::mem::take(&mut reader.notes);
        reader = Reader {
            notes,
            ..Reader::default()
        };
        if let Err(problems) = read(&mut reader, &app) {
            panic!("{name}: {problems:#?}\n{app}");
        }
    }
    let notes = &reader.notes;
    let asked: BTreeSet<(Topic, &str)> = notes
        .keys
        .iter()
        .filter(|(topic, _)| *topic != Topic::Names)
        .copied()
        .collect();
    // An effect that is a single word has no keys, and the value of each effect is read with its name.
    let plain = |topic: &Topic| matches!(topic, Topic::Effect(name) if plain_effect(name));
    let rows: BTreeSet<(Topic, &str)> = mappings()
        .iter()
        .filter(|(topic, _)| !plain(topic))
        .flat_map(|(topic, keys)| keys.iter().map(|key| (*topic, key.name)))
        .collect();
    let unknown: Vec<_> = asked
        .difference(&rows)
        .filter(|(topic, _)| !plain(topic))
        .collect();
    assert!(
        unknown.is_empty(),
        "the reader asks for keys that have no row in schema/format.txt: {unknown:?}"
    );
    let unread: Vec<_> = rows.difference(&asked).collect();
    assert!(
        unread.is_empty(),
        "no app file makes the reader ask for these keys of schema/format.txt: {unread:?}"
    );
    for (topic, keys) in mappings() {
        for key in keys {
            if let (Some(words), Some(reader)) =
                (key.shape.words(), notes.words.get(&(topic, key.name)))
            {
                let table: BTreeSet<String> = words.map(str::to_owned).collect();
                assert_eq!(table, *reader, "the words of {topic:?} {}", key.name);
            }
        }
    }
}

fn plain_effect(name: &str) -> bool {
    let row = table().effects.iter().find(|row| row.name == name);
    row.is_some_and(|row| row.value.is_nothing())
}

#[test]
fn reference_is_up_to_date() {
    expect_file!["../../assets/apps/REFERENCE.md"].assert_eq(&super::app_reference());
}

#[test]
fn readme_mentions_every_key() {
    let readme = include_str!("../../assets/apps/README.md");
    let mut quoted = BTreeSet::new();
    for (index, piece) in readme.split('`').enumerate() {
        if index % 2 == 1 {
            let words = piece.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            quoted.extend(words.filter(|word| !word.is_empty()));
        }
    }
    let mut missing = Vec::new();
    for (topic, keys) in mappings() {
        missing.extend(
            keys.iter()
                .filter(|key| !quoted.contains(key.name))
                .map(|key| (topic, key.name)),
        );
    }
    assert!(
        missing.is_empty(),
        "assets/apps/README.md does not name {missing:?}"
    );
    for row in super::FUNCTIONS {
        assert!(
            quoted.contains(row.name),
            "assets/apps/README.md does not name `{}`",
            row.form
        );
    }
}

/// Completes a yaml block of the README to an app.
fn readme_app(block: &str) -> Option<String> {
    let indented = |by: &str| {
        block
            .lines()
            .map(|line| format!("{by}{line}\n"))
            .collect::<String>()
    };
    let around = "app: com.test.readme\nstart: main\n\
        state: { wifi: true, size: small, query: \"\", busy: false, error: \"\", password: \"\", choice: \"\", name: x, price: 1, email: \"\", tab: a, page: a, count: 1, stars: 1, level: 1, news: 1, loading: false, open: false }\n\
        lists: { cart: [name, price], goods: [name, quantity] }\n\
        data: { products: [ { name: Tea, price: 2 } ], mails: [ { subject: Hello } ] }\n\
        actions: { load: { clear: error } }\n\
        dialogs: { wifi_off: {} }\n";
    let screens =
        "screens:\n  home: {}\n  pick: {}\n  camera: {}\n  detail: { params: [name, price] }\n";
    let first = block.lines().next()?;
    if first.starts_with('#') {
        None
    } else if first.starts_with("app:") {
        Some(block.to_owned())
    } else if first.starts_with("- ") {
        Some(format!(
            "{around}{screens}  main:\n    body:\n{}",
            indented("      ")
        ))
    } else {
        // In some examples the entries of a cart have a quantity.
        let around = if block.contains("quantity") {
            around.replace("cart: [name, price]", "cart: [name, quantity]")
        } else {
            around.to_owned()
        };
        Some(format!(
            "{around}{screens}  main:\n    body:\n      - text: x\n{}",
            indented("        ")
        ))
    }
}

/// Returns the examples of the README, each completed to an app.
fn readme_apps() -> impl Iterator<Item = String> {
    let readme = include_str!("../../assets/apps/README.md");
    readme
        .split("```yaml\n")
        .skip(1)
        .filter_map(|block| readme_app(block.split("```").next()?))
}
