//! References on a page whose scripts rerender its content, in rows without a list: the author's record ids distinguish the
//! same buttons of all rows.

use uitree::{NodeId, RefTable, ResolvedRef, UiTree};

/// A row of each name with two buttons, which have the id of the record.
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
fn refs_survive_rerender() {
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
fn row_number_is_no_record_id() {
    let before = rows(&[("Ann", 1), ("Ben", 2), ("Cleo", 3), ("Dan", 4)], "");
    let mut table = RefTable::default();
    let given = table.assign(&before);
    let star = given.get(buttons_of(&before, "Ben")[0]).unwrap();
    let after = rows(&[("Ben", 1), ("Cleo", 2), ("Dan", 3)], "");
    let resolved = table.resolve(&star, &after);
    let is_stale = matches!(resolved, ResolvedRef::Stale { .. });
    assert!(is_stale, "{resolved:?}");
}

/// Rows without record ids, each with two texts and a button, below a heading.
fn keys(names: &[&str], top: usize) -> UiTree {
    let mut screen = String::from(
        "screen 100x1000\nwindow application active\n  webview [0,0][100,1000]\n    heading \"Keys\" [0,0][100,10]\n",
    );
    for (at, name) in names.iter().enumerate() {
        let (top, bottom) = (top + at * 20, top + 20 + at * 20);
        screen.push_str(&format!(
            "    text \"{name}\" [0,{top}][50,{bottom}]\n    text \"Created in May\" [0,{top}][50,{bottom}]\n    button \"Revoke\" clickable [60,{top}][90,{bottom}]\n"
        ));
    }
    UiTree::parse_notation(&screen).unwrap()
}

/// The name before the button that has the reference of the button of `name` on a later screen; `None` if it is stale.
fn name_of_button(before: &[&str], name: &str, after: &UiTree) -> Option<String> {
    let screen = keys(before, 20);
    let mut table = RefTable::default();
    let given = table.assign(&screen);
    let place = before.iter().position(|other| *other == name).unwrap();
    let button = |tree: &UiTree| -> Vec<NodeId> {
        tree.ids()
            .filter(|id| &*tree.node(*id).text == "Revoke")
            .collect()
    };
    let reference = given.get(button(&screen)[place]).unwrap();
    match table.resolve(&reference, after) {
        ResolvedRef::Found(found) => {
            let before: Vec<NodeId> = after.ids().take_while(|id| *id != found).collect();
            let name = before[before.len() - 2];
            Some(after.node(name).text.to_string())
        }
        ResolvedRef::Stale { .. } => None,
        ResolvedRef::Unknown => panic!("{reference} is unknown"),
    }
}

#[test]
fn refs_survive_removal_of_other_row() {
    let before = ["Deploy", "Chat", "Export", "Mobile", "Board"];
    for gone in before {
        let rest: Vec<&str> = before.into_iter().filter(|name| *name != gone).collect();
        let after = keys(&rest, 40);
        for name in before {
            let found = name_of_button(&before, name, &after);
            assert_eq!(found.as_deref(), (name != gone).then_some(name), "{gone}");
        }
    }
}

#[test]
fn button_of_row_with_ambiguous_name_is_stale() {
    let before = ["Deploy", "Chat", "Chat", "Export"];
    assert_eq!(
        name_of_button(&before, "Chat", &keys(&["Deploy", "Chat", "Export"], 20)),
        None
    );
    let before = ["Deploy", "Chat", "Export"];
    let twice = keys(&["Chat", "Export", "Chat"], 20);
    assert_eq!(name_of_button(&before, "Chat", &twice), None);
}

/// Rows that only a number distinguishes.
fn orders(numbers: &[u32]) -> UiTree {
    let mut screen =
        String::from("screen 100x1000\ncolumn [0,0][100,1000]\n  text \"Orders\" [0,0][100,10]\n");
    for (at, number) in numbers.iter().enumerate() {
        let (top, bottom) = (20 + at * 20, 40 + at * 20);
        screen.push_str(&format!(
            "  text \"{number}\" [0,{top}][50,{bottom}]\n  button \"Edit\" clickable [60,{top}][70,{bottom}]\n  button \"Delete\" clickable [80,{top}][90,{bottom}]\n"
        ));
    }
    UiTree::parse_notation(&screen).unwrap()
}

#[test]
fn buttons_of_other_number_are_stale() {
    let before = orders(&[4711, 4712, 4713, 4714]);
    for number in [4711, 4712, 4714] {
        let mut table = RefTable::default();
        let given = table.assign(&before);
        for (at, button) in buttons_of(&before, &number.to_string())
            .into_iter()
            .enumerate()
        {
            let reference = given.get(button).unwrap();
            // The row was replaced by another, or all rows have new numbers.
            for now in [
                [4711, 4712, 4713, 4714, 4715],
                [4721, 4722, 4723, 4724, 4725],
            ] {
                let left: Vec<u32> = now.into_iter().filter(|now| *now != number).collect();
                let after = orders(&left[..4]);
                let resolved = table.resolve(&reference, &after);
                let is_stale = matches!(resolved, ResolvedRef::Stale { .. });
                assert!(is_stale, "{number} {at} {left:?}: {resolved:?}");
            }
            let same = table.resolve(&reference, &before);
            assert_eq!(same, ResolvedRef::Found(button));
        }
    }
}

/// A row of each name with a button; the nodes of a row are numbered from the given number.
fn numbered_rows(names: &[(&str, u64)]) -> UiTree {
    let mut screen = String::from(
        "screen 100x1000\nwindow application active\n  webview [0,0][100,1000]\n    list [0,20][100,900]\n",
    );
    let mut numbers = vec![1, 2];
    for (at, (name, number)) in names.iter().enumerate() {
        numbers.extend([*number, number + 1, number + 2]);
        let (top, bottom) = (20 + at * 20, 40 + at * 20);
        screen.push_str(&format!(
            "      listitem [0,{top}][100,{bottom}]\n        text \"{name}\" [0,{top}][50,{bottom}]\n        button \"Delete\" clickable [60,{top}][70,{bottom}]\n"
        ));
    }
    UiTree::parse_notation(&screen)
        .unwrap()
        .with_origins(numbers)
}

#[test]
fn equal_row_in_recycled_node_is_stale() {
    let before = numbered_rows(&[("Ann", 10), ("Bob", 20), ("Cid", 30)]);
    let delete = |tree: &UiTree, row: usize| tree.ids().nth(4 + 3 * row).unwrap();
    // A second Bob is in the node that Cid had, or in a new node.
    let moved = numbered_rows(&[("Ann", 10), ("Bob", 20), ("Bob", 30), ("Cid", 40)]);
    let inserted = numbered_rows(&[("Ann", 10), ("Bob", 20), ("Bob", 40), ("Cid", 30)]);
    for (after, expected) in [(&moved, None), (&inserted, Some(1))] {
        let mut table = RefTable::default();
        let reference = table.assign(&before).get(delete(&before, 1)).unwrap();
        let found = match table.resolve(&reference, after) {
            ResolvedRef::Found(id) => Some(id),
            ResolvedRef::Stale { nearest, .. } => {
                assert_eq!(nearest, None, "both are possible");
                None
            }
            ResolvedRef::Unknown => None,
        };
        let expected = expected.map(|row| delete(after, row));
        assert_eq!(found, expected, "{after:?}");
        let given = table.assign(after);
        let equals = [1, 2].map(|row| delete(after, row));
        let known = equals
            .into_iter()
            .find(|id| given.get(*id).as_ref() == Some(&reference));
        assert_eq!(known, expected, "{after:?}");
    }
}

/// A heading and a list of rows; the nodes are numbered from `first`.
fn day(heading: &str, rows: &[&str], first: u64) -> UiTree {
    let mut screen = format!(
        "screen 100x1000\nwindow application active\n  webview [0,0][100,1000]\n    heading \"{heading}\" [0,0][100,10]\n    list [0,10][100,900]\n"
    );
    for (at, row) in rows.iter().enumerate() {
        let (top, bottom) = (20 + at * 20, 40 + at * 20);
        screen.push_str(&format!(
            "      row [0,{top}][100,{bottom}]\n        text \"{row}\" [0,{top}][50,{bottom}]\n        button \"Book\" clickable [60,{top}][90,{bottom}]\n"
        ));
    }
    let tree = UiTree::parse_notation(&screen).unwrap();
    let numbers: Vec<u64> = (0..tree.nodes().len() as u64)
        .map(|at| first + at)
        .collect();
    tree.with_origins(numbers)
}

#[test]
fn row_below_other_heading_is_stale() {
    let hours = ["9:00", "10:00", "11:00"];
    let before = day("Monday 3 March", &hours, 10);
    let button = |tree: &UiTree| {
        tree.ids()
            .filter(|id| &*tree.node(*id).text == "Book")
            .nth(1)
    };
    let mut table = RefTable::default();
    let book = table.assign(&before).get(button(&before).unwrap()).unwrap();
    let other_day = day("Tuesday 4 March", &hours, 50);
    let resolved = table.resolve(&book, &other_day);
    // The button of the other day is not returned as the nearest element.
    assert!(
        matches!(resolved, ResolvedRef::Stale { nearest: None, .. }),
        "{resolved:?}"
    );
    // A page may show another day in the same nodes.
    let same_nodes = day("Tuesday 4 March", &hours, 10);
    let resolved = table.resolve(&book, &same_nodes);
    assert!(
        matches!(resolved, ResolvedRef::Stale { nearest: None, .. }),
        "{resolved:?}"
    );
    // A count in the heading is not compared.
    for first in [10, 50] {
        let later = day("Monday 3 March (2)", &hours, first);
        let found = ResolvedRef::Found(button(&later).unwrap());
        assert_eq!(table.resolve(&book, &later), found);
    }
}

#[test]
fn refs_survive_new_counters() {
    let folders = |counts: [&str; 2]| {
        let [inbox, drafts] = counts;
        let screen = format!(
            "screen 100x1000\nwindow application active\n  webview [0,0][100,1000]\n    button \"Inbox {inbox}\" clickable [0,0][100,20]\n    button \"Starred\" clickable [0,20][100,40]\n    button \"Drafts {drafts}\" clickable [0,40][100,60]\n"
        );
        let tree = UiTree::parse_notation(&screen).unwrap();
        let ids: Vec<NodeId> = tree.ids().collect();
        let additions = [(ids[1], inbox.into()), (ids[3], drafts.into())];
        tree.with_additions(additions.into())
    };
    let before = folders(["10", "4"]);
    let mut table = RefTable::default();
    let given = table.assign(&before);
    let after = folders(["9", "5"]);
    for (old, new) in before.ids().zip(after.ids()).skip(1) {
        let reference = given.get(old).unwrap();
        let found = table.resolve(&reference, &after);
        assert!(
            matches!(found, ResolvedRef::Found(id) if id == new),
            "{reference}: {found:?}"
        );
    }
}

#[test]
fn last_of_long_rows_survives_the_row_before_it_opening() {
    let page = |rows: &[&str]| {
        let mut screen = String::from(
            "screen 100x1000\nwindow application active\n  webview [0,0][100,1000]\n    heading \"Sessions\" [0,0][100,10]\n",
        );
        for (at, row) in rows.iter().enumerate() {
            let (top, bottom) = (20 + at * 20, 40 + at * 20);
            screen.push_str(&format!("    {row} [0,{top}][100,{bottom}]\n"));
        }
        UiTree::parse_notation(&screen).unwrap()
    };
    let row = |name: &str| format!("text \"{name} on a computer in Springfield\" clickable");
    let rows = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"].map(row);
    let mut shown: Vec<&str> = rows.iter().map(|row| &**row).collect();
    let before = page(&shown);
    let mut table = RefTable::default();
    let last = |tree: &UiTree| tree.ids().next_back().unwrap();
    let reference = table.assign(&before).get(last(&before)).unwrap();
    shown.splice(
        5..7,
        [
            "text \"Finn\"",
            "text \"Gus\"",
            "button \"Revoke\" clickable",
        ],
    );
    let opened = page(&shown);
    let found = table.resolve(&reference, &opened);
    assert_eq!(found, ResolvedRef::Found(last(&opened)));
    // Of two such rows, either may be it.
    shown.insert(0, shown[shown.len() - 1]);
    let found = table.resolve(&reference, &page(&shown));
    assert!(matches!(found, ResolvedRef::Stale { .. }), "{found:?}");
    // Most rows are others.
    let others = [&shown[6..7], &shown[8..]].concat();
    let found = table.resolve(&reference, &page(&others));
    assert!(matches!(found, ResolvedRef::Stale { .. }), "{found:?}");
}
