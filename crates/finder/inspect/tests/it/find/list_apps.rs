//! Sentences about the rows and settings of an app.

use crate::support::page::page;

#[test]
fn neighbours_of_a_counted_element_are_offered() {
    let page = page(
        r#"
main
  one@button "Photo" [0,0,100,100]
  two@button "Photo" [110,0,210,100]
  three@button "Photo" [220,0,320,100]
  four@button "Photo" [330,0,430,100]
  five@button "Photo" [440,0,540,100]
"#,
    );
    let found = page.describe("the fourth photo button");
    let offered: Vec<&str> = found
        .ranked
        .iter()
        .map(|hit| page.name(hit.place))
        .collect();
    assert_eq!(offered, ["four", "five", "three"]);
}
