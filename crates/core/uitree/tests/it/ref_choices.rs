//! References while options are selected in custom dropdowns.

use uitree::{NodeId, RefTable, ResolvedRef, UiTree};

/// A page of these lines, each 10 pixels high. Nodes are numbered from `first` by their position in [`OPEN`].
fn page(lines: &[&str], first: u64) -> UiTree {
    let mut text = String::from(
        "screen 100x400\nwindow application active\n  webview @path=\"/a\" [0,0][100,400]\n",
    );
    for (at, line) in lines.iter().enumerate() {
        let (top, bottom) = (at * 10, at * 10 + 10);
        text.push_str(&format!("    {line} [0,{top}][100,{bottom}]\n"));
    }
    let tree = UiTree::parse_notation(&text).unwrap();
    let number = |(at, line): (usize, &&str)| {
        let is_match =
            |open: &&str| open == line || (open.contains(".list") && line.contains(".list"));
        first + OPEN.iter().position(is_match).unwrap_or(OPEN.len() + at) as u64
    };
    let numbers = lines.iter().enumerate().map(number);
    tree.with_origins(std::iter::once(1).chain(numbers).collect())
}

fn named(tree: &UiTree, name: &str) -> NodeId {
    tree.ids()
        .find(|id| &*tree.node(*id).text == name)
        .unwrap_or_else(|| panic!("no {name:?} in\n{tree:?}"))
}

/// Whether the references of the buttons survive presses on `list` and `option`, with a screen for each step.
fn survives(screens: [&UiTree; 3], list: &str, option: &str, buttons: &[&str]) -> Vec<bool> {
    let [closed, open, chosen] = screens;
    let is_found = |button: &&str, is_shown: bool| {
        let mut table = RefTable::default();
        let reference = table.assign(closed).get(named(closed, button)).unwrap();
        table.note_press(closed, named(closed, list));
        if is_shown {
            table.assign(open);
        }
        table.note_press(open, named(open, option));
        let found = table.resolve(&reference, chosen) == ResolvedRef::Found(named(chosen, button));
        let again = table.assign(chosen).get(named(chosen, button)).unwrap();
        assert_eq!(found, again == reference, "{button}");
        found
    };
    let of_button = |button: &&str| {
        let [hidden, shown] = [false, true].map(|is_shown| is_found(button, is_shown));
        assert_eq!(hidden, shown, "{button}");
        hidden
    };
    buttons.iter().map(of_button).collect()
}

const CLOSED: [&str; 5] = [
    "heading \"Add Currency\"",
    "text \"Currency\"",
    "text \"Swiss Franc\" .list clickable",
    "button \"Cancel\" clickable",
    "button \"Save\" clickable",
];

const OPEN: [&str; 7] = [
    CLOSED[0],
    CLOSED[1],
    CLOSED[2],
    "text \"Swedish Krona\" .option clickable",
    "text \"Yen\" .option clickable",
    CLOSED[3],
    CLOSED[4],
];

#[test]
fn refs_survive_selection_in_dropdown_with_arrow() {
    let list = |value: &str| format!("text \"{value} ▾\" .list clickable");
    let [then, now] = ["Swiss Franc", "Swedish Krona"].map(list);
    let (mut closed, mut open, mut chosen) = (CLOSED, OPEN, CLOSED);
    closed[2] = &then;
    open[2] = &then;
    chosen[2] = &now;
    let screens = [&page(&closed, 10), &page(&open, 10), &page(&chosen, 90)];
    let survived = survives(
        screens,
        "Swiss Franc ▾",
        "Swedish Krona",
        &["Cancel", "Save"],
    );
    assert_eq!(survived, [true; 2]);
}

#[test]
fn refs_survive_option_selection() {
    let mut chosen = CLOSED;
    chosen[2] = "text \"Swedish Krona\" .list clickable";
    for first in [10, 90] {
        let screens = [&page(&CLOSED, 10), &page(&OPEN, 10), &page(&chosen, first)];
        let survived = survives(screens, "Swiss Franc", "Swedish Krona", &["Cancel", "Save"]);
        assert_eq!(survived, [true; 2], "nodes from {first}");
    }
}

#[test]
fn other_text_than_option_is_no_selection() {
    let mut other = CLOSED;
    other[2] = "text \"Yen\" .list clickable";
    let screens = [&page(&CLOSED, 10), &page(&OPEN, 10), &page(&other, 90)];
    let survived = survives(screens, "Swiss Franc", "Swedish Krona", &["Cancel", "Save"]);
    assert_eq!(survived, [false; 2]);
}

#[test]
fn text_already_on_screen_is_no_option() {
    let before = [
        "text \"Ann\" .row clickable",
        "text \"Bob\" .row clickable",
        "text \"Ann\" .name clickable",
        "button \"Delete\" clickable",
    ];
    let mut after = before;
    after[2] = "text \"Bob\" .name clickable";
    for first in [10, 90] {
        let mut table = RefTable::default();
        let [then, now] = [page(&before, 10), page(&after, first)];
        let reference = table.assign(&then).get(named(&then, "Delete")).unwrap();
        table.note_press(&then, then.ids().nth(3).unwrap());
        table.note_press(&then, named(&then, "Bob"));
        let found = table.resolve(&reference, &now);
        assert!(matches!(found, ResolvedRef::Stale { .. }), "{found:?}");
        let again = table.assign(&now).get(named(&now, "Delete")).unwrap();
        assert_ne!(again, reference);
    }
}
