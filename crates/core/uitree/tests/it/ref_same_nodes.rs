//! The reference of a node on a page survives changes of other elements.

use uitree::{RefTable, ResolvedRef, UiTree};

use crate::ref_context::{line_after, page};

#[test]
fn ref_of_last_row_survives_removal_of_others() {
    let list = |top: usize, names: &[(&'static str, usize)], button: &str| {
        let row = |at: usize, (name, _): &(&str, usize)| {
            let (top, bottom) = (top + at * 10, top + at * 10 + 10);
            vec![
                format!("  listitem [0,{top}][100,{bottom}]"),
                format!("    text \"{name}\" [0,{top}][50,{bottom}]"),
                format!("    button \"{button}\" clickable [50,{top}][100,{bottom}]"),
            ]
        };
        let mut lines = vec![format!("list [0,{top}][100,{}]", top + 90)];
        lines.extend(
            names
                .iter()
                .enumerate()
                .flat_map(|(at, name)| row(at, name)),
        );
        lines
    };
    let shown = |cart: &[(&'static str, usize)], more: &[(&'static str, usize)]| {
        let mut lines = vec!["heading \"Cart\"".to_owned()];
        let mut numbers = vec![10, 11];
        numbers.extend(
            cart.iter()
                .flat_map(|(_, node)| [*node, node + 1, node + 2]),
        );
        lines.extend(list(20, cart, "Remove"));
        lines.push("heading \"Recommended\" [0,120][100,130]".to_owned());
        lines.extend(list(140, more, "Add"));
        numbers.extend([12, 13]);
        numbers.extend(
            more.iter()
                .flat_map(|(_, node)| [*node, node + 1, node + 2]),
        );
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let tree = page(&lines, 0..0);
        let origins = std::iter::once(1).chain(numbers.into_iter().map(|number| number as u64));
        tree.with_origins(origins.collect())
    };
    let before = shown(&[("Apple", 20), ("Pear", 30)], &[("Plum", 40)]);
    let after = shown(&[("Pear", 30)], &[("Plum", 40), ("Apple", 50)]);
    // The line of the button of the pear, and that of the plum.
    assert_eq!(line_after(&before, &after, 7), Some(4));
    assert_eq!(line_after(&before, &after, 12), Some(9));
    // The same nodes with other texts are other records.
    let reused = shown(&[("Plum", 20)], &[("Apple", 40)]);
    assert_eq!(line_after(&before, &reused, 4), None);
    assert_eq!(line_after(&before, &reused, 12), None);
}

/// A page of lines, each with the number of its node.
fn numbered(lines: &[(&str, u64)]) -> UiTree {
    let texts: Vec<&str> = lines.iter().map(|(line, _)| *line).collect();
    let numbers = lines.iter().map(|(_, number)| *number);
    page(&texts, 0..0).with_origins(std::iter::once(1).chain(numbers).collect())
}

#[test]
fn ref_survives_insertion_of_lines_above() {
    let dialog = |estimate: &[(&'static str, u64)], name: &'static str, available: &'static str| {
        let mut lines = vec![
            ("heading \"Buy\"", 10),
            ("button \"x\" clickable", 11),
            (name, 12),
            (available, 13),
            ("textfield label=\"Amount\" editable", 14),
        ];
        lines.extend(estimate);
        lines.push(("button \"Cancel\" clickable [0,90][40,100]", 15));
        lines.push(("button \"Buy coin\" clickable [50,90][90,100]", 16));
        numbered(&lines)
    };
    let estimate = [
        ("text \"Estimated: 0.0014\"", 20),
        ("text \"Fee: $2.49\"", 21),
    ];
    let [name, available] = ["text \"Coin\"", "text \"Available: $20\""];
    let before = dialog(&[], name, available);
    let after = dialog(&estimate, name, available);
    assert_eq!(line_after(&before, &after, 6), Some(8));
    assert_eq!(line_after(&after, &before, 8), Some(6));
    // Another name above is another record, also with inserted lines.
    let other = dialog(&estimate, "text \"Metal\"", available);
    assert_eq!(line_after(&before, &other, 6), None);
}

#[test]
fn refs_survive_expand_and_collapse_of_texts() {
    let parts = |open: [bool; 3]| {
        let mut lines = vec![("heading \"Parts\"", 10), ("text \"Intro\" clickable", 11)];
        let buttons = [
            ("button \"D1\" clickable", 12),
            ("button \"D2\" clickable", 13),
            ("button \"D3\" clickable", 14),
        ];
        let texts = [
            ("text \"in d1\"", 20),
            ("text \"in d2\"", 21),
            ("text \"in d3\"", 22),
        ];
        for at in 0..3 {
            lines.push(buttons[at]);
            lines.extend(open[at].then_some(texts[at]));
        }
        lines.push(("button \"Foot\" clickable", 15));
        numbered(&lines)
    };
    let before = parts([false, true, false]);
    // The first one opens while the second one closes, or only the second one closes.
    let both = parts([true, false, false]);
    for (line, now) in [(2, 2), (3, 4)] {
        assert_eq!(line_after(&before, &both, line), Some(now), "{line}");
    }
    let closed = parts([false; 3]);
    for (line, now) in [(2, 2), (3, 3), (5, 4), (6, 5)] {
        assert_eq!(line_after(&before, &closed, line), Some(now), "{line}");
    }
    // Another text is before the third one now.
    assert_eq!(line_after(&before, &both, 5), None);
}

#[test]
fn name_of_several_records_is_no_evidence() {
    // The second "Ann" is replaced; the first one is still before the button.
    let rows = |second: &'static str| {
        numbered(&[
            ("text \"Ann\"", 10),
            ("button \"Open\" clickable", 11),
            (second, 12),
            ("button \"Delete\" clickable", 13),
        ])
    };
    let before = rows("text \"Ann\"");
    assert_eq!(line_after(&before, &rows("text \"Bob\""), 3), None);
    assert_eq!(line_after(&before, &rows("text \"Ann\""), 3), Some(3));
}

#[test]
fn text_added_by_css_is_no_name() {
    let badge = |shown: &str, addition: &str| {
        let tree = numbered(&[
            ("heading \"Mail\"", 10),
            (shown, 11),
            ("button \"Send\" clickable", 12),
        ]);
        let inbox = tree.ids().nth(2).unwrap();
        tree.with_additions([(inbox, addition.into())].into())
    };
    let [three, seven] = ["3", "7"].map(|count| {
        let line = format!("button \"Inbox {count}\" clickable");
        badge(&line, count)
    });
    let empty = badge("button \"Inbox\" clickable", "");
    for after in [&seven, &empty] {
        assert_eq!(line_after(&three, after, 1), Some(1));
    }
    // A number that the page itself contains is part of the name.
    let [order, next] = ["17", "18"].map(|number| {
        let line = format!("button \"Order {number}\" clickable");
        badge(&line, "")
    });
    let mut table = RefTable::default();
    let given = table.assign(&order);
    let reference = given.get(order.ids().nth(2).unwrap()).unwrap();
    let found = table.resolve(&reference, &next);
    assert!(matches!(found, ResolvedRef::Stale { .. }), "{found:?}");
}

#[test]
fn ref_survives_new_route_in_address() {
    let show = |path: &str, lines: &[&str], first: u64| {
        let text = page(lines, 0..0).to_notation();
        let text = text.replace("@path=\"/\"", &format!("@path=\"{path}\""));
        let tree = UiTree::parse_notation(&text).unwrap();
        let numbers = (0..lines.len() as u64).map(|at| first + at);
        tree.with_origins(std::iter::once(1).chain(numbers).collect())
    };
    let feed = [
        "text \"Posts\"",
        "button \"Feed\" clickable",
        "text \"Three posts\"",
        "button \"Saved\" clickable",
    ];
    let jobs = ["text \"Jobs\"", "button \"Apply\" clickable"];
    let changed = [feed[0], feed[1], "text \"Four posts\"", feed[3]];
    let found = |then: &str, now: &str, lines: &[&str]| {
        let mut table = RefTable::default();
        let before = show(then, &feed, 10);
        let reference = table.assign(&before).get(before.ids().nth(4).unwrap());
        let reference = reference.unwrap();
        table.assign(&show("/#/jobs", &jobs, 30));
        let after = show(now, lines, 50);
        let found = table.resolve(&reference, &after);
        let again = table.assign(&after).get(after.ids().nth(4).unwrap());
        let is_found = matches!(found, ResolvedRef::Found(_));
        assert_eq!(is_found, again == Some(reference));
        is_found
    };
    assert!(found("/", "/#/feed", &feed));
    assert!(!found("/", "/#/feed", &changed));
    // Two routes are two pages, also with equal content.
    assert!(!found("/#/order/7", "/#/order/8", &feed));
}
