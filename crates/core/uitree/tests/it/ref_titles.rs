//! References hold while the title of a phone's screen collapses into its toolbar or counts the selected rows, and are stale on a
//! screen with another title.

use uitree::{NodeId, RefTable, ResolvedRef, UiTree};

/// A screen with a toolbar and these rows.
fn screen(toolbar: &str, content: &str, rows: &[(&str, bool)]) -> UiTree {
    let mut text = String::from(
        "screen 100x1000\nwindow application active owner=com.app\n  container [0,0][100,1000]\n",
    );
    for line in [toolbar, content]
        .into_iter()
        .filter(|line| !line.is_empty())
    {
        text.push_str(&format!("    {line}\n"));
    }
    text.push_str("    button label=\"Search\" clickable [80,0][100,20]\n");
    text.push_str("    list #rows scrollable [0,100][100,900]\n");
    for (at, (row, is_selected)) in rows.iter().enumerate() {
        let (top, bottom) = (100 + at * 20, 120 + at * 20);
        let selected = if *is_selected { " selected" } else { "" };
        text.push_str(&format!(
            "      listitem clickable{selected} [0,{top}][100,{bottom}]\n"
        ));
        text.push_str(&format!("        text \"{row}\" [0,{top}][100,{bottom}]\n"));
    }
    UiTree::parse_notation(&text).unwrap()
}

fn row(tree: &UiTree, name: &str) -> NodeId {
    let text = tree.ids().find(|id| &*tree.node(*id).text == name);
    tree.node(text.unwrap()).parent.unwrap()
}

fn rows<const N: usize>(names: [&'static str; N]) -> [(&'static str, bool); N] {
    names.map(|name| (name, false))
}

/// Whether a reference of the row "Connections" on the first screen names that row on the last one, which follows the others.
fn holds(screens: &[&UiTree]) -> bool {
    let mut table = RefTable::default();
    let (first, after) = screens.split_first().unwrap();
    let reference = table.assign(first).get(row(first, "Connections")).unwrap();
    let (last, between) = after.split_last().unwrap();
    for screen in between {
        table.assign(screen);
    }
    let found = match table.resolve(&reference, last) {
        ResolvedRef::Found(id) => Some(id),
        _ => None,
    };
    let again = table.assign(last).get(row(last, "Connections")).unwrap();
    assert_eq!(found.is_some(), again == reference);
    assert!(found.is_none_or(|id| id == row(last, "Connections")));
    found.is_some()
}

const TOP: &str = "text \"Settings\" [0,40][100,60]";
const SCROLLED: &str = "toolbar [0,0][80,20]\n      title \"Settings\" [0,0][80,20]";

#[test]
fn title_that_collapses_ends_no_reference() {
    let top = screen("", TOP, &rows(["Ada", "Connections", "Sounds"]));
    let scrolled = screen(SCROLLED, "", &rows(["Connections", "Sounds", "Display"]));
    assert!(holds(&[&top, &scrolled]));
    assert!(holds(&[&scrolled, &top]));
    assert!(holds(&[&top, &scrolled, &top]));
}

#[test]
fn other_title_ends_references() {
    let top = screen("", TOP, &rows(["Ada", "Connections", "Sounds"]));
    let other = SCROLLED.replace("Settings", "Backup");
    let other = screen(&other, "", &rows(["Ada", "Connections", "Sounds"]));
    assert!(!holds(&[&top, &other]));
    let settings = screen(SCROLLED, "", &rows(["Ada", "Connections", "Sounds"]));
    assert!(!holds(&[&settings, &other]));
}

#[test]
fn number_of_selected_rows_is_no_other_screen() {
    let inbox = SCROLLED.replace("Settings", "Inbox");
    let counts = |number: &str| SCROLLED.replace("Settings", number);
    let names = ["Ada", "Connections", "Sounds"];
    let before = screen(&inbox, "", &rows(names));
    let one = [("Ada", true), ("Connections", false), ("Sounds", false)];
    let one = screen(&counts("1 selected"), "", &one);
    let two = [("Ada", true), ("Connections", false), ("Sounds", true)];
    let two = screen(&counts("2 selected"), "", &two);
    assert!(holds(&[&before, &one]));
    assert!(holds(&[&before, &one, &two]));
    assert!(holds(&[&before, &one, &two, &before]));
    let archive = screen(&SCROLLED.replace("Settings", "Archive"), "", &rows(names));
    assert!(!holds(&[&before, &one, &archive]));
    // It is not the number of selected rows.
    let other = screen(&counts("3 selected"), "", &rows(names));
    assert!(!holds(&[&before, &other]));
}
