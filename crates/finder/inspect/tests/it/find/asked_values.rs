//! Questions for a value, and one of several in a container.

use crate::support::page::page;

#[test]
fn value_is_found_in_the_row_of_its_owner() {
    let page = page(
        r#"
main
  div .ride
    p "Taxi to the harbour"
    first@p "$24.50"
    p "Mar 6, 2026"
  div .ride
    p "Ferry"
    second@p "$8.00"
    when@p "Apr 9, 2026"
    seats@p "3 tickets"
"#,
    );
    page.prefers(&[
        ("amount of the taxi ride", "first"),
        ("how much was the ferry", "second"),
        ("date of the ferry", "when"),
        ("how many for the ferry", "seats"),
    ]);
}

#[test]
fn value_inside_a_card_is_found() {
    let page = page(
        r#"
main
  div .card pointer listens
    span "Savings"
    balance@span "$12,450.82"
  div .event pointer listens
    starts@span "7:00 AM"
    span "Flight to Oslo"
  nav
    a href="/savings" "Savings"
"#,
    );
    page.prefers(&[
        ("how much do I have in savings", "balance"),
        ("what time is the flight", "starts"),
    ]);
}

#[test]
fn field_with_that_name_is_no_value() {
    let page = page(
        r#"
main
  p "Balance: $10.00"
  amount@input label="Amount"
  due@button "Due date"
"#,
    );
    page.prefers(&[("amount to pay", "amount"), ("due date", "due")]);
}

#[test]
fn one_of_several_is_counted_in_its_container() {
    let page = page(
        r#"
main
  nav
    a href="/1" "Home"
    a href="/2" "News"
  section
    h2 "Labels"
    button .label "Travel"
    second@button .label "Family"
    last@button .label "Work"
"#,
    );
    page.prefers(&[
        ("in Labels choose the second one", "second"),
        ("the last one in Labels", "last"),
    ]);
}

#[test]
fn unnamed_button_may_be_the_described_one() {
    let page = page(
        r##"
main
  a href="/" "Harbour"
  button .b12
"##,
    );
    let found = page.describe("the heart icon");
    assert_eq!(found.verdict.as_str(), "unsure", "{found:#?}");
}

#[test]
fn text_that_only_its_author_calls_so_is_read() {
    let page = page(
        r#"
main
  ul
    li
      p "Ferry to Hven"
      gate@span .gate "B7"
      button "Rebook"
    li
      p "Ferry to Ven"
      span .gate "C2"
      button "Rebook"
"#,
    );
    page.prefers(&[("gate of the Hven ferry", "gate")]);
}
