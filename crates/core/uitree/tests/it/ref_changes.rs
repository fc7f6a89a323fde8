//! A reference survives a text change of its element, and never changes to an element that replaced it.

use uitree::{RefTable, ResolvedRef, UiTree};

fn settings(rows: &[(&str, &str)], cart: &str) -> UiTree {
    let mut screen = format!(
        "screen 100x200
window application active
  column [0,0][100,200]
    button \"{cart}\" #cart clickable [0,0][100,10]
    button \"Order 17\" clickable [0,10][100,20]
    list [0,20][100,200]
"
    );
    for (at, (title, summary)) in rows.iter().enumerate() {
        let top = 20 + 20 * at;
        let (middle, end) = (top + 10, top + 20);
        screen.push_str(&format!(
            "      row clickable [0,{top}][100,{end}]
        text \"{title}\" [0,{top}][80,{middle}]
        text \"{summary}\" [0,{middle}][80,{end}]
        switch checkable [80,{top}][100,{end}]
"
        ));
    }
    UiTree::parse_notation(&screen).unwrap()
}

const ROWS: [(&str, &str); 3] = [
    ("Wi-Fi", "Not connected"),
    ("Bluetooth", "Off"),
    ("Storage", "40 % used"),
];

/// Whether each reference of the first screen, in document order, survives on the second.
fn survives(before: &UiTree, after: &UiTree) -> Vec<bool> {
    let mut table = RefTable::default();
    let given = table.assign(before);
    let all: Vec<String> = before.ids().filter_map(|id| given.get(id)).collect();
    let found =
        |reference: &String| matches!(table.resolve(reference, after), ResolvedRef::Found(_));
    let resolved: Vec<bool> = all.iter().map(found).collect();
    let again = table.assign(after);
    let now: Vec<String> = after.ids().filter_map(|id| again.get(id)).collect();
    let given_again: Vec<bool> = all
        .iter()
        .map(|reference| now.contains(reference))
        .collect();
    assert_eq!(resolved, given_again, "resolve and assign agree");
    resolved
}

#[test]
fn refs_survive_change_of_second_text() {
    let before = settings(&ROWS, "Cart (2)");
    let mut rows = ROWS;
    rows[0].1 = "HomeNet";
    let after = settings(&rows, "Cart (2)");
    assert_eq!(survives(&before, &after), [true; 8]);
    // Several consecutive changes with a snapshot after each.
    let mut table = RefTable::default();
    let first = table.assign(&before);
    let first: Vec<_> = before.ids().filter_map(|id| first.get(id)).collect();
    for summary in ["A", "B", "Not connected", "A"] {
        rows[0].1 = summary;
        let now = settings(&rows, "Cart (2)");
        let given = table.assign(&now);
        let given: Vec<_> = now.ids().filter_map(|id| given.get(id)).collect();
        assert_eq!(given, first, "{summary}");
    }
}

#[test]
fn ref_survives_change_of_counter_in_name() {
    let before = settings(&ROWS, "Cart (2)");
    assert!(survives(&before, &settings(&ROWS, "Cart (3)"))[0]);
    assert!(!survives(&before, &settings(&ROWS, "Checkout"))[0]);
}

#[test]
fn replaced_row_gets_new_refs() {
    let mut rows = ROWS;
    rows[1] = ("NFC", "Off");
    let survived = survives(&settings(&ROWS, "Cart"), &settings(&rows, "Cart"));
    assert_eq!(survived[4..6], [false, false]);
}

#[test]
fn ambiguous_and_moved_rows_are_stale() {
    let same_names = [("Bob", "Lunch"), ("Bob", "Dinner"), ("Eve", "Tea")];
    let mut changed = same_names;
    changed[0].1 = "Breakfast";
    let same_survived = survives(&settings(&same_names, "Cart"), &settings(&changed, "Cart"));
    assert_eq!(same_survived[2..4], [false, false]);
    let mut moved = ROWS;
    moved.swap(0, 1);
    moved[0].1 = "On";
    let scrolls = |rows: &[(&str, &str)]| {
        let written = settings(rows, "Cart").to_notation();
        let list = "list [0,20][100,200]";
        UiTree::parse_notation(&written.replace(list, &format!("{list} scrollable"))).unwrap()
    };
    // The row may be another one that was scrolled into view.
    let moved_survived = survives(&scrolls(&ROWS), &scrolls(&moved));
    assert_eq!(moved_survived[5..7], [false, false]);
}

#[test]
fn refs_survive_move_of_row_in_complete_list() {
    let mut moved = ROWS;
    moved.swap(0, 1);
    moved[0].1 = "On";
    let before = settings(&ROWS, "Cart");
    assert_eq!(survives(&before, &settings(&moved, "Cart")), [true; 8]);
    // With another row, the moved row may be a new one.
    let more = [moved[0], moved[1], moved[2], ("NFC", "Off")];
    let survived = survives(&before, &settings(&more, "Cart"));
    assert_eq!(survived[4..6], [false, false]);
}

/// Two steppers, each followed by a text with its value, and other fields above and between them.
fn steppers(volume: u32, [guests, nights]: [u32; 2], first: &str) -> UiTree {
    UiTree::parse_notation(&format!(
        "screen 100x400
window application active
  column [0,0][100,400]
    slider label=\"Volume\" #volume focusable [0,0][100,10]
    text \"value: {volume}\" #volume_value [0,10][100,20]
    heading \"{first}\" [0,20][100,30]
    row [0,30][100,40]
      button label=\"Decrease\" clickable [0,30][20,40]
      text \"{guests}\" [20,30][60,40]
      button label=\"Increase\" clickable [60,30][80,40]
    text \"value: {guests}\" #guests_value [0,40][100,50]
    heading \"Drink\" [0,50][100,60]
    dropdown \"Tea\" #drink clickable [0,60][100,70]
    text \"value: Tea\" #drink_value [0,70][100,80]
    heading \"Nights\" [0,80][100,90]
    row [0,90][100,100]
      button label=\"Decrease\" clickable [0,90][20,100]
      text \"{nights}\" [20,90][60,100]
      button label=\"Increase\" clickable [60,90][80,100]
    text \"value: {nights}\" #nights_value [0,100][100,110]
"
    ))
    .unwrap()
}

#[test]
fn refs_of_stepper_survive_change_of_number() {
    let before = steppers(30, [2, 2], "Guests");
    let all = survives(&before, &before).len();
    for values in [[3, 2], [2, 3], [1, 14]] {
        let survived = survives(&before, &steppers(30, values, "Guests"));
        assert_eq!(survived, vec![true; all], "{values:?}");
    }
    // Several consecutive presses with a snapshot after each.
    let mut table = RefTable::default();
    let given = table.assign(&before);
    let refs: Vec<_> = before.ids().filter_map(|id| given.get(id)).collect();
    for guests in [3, 4, 10, 9] {
        let now = steppers(30, [guests, 2], "Guests");
        let given = table.assign(&now);
        let given: Vec<_> = now.ids().filter_map(|id| given.get(id)).collect();
        assert_eq!(given, refs, "{guests}");
    }
    // The text above the number identifies the stepper.
    let survived = survives(&before, &steppers(30, [3, 2], "Children"));
    let first = survived.len() - 5;
    assert_eq!(survived[first..first + 2], [false, false]);
}

#[test]
fn text_between_buttons_is_no_stepper() {
    let order = |number: &str| {
        UiTree::parse_notation(&format!(
            "screen 100x400
window application active
  column [0,0][100,400]
    text \"Deliver today\" [0,10][100,20]
    button \"Delete\" clickable [0,30][20,40]
    text \"{number}\" #number [20,30][60,40]
    button \"Share\" clickable [60,30][80,40]
"
        ))
        .unwrap()
    };
    assert_eq!(survives(&order("Order 17"), &order("Order 18")), [false; 2]);
}

#[test]
fn ref_of_only_container_survives_text_change() {
    let feed = |heading: &str, status: &str, row: &str| {
        UiTree::parse_notation(&format!(
            "screen 100x400
window application active
  column [0,0][100,400]
    heading \"{heading}\" [0,0][100,10]
    text \"{status}\" [0,10][100,20]
    list #windows scrollable [0,20][100,400]
      text \"{row}\" [0,20][100,30]
      text \"Second\" [0,30][100,40]
"
        ))
        .unwrap()
    };
    let before = feed("Windows", "Not done", "First");
    assert_eq!(survives(&before, &feed("Windows", "Done", "Other")), [true]);
    assert_eq!(survives(&before, &feed("Doors", "Done", "Other")), [false]);
}

#[test]
fn value_of_a_field_is_no_evidence() {
    let form = |value: &str, note: &[&str]| {
        let lines: String = note
            .iter()
            .map(|line| format!("      text \"{line}\" [0,20][100,30]\n"))
            .collect();
        UiTree::parse_notation(&format!(
            "screen 100x200
window application active
  column [0,0][100,200]
    dropdown \"{value}\" clickable [0,0][50,10]
    dropdown \"{value} {value}\" label=\"{value}\" clickable [50,0][70,10]
    button \"Add\" clickable [70,0][100,10]
    textfield editable clickable [0,10][100,40]
{lines}    button \"Publish\" clickable [0,40][100,50]
    list [0,50][100,100]
      row [0,50][100,60]
        text \"Sort\" [0,50][50,60]
        dropdown clickable [50,50][80,60]
          text \"{value}\" [50,50][80,60]
        button \"Reset\" clickable [80,50][100,60]
"
        ))
        .unwrap()
    };
    let before = form("Name", &["Alpha", "One"]);
    let after = form("Date", &["Omega"]);
    assert_eq!(survives(&before, &after), [true; 7]);
}

/// A dialog with these texts between its field and its buttons.
fn order(title: &str, texts: &[&str]) -> UiTree {
    let mut screen = format!(
        "screen 100x200
window application active
  column [0,0][100,200]
    heading \"{title}\" [0,0][100,10]
    textfield label=\"Amount\" editable [0,10][100,20]
"
    );
    let end = 20 + 10 * texts.len();
    for (at, text) in texts.iter().enumerate() {
        let top = 20 + 10 * at;
        screen.push_str(&format!(
            "    text \"{text}\" [0,{top}][100,{}]\n",
            top + 10
        ));
    }
    for (at, button) in ["Cancel", "Order"].into_iter().enumerate() {
        let (left, right) = (50 * at, 50 * at + 50);
        let bottom = end + 10;
        screen.push_str(&format!(
            "    button \"{button}\" clickable [{left},{end}][{right},{bottom}]\n"
        ));
    }
    UiTree::parse_notation(&screen).unwrap()
}

#[test]
fn ref_survives_insertion_of_texts() {
    let before = order("Buy gold", &["Balance: 5"]);
    let priced = order("Buy gold", &["Balance: 5", "Price: 3", "Fee: 1"]);
    let order_survives = |after: &UiTree| survives(&before, after)[2];
    assert_eq!(survives(&before, &priced), [true, false, true]);
    let replaced = order("Buy gold", &["Debt: 5", "Price: 3", "Fee: 1"]);
    assert!(!order_survives(&replaced), "a text was replaced");
    let other = order("Buy silver", &["Balance: 5", "Price: 3", "Fee: 1"]);
    assert!(!order_survives(&other), "it is another dialog");
}

#[test]
fn ref_in_dialog_survives_change_outside() {
    let screen = |title: &str, more: &str| {
        let text = format!(
            "screen 100x200
window application active
  webview [0,0][100,200]
    button \"Create\" clickable [0,0][100,10]
    dialog [0,20][100,100] @modal=\"true\"
      heading \"{title}\" [0,20][100,30]
      textfield label=\"Name\" editable clickable [0,30][100,40]
      button \"Create\" clickable [0,40][100,50]
{more}"
        );
        UiTree::parse_notation(&text).unwrap()
    };
    let message = "    text \"Saved\" [0,150][100,160]\n";
    let before = screen("New key", message);
    let in_dialog = |after: &UiTree| survives(&before, after)[1..].to_vec();
    assert_eq!(in_dialog(&screen("New key", "")), [true, true]);
    let other = screen("New app", message);
    assert_eq!(in_dialog(&other), [false, false], "it is another dialog");
}

/// Sessions in rows without a list, each with a text and a button. The hovered button shows its label as text.
fn sessions(names: &[&str], hovered: Option<&str>) -> UiTree {
    let mut screen =
        String::from("screen 100x400\nwindow application active\n  webview [0,0][100,400]\n");
    for (at, name) in names.iter().enumerate() {
        let (top, bottom) = (at * 20, at * 20 + 20);
        let key = if hovered == Some(name) { "" } else { "label=" };
        screen.push_str(&format!(
            "    text \"{name}\" clickable [0,{top}][50,{bottom}]\n    button {key}\"Revoke\" clickable [60,{top}][90,{bottom}]\n"
        ));
    }
    UiTree::parse_notation(&screen).unwrap()
}

#[test]
fn ref_survives_display_of_label_on_hover() {
    let names = ["Phone", "Watch", "Laptop", "Tablet", "Desktop"];
    let before = sessions(&names, None);
    let hovered = sessions(&names, Some("Tablet"));
    assert_eq!(survives(&before, &hovered), [true; 10]);
    // A row was removed, and the next one is hovered.
    let after = sessions(&["Phone", "Watch", "Tablet", "Desktop"], Some("Tablet"));
    let mut expected = [true; 10];
    // Only its own elements are stale: the texts of the rows distinguish the other buttons.
    expected[4..6].fill(false);
    assert_eq!(survives(&before, &after), expected);
}

/// A page with a button and tabs, one of which has the same name as a button above.
fn profile(button: &str, tabs: &[&str]) -> UiTree {
    let mut screen = String::from(
        "screen 100x400\nwindow application active\n  webview [0,0][100,400]\n    button \"Jobs\" clickable [0,0][20,10]\n    button \"Events\" clickable [20,0][40,10]\n",
    );
    for (at, name) in [button].iter().chain(tabs).enumerate() {
        let (left, right) = (at * 20, at * 20 + 20);
        screen.push_str(&format!(
            "    button \"{name}\" clickable [{left},20][{right},30]\n"
        ));
    }
    UiTree::parse_notation(&screen).unwrap()
}

#[test]
fn ref_survives_between_unchanged_neighbors() {
    let tabs = ["Overview", "Jobs", "Posts", "Reviews"];
    let of_tab = |screen: &UiTree| {
        let mut ids = screen.ids();
        ids.rfind(|id| &*screen.node(*id).text == "Jobs").unwrap()
    };
    let numbered = |screen: UiTree| {
        let numbers = (1..=screen.len() as u64).collect();
        screen.with_origins(numbers)
    };
    let (before, after) = (profile("Follow", &tabs), profile("Following", &tabs));
    for (before, after) in [
        (before.clone(), after.clone()),
        (numbered(before.clone()), numbered(after)),
    ] {
        let mut table = RefTable::default();
        let tab = table.assign(&before).get(of_tab(&before)).unwrap();
        assert_eq!(
            table.resolve(&tab, &after),
            ResolvedRef::Found(of_tab(&after))
        );
    }
    let mut table = RefTable::default();
    let tab = table.assign(&before).get(of_tab(&before)).unwrap();
    // The neighbors on both sides changed.
    let other = profile("Following", &["About", "Jobs", "Posts", "People"]);
    let resolved = table.resolve(&tab, &other);
    assert!(
        matches!(resolved, ResolvedRef::Stale { .. }),
        "{resolved:?}"
    );
}
