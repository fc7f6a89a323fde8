//! References on a page whose scripts build its content anew, in rows that are no list: the author's names of records tell
//! buttons apart that all rows have.

use uitree::{NodeId, RefTable, ResolvedRef, UiTree};

/// A row of each name with two buttons, which belong to the record of the same number.
fn rows(names: &[(&str, u64)], foot: &str) -> UiTree {
    let mut screen = String::from(
        "screen 100x1000\nwindow application active\n  webview [0,0][100,1000]\n    button \"New\" clickable [0,0][100,10]\n",
    );
    let mut keys = vec![0, 0];
    for (at, (name, record)) in names.iter().enumerate() {
        keys.extend([0, *record, *record]);
        let (top, bottom) = (20 + at * 20, 40 + at * 20);
        screen.push_str(&format!(
            "    text \"{name}\" [0,{top}][50,{bottom}]\n    button label=\"Star\" clickable [60,{top}][70,{bottom}]\n    button label=\"Archive\" clickable [80,{top}][90,{bottom}]\n"
        ));
    }
    screen.push_str(&format!("    text \"{foot}\" [0,900][100,920]\n"));
    UiTree::parse_notation(&screen)
        .unwrap()
        .with_author_keys(keys)
}

/// The buttons of the row of a name: `Star` and `Archive`.
fn buttons_of(tree: &UiTree, name: &str) -> Vec<NodeId> {
    let nodes = tree.ids().skip_while(|id| &*tree.node(*id).text != name);
    nodes.skip(1).take(2).collect()
}

#[test]
fn buttons_of_a_record_keep_their_references() {
    let names = [("Ann", 11), ("Ben", 12), ("Ann", 13), ("Dan", 14)];
    let before = rows(&names, "");
    let mut table = RefTable::default();
    let given = table.assign(&before);
    let after = rows(&names, "Saved");
    for name in ["Ann", "Ben", "Dan"] {
        let now = buttons_of(&after, name);
        for (old, new) in buttons_of(&before, name).into_iter().zip(now) {
            let reference = given.get(old).unwrap();
            let resolved = table.resolve(&reference, &after);
            assert_eq!(resolved, ResolvedRef::Found(new), "{name}");
        }
    }
}

#[test]
fn buttons_of_another_record_are_stale() {
    let before = rows(&[("Ann", 11), ("Ben", 12), ("Cleo", 13), ("Dan", 14)], "");
    let mut table = RefTable::default();
    let given = table.assign(&before);
    let star = given.get(buttons_of(&before, "Cleo")[0]).unwrap();
    for names in [
        [("Ann", 11), ("Ben", 12), ("Cleo", 15), ("Dan", 14)].as_slice(),
        &[("Ann", 11), ("Ben", 12), ("Dan", 14)],
    ] {
        let resolved = table.resolve(&star, &rows(names, ""));
        let is_stale = matches!(resolved, ResolvedRef::Stale { .. });
        assert!(is_stale, "{names:?}: {resolved:?}");
    }
}

#[test]
fn number_of_a_place_is_no_record() {
    let before = rows(&[("Ann", 1), ("Ben", 2), ("Cleo", 3), ("Dan", 4)], "");
    let mut table = RefTable::default();
    let given = table.assign(&before);
    let star = given.get(buttons_of(&before, "Ben")[0]).unwrap();
    let after = rows(&[("Ben", 1), ("Cleo", 2), ("Dan", 3)], "");
    let resolved = table.resolve(&star, &after);
    let is_stale = matches!(resolved, ResolvedRef::Stale { .. });
    assert!(is_stale, "{resolved:?}");
}
