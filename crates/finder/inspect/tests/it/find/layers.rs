//! Dialogs without a role, and buttons that are shown under the pointer.

use inspect::Verdict;

use crate::support::page::page;

#[test]
fn element_over_the_whole_page_is_no_overlay() {
    let page = page(
        r#"
div raised [0,0,1000,800]
  one@button pointer "Remove" [500,100,600,130]
  two@button pointer "Remove" [500,400,600,430]
"#,
    );
    let found = page.describe("remove");
    assert!(
        matches!(found.verdict, Verdict::Ambiguous { count: 2, .. }),
        "{found:#?}"
    );
}

#[test]
fn button_shown_on_hover_is_found_and_said_to_be() {
    let page = page(
        r#"
main
  div .row pointer
    span "Lunch"
    star@button transparent title="Star" [900,0,930,30]
  gone@button hidden "Archive" [900,100,930,130]
"#,
    );
    let found = page.describe("star the lunch");
    assert_eq!(page.ranked(&found).first(), Some(&"star"), "{found:#?}");
    let reasons = &found.ranked[0].reasons;
    assert!(
        reasons
            .iter()
            .any(|reason| reason.words == "is shown when the pointer is over it"),
        "{reasons:#?}"
    );
}

#[test]
fn what_is_behind_a_dialog_is_neither_certain_nor_counted() {
    let page = page(
        r#"
main [0,0,1000,800]
  compose@button pointer "Compose" [20,20,120,50]
  ul .list
    li listens pointer "Monday" [0,100,400,140]
    li listens pointer "Tuesday" [0,150,400,190]
div raised [0,0,1000,800]
  div
    h2 "Commands" [300,200,600,230]
    div .command listens pointer "Compose new mail" [300,300,600,330]
    second@div .command listens pointer "Search" [300,340,600,370]
    last@div .command listens pointer "Go to Done" [300,380,600,410]
"#,
    );
    page.prefers(&[
        ("second one of the list", "second"),
        ("the last one", "last"),
    ]);
    let found = page.describe("compose");
    assert_ne!(found.verdict, Verdict::Certain, "{found:#?}");
}
