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
