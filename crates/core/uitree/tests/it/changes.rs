//! The differences between two screens, and the compact format.

use crate::{real_screen, screen};
use expect_test::{Expect, expect};
use uitree::diff;

fn check(before: &str, after: &str, expected: Expect) {
    let changes = diff(&screen(before), &screen(after));
    let lines: String = changes.iter().map(|change| format!("{change}\n")).collect();
    expected.assert_eq(&lines);
}

#[test]
fn text_state_and_bounds_changes_are_reported() {
    check(
        "column\n  text \"Total: 5\" #total\n  switch #wifi checkable\n  button \"Pay\" clickable disabled\n  text \"Old\"",
        "column\n  text \"Total: 7\" #total\n  switch #wifi checkable checked\n  text \"New\" .Toast\n  button \"Pay\" clickable",
        expect![[r#"
            - text "Old"
            ~ text "Total: 5": text "Total: 5" -> "Total: 7"
            ~ switch #wifi: now checked
            + text "New"
            ~ button "Pay": now enabled, moved by 0,100
        "#]],
    );
}

#[test]
fn scrolled_list_is_reported_as_moved() {
    let rows = |from: i32| {
        let rows: String = (from..from + 3)
            .map(|at| {
                let top = (at - from) * 100;
                format!("  text \"Row {at}\" #title [0,{top}][100,{}]\n", top + 100)
            })
            .collect();
        format!("list [0,0][100,300]\n{rows}")
    };
    check(
        &rows(0),
        &rows(1),
        expect![[r#"
        - text "Row 0"
        ~ text "Row 1": moved by 0,-100
        ~ text "Row 2": moved by 0,-100
        + text "Row 3"
    "#]],
    );
}

#[test]
fn opened_dialog_is_reported() {
    check(
        "window application owner=a\n  button \"Delete\" clickable",
        "window application owner=a\n  button \"Delete\" clickable\nwindow application layer=2\n  dialog\n    text \"Sure?\"\n    button \"Yes\" clickable\n    container\n      container",
        expect![[r#"
            + text "Sure?"
            + button "Yes"
        "#]],
    );
}

#[test]
fn hidden_node_is_reported_as_gone() {
    check(
        "column\n  text \"a\"",
        "column\n  text \"a\" invisible",
        expect![[r#"
        - text "a"
    "#]],
    );
    check(
        "column\n  text \"a\" [0,0][9,9]",
        "column\n  text \"a\" [0,0][9,20]",
        expect![[r#"
        ~ text "a": resized
    "#]],
    );
}

#[test]
fn compact_format() {
    let view = |notation: &str| screen(notation).to_compact();
    expect![[r#"
        application com.shop "Shop" active
         title "Basket"
         list #list scrollable
          listitem "Apples" "3 kg" label="three kilograms"
          listitem "Pears"
           button label="Remove"
         "Sum: 5 €"
         button @50,2050
         switch "Gift" unchecked
         textfield hint="Coupon" focused
         "Help" clickable disabled
        input-method com.keys
         button "q" #keys.q
    "#]]
    .assert_eq(&view(
        r#"
        window application layer=1 active "Shop" owner=com.shop
          container clickable
            toolbar
              title "Basket"
            list #com.shop:id/list scrollable
              listitem #com.shop:id/row clickable
                text "Apples"
                text "3 kg" label="three kilograms"
                image
              listitem clickable
                text "Pears"
                button label="Remove" clickable
              listitem invisible
                text "Unseen" invisible
            image
            container
              container
                text "Sum: 5 €"
            button [0,2000][100,2100] clickable
            switch "Gift" checkable
            textfield hint="Coupon" #com.shop:id/coupon editable focused clickable
            text "Help" clickable disabled
        window input-method layer=2 owner=com.keys
          button "q" #keys.q clickable
        "#,
    ));
    let keys: String = ('a'..='z')
        .map(|key| format!("\n    button \"{key}\" clickable"))
        .collect();
    assert_eq!(
        view(&format!("window input-method owner=com.keys\n  row{keys}")),
        "input-method com.keys (24 keys)\n"
    );
    let long = "x".repeat(220);
    assert_eq!(
        view(&format!("text \"{long}\"")),
        format!("application\n \"{}\"…\n", "x".repeat(160))
    );
}

#[test]
fn compact_format_of_real_screens() {
    expect![[r##"
        application com.google.android.dialer
         listitem "Figaya jej gufahud"
         listitem "Cig ni v gufahud"
         listitem "Zeru v panadow"
         #dialpad_view
          button label="Hulu sigenuw" #dialpad_overflow
          textfield "(335) 323-09" hint="Ahodo Evaqij" #digits
          button label="sehuvaquf" #deleteButton
          button label="5," #one
          button label="1,USA" #two
          button label="9,VAQ" #three
          button label="6,UVI" #four
          button label="3,AHE" #five
          button label="0,MIP" #six
          button label="4,SERI" #seven
          button label="2,CUP" #eight
          button label="8,ODIY" #nine
          button label="*" #star
          button label="7" "+" #zero
          button label="#" #pound
         button "Anig" label="nige" #dialpad_voice_call_button
         tab label="Febe" #tab_call_history
         tab label="Ohogon" #tab_dialpad selected
         tab label="Gupotariv" #tab_voicemail
    "##]]
    .assert_eq(&real_screen("029").to_compact());
    expect![[r#"
        application com.google.android.permissioncontroller ids=com.android.permissioncontroller
         #grant_singleton
          "Betit Setixe ni vocete nosi usipah’m dowemizu?" #grant_dialog
           radio "Udumoji" #permission_location_accuracy_radio_fine checked
           radio "Ecovemijuga" #permission_location_accuracy_radio_coarse unchecked
           button "Wexex vusor cab ika" #permission_allow_foreground_only_button
           button "Jixu nosi sipa" #permission_allow_one_time_button
           button "Poj’j betit" #permission_deny_button
    "#]]
    .assert_eq(&real_screen("031").to_compact());
}
