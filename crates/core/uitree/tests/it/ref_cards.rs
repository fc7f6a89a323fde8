//! References in cards that have no container node.

use uitree::{Card, RefTable, ResolvedRef, UiTree};

use crate::ref_context::{line_after, page};

/// A grid of employer cards, each with initials, a button, a name and a clickable industry. The nodes are numbered by card.
fn employers(cards: &[(u64, &'static str, &'static str, &'static str)]) -> UiTree {
    let mut lines = vec!["heading \"Employers\"".to_owned()];
    let mut numbers = vec![1, 2];
    let mut ranges = Vec::new();
    for (at, (number, initials, button, name)) in cards.iter().enumerate() {
        let bounds = |line: usize| {
            let top = 20 + at * 100 + line * 20;
            format!("[{},{top}][{},{}]", at * 20, at * 20 + 50, top + 18)
        };
        let start = lines.len() as u32 + 1;
        lines.push(format!("text \"{initials}\" {}", bounds(0)));
        lines.push(format!("button \"{button}\" clickable {}", bounds(0)));
        lines.push(format!("text \"{name}\" {}", bounds(1)));
        lines.push(format!("text \"Software\" clickable {}", bounds(2)));
        ranges.push(Card {
            series: 0,
            kind: 7,
            nodes: start..start + 4,
        });
        numbers.extend((0..4).map(|line| number * 10 + line));
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let tree = page(&lines, 0..0).with_origins(numbers);
    tree.with_cards(ranges)
}

#[test]
fn refs_survive_press_in_other_card() {
    let before = employers(&[
        (1, "G", "Follow", "Google"),
        (2, "M", "Follow", "Microsoft"),
        (3, "M", "Follow", "Meta"),
    ]);
    let after = employers(&[
        (1, "G", "Follow", "Google"),
        (2, "M", "Following", "Microsoft"),
        (3, "M", "Follow", "Meta"),
    ]);
    for line in [2, 4, 8, 10, 12] {
        assert_eq!(line_after(&before, &after, line), Some(line), "line {line}");
    }
}

#[test]
fn refs_survive_removal_of_other_card() {
    let all = [
        (1, "G", "Follow", "Google"),
        (2, "M", "Follow", "Microsoft"),
        (3, "M", "Follow", "Meta"),
    ];
    let before = employers(&all);
    let fewer = employers(&all[1..]);
    assert_eq!(line_after(&before, &fewer, 6), Some(2));
    assert_eq!(line_after(&before, &fewer, 2), None);
    // The nodes of Google's card are recycled for another company.
    let reused = employers(&[(1, "M", "Follow", "Microsoft"), (2, "M", "Follow", "Meta")]);
    for line in [2, 4] {
        assert_eq!(line_after(&before, &reused, line), None, "line {line}");
    }
}

#[test]
fn label_of_control_is_name_of_card() {
    let before = employers(&[
        (1, "G", "Follow", "Google"),
        (2, "M", "Follow", "Microsoft"),
    ]);
    let after = employers(&[(2, "M", "Follow", "Microsoft")]);
    let mut table = RefTable::default();
    let refs = table.assign(&before);
    let button = refs.get(before.get(3).unwrap()).unwrap();
    let ResolvedRef::Stale { was, .. } = table.resolve(&button, &after) else {
        panic!("{button} is not stale");
    };
    assert_eq!(was, "button \"Follow\" near \"Google\"");
}

#[test]
fn invalid_card_ranges_are_ignored() {
    let card = |nodes: std::ops::Range<u32>| Card {
        series: 0,
        kind: 7,
        nodes,
    };
    let plain = employers(&[(1, "G", "Follow", "Google")]);
    let cards = vec![card(1..4), card(3..6), card(4..90), card(5..5)];
    let shown = plain.clone().with_cards(cards);
    let mut table = RefTable::default();
    assert!(table.assign(&shown).get(shown.get(3).unwrap()).is_some());
}

#[test]
fn ref_of_search_field_survives_rerender() {
    let page = |first: u64, state: &str, found: &str, text: &str| {
        let screen = format!(
            "screen 100x100\nwindow application active\n  webview {state} @path=\"/\" [0,0][100,100]\n    \
             heading \"Employers\" [0,0][90,10]\n    textfield \"{text}\" hint=\"Search\" #search editable clickable [0,10][90,20]\n    \
             text \"Showing {found} results\" [0,20][90,30]\n    text \"All of them\" [0,30][90,40]\n"
        );
        let tree = UiTree::parse_notation(&screen).unwrap();
        let numbers = std::iter::once(1).chain(first..).take(tree.len());
        let numbers = numbers.collect();
        tree.with_origins(numbers)
    };
    let before = page(10, "scrollable", "20", "");
    let after = page(20, "", "3", "San Francisco");
    assert_eq!(line_after(&before, &after, 1), Some(1));
}

/// The page of a record: fields as cards, each with a button to edit it, and two buttons for the record.
fn record(name: &str, place: &str) -> UiTree {
    let field = |top: usize, label: &str, value: &str| {
        vec![
            format!("text \"{label}\" [0,{top}][30,{}]", top + 10),
            format!("text \"{value}\" [30,{top}][60,{}]", top + 10),
            format!("button \"Edit\" clickable [60,{top}][90,{}]", top + 10),
        ]
    };
    let mut lines = vec!["heading \"Request\"".to_owned()];
    lines.extend(field(20, "Name", name));
    lines.extend(field(40, "Place", place));
    lines.push("button \"Approve\" clickable [0,60][40,70]".to_owned());
    lines.push("button \"Reject\" clickable [50,60][90,70]".to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let cards = [2..5, 5..8].map(|nodes| Card {
        series: 0,
        kind: 7,
        nodes,
    });
    page(&lines, 0..0).with_cards(cards.into())
}

#[test]
fn buttons_below_cards_of_other_record_are_stale() {
    let before = record("Ann Lee", "Rome");
    assert_eq!(line_after(&before, &record("Ann Lee", "Rome"), 7), Some(7));
    // The same nodes show the next request.
    let after = record("Bob Ray", "Oslo");
    for line in [3, 6, 7, 8] {
        assert_eq!(line_after(&before, &after, line), None, "line {line}");
    }
}

#[test]
fn refs_survive_rerender_without_hover_buttons() {
    let inbox = |first: u64, has_buttons: bool, names: [&str; 2], keys: [u64; 2]| {
        let mut lines = vec!["heading \"Inbox\"".to_owned()];
        let mut author_keys = vec![0, 0];
        let mut cards = Vec::new();
        for (at, (name, key)) in names.iter().zip(keys).enumerate() {
            let top = 20 + at * 20;
            let start = lines.len() as u32 + 1;
            lines.push(format!(
                "checkbox checkable clickable [0,{top}][10,{}]",
                top + 10
            ));
            lines.push(format!("text \"{name}\" [10,{top}][30,{}]", top + 10));
            lines.push(format!("text \"Mar 7\" [30,{top}][50,{}]", top + 10));
            if has_buttons {
                lines.push(format!(
                    "button \"Star\" clickable [50,{top}][60,{}]",
                    top + 10
                ));
            }
            author_keys.resize(lines.len() + 1, key);
            cards.push(Card {
                series: 0,
                kind: 7,
                nodes: start..lines.len() as u32 + 1,
            });
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let tree = page(&lines, 0..0);
        let numbers = std::iter::once(1).chain(first..).take(tree.len()).collect();
        tree.with_origins(numbers)
            .with_author_keys(author_keys)
            .with_cards(cards)
    };
    let before = inbox(10, true, ["Ann Lee", "Bob Ray"], [71, 72]);
    let after = inbox(50, false, ["Ann Lee", "Bob Ray"], [71, 72]);
    assert_eq!(line_after(&before, &after, 5), Some(4));
    // The record is another one, or the keys only number the rows.
    for other in [
        inbox(50, false, ["Ann Lee", "Cid Fox"], [71, 73]),
        inbox(50, false, ["Bob Ray", "Cid Fox"], [71, 72]),
        inbox(50, false, ["Ann Lee", "Bob Ray"], [0, 0]),
    ] {
        assert_eq!(line_after(&before, &other, 5), None);
    }
}
