//! Controls identified by position, options or target.

use crate::support::page::page;

#[test]
fn checkbox_and_arrow_in_table_header_apply_to_rows() {
    let page = page(
        r#"
main
  table
    tr
      th
        every@input type="checkbox"
      th "Number"
        number@button
          span .srt
      th "Total"
        total@button
          span .srt
    tr
      td
        input type="checkbox"
      td
        a href="/1041" "1041"
      td "$12"
        button
          span .icon-trash
    tr
      td
        input type="checkbox"
      td
        a href="/1042" "1042"
      td "$90"
        button
          span .icon-trash
  delete@button "Delete"
"#,
    );
    page.prefers(&[
        ("select all", "every"),
        ("sort by total", "total"),
        ("sort by number", "number"),
        ("delete", "delete"),
    ]);
}

#[test]
fn dropdown_is_identified_by_its_options() {
    let page = page(
        r#"
main
  many@select
    option "1"
    option "2"
    option "3"
  rows@select
    option "10"
    option "25"
    option "100"
  order@select
    option "Newest"
    option "Price"
    option "Rating"
  spoken@select
    option "English"
    option "Deutsch"
    option "Français"
  span@select
    option "Last 7 days"
    option "Last month"
    option "This year"
"#,
    );
    page.prefers(&[
        ("quantity", "many"),
        ("rows per page", "rows"),
        ("sort order", "order"),
        ("change the language", "spoken"),
        ("time period", "span"),
    ]);
}

#[test]
fn action_may_be_foreign_and_come_last() {
    let page = page(
        r#"
ul
  li "Savon au miel"
    fr1@button "Supprimer"
  li "Huile d'argan"
    fr2@button "Supprimer"
ul
  li "Rechnung Mai"
    de1@button "Löschen"
  li "Rechnung Juni"
    de2@button "Löschen"
"#,
    );
    page.prefers(&[
        ("supprimer l'huile d'argan", "fr2"),
        ("remove the soap", "fr1"),
        ("die Rechnung Juni löschen", "de2"),
    ]);
}

#[test]
fn object_of_mark_as_is_not_the_target() {
    let page = page(
        r#"
main
  board@button "Board"
  table@button "Table"
  star@button aria-label="Add to favorites"
"#,
    );
    page.prefers(&[("mark the board as favorite", "star")]);
}

#[test]
fn column_headers_may_be_abbreviated() {
    let page = page(
        r#"
main
  table
    tr
      th "Item no."
      th "Qty"
      th "Disc. %"
      th "Amt"
    tr
      td "4711"
      td
        quantity@input value="2"
      td
        discount@input value="5"
      amount@td "20.00"
"#,
    );
    page.prefers(&[
        ("the quantity field", "quantity"),
        ("discount of 4711", "discount"),
        ("the amt of 4711", "amount"),
    ]);
}
