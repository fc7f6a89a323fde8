//! Actions and their objects: verbs, icons for actions, and controls named only by their row or column.

use inspect::Verdict;

use crate::support::page::page;

#[test]
fn element_without_the_action_is_uncertain() {
    let page = page(
        r#"
main
  div .card
    name@a href="/h/2" "Hostel Ribeira"
  asked@a href="/ask" "Asked questions"
"#,
    );
    for query in ["unpin Hostel Ribeira", "who asked the questions"] {
        let found = page.describe(query);
        assert!(
            !matches!(found.verdict, Verdict::Certain),
            "{query}: {:?}",
            found.verdict
        );
    }
}

#[test]
fn menu_bar_only_opens_menus() {
    let page = page(
        r#"
header
  div role="menubar"
    span role="menuitem" "File"
    menu@span role="menuitem" "Run"
  run@span pointer title="Run"
main
  reply@input placeholder="Reply" label="Add the table"
"#,
    );
    page.prefers(&[("run button", "run"), ("Run menu", "menu")]);
    let found = page.describe("insert a table");
    assert_ne!(found.verdict.as_str(), "certain", "{found:#?}");
}
