//! References while dropdowns open, tabs change their content, messages appear and routes change.

use uitree::{RefTable, ResolvedRef, UiTree};

use crate::ref_context::page as numbered_page;

/// A page with these lines in the notation, each 10 pixels high.
fn page(path: &str, lines: &[&str]) -> UiTree {
    let mut screen = format!(
        "screen 100x1000\nwindow application active\n  webview scrollable @path=\"{path}\" [0,0][100,1000]\n"
    );
    for (at, line) in lines.iter().enumerate() {
        let (top, bottom) = (at * 10, at * 10 + 10);
        screen.push_str(&format!("    {line} [0,{top}][90,{bottom}]\n"));
    }
    UiTree::parse_notation(&screen).unwrap()
}

/// The line on the last page of the element that has the reference of `line` on the first, after a snapshot of each page.
fn line_after(pages: &[UiTree], line: usize) -> Option<usize> {
    let mut table = RefTable::default();
    let first = table.assign(&pages[0]);
    let reference = first.get(pages[0].ids().nth(line + 1).unwrap()).unwrap();
    let last = pages.last().unwrap();
    for page in &pages[1..] {
        table.assign(page);
    }
    match table.resolve(&reference, last) {
        ResolvedRef::Found(id) => Some(id.index() - 1),
        ResolvedRef::Stale { .. } | ResolvedRef::Unknown => None,
    }
}

const CLOSED: [&str; 5] = [
    "heading \"Swipes\"",
    "text \"Left\"",
    "text \"Done ▾\" clickable",
    "text \"Right\"",
    "text \"Remind ▾\" clickable",
];

fn opened(options: &[&str]) -> UiTree {
    let options: Vec<String> = options
        .iter()
        .map(|option| format!("text \"{option}\" clickable"))
        .collect();
    let mut lines: Vec<&str> = CLOSED[..3].to_vec();
    lines.extend(options.iter().map(String::as_str));
    lines.extend(&CLOSED[3..]);
    page("/", &lines)
}

#[test]
fn ref_of_dropdown_survives_opening() {
    let closed = || page("/", &CLOSED);
    for options in [
        &["Done"][..],
        &["Done", "Trash"],
        &["Done", "Trash", "Spam", "Later"],
    ] {
        let found = line_after(&[closed(), opened(options)], 2);
        assert_eq!(found, Some(2), "{options:?}");
        let found = line_after(&[opened(options), closed()], 2);
        assert_eq!(found, Some(2), "{options:?}");
        let found = line_after(&[closed(), opened(options), closed()], 4);
        assert_eq!(found, Some(4), "{options:?}");
    }
}

#[test]
fn button_below_other_text_is_stale() {
    let card = |name: &str| page("/", &["heading \"Deal\"", name, "button \"Buy\" clickable"]);
    let lamp = || card("text \"Lamp\"");
    assert_eq!(line_after(&[lamp(), card("text \"Chair\"")], 2), None);
    // The button is above the name.
    let shown = |name: &str| page("/", &["heading \"Deal\"", "button \"Buy\" clickable", name]);
    let found = line_after(&[shown("text \"Lamp\""), shown("text \"Chair\"")], 1);
    assert_eq!(found, None);
}

fn tabs(selected: &str, content: &[&str]) -> UiTree {
    let tab = |name: &str| match name == selected {
        true => format!("button \"{name}\" clickable selected"),
        false => format!("button \"{name}\" clickable"),
    };
    let tabs = ["Overview", "Jobs", "Posts"].map(tab);
    let mut lines = vec!["heading \"Shop\""];
    lines.extend(tabs.iter().map(String::as_str));
    lines.extend(content);
    page("/", &lines)
}

#[test]
fn refs_of_tabs_survive_content_change() {
    let about = ["heading \"About\"", "text \"A shop\"", "text \"Open\""];
    let jobs = ["text \"Seller\" clickable", "button \"Save\" clickable"];
    for tab in 1..4 {
        let pages = [tabs("Overview", &about), tabs("Jobs", &jobs)];
        let found = line_after(&pages, tab);
        assert_eq!(found, Some(tab));
    }
    // Without a selection they may be actions on the element below them.
    let pages = [tabs("", &about), tabs("", &jobs)];
    assert_eq!(line_after(&pages, 3), None);
}

#[test]
fn refs_of_equal_buttons_survive_new_message() {
    let rows = |more: &[&str]| {
        let mut lines = vec![
            "text \"Chat\"",
            "text \"Connected\"",
            "button \"Remove\" clickable",
            "text \"Mail\"",
            "text \"Connected\"",
            "button \"Remove\" clickable",
        ];
        lines.extend(more);
        page("/", &lines)
    };
    let other = || page("/other", &["heading \"Keys\"", "button \"Add\" clickable"]);
    for at in [2, 5] {
        let pages = [rows(&[]), other(), rows(&["text \"Key revoked.\""])];
        assert_eq!(line_after(&pages, at), Some(at));
    }
    // With another row, it is unknown which one is new.
    let more = [
        "text \"Files\"",
        "text \"Connected\"",
        "button \"Remove\" clickable",
    ];
    let pages = [rows(&[]), other(), rows(&more)];
    assert_eq!(line_after(&pages, 5), None);
}

#[test]
fn ref_of_page_survives_route_change() {
    let one = page("/#/a", &["heading \"A\""]);
    let other = page("/#/b", &["heading \"B\"", "text \"Text\""]);
    let mut table = RefTable::default();
    let root = |page: &UiTree| page.ids().next().unwrap();
    let given = table.assign(&one).get(root(&one)).unwrap();
    let again = table.assign(&other).get(root(&other)).unwrap();
    assert_eq!(given, again);
}

/// Cards, each with two texts and a button on the line of the first or below the second, and a last text.
fn cards(names: &[&str], is_beside: bool, last: &str) -> UiTree {
    let mut screen = String::from(
        "screen 100x1000\nwindow application active\n  webview @path=\"/\" [0,0][100,1000]\n",
    );
    for (at, name) in names.iter().enumerate() {
        let top = at * 40;
        let rows = [0, 10, 20].map(|below| top + below);
        let [first, second, third] = rows.map(|top| format!("{top}][80,{}]", top + 10));
        let button = if is_beside { first.clone() } else { third };
        let button = button.replace("][80", "][99");
        screen.push_str(&format!(
            "    text \"{name}\" [0,{first}\n    text \"reads issues\" [0,{second}\n    button \"Revoke\" clickable [80,{button}\n"
        ));
    }
    screen.push_str(&format!("    text \"{last}\" [0,900][100,910]\n"));
    UiTree::parse_notation(&screen).unwrap()
}

#[test]
fn ref_survives_removal_of_other_card() {
    let all = ["Notes", "Export", "Marker"];
    for (at, name) in all.iter().enumerate() {
        let rest: Vec<&str> = all.into_iter().filter(|other| other != name).collect();
        for (place, other) in rest.iter().enumerate() {
            let before = all.iter().position(|name| name == other).unwrap();
            let pages = |is_beside| {
                [
                    cards(&all, is_beside, "End"),
                    cards(&rest, is_beside, "Revoked."),
                ]
            };
            let line = |card: usize| card * 3 + 2;
            assert_eq!(
                line_after(&pages(true), line(before)),
                Some(line(place)),
                "{other} without {name}"
            );
        }
        assert_eq!(
            line_after(
                &[cards(&all, true, "End"), cards(&rest, true, "Revoked.")],
                at * 3 + 2
            ),
            None
        );
    }
    // Below the texts, the button may belong to the next card.
    let rest = ["Notes", "Marker"];
    let pages = [cards(&all, false, "End"), cards(&rest, false, "Revoked.")];
    assert_eq!(line_after(&pages, 8), None);
}

#[test]
fn ref_of_long_text_survives_change_below() {
    let event = |name: &str, below: [&str; 2]| {
        let name = format!("text \"{name}\" clickable");
        let [count, button] = below;
        page("/", &["text \"MAR\"", "text \"18\"", &name, count, button])
    };
    let open = ["text \"156 going\"", "button \"Join\" clickable"];
    let joined = ["text \"157 going\"", "button \"Leave\" clickable"];
    let long = "Talk about systems that grow, room 3";
    let pages = |name: &str| [event(name, open), event(name, joined)];
    assert_eq!(line_after(&pages(long), 2), Some(2));
    // A short text may be an action on another element.
    assert_eq!(line_after(&pages("More"), 2), None);
}

#[test]
fn refs_of_cards_survive_expansion_of_other_card() {
    let names = [
        "Safari on a small telephone in Lisbon",
        "Linear on a desktop computer in Porto",
        "Firefox on a borrowed laptop in Faro",
    ];
    let cards = |opened: Option<usize>, address: &str| {
        let mut lines = vec!["heading \"Sessions\"".to_owned()];
        for (at, name) in names.iter().enumerate() {
            lines.push(format!("text \"{name}\" clickable"));
            lines.push("button label=\"Revoke access\" clickable".to_owned());
            if opened == Some(at) {
                lines
                    .extend(["text \"Address\"", address, "text \"Signed in\""].map(str::to_owned));
            }
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        page("/", &lines)
    };
    let opened = |at| {
        cards(
            Some(at),
            [
                "text \"203.0.113.42\"",
                "text \"192.0.2.1\"",
                "text \"10.0.0.5\"",
            ][at],
        )
    };
    for card in 0..3 {
        // Another one collapses at the same time, and expands again.
        let pages = [cards(None, ""), opened(0), opened(1), opened(2), opened(1)];
        let expected = [1, 3, 8][card];
        assert_eq!(
            line_after(&pages, [1, 3, 5][card]),
            Some(expected),
            "{card}"
        );
    }
}

#[test]
fn ref_in_dialog_of_other_record_is_stale() {
    let rows = [
        "text \"Kevin Zhao\" [0,0][50,10]",
        "button \"Remind\" clickable [60,0][90,10]",
        "text \"Nate Patel\" [0,20][50,30]",
        "button \"Remind\" clickable [60,20][90,30]",
    ];
    let inbox = numbered_page(&rows, 0..0);
    let picker = || {
        let dialog = "dialog label=\"Remind me\" [0,40][90,90]";
        let option = "  button \"In 2 weeks\" clickable [0,50][90,60]";
        numbered_page(&[&rows[..], &[dialog, option]].concat(), 4..6)
    };
    let press = |table: &mut RefTable, line: u32| {
        table.note_press(&inbox, inbox.get(line as usize + 1).unwrap())
    };
    let mut table = RefTable::default();
    table.assign(&inbox);
    press(&mut table, 1);
    let shown = picker();
    let option = shown.ids().next_back().unwrap();
    let reference = table.assign(&shown).get(option).unwrap();
    assert_eq!(
        table.resolve(&reference, &picker()),
        ResolvedRef::Found(option)
    );
    // A press in the dialog does not open another one.
    table.note_press(&shown, option);
    assert_eq!(
        table.resolve(&reference, &picker()),
        ResolvedRef::Found(option)
    );
    for is_seen in [false, true] {
        if is_seen {
            table.assign(&inbox);
        }
        press(&mut table, 3);
        let now = table.resolve(&reference, &picker());
        assert!(matches!(now, ResolvedRef::Stale { .. }), "{now:?}");
        // The same record.
        press(&mut table, 1);
        assert_eq!(
            table.resolve(&reference, &picker()),
            ResolvedRef::Found(option)
        );
    }
    // The reference in a dialog that was already open survives another press.
    table.note_press(&shown, shown.get(4).unwrap());
    assert_eq!(
        table.resolve(&reference, &picker()),
        ResolvedRef::Found(option)
    );
    press(&mut table, 3);
    let other = table.assign(&picker()).get(option).unwrap();
    assert_ne!(other, reference);
}

/// A list of chats; with the menu of one of them, which is a window over it.
fn chats(has_menu: bool) -> UiTree {
    let mut screen = String::from(
        "screen 100x1000\nwindow application layer=0\n  list scrollable [0,0][100,1000]\n",
    );
    for (at, name) in ["Ann", "Bob"].into_iter().enumerate() {
        let (top, bottom) = (at * 20, at * 20 + 20);
        screen.push_str(&format!(
            "    listitem clickable long-clickable [0,{top}][100,{bottom}]\n      text \"{name}\" [0,{top}][100,{bottom}]\n"
        ));
    }
    if has_menu {
        screen.push_str("window application layer=1 active\n  container [10,100][60,140]\n    list [10,100][60,140]\n      listitem clickable [10,100][60,120]\n        text \"Delete\" [10,100][60,120]\n");
    }
    UiTree::parse_notation(&screen).unwrap()
}

#[test]
fn ref_in_a_menu_that_opened_without_a_press_is_stale() {
    let (closed, open) = (chats(false), chats(true));
    let option = open.ids().rev().nth(1).unwrap();
    let row = |at: usize| closed.ids().nth(1 + 2 * at).unwrap();
    let holds = |table: &RefTable, reference: &str| matches!(table.resolve(reference, &open), ResolvedRef::Found(id) if id == option);
    let mut table = RefTable::default();
    table.assign(&closed);
    table.note_press(&closed, row(0));
    let reference = table.assign(&open).get(option).unwrap();
    assert!(holds(&table, &reference));
    // The menu closes and opens again by the same press.
    table.note_press(&open, option);
    table.note_screen(&closed);
    table.note_press(&closed, row(0));
    table.note_screen(&closed);
    table.note_screen(&open);
    assert!(holds(&table, &reference));
    // By the press of another row.
    table.note_screen(&closed);
    table.note_press(&closed, row(1));
    table.note_screen(&open);
    assert!(!holds(&table, &reference));
    // Somebody else opens it, perhaps for another row.
    let reference = table.assign(&open).get(option).unwrap();
    table.note_press(&open, option);
    table.note_screen(&closed);
    table.note_screen(&open);
    assert!(!holds(&table, &reference));
}
