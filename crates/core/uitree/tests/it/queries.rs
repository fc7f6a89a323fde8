//! The matches of queries, and their order.

use crate::screen;
use expect_test::{Expect, expect};
use uitree::{Mark, Query, Role, UiTree};

fn check(notation: &str, query: Query, found: Expect) {
    let tree = screen(notation);
    found.assert_eq(&list(&tree, &tree.find_all(&query)));
    assert_eq!(tree.find(&query), tree.find_all(&query).first().copied());
}

fn list(tree: &UiTree, ids: &[uitree::NodeId]) -> String {
    let line = |id: &uitree::NodeId| {
        let words = tree.describe(*id);
        match &*tree.node(*id).id {
            id if words.contains(id) => format!("{words}\n"),
            id => format!("{words} #{id}\n"),
        }
    };
    ids.iter().map(line).collect()
}

const SETTINGS: &str = r#"
    column
      title "Settings"
      list #com.android.settings:id/list scrollable
        listitem clickable
          text "Wi-Fi" #android:id/title
          text "Straße 5 GHz" #android:id/summary
        listitem clickable
          text "Bluetooth" #android:id/title
          switch #android:id/switch_widget checkable checked
      button label="Search for 'vlc'" #search clickable
      textfield hint="Wi-Fi password" password editable
"#;

#[test]
fn whole_values_compare_exactly() {
    check(
        SETTINGS,
        Query::new().text("Wi-Fi"),
        expect![[r#"
        text "Wi-Fi" #android:id/title
    "#]],
    );
    check(SETTINGS, Query::new().text("wi-fi"), expect![[r#""#]]);
    check(SETTINGS, Query::new().text("Wi-Fi "), expect![[r#""#]]);
    check(
        SETTINGS,
        Query::new().id("android:id/title"),
        expect![[r#"
        text "Wi-Fi" #android:id/title
        text "Bluetooth" #android:id/title
    "#]],
    );
    check(SETTINGS, Query::new().id("title"), expect![[r#""#]]);
    check(
        SETTINGS,
        Query::new().label("Search for 'vlc'"),
        expect![[r#"
        button label="Search for 'vlc'" #search
    "#]],
    );
}

/// The first text has a no-break space, the second a plain one.
const SPACES: &str = r#"
    column
      button "Tea\u{a0}room" #odd label="Open\u{202f}now"
      button "Tea room" #plain label="Open now"
      button "Tea\u{2009}room" #thin
"#;

#[test]
fn kinds_of_spaces_count_only_if_a_node_has_the_given_ones() {
    let ids = |query: Query| {
        let tree = screen(SPACES);
        let found = tree.find_all(&query);
        assert_eq!(tree.find(&query), found.first().copied());
        assert_eq!(tree.count(&query), found.len());
        let root = tree.windows()[0].root;
        assert_eq!(tree.find_in(root, &query), found.first().copied());
        assert_eq!(tree.find_all_in(root, &query), found);
        let id = |id: &uitree::NodeId| tree.node(*id).id.to_string();
        found.iter().map(id).collect::<Vec<_>>().join(" ")
    };
    for (text, found) in [
        ("Tea room", "plain"),
        ("Tea\u{a0}room", "odd"),
        ("Tea\u{2009}room", "thin"),
        ("Tea\u{202f}room", "odd plain thin"),
        ("Tearoom", ""),
    ] {
        assert_eq!(ids(Query::new().text(text)), found, "{text:?}");
        let part = text.to_lowercase();
        assert_eq!(ids(Query::new().text_contains(&part)), found, "{part:?}");
    }
    assert_eq!(ids(Query::new().label("Open now")), "plain");
    assert_eq!(ids(Query::new().label_contains("open\u{202f}NOW")), "odd");
    assert_eq!(
        ids(Query::new().text("Tea room").label("Open\u{202f}now")),
        "odd plain"
    );
    assert_eq!(ids(Query::new().text("Tea room").id("thin")), "thin");
    assert_eq!(ids(Query::new().text_contains("tea")), "odd plain thin");
}

#[test]
fn text_and_label_are_separate() {
    check(
        SETTINGS,
        Query::new().text("Search for 'vlc'"),
        expect![[r#""#]],
    );
    check(SETTINGS, Query::new().label("Wi-Fi"), expect![[r#""#]]);
    check(
        SETTINGS,
        Query::new().text_contains("password"),
        expect![[r#""#]],
    );
}

#[test]
fn substrings_ignore_case_in_every_script() {
    check(
        SETTINGS,
        Query::new().text_contains("TOOTH"),
        expect![[r#"
        text "Bluetooth" #android:id/title
    "#]],
    );
    check(
        SETTINGS,
        Query::new().text_contains("STRASSE"),
        expect![[r#"
        text "Straße 5 GHz" #android:id/summary
    "#]],
    );
    let scripts = r#"
        column
          text "ΟΔΟΣ"
          text "İstanbul"
          text "ПРИВЕТ"
          text "ﬁnd"
          text "e\u{301}t\u{e9}"
    "#;
    check(
        scripts,
        Query::new().text_contains("οδος"),
        expect![[r#"
        text "ΟΔΟΣ"
    "#]],
    );
    check(
        scripts,
        Query::new().text_contains("istanbul"),
        expect![[r#"
        text "İstanbul"
    "#]],
    );
    check(
        scripts,
        Query::new().text_contains("ISTANBUL"),
        expect![[r#"
        text "İstanbul"
    "#]],
    );
    check(
        scripts,
        Query::new().text_contains("привет"),
        expect![[r#"
        text "ПРИВЕТ"
    "#]],
    );
    check(
        scripts,
        Query::new().text_contains("FIND"),
        expect![[r#"
        text "ﬁnd"
    "#]],
    );
    check(
        scripts,
        Query::new().text_contains("TÉ"),
        expect![[r#"
        text "été"
    "#]],
    );
}

#[test]
fn substring_does_not_span_two_nodes() {
    let tree = screen("column\n  text \"ab\" label=\"x\"\n  text \"cd\" label=\"y\"");
    for across in [
        "abcd",
        "bc",
        "b c",
        "b\u{ff}c",
        "b\nc",
        "b\0c",
        "b\u{fffd}c",
    ] {
        assert_eq!(
            tree.count(&Query::new().text_contains(across)),
            0,
            "{across:?}"
        );
    }
    assert_eq!(
        tree.count(&Query::new().text_contains("")),
        3,
        "the empty part stands everywhere"
    );
    assert_eq!(
        tree.count(&Query::new().text_contains("c").label_contains("x")),
        0
    );
}

#[test]
fn all_conditions_must_match() {
    check(
        SETTINGS,
        Query::new().role("text").id("android:id/title"),
        expect![[r#"
        text "Wi-Fi" #android:id/title
        text "Bluetooth" #android:id/title
    "#]],
    );
    check(
        SETTINGS,
        Query::new().role("switch").text("Wi-Fi"),
        expect![[r#""#]],
    );
    check(
        SETTINGS,
        Query::new().text_contains("b").text_contains("blue"),
        expect![[r#"
        text "Bluetooth" #android:id/title
    "#]],
    );
    check(
        SETTINGS,
        Query::new()
            .label_contains("VLC")
            .role("button")
            .id("search"),
        expect![[r#"
        button label="Search for 'vlc'" #search
    "#]],
    );
}

#[test]
fn role_names_ignore_case() {
    check(
        SETTINGS,
        Query::new().role("ListItem"),
        expect![[r#"
        listitem [0,100][1080,300]
        listitem [0,300][1080,500]
    "#]],
    );
    check(
        SETTINGS,
        Query::new().role("android.widget.Switch"),
        expect![[r#""#]],
    );
    for role in Role::ALL {
        assert_eq!(Role::parse(&role.as_str().to_uppercase()), Some(*role));
    }
}

#[test]
fn empty_query_matches_nothing() {
    check(SETTINGS, Query::new(), expect![[r#""#]]);
    assert!(Query::new().is_empty() && !Query::new().role("x").is_empty());
}

#[test]
fn topmost_window_is_searched_first() {
    check(
        r#"
        window application layer=1 active "Mail"
          button "OK" #below clickable
        window system
          button "OK" #bar clickable
        window input-method layer=7
          button "OK" #keyboard clickable
        window application layer=7 "Dialog"
          button "OK" #dialog clickable
            text "OK" #inner
        "#,
        Query::new().text("OK"),
        expect![[r#"
            button "OK" #keyboard
            button "OK" #dialog
            text "OK" #inner
            button "OK" #below
            button "OK" #bar
        "#]],
    );
}

#[test]
fn only_visible_nodes_match() {
    check(
        r#"
        column [0,0][1080,2400]
          text "row" #seen [0,0][100,100]
          text "row" #below [0,2400][100,2500]
          text "row" #invisible [0,0][100,100] invisible
          text "row" #empty [5,5][5,50]
          text "row" #unplaced unplaced
          text "row" #partly [-50,2399][1,9999]
        "#,
        Query::new().text("row"),
        expect![[r#"
            text "row" #seen
            text "row" #partly
        "#]],
    );
}

#[test]
fn scope_includes_itself_and_descendants() {
    let tree = screen(SETTINGS);
    let list_id = tree.find(&Query::new().role("list")).unwrap();
    let rows = tree.find_all_in(list_id, &Query::new().role("listitem"));
    assert_eq!(rows.len(), 2);
    let title = Query::new().id("android:id/title");
    assert_eq!(
        list(&tree, &tree.find_all_in(rows[1], &title)),
        "text \"Bluetooth\" #android:id/title\n"
    );
    assert_eq!(tree.find_in(rows[0], &Query::new().role("switch")), None);
    assert_eq!(
        tree.find_in(list_id, &Query::new().role("list")),
        Some(list_id)
    );
    assert_eq!(tree.find_in(rows[0], &Query::new().role("list")), None);
    assert_eq!(tree.count(&title), 2);
}

#[test]
fn query_formats_its_conditions() {
    let query = Query::new()
        .id("com.shop:id/pay")
        .role("button")
        .text("Pay \"now\"")
        .text_contains("p\u{a0}y")
        .label("")
        .label_contains("x");
    expect![[r#"id=com.shop:id/pay role=button text="Pay \"now\"" textContains="p\u{a0}y" label="" labelContains="x""#]].assert_eq(&query.to_string());
    expect!["nothing"].assert_eq(&Query::new().to_string());
    expect![[r#"id="a b""#]].assert_eq(&Query::new().id("a b").to_string());
}

/// The settings screen, with marks for `.row` and `#gone`.
fn marked() -> UiTree {
    let tree = screen(SETTINGS);
    let rows = tree.find_all(&Query::new().role("listitem"));
    let nodes = rows.into_iter().rev().collect();
    let mark = |selector: &str, nodes| Mark {
        selector: selector.into(),
        nodes,
    };
    tree.with_marks(vec![mark(".row", nodes), mark("#gone", Vec::new())])
}

#[test]
fn css_condition_uses_marks() {
    let tree = marked();
    let css = |selector: &str| Query::new().css(selector);
    assert_eq!(tree.count(&css(".row")), 2);
    assert_eq!(tree.count(&css(".row").role("listitem")), 2);
    assert_eq!(tree.count(&css(".row").text("Wi-Fi")), 0);
    assert_eq!(tree.count(&css("#gone")), 0);
    assert_eq!(tree.count(&css("never asked for")), 0);
    let rows = tree.find_all(&css(".row"));
    assert!(rows.is_sorted());
    assert_eq!(tree.find_in(rows[1], &css(".row")), Some(rows[1]));
    let list = tree.find(&Query::new().role("list")).unwrap();
    assert_eq!(tree.find_all_in(list, &css(".row")), rows);
    assert!(!css(".row").matches(tree.node(rows[0])));
    assert_eq!(
        css("a b").role("list").to_string(),
        r#"role=list css="a b""#
    );
}

#[test]
fn marks_are_not_written_to_documents() {
    let tree = marked();
    let plain = screen(SETTINGS);
    assert_ne!(tree, plain);
    assert_eq!(tree.to_hierarchy_xml(), plain.to_hierarchy_xml());
    assert_eq!(tree.to_notation(), plain.to_notation());
    assert_eq!(tree.with_windows(|_| true), tree);
    assert_eq!(tree.with_windows(|_| false).marks()[0].nodes, []);
}
