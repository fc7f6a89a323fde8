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

/// A chat without a title: a button to go back and a person's name in a button, or below the icons of a toolbar.
fn chat(header: &str, messages: &[&str]) -> UiTree {
    let mut text = String::from(
        "screen 100x1000\nwindow application active owner=com.app\n  container [0,0][100,1000]\n    button label=\"Back\" clickable [0,0][20,20]\n",
    );
    text.push_str(header);
    text.push_str("    list #messages scrollable [0,60][100,900]\n");
    for (at, message) in messages.iter().enumerate() {
        let (top, bottom) = (60 + at * 20, 80 + at * 20);
        text.push_str(&format!(
            "      listitem clickable [0,{top}][100,{bottom}]\n        text \"{message}\" [0,{top}][100,{bottom}]\n"
        ));
    }
    text.push_str("    textfield #message editable [0,900][80,1000]\n    button label=\"Send\" clickable [80,900][100,1000]\n");
    UiTree::parse_notation(&text).unwrap()
}

fn person(name: &str, status: &str) -> String {
    format!(
        "    button clickable [20,0][80,20]\n      text \"{name}\" [20,0][80,10]\n      text \"{status}\" [20,10][80,20]\n"
    )
}

fn subject(subject: &str, from: &str) -> String {
    format!(
        "    button label=\"Archive\" clickable [20,0][40,20]\n    text \"{subject}\" [0,20][100,40]\n    text \"{from}\" [0,40][100,60]\n"
    )
}

/// Whether the reference of the last control, such as `Send`, holds on the second screen.
fn last_holds(first: &UiTree, second: &UiTree) -> bool {
    let mut table = RefTable::default();
    let last = first.ids().next_back().unwrap();
    let reference = table.assign(first).get(last).unwrap();
    matches!(table.resolve(&reference, second), ResolvedRef::Found(_))
}

#[test]
fn refs_of_a_chat_are_stale_in_the_chat_of_another_person() {
    let ann = chat(&person("Ann", "online"), &["Hi"]);
    assert!(last_holds(
        &ann,
        &chat(&person("Ann", "typing…"), &["Hi", "Are you there?"])
    ));
    assert!(!last_holds(&ann, &chat(&person("Bob", "online"), &["Hi"])));
}

#[test]
fn refs_of_a_message_are_stale_in_another_message() {
    let invoice = chat(&subject("Invoice 7", "shop@example.org"), &["Hi"]);
    assert!(last_holds(
        &invoice,
        &chat(&subject("Invoice 7", "shop@example.org"), &["Hi", "Paid"])
    ));
    assert!(!last_holds(
        &invoice,
        &chat(&subject("Invoice 8", "shop@example.org"), &["Hi"])
    ));
    // The subject is the heading in the first row of a list.
    let headed = |subject: &str| {
        let screen = chat("", &["text"]);
        let text = screen
            .to_notation()
            .replace("text \"text\"", &format!("heading \"{subject}\""));
        UiTree::parse_notation(&text).unwrap()
    };
    assert!(last_holds(&headed("Invoice 7"), &headed("Invoice 7")));
    assert!(!last_holds(&headed("Invoice 7"), &headed("Invoice 8")));
    // A screen with that toolbar, but without a subject.
    assert!(!last_holds(&headed("Invoice 7"), &chat("", &["text"])));
}

/// The page of an app with the name of the app below the title.
fn app_info(header: &str, rows: &str) -> UiTree {
    let text = format!(
        "screen 100x1000\nwindow application active owner=com.app\n container [0,0][100,1000]\n  button label=\"Navigate up\" clickable [0,0][20,20]\n  title \"App info\" [20,0][100,20]\n  list #rows scrollable can-scroll=\"{}\" [0,20][100,900]\n{header}{rows}  button \"Uninstall\" clickable [0,900][100,1000]\n",
        if header.is_empty() { "up" } else { "down" }
    );
    UiTree::parse_notation(&text).unwrap()
}

#[test]
fn refs_of_an_app_are_stale_in_the_page_of_another_app() {
    let header = |name: &str| {
        format!(
            "    container [0,20][100,60]\n      image label=\"{name}\" [0,20][20,60]\n      text \"{name}\" [20,20][100,40]\n      text \"Version 2\" [20,40][100,60]\n"
        )
    };
    let row = "    listitem clickable [0,60][100,80]\n      text \"Storage\" [0,60][100,80]\n";
    let books = app_info(&header("Books"), row);
    assert!(last_holds(&books, &books));
    assert!(!last_holds(&books, &app_info(&header("Maps"), row)));
    // Scrolled, it does not show the name.
    assert!(last_holds(&books, &app_info("", row)));
    assert!(last_holds(&app_info("", row), &books));
    // Unless it was seen before it was scrolled.
    let mut table = RefTable::default();
    let last = |tree: &UiTree| tree.ids().next_back().unwrap();
    let reference = table.assign(&books).get(last(&books)).unwrap();
    table.note_screen(&app_info(&header("Maps"), row));
    let scrolled = app_info("", row);
    let found = table.resolve(&reference, &scrolled);
    assert!(matches!(found, ResolvedRef::Stale { .. }), "{found:?}");
    table.note_screen(&books);
    assert_eq!(
        table.resolve(&reference, &scrolled),
        ResolvedRef::Found(last(&scrolled))
    );
}

/// The search in a chat: a field in the place of the name.
fn search(list: &str) -> UiTree {
    let text = format!(
        "screen 100x1000\nwindow application active owner=com.app\n container [0,0][100,1000]\n  button label=\"Close\" clickable [0,0][20,20]\n  textfield hint=\"Search\" editable [20,0][80,20]\n  text \"none found\" [0,20][80,40]\n  list #{list} scrollable [0,60][100,900]\n    text \"Hi\" [0,60][100,80]\n  button label=\"Next\" clickable [80,900][100,1000]\n"
    );
    UiTree::parse_notation(&text).unwrap()
}

#[test]
fn refs_of_a_search_are_stale_in_the_search_of_another_screen() {
    let holds = |screens: &[&UiTree]| {
        let mut table = RefTable::default();
        let references = screens.iter().map(|screen| {
            let last = screen.ids().next_back().unwrap();
            table.assign(screen).get(last).unwrap()
        });
        let references: Vec<String> = references.collect();
        references.first() == references.last()
    };
    let [ann, bob] = ["Ann", "Bob"].map(|name| chat(&person(name, "online"), &["Hi"]));
    let found = search("messages");
    assert!(holds(&[&found, &found]));
    // It was begun on an unknown screen.
    assert!(!holds(&[&found, &ann, &found]));
    let of_one_chat = |screens: &[&UiTree]| {
        let mut table = RefTable::default();
        table.assign(&ann);
        let last = found.ids().next_back().unwrap();
        let reference = table.assign(&found).get(last).unwrap();
        for screen in screens {
            table.note_screen(screen);
        }
        table.resolve(&reference, &found) == ResolvedRef::Found(last)
    };
    assert!(of_one_chat(&[]));
    assert!(of_one_chat(&[&ann]));
    assert!(!of_one_chat(&[&bob]));
    let home = screen("", TOP, &rows(["Ada"]));
    assert!(!of_one_chat(&[&home]));
    assert!(of_one_chat(&[&home, &ann]));
    assert!(!of_one_chat(&[&search("people"), &bob]));
}
