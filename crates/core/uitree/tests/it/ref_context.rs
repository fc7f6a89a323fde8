//! A reference is stale in another context: another day above the same hours, another room above the same switches, another
//! month above the same days. References of existing nodes survive a status change.

use uitree::{RefTable, ResolvedRef, UiTree};

/// A page of these lines, each 10 pixels below the previous one unless it has bounds. `new` has the lines with new nodes.
pub(crate) fn page(lines: &[&str], new: std::ops::Range<usize>) -> UiTree {
    let mut text = String::from(
        "screen 100x1000\nwindow application active\n  webview @path=\"/\" [0,0][100,1000]\n",
    );
    for (at, line) in lines.iter().enumerate() {
        let (top, bottom) = (at * 10, at * 10 + 10);
        match line.contains('[') {
            true => text.push_str(&format!("    {line}\n")),
            false => text.push_str(&format!("    {line} [0,{top}][100,{bottom}]\n")),
        }
    }
    let tree = UiTree::parse_notation(&text).unwrap();
    let number = |at: usize| if new.contains(&at) { 500 + at } else { 10 + at } as u64;
    let numbers = (0..lines.len()).map(number);
    tree.with_origins(std::iter::once(1).chain(numbers).collect())
}

/// The same screen without node numbers, as on a phone.
fn phone(lines: &[&str]) -> UiTree {
    let tree = page(lines, 0..0);
    UiTree::parse_notation(&tree.to_notation()).unwrap()
}

/// The line on the second screen of the element that has the reference of `line` on the first; `None` if it is stale. Also checks
/// that the next snapshot assigns the same reference.
pub(crate) fn line_after(before: &UiTree, after: &UiTree, line: usize) -> Option<usize> {
    let mut table = RefTable::default();
    let given = table.assign(before);
    let reference = given.get(before.ids().nth(line + 1).unwrap()).unwrap();
    let found = match table.resolve(&reference, after) {
        ResolvedRef::Found(id) => Some(id.index() - 1),
        ResolvedRef::Stale { nearest, .. } => {
            assert_eq!(nearest, None, "no element has the same context");
            None
        }
        ResolvedRef::Unknown => panic!("{reference} is unknown"),
    };
    let again = table.assign(after);
    let kept = after
        .ids()
        .find(|id| again.get(*id).as_ref() == Some(&reference));
    assert_eq!(found, kept.map(|id| id.index() - 1));
    found
}

/// A block of elements below a text that is their context.
type Block = fn(&'static str) -> Vec<&'static str>;

/// A block, the line of a button in it, and its first line that can be rerendered.
const BLOCKS: [(Block, usize, usize); 5] = [
    // The hours of a day, in a table.
    (
        |day| {
            vec![
                "button \"‹\" clickable [0,0][10,10]",
                day,
                "button \"›\" clickable [90,0][100,10]",
                "grid [0,30][100,90]",
                "  row [0,30][100,40]",
                "    text \"9:00\" [0,30][50,40]",
                "    button \"Book\" clickable [50,30][100,40]",
                "  row [0,40][100,50]",
                "    text \"10:00\" [0,40][50,50]",
                "    button \"Book\" clickable [50,40][100,50]",
            ]
        },
        9,
        3,
    ),
    // The same rows without a table, and with another button beside the text.
    (
        |day| {
            vec![
                "heading \"Devices\"",
                day,
                "button \"Next\" clickable [50,10][100,20]",
                "text \"Light\" [0,30][50,40]",
                "button \"Toggle\" clickable [50,30][100,40]",
                "text \"Heat\" [0,40][50,50]",
                "button \"Toggle it\" clickable [50,40][100,50]",
            ]
        },
        6,
        3,
    ),
    (
        |day| {
            vec![
                day,
                "text \"Light\" [0,30][50,40]",
                "button \"Toggle\" clickable [50,30][100,40]",
                "text \"Heat\" [0,40][50,50]",
                "button \"Toggle\" clickable [50,40][100,50]",
            ]
        },
        4,
        1,
    ),
    // The days of a month.
    (
        |month| {
            vec![
                "button label=\"Previous month\" clickable [0,0][10,10]",
                month,
                "button label=\"Next month\" clickable [90,0][100,10]",
                "button \"14\" clickable [0,20][50,30]",
                "button \"15\" clickable [50,20][100,30]",
            ]
        },
        4,
        3,
    ),
    // A caption.
    (
        |day| {
            vec![
                "grid [0,0][100,90]",
                match day.contains("Monday") {
                    true => "  label \"Monday\" [0,0][100,10]",
                    false => "  label \"Tuesday\" [0,0][100,10]",
                },
                "  row [0,30][100,40]",
                "    text \"9:00\" [0,30][50,40]",
                "    button \"Book\" clickable [50,30][100,40]",
                "  row [0,40][100,50]",
                "    text \"10:00\" [0,40][50,50]",
                "    button \"Book\" clickable [50,40][100,50]",
            ]
        },
        7,
        2,
    ),
];

const MONDAY: &str = "text \"Monday 3 March\" [20,0][80,10]";
const TUESDAY: &str = "text \"Tuesday 4 March\" [20,0][80,10]";

#[test]
fn row_below_other_text_is_stale() {
    for (block, line, first) in BLOCKS {
        let (before, after) = (block(MONDAY), block(TUESDAY));
        let all = before.len();
        let monday = page(&before, 0..0);
        for new in [first..all, 0..all] {
            let tuesday = page(&after, new.clone());
            assert_eq!(line_after(&monday, &tuesday, line), None, "{tuesday:?}");
            let again = page(&before, new);
            assert_eq!(line_after(&monday, &again, line), Some(line), "{again:?}");
        }
        let (monday, tuesday) = (phone(&before), phone(&after));
        assert_eq!(line_after(&monday, &tuesday, line), None, "{tuesday:?}");
    }
}

#[test]
fn recycled_nodes_in_other_context_are_stale() {
    let selected = |day: &str| {
        let tab = |name: &str| match name == day {
            true => format!("tab \"{name}\" clickable selected"),
            false => format!("tab \"{name}\" clickable"),
        };
        ["Mon", "Tue"].map(tab)
    };
    let tabs = |day: &str| {
        let [first, second] = selected(day);
        let lines = [
            &*first,
            &*second,
            "text \"10:00\" [0,40][50,50]",
            "button \"Book\" clickable [50,40][100,50]",
        ];
        page(&lines, 0..0)
    };
    assert_eq!(line_after(&tabs("Mon"), &tabs("Tue"), 3), None);
    assert_eq!(line_after(&tabs("Mon"), &tabs("Mon"), 3), Some(3));
    // A number in the name of a tab may be a count of messages.
    let numbered = |number: u32| {
        let selected = format!("tab \"Messages {number}\" clickable selected");
        let lines = [
            "tab \"Home\" clickable",
            &*selected,
            "grid [0,40][100,60]",
            "  row [0,40][100,50]",
            "    text \"10:00\" [0,40][50,50]",
            "    button \"Book\" clickable [50,40][100,50]",
            "  row [0,50][100,60]",
            "    text \"11:00\" [0,50][50,60]",
        ];
        page(&lines, 0..0)
    };
    assert_eq!(line_after(&numbered(4), &numbered(5), 5), Some(5));
    // Tables with arrows or a caption, and months with arrows.
    for at in [0, 3, 4] {
        let (block, line, _) = BLOCKS[at];
        let [monday, tuesday] = [MONDAY, TUESDAY].map(|day| page(&block(day), 0..0));
        assert_eq!(line_after(&monday, &tuesday, line), None, "{tuesday:?}");
    }
}

#[test]
fn refs_of_existing_nodes_survive_status_change() {
    for (block, line, _) in &BLOCKS[1..3] {
        let before = page(&block("text \"A pressed\" [0,0][50,10]"), 0..0);
        let after = page(&block("text \"B pressed\" [0,0][50,10]"), 0..0);
        assert_eq!(line_after(&before, &after, *line), Some(*line));
    }
    // Similar rows with the button below the text.
    let rows = |status: &str, names: [&str; 2]| {
        let names = names.map(|name| format!("text \"{name}\""));
        let status = format!("text \"{status}\"");
        let open = "button \"Open\" clickable";
        let lines = [
            &*status,
            "button \"Alpha\" clickable",
            &*names[0],
            open,
            &*names[1],
            open,
        ];
        page(&lines, 0..0)
    };
    let before = rows("A pressed", ["Row one", "Row two"]);
    for line in [3, 5] {
        let after = rows("B pressed", ["Row one", "Row two"]);
        assert_eq!(line_after(&before, &after, line), Some(line));
    }
    let after = rows("B pressed", ["Row one", "Row three"]);
    assert_eq!(line_after(&before, &after, 5), None);
    let twice = rows("B pressed", ["Row two", "Row two"]);
    assert_eq!(line_after(&before, &twice, 5), None);
}

#[test]
fn ref_survives_change_of_clock_above() {
    let clock = |time: &str, name: &str| {
        let time = format!("text \"{time}\"");
        let name = format!("text \"{name}\"");
        let lines = [
            "heading \"Clock\"",
            &*time,
            "button \"Noop\" clickable",
            "button \"Do\" clickable",
            &*name,
        ];
        page(&lines, 0..0)
    };
    for (then, now) in [
        ("Now 5 s", "Now 6 s"),
        ("", "5 s"),
        ("17:46:19.0", "17:46:20.6"),
    ] {
        let before = clock(then, "");
        for line in [2, 3] {
            assert_eq!(
                line_after(&before, &clock(now, "ok"), line),
                Some(line),
                "{now}"
            );
        }
    }
    assert_eq!(
        line_after(&clock("Order 5", ""), &clock("Order 6", ""), 3),
        None
    );
    assert_eq!(
        line_after(&clock("Due 10:30", ""), &clock("Due 11:30", ""), 3),
        None
    );
}

#[test]
fn number_above_buttons_is_a_value() {
    let calculator = |shown: &str| {
        let shown = format!("text \"{shown}\"");
        phone(&[
            "heading \"Calculator\"",
            &*shown,
            "button \"7\" clickable [0,20][50,30]",
            "button \"8\" clickable [50,20][100,30]",
            "button \"+\" clickable [0,30][50,40]",
        ])
    };
    for line in [2, 3, 4] {
        let found = line_after(&calculator("12"), &calculator("128"), line);
        assert_eq!(found, Some(line));
    }
}

#[test]
fn ref_of_scroll_container_survives_text_change() {
    let screen = |status: &str, first: &str| {
        let [status, first] = [status, first].map(|text| format!("text \"{text}\""));
        let lines = [&*status, "container scrollable [0,10][100,20]", &*first];
        page(&lines, 0..0)
    };
    let found = line_after(&screen("A pressed", "One"), &screen("B pressed", "Two"), 1);
    assert_eq!(found, Some(1));
}

#[test]
fn row_count_is_not_compared() {
    let list = |title: &str, names: &[&str]| {
        let mut lines = vec![title.to_owned(), "list [0,20][100,90]".to_owned()];
        for (at, name) in names.iter().enumerate() {
            let (top, bottom) = (20 + at * 10, 30 + at * 10);
            lines.push(format!("  listitem [0,{top}][100,{bottom}]"));
            lines.push(format!("    text \"{name}\" [0,{top}][50,{bottom}]"));
            lines.push(format!(
                "    button \"Open\" clickable [50,{top}][100,{bottom}]"
            ));
        }
        lines
    };
    let shown = |text: &str, names: &[&str], first: usize| {
        let lines = list(text, names);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        page(&lines, first..lines.len())
    };
    for role in ["text", "heading"] {
        let [two, three, four] = [2, 3, 4].map(|rows| format!("{role} \"{rows} results\""));
        let before = shown(&three, &["Ann", "Bob", "Cid"], 90);
        // With new and with the same nodes.
        for first in [0, 90] {
            let after = shown(&two, &["Ann", "Bob"], first);
            assert_eq!(line_after(&before, &after, 7), Some(7), "{role}");
        }
        let after = shown(&four, &["Ann", "Bob", "Cid"], 0);
        assert_eq!(line_after(&before, &after, 7), None, "{role}");
    }
}

#[test]
fn total_row_count_is_not_compared_after_rerender() {
    let page = |rows: &str, names: &[&str], new| {
        let mut lines = vec![format!("text \"{rows}\" [0,0][100,10]")];
        for (at, name) in names.iter().enumerate() {
            let (top, bottom) = (20 + at * 20, 40 + at * 20);
            lines.push(format!("text \"{name}\" [0,{top}][50,{bottom}]"));
            lines.push(format!(
                "button label=\"Star\" clickable [50,{top}][75,{bottom}]"
            ));
            lines.push(format!(
                "button label=\"Done\" clickable [75,{top}][99,{bottom}]"
            ));
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        page(&lines, new)
    };
    let before = page("1-3 of 36", &["Ann", "Ben", "Cleo"], 0..0);
    let gone = page("1-3 of 35", &["Ben", "Cleo", "Dan"], 0..10);
    assert_eq!(line_after(&before, &gone, 2), None);
    for (line, after) in [(5, 2), (6, 3), (8, 5), (9, 6)] {
        assert_eq!(line_after(&before, &gone, line), Some(after));
    }
    let other = page("4-6 of 35", &["Ben", "Cleo", "Dan"], 0..10);
    assert_eq!(line_after(&before, &other, 5), None);
}

#[test]
fn equal_rows_in_recycled_nodes_are_stale() {
    let list = |rows: usize| {
        let mut lines = vec![
            "heading \"Tasks\"".to_owned(),
            "list [0,20][100,90]".to_owned(),
        ];
        for at in 0..rows {
            let (top, bottom) = (20 + at * 10, 30 + at * 10);
            lines.push(format!("  listitem [0,{top}][100,{bottom}]"));
            lines.push(format!("    text \"Buy milk\" [0,{top}][50,{bottom}]"));
            lines.push(format!(
                "    button \"Done\" clickable [50,{top}][100,{bottom}]"
            ));
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        page(&lines, 0..0)
    };
    for (before, after) in [(3, 2), (2, 3), (2, 1), (1, 2)] {
        for line in [4, 7].into_iter().take(before) {
            let found = line_after(&list(before), &list(after), line);
            assert_eq!(found, None, "{before} {after}");
        }
    }
}

#[test]
fn ref_of_card_survives_change_of_button_and_numbers() {
    let cards = |followed: &[usize], name: &str| {
        let mut lines = vec!["heading \"Employers\"".to_owned()];
        for (at, name) in ["Acme", name, "Data"].into_iter().enumerate() {
            let (button, count) = match followed.contains(&at) {
                true => ("Following", 101),
                false => ("Follow", 100),
            };
            lines.push(format!("button \"{button}\" clickable"));
            lines.push(format!("text \"{name}\""));
            lines.push("text \"10,000+ employees\" clickable".to_owned());
            lines.push(format!("text \"32,{count} followers\""));
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        page(&lines, 0..0)
    };
    let before = cards(&[], "Bank");
    for followed in [&[1][..], &[1, 2], &[0, 1, 2]] {
        let found = line_after(&before, &cards(followed, "Bank"), 7);
        assert_eq!(found, Some(7), "{followed:?}");
    }
    assert_eq!(line_after(&before, &cards(&[1], "Bake"), 7), None);
}

/// Three rows with a rank and a name, in a table or not, whose nodes keep their positions.
fn ranking(names: [&str; 3], in_table: bool) -> UiTree {
    let mut lines = vec!["heading \"Ranking\"".to_owned()];
    lines.push(
        if in_table {
            "grid [0,10][100,90]"
        } else {
            "text \"All\""
        }
        .to_owned(),
    );
    for (at, name) in names.into_iter().enumerate() {
        let (top, bottom) = (20 + at * 20, 40 + at * 20);
        let (row, place) = match in_table {
            true => (
                format!("  row [0,{top}][100,{bottom}]"),
                format!("{}", at + 1),
            ),
            false => (
                format!("container [0,{top}][1,{bottom}]"),
                format!("Seat {}", at + 1),
            ),
        };
        lines.push(row);
        lines.push(format!("    text \"{place}\" [0,{top}][20,{bottom}]"));
        lines.push(format!("    text \"{name}\" [20,{top}][80,{bottom}]"));
        lines.push(format!(
            "    button \"Remove\" clickable [80,{top}][100,{bottom}]"
        ));
    }
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| match in_table {
            true => line.as_str(),
            false => line.trim_start(),
        })
        .collect();
    page(&lines, 0..0)
}

#[test]
fn nearest_element_has_same_row_name() {
    let stale = |before: &UiTree, after: &UiTree| {
        let mut table = RefTable::default();
        let given = table.assign(before);
        let reference = given.get(before.ids().nth(6).unwrap()).unwrap();
        match table.resolve(&reference, after) {
            ResolvedRef::Stale { was, nearest, .. } => (was, nearest.map(|id| id.index() - 1)),
            other => panic!("{other:?}"),
        }
    };
    let before = ranking(["Ann", "Bob", "Cid"], true);
    let moved = ranking(["Bob", "Ann", "Cid"], true);
    let was = "button \"Remove\" near \"Ann\"".to_owned();
    assert_eq!(stale(&before, &moved), (was.clone(), Some(9)));
    let replaced = ranking(["Zoe", "Bob", "Cid"], true);
    assert_eq!(stale(&before, &replaced), (was, None));
    // A rank with letters may be a name.
    let before = ranking(["Ann", "Bob", "Cid"], false);
    for names in [["Bob", "Ann", "Cid"], ["Zoe", "Bob", "Cid"]] {
        assert_eq!(stale(&before, &ranking(names, false)).1, None, "{names:?}");
    }
}
