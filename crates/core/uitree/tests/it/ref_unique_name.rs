//! The reference of an element with a unique name survives changes of texts near it, unless they are its context.

use uitree::{NodeId, RefTable, ResolvedRef, UiTree};

/// Whether the references of the controls named `names` survive the change to the screen `after`.
fn survives(before: &UiTree, after: &UiTree, names: &[&str]) -> Vec<bool> {
    let mut table = RefTable::default();
    let given = table.assign(before);
    let control = |tree: &UiTree, name: &str| -> NodeId {
        let is_named = |id: &NodeId| {
            let node = tree.node(*id);
            [&*node.text, &*node.label, &*node.id].contains(&name) && can_have_ref(node)
        };
        tree.ids().find(is_named).unwrap()
    };
    let is_found = |name: &&str| {
        let reference = given.get(control(before, name)).unwrap();
        match table.resolve(&reference, after) {
            ResolvedRef::Found(found) => {
                assert_eq!(found, control(after, name), "{name}");
                true
            }
            ResolvedRef::Stale { .. } => false,
            ResolvedRef::Unknown => panic!("{reference} is unknown"),
        }
    };
    let resolved: Vec<bool> = names.iter().map(is_found).collect();
    let again = RefTable::default().assign(after);
    assert!(again.get(control(after, names[0])).is_some());
    resolved
}

fn can_have_ref(node: &uitree::Node) -> bool {
    node.is(uitree::State::CLICKABLE) || node.is(uitree::State::EDITABLE)
}

/// A screen of these lines, each 10 pixels below the previous one unless it has bounds.
fn screen(lines: &[impl AsRef<str>]) -> UiTree {
    let mut text = String::from(
        "screen 100x400\nwindow application active\n  webview @path=\"/a\" [0,0][100,400]\n",
    );
    for (at, line) in lines.iter().map(AsRef::as_ref).enumerate() {
        let (top, bottom) = (at * 10, at * 10 + 10);
        match line.contains('[') {
            true => text.push_str(&format!("    {line}\n")),
            false => text.push_str(&format!("    {line} [0,{top}][100,{bottom}]\n")),
        }
    }
    UiTree::parse_notation(&text).unwrap()
}

/// The same screen as a page whose nodes are numbered from `first`, except the root.
fn page(lines: &[impl AsRef<str>], first: u64) -> UiTree {
    let tree = screen(lines);
    let numbers = (0..tree.len() as u64).map(|at| if at == 0 { 1 } else { first + at });
    tree.with_origins(numbers.collect())
}

const STATUS: [&str; 6] = [
    "button \"Archive\" clickable",
    "text \"First\"",
    "button \"Bill\" clickable",
    "text \"Second\"",
    "button \"Delete account\" clickable",
    "text \"none\"",
];

#[test]
fn ref_survives_change_of_status_text() {
    let mut lines = STATUS;
    let names = ["Archive", "Bill", "Delete account"];
    lines[5] = "text \"A pressed\"";
    let [before, same, rerendered] = [page(&STATUS, 10), page(&lines, 10), page(&lines, 90)];
    assert_eq!(survives(&before, &same, &names), [true; 3]);
    // Another node may be the button of another record, unless it has the same id.
    assert!(!survives(&before, &rerendered, &names)[2]);
    let with_id = |lines: &[&str; 6]| {
        let mut lines = *lines;
        lines[4] = "button \"Delete account\" #delete clickable";
        lines.map(str::to_owned)
    };
    let [before, after] = [STATUS, lines].map(|lines| with_id(&lines));
    assert!(survives(&screen(&before), &screen(&after), &names)[2]);
    assert!(survives(&page(&before, 10), &page(&after, 90), &names)[2]);
}

#[test]
fn ref_is_stale_if_text_before_it_changes() {
    let mut lines = STATUS;
    lines[3] = "text \"Third\"";
    lines[5] = "text \"A pressed\"";
    let survived = survives(
        &page(&STATUS, 10),
        &page(&lines, 10),
        &["Bill", "Delete account"],
    );
    assert_eq!(survived, [true, false]);
}

#[test]
fn ref_survives_rename_of_neighbor() {
    let dialog = |save: &str, status: &str| {
        page(
            &[
                "heading \"New task\"",
                "text \"Title\"",
                "textfield #title editable",
                "button \"Cancel\" clickable [0,30][40,40]",
                &format!("button \"{save}\" clickable [50,30][90,40]"),
                &format!("text \"{status}\""),
            ],
            10,
        )
    };
    let before = dialog("Save", "3 tasks");
    let after = dialog("Saving…", "4 tasks");
    assert_eq!(
        survives(
            &before,
            &after,
            &["Cancel", "#title"].map(|name| name.trim_start_matches('#'))
        ),
        [true; 2]
    );
}

/// Pages of a record with the same buttons. The name is the heading, a text above the buttons or, for buttons without ids, on the
/// line of one of them or below them.
fn records(name: &str, status: &str) -> [Vec<String>; 4] {
    let text = |text: &str| format!("text \"{text}\"");
    let with = |ids: [&str; 3], first: &[String], last: &[String]| -> Vec<String> {
        let names = ["Edit", "Share", "Delete"].into_iter().zip(ids);
        let buttons = names.map(|(name, id)| format!("button \"{name}\" {id} clickable"));
        let buttons: Vec<String> = buttons.collect();
        [first, &buttons, last, &[text(status)]].concat()
    };
    let ids = ["#edit", "#share", "#delete"];
    let mut level = with([""; 3], &[text("Tasks")], &[]);
    level[3] = String::from("button \"Delete\" clickable [0,30][20,40]");
    level.insert(4, format!("text \"{name}\" [30,30][90,40]"));
    let message = [
        name.to_owned(),
        format!("From {name}"),
        format!("To {name}"),
    ];
    [
        with(
            ids,
            &[format!("heading \"{name}\""), text("Details")],
            &[text("Version")],
        ),
        with(ids, &[text(name)], &[text("Version")]),
        level,
        with([""; 3], &[text("Inbox")], &message.map(|line| text(&line))),
    ]
}

#[test]
fn buttons_of_another_record_are_stale() {
    for (then, now) in [("Ann", "Ben"), ("Order 17", "Order 18")] {
        for status in ["none", "It was deleted"] {
            for (before, after) in records(then, "none").iter().zip(&records(now, status)) {
                for (before, after) in [
                    (screen(before), screen(after)),
                    (page(before, 10), page(after, 10)),
                    (page(before, 10), page(after, 90)),
                ] {
                    assert_eq!(survives(&before, &after, &["Delete"]), [false], "{after:?}");
                }
            }
        }
    }
}

#[test]
fn button_of_other_row_after_scroll_is_stale() {
    // The text of its row is above the visible part.
    let rows = |name: &str| {
        let text = format!(
            "screen 100x400\nwindow application active\n  text \"Orders\" [0,0][100,10]\n  column scrollable [0,10][100,60]\n    button \"Delete\" clickable [0,10][100,20]\n    text \"{name}\" [0,20][100,30]\n"
        );
        UiTree::parse_notation(&text).unwrap()
    };
    assert_eq!(survives(&rows("Ben"), &rows("Cleo"), &["Delete"]), [false]);
}

/// Inner pages with the same controls; `first` is the text of the first button.
fn with_inner_pages(paths: [&str; 3], first: &str) -> UiTree {
    let mut text = String::from(
        "screen 100x400\nwindow application active\n  webview @path=\"/\" [0,0][100,400]\n",
    );
    for (at, path) in paths.iter().enumerate() {
        let (top, bottom) = (at * 100, at * 100 + 100);
        let name = if at == 0 { first } else { "Press" };
        text.push_str(&format!("    webview @path=\"{path}\" [0,{top}][100,{bottom}]\n      button \"{name}\" clickable [0,{top}][50,{bottom}]\n      textfield editable [50,{top}][100,{bottom}]\n"));
    }
    UiTree::parse_notation(&text).unwrap()
}

#[test]
fn inner_pages_have_separate_refs() {
    let numbers = |tree: &UiTree, table: &mut RefTable| -> Vec<String> {
        let given = table.assign(tree);
        tree.ids().filter_map(|id| given.get(id)).collect()
    };
    let mut table = RefTable::default();
    let before = numbers(&with_inner_pages(["/a", "/b", "/c"], "Press"), &mut table);
    let after = numbers(&with_inner_pages(["/a", "/b", "/c"], "Pressed"), &mut table);
    assert_eq!(before[2..], after[2..], "{before:?} {after:?}");
    // Equal inner pages are ambiguous.
    let mut table = RefTable::default();
    let two = numbers(&with_inner_pages(["/a", "/b", "/b"], "Press"), &mut table);
    let one = numbers(&with_inner_pages(["/a", "/b", "/c"], "Press"), &mut table);
    assert!(
        two[2..].iter().all(|number| !one.contains(number)),
        "{two:?} {one:?}"
    );
}

/// Cards, each with a heading, a text and the same two buttons.
fn cards(names: &[&str]) -> UiTree {
    let lines = names.iter().flat_map(|name| {
        [
            &*format!("heading \"{name}\""),
            "text \"Note\"",
            "button \"Open\" clickable",
            "button \"Trash\" clickable",
        ]
        .map(str::to_owned)
    });
    screen(&lines.collect::<Vec<_>>())
}

#[test]
fn nearest_element_has_same_label() {
    let trash = |tree: &UiTree, name: &str| -> NodeId {
        let after = tree.ids().skip_while(|id| &*tree.node(*id).text != name);
        after
            .skip(1)
            .find(|id| &*tree.node(*id).text == "Trash")
            .unwrap()
    };
    let before = cards(&["Alpha", "Beta", "Gamma"]);
    let lost = |after: &UiTree| -> (String, Option<NodeId>) {
        let mut table = RefTable::default();
        let reference = table.assign(&before).get(trash(&before, "Beta")).unwrap();
        match table.resolve(&reference, after) {
            ResolvedRef::Stale { was, nearest, .. } => (was, nearest),
            other => panic!("{other:?}"),
        }
    };
    let was = "button \"Trash\" near \"Beta\"";
    let twice = cards(&["New", "Alpha", "Beta", "Beta"]);
    assert_eq!(lost(&twice), (was.to_owned(), None));
    let others = cards(&["Beta 2", "Gamma", "Delta"]);
    assert_eq!(lost(&others), (was.to_owned(), None));
    let moved = cards(&["Gamma", "Delta", "Beta"]);
    assert_eq!(lost(&moved), (was.to_owned(), Some(trash(&moved, "Beta"))));
}
