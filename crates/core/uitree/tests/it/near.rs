//! Near misses when a look-up finds nothing.

use crate::{real_screen, screen};
use expect_test::{Expect, expect};
use uitree::{Query, UiTree};

fn show(tree: &UiTree, query: &Query) -> String {
    let misses = tree.near_misses(query, 3);
    let lines = misses.iter().map(|miss| {
        let reasons = miss.reasons.join("; ");
        format!("{} {}: {reasons}\n", miss.score, tree.describe(miss.node))
    });
    lines.collect()
}

fn check(query: Query, expected: Expect) {
    let tree = screen(SCREEN);
    assert_eq!(tree.find(&query), None, "{query} is found");
    expected.assert_eq(&show(&tree, &query));
}

const SCREEN: &str = r#"
    column [0,0][1080,2400]
      title "Network settings" #com.phone:id/title2 [0,0][1080,100]
      text "Wi\u{2011}Fi" [0,100][1080,200]
      text "Bluetooth" #com.phone:id/title [0,200][1080,300] clickable
      text "Data usage \u{a0}" [0,300][1080,400]
      button label="Search settings" #com.phone:id/search [0,400][1080,500] clickable
      textfield hint="E-mail address" [0,500][1080,600] editable
      text "AIRPLANE MODE" [0,600][1080,700]
      list #com.phone:id/list [0,700][1080,1000] scrollable
        listitem "Hotspot and tethering" [0,700][1080,800] clickable
        listitem "About phone" [0,1900][1080,2000] clickable
      button "Reset" [0,1000][1080,1100] clickable invisible
      text "Ready" [0,1100][0,1100]
"#;

#[test]
fn near_misses_name_typos_case_white_space_and_look_alikes() {
    check(
        Query::new().text("Wi-Fi"),
        expect![[r#"
        950 text "Wi‑Fi": text is "Wi‑Fi", not "Wi-Fi": the characters only look alike
    "#]],
    );
    check(
        Query::new().text("Blutooth"),
        expect![[r#"
        850 text "Bluetooth": text is "Bluetooth", not "Blutooth"
    "#]],
    );
    check(
        Query::new().text("Airplane mode"),
        expect![[r#"
        960 text "AIRPLANE MODE": text is "AIRPLANE MODE", not "Airplane mode": letter case differs
    "#]],
    );
    check(
        Query::new().text("Data usage"),
        expect![[r#"
        950 text "Data usage \u{a0}": text is "Data usage \u{a0}", not "Data usage": white space differs
    "#]],
    );
    check(
        Query::new().text_contains("and  tethering"),
        expect![[r#"
        940 listitem "Hotspot and tethering": text is "Hotspot and tethering", without "and  tethering": white space differs
    "#]],
    );
    check(
        Query::new().text_contains("tehtering"),
        expect![[r#"
        770 listitem "Hotspot and tethering": text is "Hotspot and tethering", without "tehtering"
    "#]],
    );
}

#[test]
fn more_and_fewer_words() {
    check(
        Query::new().text("Hotspot"),
        expect![[r#"
        683 listitem "Hotspot and tethering": text is "Hotspot and tethering", not "Hotspot": textContains would match
    "#]],
    );
    check(
        Query::new().text("About this phone"),
        expect![[r#"
        580 listitem "About phone": text is "About phone", not "About this phone"; is off screen: scroll to it
    "#]],
    );
    check(
        Query::new().text_contains("Bluetooth settings"),
        expect![[r#"
        600 text "Bluetooth": text is "Bluetooth", without "Bluetooth settings"
    "#]],
    );
}

#[test]
fn words_in_another_field() {
    check(
        Query::new().text("Search settings"),
        expect![[r#"
        930 button label="Search settings": the text is in the content description "Search settings", not in the text: use contentDescEquals
    "#]],
    );
    check(
        Query::new().text_contains("search"),
        expect![[r#"
        930 button label="Search settings": the text is in the content description "Search settings", not in the text: use contentDescContains
    "#]],
    );
    check(
        Query::new().label("Bluetooth"),
        expect![[r#"
        930 text "Bluetooth": the text is in the text "Bluetooth", not in the content description: use textEquals
    "#]],
    );
    check(
        Query::new().label_contains("blue"),
        expect![[r#"
        930 text "Bluetooth": the text is in the text "Bluetooth", not in the content description: use textContains
    "#]],
    );
    check(
        Query::new().text("E-mail address"),
        expect![[r#"
        930 textfield hint="E-mail address": the text is the placeholder "E-mail address", which matchers do not read: use resourceId or role
    "#]],
    );
}

#[test]
fn ids() {
    check(
        Query::new().id("title"),
        expect![[r#"
        900 text "Bluetooth": id is "com.phone:id/title", not "title": the part before the slash differs
        790 title "Network settings": id is "com.phone:id/title2", not "title"
    "#]],
    );
    check(
        Query::new().id("android:id/search"),
        expect![[r#"
        900 button label="Search settings": id is "com.phone:id/search", not "android:id/search": the part before the slash differs
    "#]],
    );
    check(
        Query::new().id("com.phone:id/Search"),
        expect![[r#"
        960 button label="Search settings": id is "com.phone:id/search", not "com.phone:id/Search": letter case differs
    "#]],
    );
    check(
        Query::new().id("com.phone:id/serach"),
        expect![[r#"
        790 button label="Search settings": id is "com.phone:id/search", not "com.phone:id/serach"
    "#]],
    );
}

#[test]
fn roles() {
    check(
        Query::new().text("Bluetooth").role("button"),
        expect![[r#"
        750 text "Bluetooth": role is text, not button
    "#]],
    );
    check(
        Query::new().text("Bluetooth").role("textview"),
        expect![[r#"
        925 text "Bluetooth": there is no role "textview": did you mean text? The role here is text
    "#]],
    );
    check(
        Query::new().role("buton"),
        expect![[r#"
        700 button label="Search settings": there is no role "buton": did you mean button? The role here is button
        580 button "Reset": there is no role "buton": did you mean button? The role here is button; exists but is not visible to the user
    "#]],
    );
    check(Query::new().role("nonsense"), expect![[r#""#]]);
    check(Query::new().role("slider"), expect![[r#""#]]);
}

#[test]
fn hidden_match() {
    check(
        Query::new().text("About phone"),
        expect![[r#"
        990 listitem "About phone": is off screen: scroll to it
    "#]],
    );
    check(
        Query::new().text("Reset").role("button"),
        expect![[r#"
        990 button "Reset": exists but is not visible to the user
    "#]],
    );
    check(
        Query::new().text("Ready"),
        expect![[r#"
        990 text "Ready": exists but has no size: its bounds are [0,1100][0,1100]
    "#]],
    );
}

#[test]
fn several_conditions() {
    check(
        Query::new().id("com.phone:id/search").text("Find"),
        expect![[r#"
        500 button label="Search settings": text is empty, not "Find"
    "#]],
    );
    check(
        Query::new().id("com.phone:id/title").text("Blue"),
        expect![[r#"
        677 text "Bluetooth": text is "Bluetooth", not "Blue": textContains would match
    "#]],
    );
}

#[test]
fn unrelated_nodes_are_no_near_misses() {
    check(Query::new().text("Checkout"), expect![[r#""#]]);
    check(Query::new().id("com.shop:id/pay"), expect![[r#""#]]);
    check(Query::new().text("OK"), expect![[r#""#]]);
    check(Query::new().text_contains("\u{200b}"), expect![[r#""#]]);
}

#[test]
fn role_alone_is_no_near_miss() {
    let tree = screen(
        "column\n  button \"one two and many other words that nobody has asked for at all\"\n  button \"Bookmarks\"",
    );
    for text in ["one two three four", "OK", "Bo"] {
        assert_eq!(
            tree.near_misses(&Query::new().text(text).role("button"), 3),
            vec![],
            "{text}"
        );
    }
}

#[test]
fn on_a_real_screen() {
    let tree = real_screen("026");
    let show = |query: Query| show(&tree, &query);
    expect![[r#"
        970 button "EX": text is "EX", not "ex": letter case differs
    "#]]
    .assert_eq(&show(Query::new().text("ex").role("button")));
    expect![[r#"
        900 button "HẤQ": id is "android:id/button2", not "button2": the part before the slash differs
        790 button "EX": id is "android:id/button1", not "button2"
    "#]].assert_eq(&show(Query::new().id("button2")));
}

#[test]
fn equal_near_misses_are_listed_once() {
    let rows = "list\n".to_owned() + &"  text \"Wi-Fi settings\"\n".repeat(20) + "  text \"WI-FI\"";
    let tree = screen(&rows);
    let misses = tree.near_misses(&Query::new().text("Wi-Fi"), 3);
    assert_eq!(misses.len(), 2);
}

#[test]
fn the_cost_of_a_node_is_bounded() {
    let near = |value: &str, query: &Query| {
        let tree = screen(&format!(
            "list [0,0][1080,2400]\n  text \"{value}\" [0,0][10,10]\n"
        ));
        tree.near_misses(query, 3).len()
    };
    // Typos are counted in at most 80 letters, so that the work does not grow with the square of the length.
    for (letters, misses) in [(80, 1), (81, 0)] {
        let (value, wanted) = ("x".repeat(letters - 1) + "y", "x".repeat(letters - 1) + "z");
        assert_eq!(
            near(&value, &Query::new().text(&wanted)),
            misses,
            "{letters} letters"
        );
    }
    // 512 bytes of a value and 40 of its words are compared.
    for (before, misses) in [(300, 1), (600, 0)] {
        let value = "\u{2026}".repeat(before / 3) + " e\u{2010}mail";
        assert_eq!(
            near(&value, &Query::new().text_contains("e-mail")),
            misses,
            "{before} bytes"
        );
    }
    for (before, misses) in [(30, 1), (40, 0)] {
        let value = "no ".repeat(before) + "general settings of networks";
        let query = Query::new().text_contains("networks general");
        assert_eq!(near(&value, &query), misses, "{before} words");
    }
}

#[test]
fn css_condition_is_exact() {
    let tree = screen(SCREEN);
    let hit = |role: &str| tree.find_all(&Query::new().role(role));
    let unseen: Vec<_> = tree.ids().filter(|id| !tree.is_on_screen(*id)).collect();
    let mark = |selector: &str, nodes| uitree::Mark {
        selector: selector.into(),
        nodes,
    };
    let marks = vec![
        mark("button", hit("button")),
        mark(".low", unseen),
        mark(".none", Vec::new()),
    ];
    let tree = tree.with_marks(marks);
    let near = |query: Query| show(&tree, &query);
    expect![""].assert_eq(&near(Query::new().css(".none")));
    expect![[r#"
        990 listitem "About phone": is off screen: scroll to it
        990 button "Reset": exists but is not visible to the user
        990 text "Ready": exists but has no size: its bounds are [0,1100][0,1100]
    "#]]
    .assert_eq(&near(Query::new().css(".low")));
    expect![[r#"
        500 text "Bluetooth": the selector "button" does not match it
        500 button label="Search settings": text is empty, not "Bluetooth"
    "#]]
    .assert_eq(&near(Query::new().css("button").text("Bluetooth")));
    expect![[r#"
        925 button label="Search settings": content description is "Search settings", not "Search setings"
    "#]].assert_eq(&near(Query::new().css("button").label("Search setings")));
}
