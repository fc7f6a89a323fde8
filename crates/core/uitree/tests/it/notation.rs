//! Screens written by hand.

use crate::screen;
use expect_test::{Expect, expect};
use uitree::{Rect, Size, State, UiTree};

fn check(written: &str, read: Expect) {
    let tree = screen(written);
    read.assert_eq(&tree.to_notation());
    assert_eq!(screen(&tree.to_notation()), tree);
}

fn check_error(written: &str, expected: Expect) {
    expected.assert_eq(&UiTree::parse_notation(written).unwrap_err().to_string());
}

#[test]
fn notation_expresses_everything() {
    check(
        r#"
        // a comment
        screen 2400x1080 rotation=3

        window application layer=1 active "Sign in" owner=com.shop
          column #root [0,0][2400,1080] .LinearLayout
            textfield hint="E-mail" #com.shop:id/email clickable focusable focused editable index=4
            textfield "secret" .EditText password editable showing-hint
            text "two\nlines \"quoted\" \\ \u{a0}|" label="é" owner=android @drawing-order="2" @NAF="true"
            button "Sign in" ."u11" #"odd id" disabled invisible unplaced
            switch .android.view.View checkable checked selected heading long-clickable scrollable
        window input-method layer=9 owner="com.keys" inactive
          button "q"
        window system active
          text "12:00"
        "#,
        expect![[r#"
            screen 2400x1080 rotation=3
            window application layer=1 active "Sign in" owner=com.shop
              column #root .LinearLayout [0,0][2400,1080]
                textfield hint="E-mail" #com.shop:id/email [0,0][2400,100] clickable editable focusable focused index=4
                textfield "secret" .EditText [0,100][2400,200] editable password showing-hint
                text "two\nlines \"quoted\" \\ \u{a0}|" label="é" owner=android [0,200][2400,300] @drawing-order="2" @NAF="true"
                button "Sign in" #"odd id" ."u11" unplaced disabled invisible
                switch .android.view.View [0,300][2400,400] long-clickable scrollable checkable checked selected heading
            window input-method layer=9 owner=com.keys
              button "q" [0,0][2400,1080]
            window system active
              text "12:00" [0,0][2400,1080]
        "#]],
    );
}

#[test]
fn defaults_are_omitted() {
    check(
        "button",
        expect![[r#"
        button [0,0][1080,2400]
    "#]],
    );
    check(
        "text \"a\"\ntext \"b\"",
        expect![[r#"
        text "a" [0,0][1080,2400]
        text "b" [0,0][1080,2400]
    "#]],
    );
    check("", expect![[r#""#]]);
}

#[test]
fn missing_bounds_are_generated() {
    check(
        r#"
        column
          text "first"
          row
            text "second"
            text "third"
          text "fixed" [10,1000][20,1010]
            text "inside"
          text "after"
          container unplaced
            text "in nowhere"
          text "last"
        "#,
        expect![[r#"
            column [0,0][1080,2400]
              text "first" [0,0][1080,100]
              row [0,100][1080,300]
                text "second" [0,100][1080,200]
                text "third" [0,200][1080,300]
              text "fixed" [10,1000][20,1010]
                text "inside" [10,1000][20,1100]
              text "after" [0,1010][1080,1110]
              container unplaced
                text "in nowhere" [0,1110][1080,1210]
              text "last" [0,1210][1080,1310]
        "#]],
    );
}

#[test]
fn several_windows_are_parsed() {
    let tree = screen(
        "window application layer=3 \"A\" owner=a\n  text \"x\"\n  text \"y\"\nwindow system\n  text \"z\"",
    );
    let windows: Vec<_> = tree
        .windows()
        .iter()
        .map(|window| (&*window.title, window.layer, window.active))
        .collect();
    assert_eq!(windows, [("A", 3, true), ("", 0, false), ("", 0, false)]);
    assert_eq!(tree.screen(), Size::new(1080, 2400));
    assert_eq!(tree.nodes()[1].bounds, Some(Rect::new(0, 0, 1080, 2400)));
    assert_eq!(&*tree.nodes()[0].owner, "a");
    assert!(tree.nodes()[2].is(State::ENABLED | State::VISIBLE));
}

#[test]
fn plain_window_after_another_has_a_window_line() {
    check(
        "window application inactive\n  text \"a\"\nwindow application\n  text \"b\"",
        expect![[r#"
            window application inactive
              text "a" [0,0][1080,2400]
            window application
              text "b" [0,0][1080,2400]
        "#]],
    );
}

#[test]
fn notation_errors_have_positions() {
    check_error(
        "buton \"x\"",
        expect!["`buton` is no role (line 1, column 1)"],
    );
    check_error(
        "text \"x",
        expect!["the closing quote is missing (line 1, column 6)"],
    );
    check_error(
        "column\n  text \"a\" \"b\"",
        expect!["the text is given twice (line 2, column 12)"],
    );
    check_error(
        "text \"å\" clikable",
        expect!["`clikable` is unknown: there is no such state (line 1, column 10)"],
    );
    check_error(
        "text \"a\"b",
        expect!["a space is missing after the closing quote (line 1, column 9)"],
    );
    check_error(
        "text \"\\x\"",
        expect![[r#"after a backslash comes one of \ " n r t or u{…} (line 1, column 7)"#]],
    );
    check_error(
        "text \"\\u{110000}\"",
        expect![[r#"after a backslash comes one of \ " n r t or u{…} (line 1, column 7)"#]],
    );
    check_error(
        "text label= \"x\"",
        expect!["`label=` is followed by a string in quotes (line 1, column 6)"],
    );
    check_error(
        "text [0,0] [1,1]",
        expect!["bounds are written as `[0,0][1080,2400]`, without spaces (line 1, column 6)"],
    );
    check_error(
        "text [0,0][1,1] unplaced",
        expect!["the place is given twice (line 1, column 17)"],
    );
    check_error(
        "text index=-1",
        expect!["an index is a whole number from 0 (line 1, column 6)"],
    );
    check_error(
        "    text\n  text",
        expect!["this is indented less than the first node (line 2, column 3)"],
    );
    check_error(
        "text\nscreen 1x1",
        expect!["`screen` is allowed once, on the first line (line 2, column 1)"],
    );
    check_error(
        "screen large",
        expect!["a screen is written as `screen 1080x2400 rotation=1` (line 1, column 8)"],
    );
    check_error(
        "window big\n  text",
        expect!["`big` is not part of a window line (line 1, column 8)"],
    );
    check_error(
        "text\n  window application",
        expect!["this window has no node (line 2, column 3)"],
    );
    check_error(
        "\"words\"",
        expect!["a line begins with a role, `node`, `window` or `screen` (line 1, column 1)"],
    );
    check_error(
        "~x text",
        expect!["`~` is followed by a level (line 1, column 1)"],
    );
}
