//! Descriptions on phone screens.

use inspect::{Request, Subject, find, subject::State};
use uitree::UiTree;

#[test]
fn unique_names_on_real_screens_find_their_control() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../core/uitree/testdata/screens"
    );
    let index = std::fs::read_to_string(format!("{folder}/index.tsv")).unwrap();
    let (mut queries, mut found_first, mut missed) = (0, 0, Vec::new());
    let rows = index.lines().skip(1);
    for name in rows.filter_map(|line| line.split('\t').next()) {
        let bytes = std::fs::read(format!("{folder}/{name}")).unwrap();
        let screen = UiTree::parse_hierarchy_xml(&bytes, None).unwrap();
        let subject = Subject::from_tree(&screen);
        let controls: Vec<_> = subject
            .candidates()
            .iter()
            .filter(|candidate| {
                let letters = candidate.name().chars().filter(|c| c.is_alphabetic());
                candidate.state.contains(State::INTERACTIVE)
                    && candidate.visibility.is_visible()
                    && (letters.count() > 2 && candidate.name().len() < 80)
            })
            .collect();
        for control in controls {
            // A part of a longer name is less specific.
            let said_elsewhere = subject.candidates().iter().any(|other| {
                other.place != control.place
                    && other
                        .names
                        .iter()
                        .any(|name| name.text.to_lowercase() == control.name().to_lowercase())
            });
            if said_elsewhere {
                continue;
            }
            queries += 1;
            let request = Request::described(control.name());
            let found = find::find(&subject, &request).unwrap();
            if found.ranked.first().map(|hit| hit.place) == Some(control.place) {
                found_first += 1;
            } else {
                missed.push(format!("{name}: {}", control.name()));
            }
        }
    }
    assert!(queries > 200, "{queries}");
    assert!(
        found_first * 100 >= queries * 98,
        "{found_first} of {queries}: {missed:#?}"
    );
}
