//! Ownership: by a person, a table row, or another site.

use crate::support::page::page;

#[test]
fn possessive_targets_the_thing() {
    let page = page(
        r#"
main
  ul
    li
      anna@b "Anna Berg"
      write@button "Message"
      face@img alt="Portrait"
    li
      olaf@b "Olaf Lind"
      other@button "Message"
"#,
    );
    page.finds(&[
        ("Anna Berg's message button", "write"),
        ("Olaf Lind\u{2019}s message button", "other"),
    ]);
    page.prefers(&[
        ("Anna Berg's portrait", "face"),
        ("I would like to see Anna Berg", "anna"),
    ]);
}

#[test]
fn cell_is_named_by_its_column_header() {
    let page = page(
        r#"
table
  tr
    th "Employee"
    pay@th "Salary"
    th "Office"
  tr
    td "Cara Stevens"
    cara@td "$145,600"
    where@td "New York"
  tr
    td "Colleen Hurst"
    colleen@td "$205,500"
    td "London"
"#,
    );
    page.prefers(&[
        ("Cara Stevens' salary", "cara"),
        ("the salary of Colleen Hurst", "colleen"),
        ("Cara Stevens's office", "where"),
        ("the Salary column header", "pay"),
    ]);
}

#[test]
fn control_in_a_cell_is_named_by_its_column_header() {
    let page = page(
        r#"
table
  tr
    th "Item"
    th "Qty"
    th "Done"
  tr
    td "Pen"
    td
      pens@input value="1"
    td
      pen@input type="checkbox"
  tr
    td "Ink"
    td
      inks@input value="2"
    td
      ink@input type="checkbox"
"#,
    );
    page.prefers(&[
        ("the quantity of the ink", "inks"),
        ("qty of Pen", "pens"),
        ("done of Ink", "ink"),
    ]);
}

#[test]
fn header_row_is_not_counted() {
    let page = page(
        r#"
main
  h2 "Payments"
  table
    tr aria-label="Number Status"
      th "Number"
      th "Status"
    one@tr aria-label="1041 Paid"
      td "1041"
      paid@td "Paid"
    two@tr aria-label="1042 Overdue"
      td "1042"
      overdue@td "Overdue"
"#,
    );
    page.prefers(&[
        ("the first row of the table", "one"),
        ("the second row", "two"),
        ("status of the second payment", "overdue"),
    ]);
}

#[test]
fn ordinal_page_means_page_number() {
    let page = page(
        r#"
main
  ul
    li
      a href="/1" "Previous"
    li
      one@a href="/1" "1"
    li
      two@a href="/2" "2"
    li
      three@a href="/3" "3"
"#,
    );
    page.prefers(&[
        ("the third page", "three"),
        ("last page number", "three"),
        ("second page", "two"),
    ]);
}

#[test]
fn entries_with_headings_belong_to_list_heading() {
    let page = page(
        r#"
main
  section
    h6 "Billing"
    a .tile href="/a" "Online builder"
    a .tile href="/b" "Upgrade"
  section
    h6 "Invoices"
    ul
      li
        h6 "March 2020"
        first@button "PDF"
      li
        h6 "February 2021"
        second@button "PDF"
"#,
    );
    page.prefers(&[
        ("first invoice's PDF", "first"),
        ("the PDF of the second invoice", "second"),
    ]);
}

#[test]
fn element_beside_its_label_is_named_by_it() {
    let page = page(
        r#"
main
  ul
    li
      milk@input type="checkbox" label="Buy milk"
      span "Buy milk"
    li
      bill@input type="checkbox" label="Pay the bill"
      span "Pay the bill"
  select label="Author"
  pencil@a href="/change" title="Change selected author"
  other@a href="/view" title="View selected author"
"#,
    );
    page.prefers(&[
        ("the checkbox in front of Pay the bill", "bill"),
        ("check mark left of Buy milk", "milk"),
        ("pencil next to the author", "pencil"),
    ]);
}

#[test]
fn filter_and_sort_keys_name_the_target() {
    let page = page(
        r#"
main
  search@input type="search" placeholder="Filter runs: branch, status"
  branch@summary "Branch"
  status@summary "Status"
  date@a href="?sort=date" "Date"
"#,
    );
    page.prefers(&[
        ("filter by branch", "branch"),
        ("filter by status", "status"),
        ("sort by newest", "date"),
    ]);
}
