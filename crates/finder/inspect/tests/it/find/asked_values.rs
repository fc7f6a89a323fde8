//! Questions for a value, and one of several in a container.

use crate::support::page::page;

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
