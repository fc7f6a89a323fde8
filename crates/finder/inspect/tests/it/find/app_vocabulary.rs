//! Vocabulary of software: files, players, editors, calendars, task lists.

use crate::support::page::page;

#[test]
fn files_are_identified_by_their_programs() {
    let page = page(
        r#"
main
  sheet@button "XLSX Q1 Metrics.xlsx"
  gone@button "Trash"
"#,
    );
    page.prefers(&[("the Excel spreadsheet", "sheet")]);
    page.finds(&[("recycle bin", "gone")]);
}

#[test]
fn months_and_days_may_be_abbreviated() {
    let page = page(
        r#"
main
  table
    tr
      th "Tue"
      wed@th "Wed"
"#,
    );
    page.finds(&[("Wednesday column header", "wed")]);
}

#[test]
fn bare_number_is_a_day() {
    let page = page(
        r#"
main
  h2 "Calendar"
  table
    tr
      td
        third@a href="/3" "3"
      td
        day@a href="/17" "17"
      td
        other@a href="/24" "24"
"#,
    );
    page.prefers(&[
        ("click on the 24th", "other"),
        ("the 17th in the calendar", "day"),
        ("17th of March", "day"),
    ]);
}

#[test]
fn text_is_found_by_its_words() {
    let page = page(
        r#"
main
  larger@button title="Zoom In"
  find@button title="Find in document"
  box@input type="checkbox" label="Water the plants"
  text@span "Water the plants"
"#,
    );
    page.prefers(&[("magnify", "larger"), ("the text Water the plants", "text")]);
}
