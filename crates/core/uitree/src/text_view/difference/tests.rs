//! Differences of screens.

use super::*;

const FORM: &str = "application com.shop \"Shop\"\n title \"Basket\"\n listitem \"Apples\" #row\n listitem \"Pears\" #row\n \
                    switch \"Gift\" unchecked\n text \"Sum: 5 €\"\n button \"Buy\"\n";

fn check(before: &str, after: &str, expected: &str) {
    assert_eq!(difference(before, after).unwrap(), expected);
}

fn check_seen(before: &str, after: &str, shown: &ShownLines, expected: &str) {
    assert_eq!(
        difference_for_reader(before, after, shown).unwrap(),
        expected
    );
}

/// A page with these lines and others.
fn page(lines: &str) -> String {
    let end = " text \"The end of the page\"\n".repeat(3);
    format!("application a\n{lines}{end}")
}

#[test]
fn changed_lines_are_added_and_old_ones_counted() {
    let after = FORM
        .replace("unchecked", "checked")
        .replace(" listitem \"Pears\" #row\n", "");
    check(
        FORM,
        &after,
        "+ switch \"Gift\" checked\n- 1 line: \"Pears\"\n",
    );
    let more = FORM.replace(" button", " text \"Thank you\"\n button");
    check(FORM, &more, "+ text \"Thank you\"\n");
    check(FORM, FORM, "");
}

#[test]
fn indentation_and_lost_focus_are_no_change() {
    let before = FORM.replace("unchecked", "unchecked focused");
    let after = FORM.replace(" button", " list scrollable\n  button");
    check(&before, &after, "+ list scrollable\n");
    check(
        &after,
        &before,
        "+ switch \"Gift\" unchecked focused\n- 1 line\n",
    );
    let named = FORM.replace("Gift", "I am focused now");
    check(FORM, &named, "+ switch \"I am focused now\" unchecked\n");
}

#[test]
fn another_title_of_the_application_is_a_change() {
    let other = FORM.replace("\"Shop\"", "\"Basket (2)\"");
    check(FORM, &other, "+ application com.shop \"Basket (2)\"\n");
}

#[test]
fn consecutive_unchanged_lines_are_counted() {
    let sidebar = " #sidebar\n  link \"In\" e1\n  link \"Out\" e2\n  link \"Spam\" e3\n";
    let page =
        |text: &str, end: &str| format!("application a \"A\"\n{sidebar} text \"{text}\"\n{end}");
    let before = page("Ann", " button \"Send\" e4\n");
    let long = "a new text that is longer than all of the rest ".repeat(9);
    let after = page(&long, " link \"In\" e1\n link \"Out\" e2\n");
    assert_eq!(difference(&before, &after), None);
    assert_eq!(
        without_known(&before, &after).unwrap(),
        format!(
            "application a \"A\"\n #sidebar … 4 lines as before\n text \"{long}\"\n link \"In\" e1\n link \"Out\" e2\n"
        )
    );
    assert_eq!(
        without_known(&before, "application a \"B\"\n text \"C\"\n"),
        None
    );
    assert_eq!(
        without_known(&before, &after.replace("application a", "application b")),
        None
    );
}

#[test]
fn lines_with_another_selected_control_are_counted() {
    let page = |[inbox, sent]: [&str; 2], text: &str| {
        format!(
            "application a \"A\"\n text \"FOLDERS OF ANN\"\n button \"Inbox\"{inbox} e1 \"Drafts\" e2 \"Archive of all years\" e3 \"Sent\"{sent} e4\n text \"{text}\"\n"
        )
    };
    let long = "a new text that is longer than all of the rest ".repeat(9);
    let before = page([" selected", ""], "One");
    let folders = " text \"FOLDERS OF ANN\" … 2 lines as before\n";
    assert_eq!(
        without_known(&before, &page(["", " selected"], &long)).unwrap(),
        format!("application a \"A\"\n{folders} button \"Sent\" selected e4\n text \"{long}\"\n")
    );
    // Most of them are others.
    let other =
        page(["", ""], &long).replace("\"Drafts\" e2 \"Archive of all years\" e3", "\"Trash\" e5");
    assert_eq!(without_known(&before, &other), None);
}

#[test]
fn regrouped_controls_are_no_change() {
    let row = |name: &str| format!(" text \"{name}\"\n");
    let whole = |at: usize| {
        format!(
            " button \"☆\" label=\"Star\" e{at} \"✓\" label=\"Done\" e{}\n",
            at + 1
        )
    };
    let shared = |at: usize, star: &str| format!(" button \"{star}\" e{at} \"✓\" e{}\n", at + 1);
    let rest = " text \"The end of the page\"\n".repeat(3);
    let before = format!(
        "application a\n{}{}{}{}{rest}",
        row("Ann"),
        whole(1),
        row("Ben"),
        shared(3, "☆")
    );
    let scrolled = format!("application a\n{}{}{rest}", row("Ben"), whole(3));
    check(&before, &scrolled, "- 2 lines: \"Ann\"\n");
    check(
        &scrolled,
        &before,
        &format!("+{}+{}", row("Ann"), whole(1).replace("\n ", "\n+ ")),
    );
    let starred = before.replace(&shared(3, "☆"), &shared(3, "★"));
    check(&before, &starred, "+ button \"★\" e3\n");
}

#[test]
fn changed_cell_of_a_row_with_controls_is_a_change() {
    let rest = " text \"The end of the page\"\n".repeat(3);
    let screen = |paid: &str, controls: &str| {
        format!(
            "application a\n row \"A\" e1 \"3 €\" label=\"{paid}\" e2 button \"Open\" e3{controls}\n{rest}"
        )
    };
    let before = screen("not paid", " \"Pay\" e4");
    for after in [screen("paid", " \"Pay\" e4"), screen("paid", "")] {
        let line = after.lines().nth(1).unwrap();
        check(&before, &after, &format!("+{line}\n"));
    }
}

#[test]
fn new_reference_of_an_unchanged_element_follows_the_start_of_its_name() {
    let screen = |at: usize| {
        format!(
            "application a\n text \"Linear on a desktop computer, used an hour ago\" e{at}\n{}",
            " text \"The end of the page\"\n".repeat(9)
        )
    };
    check(
        &screen(1),
        &screen(2),
        "+ text \"Linear on a desktop comput…\" e2\n",
    );
}

#[test]
fn new_control_of_an_unchanged_row_follows_its_text() {
    let screen = |at: usize| {
        format!(
            "application a\n checkbox unchecked e{at} text \"Ann\" e2\n checkbox unchecked e3 text \"Ben\" e4\n{}",
            " text \"The end of the page\"\n".repeat(9)
        )
    };
    check(
        &screen(1),
        &screen(9),
        "  \"Ann\" e2\n+ checkbox unchecked e9\n",
    );
}

#[test]
fn new_controls_equal_to_those_before_have_only_references() {
    let screen = |at: usize| {
        let rows = ["Ann", "Ben", "Cleo"].iter().enumerate().map(|(row, name)| {
            let at = at + row * 3;
            format!(
                " text \"{name}\" button \"☆\" label=\"Star\" e{at} \"✓\" label=\"Done\" e{} \"⏰\" e{}\n",
                at + 1,
                at + 2
            )
        });
        let rows: String = rows.collect();
        format!(
            "application a\n{rows}{}",
            " text \"The end of the page\"\n".repeat(9)
        )
    };
    let controls = "button \"☆\" label=\"Star\" e21 \"✓\" label=\"Done\" e22 \"⏰\" e23";
    let change = format!(
        "  \"Ann\"\n+ {controls}\n  \"Ben\"\n+ same: e24-e26\n  \"Cleo\"\n+ same: e27-e29\n"
    );
    check(&screen(1), &screen(21), &change);
}

#[test]
fn ambiguous_new_line_follows_the_line_that_identifies_it() {
    let screen = |buttons: [usize; 3]| {
        let names = [
            "Ann",
            "Ben with a name that is longer than one line of a phone",
            "Cleo",
        ];
        let rows = names.iter().zip(buttons);
        let rows = rows.map(|(name, at)| format!(" text \"{name}\"\n button \"Remove\" e{at}\n"));
        format!("application a\n{}", rows.collect::<String>())
    };
    check(
        &screen([1, 2, 3]),
        &screen([1, 4, 3]),
        "  text \"Ben with a name that is lo…\"\n+ button \"Remove\" e4\n",
    );
}

#[test]
fn numbers_of_off_screen_elements_are_no_change() {
    let screen = |beyond: &str, behind: usize| {
        format!(
            "application a\n list \"(1)\" scrollable{beyond} e1\n  text \"One\"\nbehind the dialog: {behind} elements\n"
        )
    };
    let before = screen(" (1 element above, 20 below with \"Part 2\")", 12);
    let change = |after: &str| difference(&before, after).unwrap();
    assert_eq!(
        change(&screen(" (3 elements above, 9 below with \"Part 2\")", 3)),
        ""
    );
    for known in [" (3 elements above with \"One\")", ""] {
        assert_eq!(change(&screen(known, 12)), "");
    }
    let at_rest = screen("", 12).replace(" scrollable e1", "");
    assert_eq!(change(&at_rest), "");
    let other = " (1 element above with \"One\", 20 below with \"Part 3\")";
    let line = format!("+ list \"(1)\" scrollable{other} e1\n");
    assert_eq!(change(&screen(other, 12)), line);
    // An earlier screen had it.
    let mut shown = ShownLines::default();
    shown.note("application a\n heading \"Part 3\"\n");
    check_seen(&before, &screen(other, 12), &shown, "");
    let named = screen("", 12).replace("(1)", "scrollable (2)");
    check(
        &named,
        &named.replace("(2)", "(3)"),
        "+ list \"scrollable (3)\" scrollable e1\n",
    );
}

#[test]
fn texts_of_a_seen_control_that_scrolled_into_view_are_counted() {
    let row =
        |name: &str, at: usize| format!(" \"{name} of a small town\" button \"Call\" e{at}\n");
    let page = |rows: &[String]| format!("application a\n{}", rows.concat());
    let [ann, ben, cleo] = [row("Ann", 1), row("Ben", 2), row("Cleo", 3)];
    let mut shown = ShownLines::default();
    let all = page(&[ann.clone(), ben.clone(), cleo.clone()]);
    shown.note(&all);
    check_seen(
        &page(&[ann.clone(), ben.clone()]),
        &page(&[ben.clone(), cleo]),
        &shown,
        "+ \"Cleo of a small town\" button \"Call\" e3\n- 1 line: \"Ann of a small town\"\n",
    );
    let failed = ben.replace("button", "text \"Nobody answers\" button");
    shown.note(&page(std::slice::from_ref(&failed)));
    // An error that appears again beside a control that was there.
    check_seen(
        &page(&[ann.clone(), ben]),
        &page(&[ann, failed]),
        &shown,
        "  \"Ben of a small town\"\n+ \"Nobody answers\"\n",
    );
}

#[test]
fn only_new_controls_of_a_shared_line_are_shown() {
    let rest = " text \"The end of the page\"\n".repeat(3);
    let screen = |line: &str| format!("application a\n  {line}\n{rest}");
    let before = screen("button \"One\" selected focused e1 \"Two\" e2 \"Three\" e3");
    let change = |line: &str| difference(&before, &screen(line)).unwrap();
    assert_eq!(
        change("button \"One\" selected e1 \"Two\" focused e2 \"Three\" e3"),
        "+  button \"Two\" focused e2\n"
    );
    assert_eq!(
        change("button \"One\" e1 \"Two\" e2 \"Three\" selected e3 \"Four\" e4"),
        "+  button \"Three\" selected e3 \"Four\" e4\n"
    );
    assert_eq!(
        change("button \"One\" selected e1 \"Two\" e2"),
        "- 1 line: \"Three\"\n"
    );
}

#[test]
fn another_window_and_a_new_screen_are_shown_whole() {
    let other = FORM.replace("com.shop", "com.bank");
    assert_eq!(difference(FORM, &other), None);
    let new = "application com.shop \"Shop\"\n title \"Done\"\n text \"Thank you\"\n";
    assert_eq!(difference(FORM, new), None);
}

#[test]
fn added_lines_and_common_lines_are_the_new_screen() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    for (before, after) in [
        ("w\na\nb\nc\nd\ne\nf\ng", "w\na\nx\nc\ne\nf\ng\nd"),
        ("w\na", "w\na\nb"),
    ] {
        let Some(text) = difference(before, after) else {
            continue;
        };
        for line in text.lines().filter_map(|line| line.strip_prefix("+ ")) {
            assert!(lines(after).contains(&line.to_owned()), "{text}");
        }
    }
}

#[test]
fn cut_text_is_between_quotes() {
    let cut = |text: &str| super::shortened(&format!("  text \"{text}\" e1"));
    let long = "x".repeat(50);
    assert_eq!(cut("short"), "  text \"short\" e1");
    assert_eq!(cut(&long), format!("  text \"{}…\"", &long[..26]));
    // A cut escape is removed.
    let padding = "x".repeat(25);
    for escaped in ["\\n", "\\\"", "\\u{202e}"] {
        let text = format!("{padding}{escaped}{long}");
        assert_eq!(cut(&text), format!("  text \"{padding}…\""), "{escaped}");
    }
    let whole = format!("{}\\\"{long}", &padding[..22]);
    assert!(cut(&whole).ends_with("x\\\"xx…\""), "{}", cut(&whole));
    let page = "webview / scrollable (23 elements below) e1";
    assert_eq!(super::shortened(page), "webview / scrollable …");
    // Neither a word nor a reference is cut.
    let name = "title \"Mail\" selected unchecked focused disabled";
    let start = "title \"Mail\" selected unchecked …";
    assert_eq!(super::shortened(name), start);
    assert_eq!(
        super::shortened("button \"Feed\" e2 \"Jobs\" e3 \"A\" e456"),
        "button \"Feed\" e2 \"Jobs\" e3 \"A\" …"
    );
}

#[test]
fn moved_line_has_the_line_before_it() {
    let page = |lists: [&str; 2]| {
        let [todo, done] = lists.map(|rows| {
            let rows = rows.split_whitespace();
            rows.map(|row| format!(" listitem \"{row}\"\n"))
                .collect::<String>()
        });
        format!("application a\n heading \"Todo\"\n{todo} heading \"Done\"\n{done}")
    };
    let before = page(["Bread Milk", "Eggs"]);
    let change = |lists| difference(&before, &page(lists)).unwrap();
    assert_eq!(
        change(["Milk", "Eggs Bread"]),
        "moved: listitem \"Bread\", now after \"Eggs\"\n"
    );
    assert_eq!(
        change(["Milk", "Bread Eggs"]),
        "moved: listitem \"Bread\", now under heading \"Done\"\n"
    );
    // Equal lines cannot be moved.
    let equal = page(["Bread Bread Milk", "Eggs"]);
    let after = page(["Bread Milk", "Eggs Bread"]);
    let change = difference(&equal, &after).unwrap();
    assert_eq!(
        change,
        "  listitem \"Eggs\"\n+ listitem \"Bread\"\n- 1 line\n"
    );
}

#[test]
fn code_name_is_compared() {
    let page = |name: &str| {
        format!(
            "application a\n \"Ann\" button code=\"save\" e2\n \"Ben\" button code=\"{name}\" e4\n{}",
            " text \"The end of the page\"\n".repeat(3)
        )
    };
    check(
        &page("save"),
        &page("unsave"),
        "+ button code=\"unsave\" e4\n",
    );
}

#[test]
fn regrouped_texts_are_no_change() {
    let before = page(" \"MAR\" \"10\" \"45 attending\"\n");
    check(&before, &page(" \"MAR\" \"10\"\n \"45 attending\"\n"), "");
    check(
        &before,
        &page(" \"MAR\" \"11\"\n \"45 attending\"\n"),
        "+ \"MAR\" \"11\"\n",
    );
}

#[test]
fn radio_button_that_another_one_deselects_is_no_change() {
    let end = " text \"The end of the page\"\n".repeat(3);
    let page = |one: &str, other: &str| {
        format!("application a\n radio \"One\"{one} e1 \"Two\"{other} e2\n{end}")
    };
    check(
        &page(" checked", ""),
        &page("", " checked"),
        "+ radio \"Two\" checked e2\n",
    );
    check(&page(" checked", ""), &page("", ""), "+ radio \"One\" e1\n");
}

#[test]
fn first_removed_lines_are_named() {
    let keys = " \"CI key\" button \"Revoke\" e1\n \"Bot key\" button \"Revoke\" e2\n \"Old key\" button \"Revoke\" e3\n";
    check(
        &page(keys),
        &page(""),
        "- 3 lines: \"CI key\" \"Bot key\"\n",
    );
    // A text in the place of another one is that one with another value.
    check(
        &page(" \"3 keys\"\n"),
        &page(" \"2 keys\"\n"),
        "+ \"2 keys\"\n",
    );
}

#[test]
fn details_of_another_row_do_not_move_the_row() {
    let page = |open: usize| {
        let rows = (1..=4).map(|at| {
            let details = match at == open {
                true => format!(" \"Address\" \"10.0.0.{at}\" \"Browser\" \"System\" \"Place\"\n"),
                false => String::new(),
            };
            format!(" \"Device {at}\" e{at}\n{details}")
        });
        format!("application a\n{}", rows.collect::<String>())
    };
    let details = "\"Address\" \"10.0.0.2\" \"Browser\" \"System\" \"Place\"";
    check(
        &page(1),
        &page(2),
        &format!("+ {details}\n- 1 line: \"10.0.0.1\"\n"),
    );
}

#[test]
fn replaced_row_is_named() {
    let change = |before: &str, after: &str| difference(&page(before), &page(after)).unwrap();
    let key = |name: &str, at: u32| format!(" \"{name}\" button \"Revoke\" e{at}\n");
    assert_eq!(
        change(&key("Bot key", 2), &key("Old key", 3)),
        "+ \"Old key\" button \"Revoke\" e3\n- 1 line: \"Bot key\"\n"
    );
    assert_eq!(
        change(" \"Lunch?\" e5\n", " \"Message deleted\"\n"),
        "+ \"Message deleted\"\n- 1 line: \"Lunch?\"\n"
    );
    assert_eq!(
        change(
            " listitem \"Ann: see you\" e5\n",
            " listitem \"Ann: hello\" e9\n"
        ),
        "+ listitem \"Ann: hello\" e9\n- 1 line: \"Ann: see you\"\n"
    );
    // The same text with another value, and a placeholder.
    for (before, after) in [
        (" \"Total: 5 €\" e5\n", " \"Total: 7 €\" e9\n"),
        (" \"You have no key\"\n", " \"You have two keys\"\n"),
        (" \"Loading…\"\n", " \"Two keys\"\n"),
        (" \"5 €\"\n", " \"free\"\n"),
        (
            " text \"Draft\" button \"Edit\" e4\n",
            " text \"Sent\" button \"Edit\" e4\n",
        ),
    ] {
        let change = change(before, after);
        assert!(!change.contains("- 1 line"), "{change}");
    }
}

#[test]
fn equal_controls_are_distinguished_by_adjacent_text() {
    let screen =
        |chips: &str| format!("{}\n {chips}\n", FORM.trim_end().replace("Apples", "Plums"));
    let before = screen(
        "\"Boston\" button \"×\" e1 text \"Austin\" button \"×\" e2 text \"Remote\" button \"×\" e3",
    );
    let one = screen("\"Boston\" button \"×\" e1 text \"Austin\" button \"×\" e4");
    check(
        &before,
        &one,
        "  \"Austin\"\n+ button \"×\" e4\n- 3 lines: \"Remote\"\n",
    );
    let two = screen(
        "\"Boston\" button \"×\" e5 text \"Austin\" button \"×\" e6 text \"Remote\" button \"×\" e3",
    );
    check(
        &before,
        &two,
        "  \"Boston\"\n+ button \"×\" e5 text \"Austin\" button \"×\" e6\n",
    );
}
